"""Ratings: Glicko-2, every game of its own, all results of a period counted together.

`glicko` is the arithmetic and `periods` says what a period does to everybody in it:
both are pure. `counting` is what the end of a match calls, `closing` the sweep that
ends periods, `present` says how strong somebody is now and what the running period is
about to do, `tables` answers the command, `pages` is for pages and letters. See
decision 0011.
"""

from sarsen.services.ratings.counting import count, uncount

__all__ = ["count", "uncount"]
