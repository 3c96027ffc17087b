"""What was found in one position of a game, and a proof to step through.

A proof is a tree of answers, the winner's to what the loser may play, from the position where a
win is proved. It holds the main line to its end, and besides it the answers to as many replies
as there is room for, the nearest ones first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.search.general.nodes import for_seat
from sarsen.search.thought import Thought

# Thinks about a position; the number is a seed.
Think = Callable[[AnyPosition, int], Thought]

MAX_LINE = 24  # moves: nobody reads further, and the row holds all lines
# A move that promises less than this above the one played is not looked into.
WORTH_CHECKING = 0.1
CHECK = 1_000_000  # added to a seed, so that a check is no repeat of the first thought
Path = tuple[str, ...]
# Of one review: each is a search more.
MAX_ANSWERS = 60
MAX_REPLIES = 40  # of one position: each needs an answer that was searched


@dataclass(frozen=True)
class Look:
    """One position of a game.

    Attributes:
        seat: Who is to move; of no meaning when the game is over here.
        played: The move that was played; "" in the last position.
        best: A better one, or the best one where none was played; "" for none found.
        line: Best play for both from here, as far as it was seen.
        score: Expected score of the first seat with that play, in [0, 1].
        proved: The proved score of the first seat, or None.
        plies: To the proved end, or None.
    """

    seat: int
    played: str
    best: str
    line: tuple[str, ...]
    score: float
    proved: float | None = None
    plies: int | None = None


def look_at(
    position: AnyPosition, played: str, after: Look | None, think: Think, seed: int
) -> Look:
    """Judge one position of a game of two seats.

    The moves after it are judged already, so the move played has the score that it had
    one ply later; a better move must show its own by a search from there, too. Otherwise
    each side would seem to lose a little with every move.

    Args:
        played: "" in the last position.
        after: The look at the next position; None in the last one.
        seed: Another one for every position.
    """
    outcome = position.outcome()
    if outcome is not None:
        score = outcome.scores[0]
        return Look(position.seat, "", "", (), score, score, 0)
    if after is None:
        return _look_from_thought(position, played, think(position, seed))
    if proved_for_seat(after.proved, position.seat) == 1.0:
        return _look_as_played(position, played, after, after.proved)
    thought = think(position, seed)
    if thought.proved is not None:
        return _settled(position, played, after, thought)
    return _weighed(position, played, after, thought, think, seed)


def proved_for_seat(proved: float | None, seat: int) -> float | None:
    """Return `for_seat` of a proved score; None where nothing is proved."""
    return None if proved is None else for_seat(proved, seat)


def texts_of(position: AnyPosition, moves: Sequence[Any]) -> tuple[str, ...]:
    """Write a line of moves; it is cut where the game is over or the rules refuse one."""
    texts: list[str] = []
    for move in moves[:MAX_LINE]:
        if position.outcome() is not None:
            break
        try:
            after = position.play(move)
        except UserError:
            break
        texts.append(position.format(move))
        position = after
    return tuple(texts)


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
    if winner is None or len(answers) >= MAX_ANSWERS:
        return None
    by_path = {answer.path: answer for answer in answers}
    place = _open_place(start, winner, by_path, look.line)
    if place is None:
        return None
    path, position = place
    thought = think(position, len(answers))
    if thought.proved != 1.0:
        return WinningReply(path, "")
    return WinningReply(path, position.format(thought.move), thought.plies)


def _settled(position: AnyPosition, played: str, after: Look, thought: Thought) -> Look:
    """Judge a position whose score is proved."""
    seat = position.seat
    proved = proved_for_seat(thought.proved, seat)
    # A lost side keeps all there is with any move, however long another one resists.
    is_kept = for_seat(after.score, seat) >= (thought.proved or 0.0)
    if is_kept or _is_same(position, thought.move, played):
        return _look_as_played(position, played, after, proved)
    return _look_from_thought(position, played, thought)


def _weighed(
    position: AnyPosition, played: str, after: Look, thought: Thought, think: Think, seed: int
) -> Look:
    """Judge a position in which nothing is proved: is another move better, if one looks there?"""
    seat = position.seat
    score_kept = for_seat(after.score, seat)
    other, promised = _other_move(position, played, thought)
    if other is None or promised - score_kept < WORTH_CHECKING:
        return _look_as_played(position, played, after, None)
    position_after = position.play(other)
    checked = look_at(position_after, "", None, think, seed + CHECK)
    if for_seat(checked.score, seat) <= score_kept:
        return _look_as_played(position, played, after, None)
    text = position.format(other)
    is_won = proved_for_seat(checked.proved, seat) == 1.0
    return Look(
        seat,
        played,
        text,
        (text, *checked.line)[:MAX_LINE],
        checked.score,
        checked.proved if is_won else None,
        checked.plies + 1 if is_won and checked.plies is not None else None,
    )


def _look_from_thought(position: AnyPosition, played: str, thought: Thought) -> Look:
    seat = position.seat
    line = texts_of(position, thought.line or (thought.move,))
    score = thought.score if thought.proved is None else thought.proved
    return Look(
        seat,
        played,
        position.format(thought.move),
        line,
        for_seat(min(max(score, 0.0), 1.0), seat),
        proved_for_seat(thought.proved, seat),
        thought.plies,
    )


def _look_as_played(position: AnyPosition, played: str, after: Look, proved: float | None) -> Look:
    """Judge a position by what the move played kept of it."""
    plies = after.plies + 1 if proved is not None and after.plies is not None else None
    score = after.score if proved is None else proved
    line = (played, *after.line)[:MAX_LINE]
    return Look(position.seat, played, "", line, score, proved, plies)


def _other_move(
    position: AnyPosition, played: str, thought: Thought
) -> tuple[Any, float] | tuple[None, float]:
    """Return the best move that was not played, and what it promises."""
    if not _is_same(position, thought.move, played):
        return thought.move, thought.score
    for candidate in thought.candidates:
        if candidate.proved != 0.0 and not _is_same(position, candidate.move, played):
            return candidate.move, candidate.score
    return None, 0.0


def _is_same(position: AnyPosition, move: Any, played: str) -> bool:
    """Return whether a move leads where the one played did, however either is written."""
    after_played = position.play(position.parse(played))
    return position.play(move).write() == after_played.write()


def _open_place(
    start: AnyPosition, winner: int, by_path: Mapping[Path, WinningReply], line: Path
) -> tuple[Path, AnyPosition] | None:
    """Find the nearest place where the winner's answer is not known yet."""
    places: deque[tuple[Path, AnyPosition]] = deque([((), start)])
    while places:
        path, position = places.popleft()
        if position.outcome() is not None:
            continue
        if position.seat == winner:
            answer = by_path.get(path)
            if answer is None:
                return path, position
            texts: tuple[str, ...] = (answer.move,) if answer.move else ()
        else:
            on_line = line[len(path)] if path == line[: len(path)] and len(path) < len(line) else ""
            texts = replies_at(position, on_line)[:MAX_REPLIES]
        places.extend(((*path, text), position.play(position.parse(text))) for text in texts)
    return None
