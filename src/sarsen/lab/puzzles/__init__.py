"""`sarsen puzzles`: find positions with a task in games, prove all that solves them, write lines.

`provers` ask about every move of a position, `trees` about what follows, `making` looks through
games, `choosing` keeps a mix of what it found.
"""
