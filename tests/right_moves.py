"""The right moves of a step of a lesson, by brute force over the rules alone.

It is slow, and knows nothing of the code that judges tries: it takes from a step only the position
and the task.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.learning.lessons import Step


def start(game: str, step: Step) -> AnyPosition:
    """Return the position of a step."""
    position = load(game).start(step.options)
    for text in step.moves:
        position = position.play(position.parse(text))
    return position


def has_won(position: AnyPosition, seat: int) -> bool:
    """Return whether a game is over and a seat has won it alone."""
    outcome = position.outcome()
    return outcome is not None and outcome.scores[seat] == 1.0


def wins_in_one(position: AnyPosition) -> bool:
    """Return whether the side to move wins at once."""
    moves = position.legal_moves()
    if position.game.info.name == "gyges":  # hundreds of moves, and only a goal ends the game
        moves = [move for move in moves if position.format(move)[-1] in "NS"]
    return any(has_won(position.play(move), position.seat) for move in moves)


def _wins(after: AnyPosition, seat: int, left: int) -> bool:
    """Return whether a seat that has just moved wins with so many further moves at most."""
    if after.outcome() is not None:
        return has_won(after, seat)
    return left > 0 and all(
        has_won(met, seat)
        or (
            met.outcome() is None
            and any(_wins(met.play(move), seat, left - 1) for move in met.legal_moves())
        )
        for met in map(after.play, after.legal_moves())
    )


def _is_safe(after: AnyPosition, seat: int) -> bool:
    """Return whether the other side of a seat cannot win at once."""
    return has_won(after, seat) if after.outcome() is not None else not wins_in_one(after)


def solved(position: AnyPosition, seat: int, known: dict[str, bool]) -> bool:
    """Return whether a seat wins a game by force; each position is looked at once."""
    line = position.write()
    if line not in known:
        if position.outcome() is not None:
            known[line] = has_won(position, seat)
        else:
            chosen = any if position.seat == seat else all
            after = (position.play(move) for move in position.legal_moves())
            known[line] = chosen(solved(one, seat, known) for one in after)
    return known[line]


@cache
def right_moves(game: str, step: Step) -> list[Any]:
    """Return the first moves that do what the task asks; only the listed ones for `accept`."""
    position = start(game, step)
    seat, known = position.seat, dict[str, bool]()
    if step.success == "accept":
        listed = {position.play(position.parse(text)).write() for text in step.accept[0]}
    found = list[Any]()
    for move in position.legal_moves():
        after = position.play(move)
        match step.success:
            case "win":
                is_right = _wins(after, seat, step.within - 1)
            case "safe":
                is_right = _is_safe(after, seat)
            case "play":
                is_right = solved(after, seat, known)
            case "accept":
                is_right = after.write() in listed
            case _:
                is_right = False
        if is_right:
            found.append(move)
    return found


def faults_of(game: str, step: Step) -> Iterator[str]:
    """Yield what is wrong with the answers of a step."""
    position = start(game, step)
    if step.success == "refused":
        try:
            position.play(position.parse(step.shown))
        except UserError as refusal:
            if refusal.code != step.code:
                yield f"{step.shown} is refused with {refusal.code}"
        else:
            yield f"{step.shown} is not refused"
        return
    listed = {position.play(position.parse(text)).write(): text for text in step.accept[0]}
    right = {position.play(move).write(): position.format(move) for move in right_moves(game, step)}
    for line in listed.keys() - right.keys():
        yield f"{listed[line]} is not right"
    for line in right.keys() - listed.keys():
        yield f"{right[line]} is right, too"
