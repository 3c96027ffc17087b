"""What no open game can change any more, and the games that decide it (E14). By points alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from sarsen.services.contests.formats.format import Format
from sarsen.services.contests.state import ContestGame, State
from sarsen.services.contests.table import OUTCOMES, Row, places, points_of

MAX_DECIDING = 5  # open games of a tier up to which those that decide it are looked for


def is_settled(kind: Format, state: State, rows: Sequence[Row]) -> bool:
    """Return whether all tiers of a contest that has started are settled.

    Args:
        rows: Of its table.
    """
    tiers = {row.entrant.tier for row in rows}
    return state.started_at is not None and tiers == settled_tiers(kind, state, rows)


def settled_tiers(kind: Format, state: State, rows: Sequence[Row]) -> Collection[int]:
    """Return the tiers in which no open game can carry anybody across a line of the format.

    Where points may still be level, it is open. A result never opens it again; what annuls or
    corrects results (E9, E12, E36) may.
    """
    going_on = {board.numbers[0] for board in state.boards if board.is_running}
    going_on |= {pairing.numbers[0] for pairing in kind.to_come(state)}
    open_tiers = {state.by_number[number].tier for number in going_on}
    sizes = Counter(row.entrant.tier for row in rows)
    unsettled = {
        row.entrant.tier
        for row in rows
        if row.entrant.tier in open_tiers
        and _is_open((row.best, row.worst), kind.lines(sizes[row.entrant.tier]))
    }
    return set(sizes) - unsettled


def deciding_games(kind: Format, state: State, tier: int) -> tuple[ContestGame, ...]:
    """Return the running games of a tier that may settle it, whatever the others bring.

    Of each of them one result or another settles it. With many open games there is none.
    """
    numbers = set(state.tiers[tier - 1])
    running = [game for game in state.boards if game.is_running and game.numbers[0] in numbers]
    pairs = [game.numbers for game in running]
    pairs += [one.numbers for one in kind.to_come(state) if one.numbers[0] in numbers]
    if len(pairs) > MAX_DECIDING:
        return ()
    points = {
        number: reached
        for number, reached in points_of(state).items()
        if number in numbers and not state.by_number[number].is_annulled
    }
    lines = kind.lines(len(numbers))
    deciding = []
    for at, game in enumerate(running):
        others = [*pairs[:at], *pairs[at + 1 :]]
        for one, other in OUTCOMES:
            first, second = game.numbers
            after = points | {first: points[first] + one, second: points[second] + other}
            if not others or not _any_open(places(after, others).values(), lines):
                deciding.append(game)
                break
    return tuple(deciding)


def _any_open(reachable: Iterable[tuple[int, int]], lines: Collection[int]) -> bool:
    return any(_is_open(reached, lines) for reached in reachable)


def _is_open(reached: tuple[int, int], lines: Collection[int]) -> bool:
    best, worst = reached
    return any(best <= line < worst for line in lines)
