"""Whether a player wants to be asked for a game: their list of what is refused, and their limit."""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.language.challenges import ANYONE
from sarsen.storage.models import MatchSeat, Player


def check_wanted(invited: Player, challenger: Player | None, game: str) -> None:
    """Refuse a challenge that a player does not want.

    Args:
        challenger: Who makes it, or takes it up; None when nobody is proved.

    Raises:
        UserError: It would be against their list or beyond their limit.
    """
    if challenger == invited:
        return
    wanted_by_name = challenger is not None and challenger.key in invited.accepts
    refused = set(invited.refuses)
    is_refused = game in refused or (challenger is not None and challenger.key in refused)
    if is_refused or (ANYONE in refused and not wanted_by_name):
        raise UserError(
            "{player} does not want to be challenged to this.",
            code="challenge-refused",
            hint="list",  # an open challenge would reach others than was asked
            player=invited.userid,
        )
    if invited.most_games is not None and running_boards(invited) >= invited.most_games:
        raise UserError(
            "{player} has enough games ({games}). Try again when one of them is over.",
            code="enough-games",
            hint="list",
            player=invited.userid,
            games=invited.most_games,
        )


def running_boards(player: Player) -> int:
    """Return at how many running boards a player has a seat, counted by seats."""
    return MatchSeat.objects.filter(player=player, match__ended_at=None).count()
