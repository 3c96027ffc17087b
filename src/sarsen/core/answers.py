"""Proofs of wins and draws, written as answers: a line a position, checked by the rules alone.

A line holds the moves of both seats from the proved position on, parted by blanks. Its last move
is the winner's answer to those before it. A draw is proved by two such texts with an empty line
between them: by the answers of either seat the other one never wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition

MAX_LINES = 20_000
MAX_MOVES = 1_000_000  # that a check plays: fifty replies to each answer
BETWEEN = "\n\n"  # the answers of one seat and of the other, in the proof of a draw


class NotProvedError(Exception):
    """Answers that do not force a win; the text says where they fail."""


@dataclass(frozen=True)
class CheckedProof:
    """A proof that the rules have checked.

    Attributes:
        winner: The seat that wins whatever the other one does; None where neither can.
        moves: How many were played to check it.
    """

    winner: int | None
    moves: int

    @property
    def scores(self) -> list[float]:
        """The scores that are forced, by seat."""
        return [0.5 if self.winner is None else float(seat == self.winner) for seat in range(2)]


def check(position: AnyPosition, text: str) -> CheckedProof:
    """Play the answers against every reply, to the end of every line.

    Raises:
        NotProvedError: A reply has no answer, an answer is no legal move, a position comes back, a
            game ends otherwise, or a line is of no use.
    """
    parts = text.split(BETWEEN)
    if len(parts) == 1:
        seat, moves = _check_part(position, text, is_win=True)
        return CheckedProof(seat, moves)
    held = [_check_part(position, part, is_win=False) for part in parts]
    if [seat for seat, _ in held] != [0, 1]:
        raise NotProvedError("a draw takes the answers of both seats")
    return CheckedProof(None, sum(moves for _, moves in held))


def winner_of(position: AnyPosition, text: str) -> int | None:
    """Return the seat that answers in a checked proof of a win; None for a draw."""
    if BETWEEN in text:
        return None
    first, *_ = text.splitlines()
    *path, _answer = first.split()
    for word in path:
        position = position.play(position.parse(word))
    return position.seat


def scores_of(position: AnyPosition, text: str) -> list[float]:
    """Return the scores that a checked proof forces, by seat."""
    return CheckedProof(winner_of(position, text), 0).scores


def longest_line(text: str) -> tuple[str, ...]:
    """Return the longest line of a checked proof: the loser holds out there as long as it can."""
    first, *_ = text.split(BETWEEN)
    return max((tuple(line.split()) for line in first.splitlines()), key=len)


def _check_part(position: AnyPosition, text: str, *, is_win: bool) -> tuple[int, int]:
    """Return the seat that answers, and how many moves were played to check that it does.

    Args:
        is_win: It wins every line; else the other one wins none.
    """
    lines = text.splitlines()
    if not 0 < len(lines) <= MAX_LINES:
        raise NotProvedError(f"{len(lines)} lines")
    try:
        seat, answers = _read(position, lines)
        return seat, _walk(position, seat, answers, (seat,) if is_win else (seat, None))
    except UserError as refusal:  # a text that is no move, or one that the rules forbid
        raise NotProvedError(refusal.text) from refusal


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


def _walk(
    position: AnyPosition, winner: int, answers: Mapping[str, str], ends: tuple[int | None, ...]
) -> int:
    """Return how many moves there are in all lines; a position is looked at once.

    Args:
        ends: Winners of the game with which a line may end.
    """
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
        if outcome is not None and outcome.winner not in ends:
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
