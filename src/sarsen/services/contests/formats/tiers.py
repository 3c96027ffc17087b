"""The tiers of a league: their sizes, who goes up and down, and the tiers of the next season."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from sarsen.services.contests.table import Row

MIN_TIER, MAX_TIER = 4, 10  # entrants of a tier
SMALL_TIER = 6  # up to this size one goes up and one down, else two


class Class(IntEnum):
    """How an entrant comes to the tier that the table gives, in the order of E22."""

    DOWN = 0
    STAYED = 1
    UP = 2
    NEW = 3


@dataclass(frozen=True)
class Finish:
    """How a player has ended a season.

    Attributes:
        tier: In which, from 1.
        place: In it; of those who share one, the first.
        wish: The tier that the table gives in the next season.
    """

    player: int
    tier: int
    place: int
    wish: int

    @property
    def kind(self) -> Class:
        if self.wish == self.tier:
            return Class.STAYED
        return Class.UP if self.wish < self.tier else Class.DOWN


def tier_sizes(entrants: int) -> tuple[int, ...]:
    """Return the sizes of the tiers of a league, the highest first (E20).

    They differ by one at most, and the larger ones are below.
    """
    count = max(1, -(-entrants // MAX_TIER), entrants // 8)
    size, larger = divmod(entrants, count)
    return tuple(size + (tier >= count - larger) for tier in range(count))


def places_that_move(size: int) -> int:
    """Return how many go up from a tier of a size, and how many down (E21)."""
    return 1 if size <= SMALL_TIER else 2


def finishes(
    rows: Sequence[Row], programs: Collection[int], flawless: Collection[int]
) -> tuple[Finish, ...]:
    """Return how each entrant of a season has ended it, in the order of its table (E21).

    Args:
        rows: Of all tiers.
        programs: The players who are programs: they never go up, and places for going up are
            counted without them.
        flawless: The players who have won every game; they go up by two.
    """
    lowest = max((row.tier for row in rows), default=1)
    found: list[Finish] = []
    for tier in range(1, lowest + 1):
        members = [row for row in rows if row.tier == tier]
        moving = places_that_move(len(members))
        people = [row.place for row in members if row.entrant.player not in programs]
        for row in members:
            player, wish = row.entrant.player, tier
            above = sum(place < row.place for place in people)
            # Of those who share a place across the line up all go up; across the line down none
            # goes down.
            if player not in programs and above < moving:
                wish = max(1, tier - (2 if player in flawless else 1))
            elif row.place > len(members) - moving:
                wish = min(lowest, tier + 1)
            found.append(Finish(player, tier, row.place, wish))
    return tuple(found)


def next_tiers(
    before: Iterable[Finish], entrants: Mapping[int, float]
) -> tuple[tuple[int, ...], ...]:
    """Return the players of each tier of a season, the highest first (E22).

    Each tier takes those who may not go below it; then those who come up to it, while it has room;
    then it fills gaps up to its size of E20 with those who would have come down, and with those
    below, the best first.

    Args:
        before: How the season before has ended, in the order of its table.
        entrants: How strong each player of the season is for certain, in the order of entry.
    """
    known = {one.player: one for one in before}
    waiting = _in_order(known, entrants)
    sizes = tier_sizes(len(waiting))
    tiers = []
    for tier, size in enumerate(sizes, 1):
        below = len(sizes) - tier
        taken = _tier(tier, size, below, waiting, known) if below else waiting
        chosen = set(taken)
        # In each tier as well the order is that of E22.
        tiers.append(tuple(player for player in waiting if player in chosen))
        waiting = [player for player in waiting if player not in chosen]
    return tuple(tiers)


def _in_order(known: Mapping[int, Finish], entrants: Mapping[int, float]) -> list[int]:
    """Return the players by the tier they would have, in it by class, and in that by place."""
    standing = {player: at for at, player in enumerate(known)}
    old = [known[player] for player in entrants if player in known]
    old.sort(key=lambda one: (one.wish, one.kind, one.tier, one.place, standing[one.player]))
    new = [player for player in entrants if player not in known]
    new.sort(key=lambda player: -entrants[player])
    return [*(one.player for one in old), *new]


def _tier(
    tier: int, size: int, below: int, waiting: Sequence[int], known: Mapping[int, Finish]
) -> list[int]:
    """Return those of `waiting` whom a tier takes.

    Args:
        size: That of E20.
        below: How many tiers are below it; they need `MIN_TIER` entrants each.
    """
    room = min(MAX_TIER, len(waiting) - MIN_TIER * below)
    taken = [player for player in waiting if _stays_above(tier, known.get(player))]
    if len(taken) > len(waiting) - MIN_TIER * below:
        # Else the tiers below would be too small: it and those are divided by place. That is the
        # exception in which somebody who stayed comes down.
        return taken[: len(waiting) // (below + 1)]
    if len(taken) >= room:
        return taken[:room]
    rising = [player for player in waiting if _comes_up(tier, known.get(player))]
    taken += rising[: room - len(taken)]
    gaps = max(0, min(room, size) - len(taken))
    others = [player for player in waiting if player not in taken]
    # Nobody moves twice: those who come up to a tier below are taken when nobody else is left.
    others.sort(key=lambda player: player in known and known[player].kind is Class.UP)
    return taken + others[:gaps]


def _stays_above(tier: int, finish: Finish | None) -> bool:
    """Return whether somebody who ended a season so may not go below a tier."""
    if finish is None:
        return False
    return finish.wish <= tier if finish.kind is Class.DOWN else finish.tier <= tier


def _comes_up(tier: int, finish: Finish | None) -> bool:
    return finish is not None and finish.wish <= tier < finish.tier
