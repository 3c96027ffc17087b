"""Judge moves and replay records: the only way a text becomes a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from sarsen.core.errors import IllegalMove, UnreadableMove, UserError
from sarsen.core.game import AnyPosition
from sarsen.core.phrases import Phrase, example_of, for_example, quoted

# Words of a text that may be moves, of which the referee judges each: a hint needs no more.
MAX_MENTIONED = 3
MAX_QUOTED = 200  # characters of a move in the sentence that refuses it
MAX_MOVE = 400  # characters; the longest legal move known is a Gyges bounce of about 200


@dataclass(frozen=True)
class Ruling:
    """A move text as judged by the rules.

    Attributes:
        seat: Who moved.
        text: The move in its one full form, as it is kept in records.
        position: The position after it.
    """

    seat: int
    text: str
    position: AnyPosition


def judge(position: AnyPosition, text: str) -> Ruling:
    """Read a move text, play it, and give the position after it.

    Raises:
        UnreadableMove, IllegalMove: With a hint that names a legal move.
    """
    if len(text) > MAX_MOVE:
        raise UnreadableMove(
            "A move has at most {most} characters; this one has {count}.",
            code="move-too-long",
            hint=_example(position, ""),
            most=MAX_MOVE,
            count=len(text),
        )
    outcome = position.outcome()
    if outcome is not None:
        raise IllegalMove("The game is over: {reason}", code="game-over", reason=outcome.reason)
    try:
        move = position.parse(text)
        return Ruling(position.seat, position.format(move), position.play(move))
    except (UnreadableMove, IllegalMove) as refusal:
        example = example_of(refusal.hint)
        if not refusal.hint or (example and not _is_legal(position, example)):
            refusal.hint = _example(position, text)
        raise


def replay(start: AnyPosition, texts: Iterable[str]) -> Iterator[Ruling]:
    """Judge the moves of a record one after another.

    Raises:
        UserError: Names the first ply, counted from 1, that the rules refuse.
    """
    position = start
    for ply, text in enumerate(texts, start=1):
        try:
            ruling = judge(position, text)
        except UserError as refusal:
            refusal.text = Phrase(
                "Move {ply}, {move}: {refusal}",
                ply=ply,
                move=quoted(text, MAX_QUOTED),
                refusal=refusal.text,
            )
            refusal.args = (str(refusal.text),)
            raise
        yield ruling
        position = ruling.position


def replayed(start: AnyPosition, texts: Iterable[str]) -> AnyPosition:
    """Return the position at the end of a record."""
    position = start
    for ruling in replay(start, texts):
        position = ruling.position
    return position


def _example(position: AnyPosition, text: str) -> str:
    """Return a hint with a legal move: the only one that the text mentions, if there is one."""
    mentioned = _mentioned(position, text)
    if len(mentioned) == 1:
        return for_example(mentioned.pop())
    moves = position.legal_moves()
    if not moves:
        return ""
    return for_example(position.format(moves[len(moves) // 2]))


def _is_legal(position: AnyPosition, text: str) -> bool:
    """Return whether a move is legal: an example of how moves are written need not be."""
    try:
        position.play(position.parse(text))
    except UserError:
        return False
    return True


def _mentioned(position: AnyPosition, text: str) -> set[str]:
    """Return the legal moves among the words of a text; it is not looked through if it is long."""
    words = {word.strip(".,!?:\"'()") for word in text.split()}
    words = {word for word in words if any(map(str.isdigit, word))}
    moves = set()
    for word in words if len(words) <= MAX_MENTIONED else ():
        with suppress(UserError):
            move = position.parse(word)
            position.play(move)
            moves.add(position.format(move))
    return moves


def perft(position: AnyPosition, depth: int) -> int:
    """Count the sequences of `depth` legal moves from a position.

    Finished games end a sequence early and do not count below their end.
    """
    if depth == 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)
