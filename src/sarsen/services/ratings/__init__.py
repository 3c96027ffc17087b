"""Ratings: Glicko-2, every game of its own, moved by every result as soon as its game ends.

`glicko` is the arithmetic, and pure. `counting` is what the end of a match calls, `rating`
rates results in their order, `changes` and `pages` are for letters and pages, `tables`
answers the command. See decision 0011.
"""

from sarsen.services.ratings.counting import count, count_result, uncount

__all__ = ["count", "count_result", "uncount"]
