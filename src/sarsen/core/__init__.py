"""The contract of a game, its options, the referee and the errors people see.

Open `game` first. Standard library only; imports no other part of sarsen.
"""
