"""Where a ring can go: legs joined by bounces, no connection used twice.

Both searches go wave by wave, one stop more each time and the smaller slots
first, so what they find first has the fewest stops and then the smallest slots.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from sarsen.games.gyges.board import (
    GOALS,
    LEGS,
    NAMES,
    SLOTS,
    SOUTH,
    Leg,
    RingMove,
    Rings,
    occupied,
    shore,
    shore_rings,
)

_WON = b"won"
MAX_CONNECTIONS = 61  # 60 between slots, and one into a goal: no move has more legs


@dataclass(frozen=True, slots=True)
class RingRequest:
    """The request to move a ring.

    Attributes:
        stops: The places named, the origin first; all but the last are to be bounced on.
        passing: One a leg: the slots to pass between, or None for any.
    """

    stops: tuple[int, ...]
    passing: tuple[tuple[int, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class Route:
    """A way found.

    Attributes:
        stops: The origin, every ring bounced on, and the end.
        trail: The same with all slots passed between.
        used: The connections used, as a mask.
        reached: How many of the named stops it has behind it.
    """

    stops: tuple[int, ...]
    trail: tuple[int, ...]
    used: int
    reached: int


def arrivals(rings: Rings, origin: int, seat: int) -> Iterator[tuple[int, ...]]:
    """Yield the stops to every place a ring can end its move on, each place once.

    A place with a ring on it is one where a ring is to be relocated. The origin
    counts as empty.
    """
    taken = occupied(rings) & ~(1 << origin)
    open_legs = _open_legs_from(rings, origin, taken, seat)
    reachable = _ends(open_legs)
    seen: set[int] = set()
    visits = _Visits()
    wave: list[tuple[tuple[int, ...], int]] = [((origin,), 0)]
    while wave and len(seen) < len(reachable):
        following = []
        for stops, used in wave:
            for leg in open_legs[stops[-1]]:
                # Ruling G2: a connection is used once in the whole move, that into a goal included.
                if leg.connections & used:
                    continue
                end, way = leg.end, (*stops, leg.end)
                if end not in seen:
                    seen.add(end)
                    yield way
                if taken >> end & 1 and visits.is_new(end, used | leg.connections):
                    following.append((way, used | leg.connections))
        wave = following


def find_route(rings: Rings, request: RingRequest, seat: int, *, may_add: bool) -> Route | None:
    """Find a way through the stops named, in their order.

    Args:
        rings: What stands where.
        request: The stops named.
        seat: Whose ring moves.
        may_add: Whether rings that are not named may be bounced on as well.
    """
    origin = request.stops[0]
    taken = occupied(rings) & ~(1 << origin)
    visits = _Visits()
    wave = [Route((origin,), (origin,), 0, 1)]
    while wave:
        following = []
        for route in wave:
            stop = route.stops[-1]
            for leg in _open_legs(stop, rings[stop], taken, route.used, seat):
                for longer in _continued(route, leg, request, may_add=may_add):
                    if longer.reached == len(request.stops):
                        return longer
                    if taken >> leg.end & 1 and visits.is_new(
                        (leg.end, longer.reached), longer.used
                    ):
                        following.append(longer)
        wave = following
    return None


def is_conceivable(rings: Rings, request: RingRequest, seat: int) -> bool:
    """Return quickly whether each stop could follow the one before, connections used or not."""
    taken = occupied(rings) & ~(1 << request.stops[0])
    return all(
        end in _ends(_open_legs_from(rings, start, taken, seat))
        for start, end in pairwise(request.stops)
    )


def is_leg_open(rings: Rings, origin: int, leg: RingRequest, seat: int) -> bool:
    """Return whether a ring's connections lead from one stop to the next, taken by themselves."""
    taken = occupied(rings) & ~(1 << origin)
    start, end = leg.stops
    return any(
        way.end == end and leg.passing[0] in (None, way.passed)
        for way in _open_legs(start, rings[start], taken, 0, seat)
    )


def _open_legs_from(rings: Rings, origin: int, taken: int, seat: int) -> dict[int, list[Leg]]:
    """Return the legs open to a ring, those of the rings it can bounce on included, by place.

    Args:
        rings: What stands where.
        origin: Where the ring comes from.
        taken: The slots with a ring, without the origin.
        seat: Whose ring moves.
    """
    legs: dict[int, list[Leg]] = {}
    todo = [origin]
    for place in todo:
        if place not in legs:
            legs[place] = _open_legs(place, rings[place], taken, 0, seat)
            todo += [leg.end for leg in legs[place] if taken >> leg.end & 1]
    return legs


def _ends(open_legs: dict[int, list[Leg]]) -> set[int]:
    """Return the places to end on if connections served more than once: no others can be met."""
    return {leg.end for legs in open_legs.values() for leg in legs}


def _open_legs(place: int, value: int, taken: int, used: int, seat: int) -> list[Leg]:
    # Ruling G2: a connection is used once in the whole move, the one into a goal included.
    # Ruling G3: the own goal is never reached.
    own_goal = GOALS[seat]
    return [
        leg
        for leg in LEGS[value][place]
        if not (leg.between & taken or leg.connections & used or leg.end == own_goal)
    ]


