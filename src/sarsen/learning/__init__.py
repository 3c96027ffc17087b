"""Lessons, which teach a game without a server: the rules judge each try.

Nothing here is stored, and no search runs; `services.learning` keeps how far a player is.
"""
