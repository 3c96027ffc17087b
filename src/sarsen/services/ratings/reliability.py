"""Reliability: how many of their last games players did not lose on time (E33)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from django.db.models import Exists, F, OuterRef, Window
from django.db.models.functions import RowNumber

from sarsen.core.phrases import Phrase
from sarsen.storage.models import MatchEvent, Result

GAMES, MIN_GAMES = 50, 10  # the last ones of a player; under ten say nothing
UNKNOWN = "-"


def reliability_of(players: Collection[int]) -> Mapping[int, int | None]:
    """Return the per cent of the last 50 finished games that each player did not lose on time.

    Rounded down; None under ten games, and for programs, whose games are many. One query for all
    players, over their results by date.

    Args:
        players: Their keys.
    """
    counted: dict[int, list[bool]] = {player: [] for player in players}
    for player, is_forfeit in _last_results(players):
        counted[player].append(is_forfeit)
    return {player: _per_cent(lost) for player, lost in counted.items()}


def _last_results(players: Collection[int]) -> Iterable[tuple[int, bool]]:
    """Return the player of each of the last results, and whether it was lost on time.

    Of one player they are read from the newest on; of several all are numbered first.
    """
    results = Result.objects.filter(player__in=players)
    # The last event: a forfeit that was undone does not count.
    forfeits = MatchEvent.objects.filter(
        match=OuterRef("match"),
        kind=MatchEvent.Kind.FORFEIT,
        seat=OuterRef("seat"),
        number=OuterRef("match__event_count"),
    )
    if len(players) == 1:
        newest = results.annotate(is_forfeit=Exists(forfeits)).order_by("-at", "-pk")
        rows = newest.values_list("player", "is_forfeit", "player__level")[:GAMES]
        # Asked for in SQL, PostgreSQL would look at all results of a program, to find none.
        return [(player, is_forfeit) for player, is_forfeit, level in rows if level is None]
    place = Window(RowNumber(), partition_by=F("player"), order_by=[F("at").desc(), F("pk").desc()])
    last = results.filter(player__level=None).annotate(place=place).filter(place__lte=GAMES)
    return last.annotate(is_forfeit=Exists(forfeits)).values_list("player", "is_forfeit")


def _per_cent(lost: list[bool]) -> int | None:
    if len(lost) < MIN_GAMES:
        return None
    return 100 * lost.count(False) // len(lost)


def reliability_words(per_cent: int | None) -> str:
    """Return it as tables show it; `-` under ten games."""
    return UNKNOWN if per_cent is None else Phrase("{count} %", count=per_cent)
