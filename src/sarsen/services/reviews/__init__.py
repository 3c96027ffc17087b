"""Reviews of finished games: requested, made step by step by a thinker, told and shown.

A step can be stopped anywhere without harm. What a step finds is in `sarsen.search.reviews`.
"""

from sarsen.services.reviews.making import request_chosen_reviews

__all__ = ["request_chosen_reviews"]
