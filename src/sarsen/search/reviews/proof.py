"""A proof to step through: the winner's answer to what the loser may play.

A tree of answers from the position where a win is proved. It holds the main line to its
end, and besides it the answers to as many replies as there is room for, the nearest ones
first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sarsen.core.game import AnyPosition
from sarsen.search.reviews.findings import Look, Think

Path = tuple[str, ...]
MOST_ANSWERS = 60
MOST_REPLIES = 40  # of one position


@dataclass(frozen=True)
class WinningReply:
    """The winner's move at a place of the tree.

    Attributes:
        path: The moves from where the proof begins.
        move: "" where the search, asked again, did not prove it in its time.
        plies: To the end at most, or None when that is not known.
    """

    path: Path
    move: str
    plies: int | None = None


def winner_of(look: Look) -> int | None:
    """Return the seat that wins from a position, proved; None for a draw, or no proof."""
    return {1.0: 0, 0.0: 1}.get(look.proved) if look.proved is not None else None


def main_line(position: AnyPosition, look: Look) -> tuple[WinningReply, ...]:
    """Return the winner's answers along the line that was found with the proof."""
    winner = winner_of(look)
    answers: list[WinningReply] = []
    for number, text in enumerate(look.line):
        if position.seat == winner:
            plies = None if look.plies is None else max(look.plies - number, 1)
            answers.append(WinningReply(look.line[:number], text, plies))
        position = position.play(position.parse(text))
    return tuple(answers)


def replies_at(position: AnyPosition, first: str = "") -> tuple[str, ...]:
    """List what the loser may play, one move before all others."""
    texts = [position.format(move) for move in position.legal_moves()]
    return tuple(sorted(texts, key=lambda text: text != first))


def answer_next(
    start: AnyPosition, look: Look, answers: Sequence[WinningReply], think: Think
) -> WinningReply | None:
    """Find one more answer; None when the tree is whole, or full."""
    winner = winner_of(look)
    if winner is None or len(answers) >= MOST_ANSWERS:
        return None
    known = {answer.path: answer for answer in answers}
    place = _open_place(start, winner, known, look.line)
    if place is None:
        return None
    path, position = place
    thought = think(position, len(answers))
    if thought.proved != 1.0:
        return WinningReply(path, "")
    return WinningReply(path, position.format(thought.move), thought.plies)


def _open_place(
    start: AnyPosition, winner: int, known: Mapping[Path, WinningReply], line: Path
) -> tuple[Path, AnyPosition] | None:
    """Find the nearest place where the winner's answer is not known yet."""
    places: deque[tuple[Path, AnyPosition]] = deque([((), start)])
    while places:
        path, position = places.popleft()
        if position.outcome() is not None:
            continue
        if position.seat == winner:
            answer = known.get(path)
            if answer is None:
                return path, position
            texts: tuple[str, ...] = (answer.move,) if answer.move else ()
        else:
            on_line = line[len(path)] if path == line[: len(path)] and len(path) < len(line) else ""
            texts = replies_at(position, on_line)[:MOST_REPLIES]
        places.extend(((*path, text), position.play(position.parse(text))) for text in texts)
    return None
