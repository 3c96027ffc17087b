"""The commands `review BOARD` and `reviews on|off`."""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.language.commands import SetReviews, ShowReview
from sarsen.language.reviews import ReviewAsked, ReviewShown, ReviewsSet
from sarsen.search.reviews.study import MOST_LOOKS, read
from sarsen.services import limits
from sarsen.services.matches import matches
from sarsen.services.request import Request
from sarsen.services.reviews.view import find_review, reviewed_game
from sarsen.services.reviews.waiting_players import are_made, wish
from sarsen.storage.models import Match, Player, Review, ReviewWish


def show_review(command: ShowReview, request: Request) -> ReviewAsked | ReviewShown:
    """Show the review of a finished game; where there is none yet, have it made."""
    match = matches.find(command.board, command.game, viewer=request.actor.player)
    review = find_review(match)
    if review is not None and review.state == Review.State.DONE:
        return ReviewShown(match.pk, reviewed_game(match, review))
    check_reviewable(match)
    player = request.player(f"{match.game} review {match.pk} USERID PASSWORD")
    if not are_made():
        raise UserError("There are no reviews on this server.", code="review-off", hint="help")
    if not ReviewWish.objects.filter(review__match=match, player=player).exists():
        limits.check(player, "review", request.now, what="reviews")
    review, is_new = wish(match, player, request.now)
    if review.state == Review.State.DONE:
        # Done between the look above and the wish: nobody would ever be told of it.
        review.wishes.filter(player=player).update(told_at=request.now)
        return ReviewShown(match.pk, reviewed_game(match, review))
    if review.state == Review.State.FAILED:
        _begin_again(review, request)
    done = len(read(review.findings).looks)
    return ReviewAsked(match.pk, done, min(match.ply + 1, MOST_LOOKS), is_new)


def set_reviews(command: SetReviews, request: Request) -> ReviewsSet:
    """Set whether every game of the speaker is reviewed when it ends."""
    player = request.player("reviews USERID PASSWORD on")
    Player.objects.filter(pk=player.pk).update(wants_reviews=command.are_on)
    return ReviewsSet(command.are_on)


def check_reviewable(match: Match) -> None:
    """Refuse a game that still runs, or in which there is nothing to review.

    Raises:
        UserError: Says which, and what to do.
    """
    if match.ended_at is None:
        raise UserError(
            f"Board {match.pk} still runs: a review comes after a game, never during it.",
            code="review-running",
            hint=f"{match.game} show {match.pk}",
        )
    if not match.ply:
        raise UserError(
            f"Board {match.pk} ended before its first move: there is nothing to review.",
            code="review-empty",
            hint=f"{match.game} history",
        )
    if match.seats.count() != 2:
        raise UserError(
            f"Board {match.pk} has {match.seats.count()} seats; only games of two are reviewed.",
            code="review-seats",
            hint=f"{match.game} show {match.pk}",
        )


def _begin_again(review: Review, request: Request) -> None:
    """Try a review again that could not be made; the players who want it are told again."""
    review.state = Review.State.WAITING
    review.attempts = 0
    review.due_at = request.now
    review.save(update_fields=["state", "attempts", "due_at"])
    review.wishes.filter(player=request.actor.player).update(told_at=None)
