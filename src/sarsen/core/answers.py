"""Proofs of wins, written as answers: a line a position, checked by the rules alone.

A line holds the moves of both seats from the proved position on, parted by blanks. Its last move
is the winner's answer to those before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition

MAX_LINES = 20_000
MAX_MOVES = 1_000_000  # that a check plays: fifty replies to each answer


class NotProvedError(Exception):
    """Answers that do not force a win; the text says where they fail."""


@dataclass(frozen=True)
class CheckedProof:
    """A proof that the rules have checked.

    Attributes:
        winner: The seat that wins whatever the other one does.
        moves: How many were played to check it.
    """

    winner: int
    moves: int


def check(position: AnyPosition, text: str) -> CheckedProof:
    """Play the answers against every reply, to the end of every line.

    Raises:
        NotProvedError: A reply has no answer, an answer is no legal move, a position comes back, a
            game ends otherwise, or a line is of no use.
    """
    lines = text.splitlines()
    if not 0 < len(lines) <= MAX_LINES:
        raise NotProvedError(f"{len(lines)} lines")
    try:
        winner, answers = _read(position, lines)
        return CheckedProof(winner, _walk(position, winner, answers))
    except UserError as refusal:  # a text that is no move, or one that the rules forbid
        raise NotProvedError(refusal.text) from refusal


def winner_of(position: AnyPosition, text: str) -> int:
    """Return the seat that answers in a checked proof."""
    first, *_ = text.splitlines()
    *path, _answer = first.split()
    for word in path:
        position = position.play(position.parse(word))
    return position.seat


def _read(position: AnyPosition, lines: list[str]) -> tuple[int, Mapping[str, str]]:
    """Return the seat that answers, and its answers by position as it is written."""
    known: dict[tuple[str, ...], AnyPosition] = {(): position}
    winners: set[int] = set()
    answers: dict[str, str] = {}
    for line in lines:
        *path, answer = line.split() or [""]
        reached = _follow(known, tuple(path))
        winners.add(reached.seat)
        if answers.setdefault(reached.write(), answer) != answer:
            raise NotProvedError(f"two answers: {line}")
    if len(winners) != 1:
        raise NotProvedError("answers of both seats")
    return winners.pop(), answers


def _follow(known: dict[tuple[str, ...], AnyPosition], path: tuple[str, ...]) -> AnyPosition:
    """Return the position after moves, playing those that no earlier line has played."""
    played = next(count for count in range(len(path), -1, -1) if path[:count] in known)
    for count in range(played, len(path)):
        before = known[path[:count]]
        known[path[: count + 1]] = before.play(before.parse(path[count]))
    return known[path]


def _walk(position: AnyPosition, winner: int, answers: Mapping[str, str]) -> int:
    """Return how many moves there are in all lines; a position is looked at once."""
    used: set[str] = set()

    def following(key: str, reached: AnyPosition) -> Iterator[AnyPosition]:
        if reached.seat != winner:
            yield from (reached.play(move) for move in reached.legal_moves())
            return
        if key not in answers:
            raise NotProvedError(f"no answer: {key}")
        used.add(key)
        yield reached.play(reached.parse(answers[key]))

    start, moves, over = position.write(), 0, set()
    path = {start: following(start, position)}  # in order: the line that is being played
    while path:
        last = next(reversed(path))
        after = next(path[last], None)
        if after is None:
            del path[last]
            over.add(last)
            continue
        moves += 1
        outcome, key = after.outcome(), after.write()
        if outcome is not None and outcome.winner != winner:
            raise NotProvedError(f"{outcome.reason} {key}")
        if key in path:
            raise NotProvedError(f"it comes back: {key}")
        if moves > MAX_MOVES:
            raise NotProvedError(f"more than {MAX_MOVES} moves")
        if outcome is None and key not in over:
            path[key] = following(key, after)
    if len(used) != len(answers):
        raise NotProvedError(f"{len(answers) - len(used)} lines of no use")
    return moves
