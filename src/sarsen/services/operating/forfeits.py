"""Undo a forfeit: the game goes on where it stood, with a fresh turn for whoever was late."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.services import background, matches, ratings
from sarsen.services.board_news import tell_players
from sarsen.services.call import NOBODY, Call
from sarsen.storage.models import Match, MatchEvent, Review

LASTS = timedelta(days=60)  # so long a forfeit can be undone


def is_forfeited(match: Match) -> bool:
    """Return whether a match ended because the time of one side was used up."""
    last = match.events.filter(number=match.event_count, kind=MatchEvent.Kind.FORFEIT)
    return match.ended_at is not None and not match.is_imported and last.exists()


@transaction.atomic
def undo_forfeit(board: int, reason: str, now: datetime) -> Match:
    """Let a match go on that was lost on time; standings and ratings forget its result.

    The games that ended after it are rated anew, as if it had never been.

    Its review goes, too: it would tell both sides what to play.

    Raises:
        UserError: It was not lost on time, or too long ago, or somebody at the board does not
            play here any more.
    """
    match = Match.objects.select_for_update(no_key=True).get(pk=board)
    _check_may_undo(match, now)
    ratings.uncount(match)
    Review.objects.filter(match=match).delete()
    matches.resume(match, now)
    late = match.seats.select_related("player").get(seat=match.seat_to_move).player
    tell_players(match, Call(NOBODY, now), kind="resumed", late=late.userid, reason=reason)
    background.wake(background.SEND_MAIL)
    return match


def _check_may_undo(match: Match, now: datetime) -> None:
    why = ""
    players = [seat.player for seat in match.seats.select_related("player")]
    gone = next((player.userid for player in players if not player.is_active), "")
    if not is_forfeited(match):
        why = f"Board {match.pk} was not lost on time."
    elif match.ended_at is not None and match.ended_at + LASTS < now:
        why = f"Board {match.pk} ended more than {LASTS.days} days ago."
    elif gone:
        why = f"{gone} does not play here any more."
    if why:
        raise UserError(why, code="cannot-undo-forfeit")
