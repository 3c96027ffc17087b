"""What the referee says of a move, asked once and remembered while this process lives.

A move is judged before its transaction begins, and found here when it is recorded. What is
remembered hangs on the position as it is written and on the move's text, and on nothing
else, so it cannot be stale: at a board that has moved on meanwhile it is simply not found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Outcome
from sarsen.core.referee import judge
from sarsen.games import load
from sarsen.services.patience import OutOfPatience, patience

MOST_POSITIONS = 2000
MOST_RULINGS = 500  # each is asked for again at once, or never


@dataclass(frozen=True)
class Judged:
    """A move that the rules allow, and all that is kept of what it makes.

    Attributes:
        seat: Who moved.
        text: The move in its one full form.
        position: The position after it.
        line: That position as it is written.
        to_move: Whose turn it is then.
        outcome: How the move ended the game; None while it runs.
    """

    seat: int
    text: str
    position: AnyPosition
    line: str
    to_move: int
    outcome: Outcome | None


def judged(position: AnyPosition, text: str) -> Judged:
    """Judge a move, and remember the position after it.

    Raises:
        UserError: The rules refuse it.
    """
    ruling = judge(position, text)
    after = ruling.position
    made = Judged(ruling.seat, ruling.text, after, after.write(), after.seat, after.outcome())
    _keep(_played, (position.game.info.name, made.line), after, MOST_POSITIONS)
    return made


def judged_at(game: str, line: str, text: str) -> Judged:
    """Judge a move in a written position, unless that was done just now.

    Raises:
        UserError: The rules refuse it.
        OutOfPatience: They would not end. That is remembered, too: they are not asked
            again by who holds the store.
    """
    key = (game, line, text)
    found = _rulings.get(key)
    if found is None:
        try:
            with patience(f"the rules of {game}"):
                found = judged(position_at(game, line), text)
        except (UserError, OutOfPatience) as refusal:
            found = refusal.with_traceback(None)
        _keep(_rulings, key, found, MOST_RULINGS)
    if isinstance(found, OutOfPatience):
        raise OutOfPatience(*found.args)
    if isinstance(found, UserError):
        # A new one: whoever catches it may change it.
        raise type(found)(found.text, code=found.code, hint=found.hint)
    return found


def position_at(game: str, line: str) -> AnyPosition:
    """Return a position that is written."""
    key = (game, line)
    for kept in (_played, _read):
        if key in kept and (position := kept.get(key)) is not None:
            return position
    position = load(game).read(line)
    _keep(_read, key, position, MOST_POSITIONS)
    return position


def played(game: str, line: str) -> AnyPosition | None:
    """Return a written position as its last move made it, with its effects; None if unknown."""
    return _played.get((game, line))


Key = TypeVar("Key")
Kept = TypeVar("Kept")
_played: dict[tuple[str, str], AnyPosition] = {}
_read: dict[tuple[str, str], AnyPosition] = {}
_rulings: dict[tuple[str, str, str], Judged | UserError | OutOfPatience] = {}


def _keep(kept: dict[Key, Kept], key: Key, one: Kept, most: int) -> None:
    kept[key] = one
    while len(kept) > most:
        # The oldest; another thread may have been faster.
        kept.pop(next(iter(list(kept))), None)
