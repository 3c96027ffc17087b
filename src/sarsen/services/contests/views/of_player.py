"""The contests of a player, for the player's page: entries and medals."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count

from sarsen.games import find
from sarsen.language.contests.facts import ContestLine
from sarsen.services.contests.state import Phase
from sarsen.services.contests.views.listing import list_contests
from sarsen.services.contests.views.wording import span, title_of
from sarsen.storage.models import ContestEntry, Player

MAX_ENTRIES = 12  # as many as one may have (E37)
MAX_MEDALS = 12  # of a page, the newest
LAST_MEDAL = 3
MIN_ENTRANTS = 4  # of a contest whose first places are medals


@dataclass(frozen=True)
class Medal:
    """One of the first three places of a contest.

    Attributes:
        place: As its table shows it, shared ones as `1-3`; `rank` is the first of them.
    """

    number: int
    name: str
    game: str
    place: str
    rank: int
    entrants: int


def entries_of(player: Player, viewer: Player | None) -> tuple[ContestLine, ...]:
    """Return the contests of a player that are open or running, the newest first."""
    return list_contests(viewer=viewer, player=player, still_in=True, most=MAX_ENTRIES)


def medals_of(player: Player) -> tuple[Medal, ...]:
    """Return the first three places of a player, the newest first."""
    entries = (
        ContestEntry.objects.filter(
            player=player, place__lte=LAST_MEDAL, contest__state=Phase.ENDED
        )
        .select_related("contest")
        .annotate(entrants=Count("contest__entries"))
        .filter(entrants__gte=MIN_ENTRANTS)
        .order_by("-contest__ends_at", "-contest")
    )
    games = find()
    return tuple(
        Medal(
            number=contest.pk,
            name=title_of(contest),
            game=games[contest.game].info.title if contest.game in games else contest.game,
            place=span(entry.place or 0, entry.shared_to or entry.place or 0),
            rank=entry.place or 0,
            entrants=entry.entrants,
        )
        for entry in entries[:MAX_MEDALS]
        for contest in [entry.contest]
    )
