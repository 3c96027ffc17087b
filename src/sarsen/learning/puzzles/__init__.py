"""Puzzles: positions with a task, and all that solves it.

`puzzle` reads and writes them, `tries` judges. No search is needed: a puzzle brings every right
answer, which `sarsen puzzles` has found by asking about each legal move.
"""
