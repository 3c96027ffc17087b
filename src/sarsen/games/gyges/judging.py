"""Judge one move of a ring: find the way it goes, or say which rule is against it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from sarsen.core.errors import IllegalMove
from sarsen.core.phrases import Phrase, for_example
from sarsen.games.gyges.board import (
    GOALS,
    NAMES,
    PLACES,
    SIDES,
    VALUES,
    RingMove,
    Rings,
    row_of,
    shore,
)
from sarsen.games.gyges.notation import WrittenMove
from sarsen.games.gyges.routes import (
    MAX_CONNECTIONS,
    RingRequest,
    Route,
    choices,
    choices_of,
    find_route,
    is_conceivable,
    is_leg_open,
    moved,
    places_to_relocate,
)


@dataclass(frozen=True, slots=True)
class MoveContext:
    """The mover, the ring and its destination: what a move is judged against."""

    rings: Rings
    seat: int
    stood: frozenset[Rings]


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A legal move in full, the slots it passes and the arrangement it gives."""

    move: RingMove
    trail: tuple[int, ...]
    rings: Rings


def settle(turn: MoveContext, written: WrittenMove, *, may_add: bool) -> JudgedMove:
    """Judge a move as written.

    Args:
        turn: Where the move is to be played.
        written: What the player wrote.
        may_add: Ruling G7: stops may be left out; those added are as few as can be, then
            the smallest. Stops that form a legal way as they stand are kept.

    Raises:
        IllegalMove: Names the rule.
    """
    stops = tuple(PLACES[name] for name in written.stops)
    relocation = PLACES[written.relocation] if written.relocation else None
    for refusal in _refusals(turn, stops, relocation):
        raise refusal
    request = RingRequest(stops, tuple(_places(names) for names in written.passing))
    route = _route(turn, request, may_add=may_add)
    if route is None:
        raise _no_route(turn, request)
    after = moved(turn.rings, stops[0], stops[-1], relocation)
    if after in turn.stood:
        raise _renop(turn, after)
    names = tuple(NAMES[stop] for stop in route.stops)
    return JudgedMove(RingMove(names, written.relocation), route.trail, after)


def follow(turn: MoveContext, move: RingMove) -> JudgedMove:
    """Find the slots that a legal move passes, without judging it."""
    stops = tuple([PLACES[name] for name in move.stops])
    request = RingRequest(stops, (None,) * (len(stops) - 1))
    route = find_route(turn.rings, request, turn.seat, may_add=False)
    assert route is not None
    relocation = PLACES[move.relocation] if move.relocation else None
    return JudgedMove(move, route.trail, moved(turn.rings, stops[0], stops[-1], relocation))


def _route(turn: MoveContext, request: RingRequest, *, may_add: bool) -> Route | None:
    route = find_route(turn.rings, request, turn.seat, may_add=False)
    if route is None and may_add and is_conceivable(turn.rings, request, turn.seat):
        return find_route(turn.rings, request, turn.seat, may_add=True)
    return route


def _places(names: tuple[str, ...] | None) -> tuple[int, ...] | None:
    return None if names is None else tuple(PLACES[name] for name in names)


def _refusals(
    turn: MoveContext, stops: tuple[int, ...], relocation: int | None
) -> Iterator[IllegalMove]:
    yield from _refused_origin(turn, stops[0])
    yield from _refused_goals(turn, stops)
    yield from _refused_bounces(turn, stops)
    yield from _refused_end(turn, stops, relocation)
    if relocation is not None:
        yield from _refused_relocation(turn, stops, relocation)


def _refused_origin(turn: MoveContext, origin: int) -> Iterator[IllegalMove]:
    side, row = SIDES[turn.seat], shore(turn.rings, turn.seat)
    if origin in GOALS:
        yield _illegal(Phrase("A move begins on a slot, not on a goal."), "origin", turn)
    elif not turn.rings[origin]:
        yield _illegal(
            Phrase("No ring stands on {place}.", place=NAMES[origin]), "empty-origin", turn
        )
    elif row_of(origin) != row:
        # Ruling G1: only the row nearest to the own goal, even when it is stuck.
        yield _illegal(
            Phrase(
                "{side} may move only rings on its shore, now row {row}; {place} is in row "
                "{found}.",
                side=side,
                row=row,
                place=NAMES[origin],
                found=row_of(origin),
            ),
            "shore",
            turn,
        )


def _refused_goals(turn: MoveContext, stops: tuple[int, ...]) -> Iterator[IllegalMove]:
    # Ruling G3: the own goal is never a stop, the opponent's only the last.
    if GOALS[turn.seat] in stops:
        yield _illegal(
            Phrase(
                "{goal} is {side}'s own goal: only the opponent's rings end there.",
                goal=NAMES[GOALS[turn.seat]],
                side=SIDES[turn.seat],
            ),
            "own-goal",
            turn,
            stops[0],
        )
    elif GOALS[1 - turn.seat] in stops[:-1]:
        yield _illegal(Phrase("A goal is the last stop of a move."), "goal-last", turn, stops[0])


