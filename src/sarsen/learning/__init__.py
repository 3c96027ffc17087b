"""What teaches a game without a server: lessons, whose tries the rules judge.

Nothing here is stored, and no search runs; `services.learning` keeps how far a player is.
"""