def _continued(route: Route, leg: Leg, request: RingRequest, *, may_add: bool) -> Iterator[Route]:
    passing = request.passing[route.reached - 1]
    longer = Route(
        (*route.stops, leg.end),
        (*route.trail, *leg.passed, leg.end),
        route.used | leg.connections,
        route.reached,
    )
    if leg.end == request.stops[route.reached] and passing in (None, leg.passed):
        yield replace(longer, reached=route.reached + 1)
    # Where the slots between two stops are spelt out, nothing is left to add.
    if may_add and passing is None:
        yield longer


class _Visits:
    """Remember which connections were used on coming to a place.

    Coming again with the same ones used, and perhaps more, leads nowhere that
    the earlier visit does not lead to, with fewer or smaller stops.
    """

    def __init__(self) -> None:
        self._used: dict[object, list[int]] = {}

    def is_new(self, place: object, used: int) -> bool:
        earlier = self._used.setdefault(place, [])
        if any(before & used == before for before in earlier):
            return False
        earlier.append(used)
        return True


class CandidateMove(NamedTuple):
    """A move and the arrangement it gives."""

    stops: tuple[int, ...]
    relocation: int | None
    rings: Rings

    @property
    def move(self) -> RingMove:
        """The move, in names."""
        relocation = "" if self.relocation is None else NAMES[self.relocation]
        return RingMove(tuple(map(NAMES.__getitem__, self.stops)), relocation)

    @property
    def wins(self) -> bool:
        """Whether the move ends on a goal."""
        return self.stops[-1] in GOALS

    @property
    def rank(self) -> tuple[bool, int, tuple[int, ...]]:
        """The sort key of choices that give the same result: the lowest is listed."""
        return _rank(self.stops, self.relocation is not None)


def choices(rings: Rings, seat: int, stood: frozenset[Rings]) -> Iterator[CandidateMove]:
    """Yield the legal choices as they are found; several may give one arrangement."""
    for origin in shore_rings(rings, seat):
        yield from choices_of(rings, origin, seat, stood)


def choices_of(
    rings: Rings, origin: int, seat: int, stood: frozenset[Rings]
) -> Iterator[CandidateMove]:
    """Yield the legal choices of one ring of the shore as they are found."""
    free = places_to_relocate(rings, origin, seat)
    for stops in arrivals(rings, origin, seat):
        for relocation, after in results(rings, stops, free, stood):
            yield CandidateMove(stops, relocation, after)


def ring_moves(rings: Rings, seat: int, stood: frozenset[Rings]) -> list[RingMove]:
    """List the legal moves, each result once, in the order of their stops; all wins are one."""
    free = {origin: places_to_relocate(rings, origin, seat) for origin in shore_rings(rings, seat)}
    # Of moves with one result the first is listed.
    ways = [
        _rank(stops, _relocates(rings, stops))
        for origin in free
        for stops in arrivals(rings, origin, seat)
    ]
    ways.sort()
    seen: set[Rings] = set()
    moves_by_stops: list[tuple[tuple[int, ...], list[RingMove]]] = []
    for _, _, stops in ways:
        names = tuple([NAMES[stop] for stop in stops])
        moves = []
        for relocation, after in results(rings, stops, free[stops[0]], stood):
            result = _WON if stops[-1] in GOALS else after
            if result not in seen:
                seen.add(result)
                moves.append(RingMove(names, "" if relocation is None else NAMES[relocation]))
        moves_by_stops.append((stops, moves))
    moves_by_stops.sort()
    return [move for _, moves in moves_by_stops for move in moves]


def results(
    rings: Rings, stops: tuple[int, ...], free: list[int], stood: frozenset[Rings]
) -> Iterator[tuple[int | None, Rings]]:
    """Yield where the other ring may go after a way, None without one, and what that gives.

    Args:
        rings: What stands where.
        stops: The way, one of `arrivals`.
        free: The places to relocate to, for a ring that comes from there.
        stood: The arrangements that stood.
    """
    origin, end = stops[0], stops[-1]
    landed = bytearray(moved(rings, origin, end, None))
    # Ruling G5 (Renop): no arrangement stands twice, no matter who is to move.
    if not _relocates(rings, stops):
        after = bytes(landed)
        if after not in stood:
            yield None, after
        return
    for place in free:
        landed[place] = rings[end]
        after = bytes(landed)
        landed[place] = 0
        if after not in stood:
            yield place, after


def places_to_relocate(rings: Rings, origin: int, seat: int) -> list[int]:
    """List the places to which a ring that is relocated may go.

    Ruling G4: an empty slot, the origin of the move included, that is not in a
    row strictly beyond the opponent's shore. No move of a ring to another's
    place changes which row that is.
    """
    row = shore(rings, 1 - seat)
    not_beyond = SLOTS[: 6 * row] if seat == SOUTH else SLOTS[6 * row - 6 :]
    return [place for place in not_beyond if not rings[place] or place == origin]


def _rank(stops: tuple[int, ...], relocates: bool) -> tuple[bool, int, tuple[int, ...]]:
    """Return the sort key of moves.

    A plain move comes before a relocation, then the fewest stops, then the smallest slots.
    """
    return relocates, len(stops), stops


def _relocates(rings: Rings, stops: tuple[int, ...]) -> bool:
    """Return whether another ring stands where a way ends."""
    return bool(rings[stops[-1]]) and stops[-1] != stops[0]


def moved(rings: Rings, origin: int, end: int, relocation: int | None) -> Rings:
    """Return the arrangement after a move."""
    after = bytearray(rings)
    after[origin] = 0
    after[end] = rings[origin]
    if relocation is not None:
        after[relocation] = rings[end]
    return bytes(after)