def _refused_bounces(turn: MoveContext, stops: tuple[int, ...]) -> Iterator[IllegalMove]:
    if len(stops) > MAX_CONNECTIONS + 1:
        yield _illegal(
            Phrase("There are too many stops: each connection of the board can be used only once."),
            "connection-twice",
            turn,
            stops[0],
        )
    for stop in stops[1:-1]:
        if not _is_taken(turn, stop, stops[0]):
            yield _illegal(
                Phrase(
                    "{place} is empty: a ring bounces on another ring only. Slots it just "
                    "passes may be left out, or stand in brackets.",
                    place=NAMES[stop],
                ),
                "empty-bounce",
                turn,
                stops[0],
            )


def _refused_end(
    turn: MoveContext, stops: tuple[int, ...], relocation: int | None
) -> Iterator[IllegalMove]:
    origin, end = stops[0], stops[-1]
    if relocation is None and _is_taken(turn, end, origin):
        yield _illegal(
            Phrase(
                "The move ends on {place}, where a ring stands. Bounce on from it, or put "
                "your ring there and relocate the other with `=`.",
                place=NAMES[end],
            ),
            "taken-end",
            turn,
            origin,
        )
    elif relocation is not None and not _is_taken(turn, end, origin):
        yield _illegal(
            Phrase("There is no ring on {place} to relocate.", place=NAMES[end]),
            "nothing-to-relocate",
            turn,
            origin,
        )


def _refused_relocation(
    turn: MoveContext, stops: tuple[int, ...], relocation: int
) -> Iterator[IllegalMove]:
    # Ruling G4: to a slot that is empty by then, not beyond the opponent's shore, never a goal.
    if relocation in places_to_relocate(turn.rings, stops[0], turn.seat):
        return
    other = 1 - turn.seat
    if relocation in GOALS:
        reason, rule = Phrase("A ring cannot be relocated to a goal."), "relocation-goal"
    elif turn.rings[relocation]:
        reason, rule = (
            Phrase("{place} is not empty: relocate the ring elsewhere.", place=NAMES[relocation]),
            "relocation-taken",
        )
    else:
        reason = Phrase(
            "{place} is beyond {other}'s shore, row {row}: no ring is relocated there.",
            place=NAMES[relocation],
            other=SIDES[other],
            row=shore(turn.rings, other),
        )
        rule = "relocation-shore"
    yield _illegal(reason, rule, turn, stops[0])


def _no_route(turn: MoveContext, request: RingRequest) -> IllegalMove:
    origin = request.stops[0]
    for start, end, between in zip(request.stops, request.stops[1:], request.passing, strict=False):
        leg = RingRequest((start, end), (between,))
        if not is_leg_open(turn.rings, origin, leg, turn.seat):
            return _illegal(_no_leg(turn, start, end, between), "route", turn, origin)
    # Ruling G2: every leg is open by itself, so together they need a connection twice.
    return _illegal(
        Phrase(
            "This path would use a connection twice; each can be used once in a move, in either "
            "direction."
        ),
        "connection-twice",
        turn,
        origin,
    )


def _no_leg(turn: MoveContext, start: int, end: int, between: tuple[int, ...] | None) -> Phrase:
    value = turn.rings[start]
    return Phrase(
        "There is no path from {start} to {end}: the {value} there moves exactly {connections}."
        if not between
        else (
            "There is no path from {start} to {end} by way of {slots}: the {value} there moves "
            "exactly {connections}."
        ),
        start=NAMES[start],
        end=NAMES[end],
        slots="-".join(NAMES[slot] for slot in between or ()),
        value=VALUES[value],
        connections=Phrase("one connection")
        if value == 1
        else Phrase("{count} connections, the slots between empty", count=value),
    )


def _renop(turn: MoveContext, after: Rings) -> IllegalMove:
    if after == turn.rings:
        reason = Phrase("This move changes nothing; no arrangement of the rings may come up twice.")
    else:
        reason = Phrase(
            "The rings were like this before; no arrangement may come up twice (Renop)."
        )
    return _illegal(reason, "renop", turn)


def _is_taken(turn: MoveContext, place: int, origin: int) -> bool:
    return bool(turn.rings[place]) and place != origin


def _illegal(text: Phrase, rule: str, turn: MoveContext, origin: int | None = None) -> IllegalMove:
    return IllegalMove(text, code=f"gyges.{rule}", hint=_example(turn, origin))


def _example(turn: MoveContext, origin: int | None) -> str:
    """Name a legal move, of the ring at `origin` when it has one."""
    own = () if origin is None else choices_of(turn.rings, origin, turn.seat, turn.stood)
    anything = choices(turn.rings, turn.seat, turn.stood)
    candidate = min(islice(own, 100), key=lambda choice: choice.rank, default=None)
    candidate = candidate or next(anything, None)
    return for_example(str(candidate.move)) if candidate else ""
