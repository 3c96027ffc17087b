"""The players who are told of a review when it is done."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

from sarsen.search.bots import MOST
from sarsen.search.reviews.study import is_current
from sarsen.services.bots.accounts import strongest_here
from sarsen.services.request import BoardEvent
from sarsen.storage.models import Match, Player, Review, ReviewWish


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


def _make_anew(review: Review, now: datetime) -> None:
    """Forget what an older version of the server found; only who asks now is told again."""
    review.state = Review.State.WAITING
    review.findings, review.steps, review.attempts = {}, 0, 0
    review.due_at = now
    review.save(update_fields=["state", "findings", "steps", "attempts", "due_at"])


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
