"""Reviews of finished games: requested, made step by step by a thinker, told and shown.

A step can be stopped anywhere without harm. What a step finds is in `sarsen.search.reviews`.
"""

from sarsen.services.reviews.making import wish_for_players

__all__ = ["wish_for_players"]
