"""How many games people may have with the server's own programs, and of programs to watch."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.search.bots import SEATS
from sarsen.services import limits
from sarsen.services.bots.levels import strongest_here
from sarsen.services.call import Call
from sarsen.storage.models import Match, Player


def check_watched_game(players: Sequence[Player | None], game: str, call: Call) -> None:
    """Bound the games between programs only, which somebody challenges to watch them.

    Raises:
        UserError: Nobody is proved, or it was enough for today.
    """
    if any(player is None or player.level is None for player in players):
        return
    names = " ".join(player.userid for player in players if player)
    watcher = call.player(f"{game} challenge USERID PASSWORD {names}")
    limits.check(watcher, "bots", call.now, what="games between programs")


def check_room(players: Sequence[Player], call: Call, *, boards: int) -> None:
    """Refuse games with programs that they cannot play, or beyond what one person may have.

    Args:
        boards: How many begin.

    Raises:
        UserError: Says which, and when there is room again.
    """
    people = {player for player in players if player.level is None}
    if len(people) == len(set(players)):
        return
    if len(players) != SEATS:
        raise UserError(
            f"Programs play games of {SEATS} seats only; this one has {len(players)}.",
            code="bot-seats",
            hint="list",
        )
    if not settings.SARSEN_BOTS:
        raise UserError(
            "No programs play on this server just now; people do.",
            code="no-bots",
            hint="list",
        )
    _check_levels(players)
    most: int = settings.SARSEN_BOT_GAMES
    for person in people:
        if _running(person) + boards > most:
            who = "You have" if person == call.actor.player else f"{person.userid} has"
            raise UserError(
                f"{who} {_running(person)} games with programs in play; {most} at once are allowed "
                "here. When one of them is over there is room again.",
                code="bot-games",
                hint=f"games {person.userid} active",
            )


def _check_levels(players: Sequence[Player]) -> None:
    """Refuse the programs that this installation cannot run, because it has no Numba."""
    for player in players:
        if player.level is not None and player.level > strongest_here():
            raise UserError(
                f"{player.userid} does not play on this server; the strongest program here is of "
                f"level {strongest_here()}.",
                code="no-such-level",
                hint=f"bot{strongest_here()}",
            )


def _running(person: Player) -> int:
    mine = Match.objects.filter(ended_at=None, seats__player=person)
    return mine.exclude(bots=[]).distinct().count()
