"""Reviews of finished games: asked for, made a step at a time by a thinker, told and shown.

`asking` answers the commands and `wishing` is what the end of a match calls; `working`
does one bounded step, and is stopped or killed anywhere without harm; `viewing` gives
what letters and pages show. What a step finds is in `sarsen.search.reviews`.
"""

from sarsen.services.reviews.waiting_players import wish_for_players

__all__ = ["wish_for_players"]
