"""The commands `review BOARD` and `reviews on|off`, and the players who wait for a review."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.language.commands import SetReviews, ShowReview
from sarsen.language.reviews import ReviewAsked, ReviewShown, ReviewsSet
from sarsen.search.bots import MOST
from sarsen.search.reviews.study import MOST_LOOKS, is_current, read
from sarsen.services import limits
from sarsen.services.bots.accounts import strongest_here
from sarsen.services.matches import matches
from sarsen.services.request import BoardEvent, Request
from sarsen.services.reviews.view import find_review, reviewed_game
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
        limits.check(player, "review", request.now)
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
            "Board {board} still runs: a review comes after a game, never during it.",
            code="review-running",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )
    if not match.ply:
        raise UserError(
            "Board {board} ended before its first move: there is nothing to review.",
            code="review-empty",
            hint=f"{match.game} history",
            board=match.pk,
        )
    if match.seats.count() != 2:
        raise UserError(
            "Board {board} has {seats} seats; only games of two are reviewed.",
            code="review-seats",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
            seats=match.seats.count(),
        )


def are_made() -> bool:
    """Return whether this server makes reviews: somebody must think for it."""
    is_wanted = settings.SARSEN_BOTS
    # Only the compiled searches review.
    return bool(is_wanted) and strongest_here() == MOST


def wish(match: Match, player: Player, now: datetime) -> tuple[Review, bool]:
    """Note that a player wants the review of a finished match, which is begun if it is new.

    Returns:
        The review, and whether the player had not asked for it before.
    """
    Review.objects.bulk_create(
        [Review(match=match, asked_at=now, due_at=now)],
        ignore_conflicts=True,  # somebody else asked for it
    )
    # Held, so that it is not done between here and the wish, which would then never be told.
    review = Review.objects.select_for_update(no_key=True).get(match=match)
    if review.state == Review.State.DONE and not is_current(review.findings):
        _make_anew(review, now)
    _, is_new = ReviewWish.objects.get_or_create(
        review=review, player=player, defaults={"asked_at": now}
    )
    return review, is_new


def wish_for_players(event: BoardEvent) -> None:
    """Begin the review of a match that an event ends, for those who want it of every game."""
    match = event.match
    if not event.ends_match or not match.ply or not are_made():
        return
    seated = Player.objects.filter(seats__match=match, wants_reviews=True, is_active=True)
    wanted = list(seated.filter(is_bot=False).distinct().order_by("pk"))
    if wanted and match.seats.count() == 2:
        for player in wanted:
            wish(match, player, event.now)


def _begin_again(review: Review, request: Request) -> None:
    """Try a review again that could not be made; the players who want it are told again."""
    review.state = Review.State.WAITING
    review.attempts = 0
    review.due_at = request.now
    review.save(update_fields=["state", "attempts", "due_at"])
    review.wishes.filter(player=request.actor.player).update(told_at=None)


def _make_anew(review: Review, now: datetime) -> None:
    """Forget what an older version of the server found; only who asks now is told again."""
    review.state = Review.State.WAITING
    review.findings, review.steps, review.attempts = {}, 0, 0
    review.due_at = now
    review.save(update_fields=["state", "findings", "steps", "attempts", "due_at"])
