"""Ratings: Glicko-2 per game, updated by every result as soon as its game ends.

`glicko` is the arithmetic, and pure. See docs/decisions/0011.
"""

from sarsen.services.ratings.counting import count, count_result, uncount

__all__ = ["count", "count_result", "uncount"]
