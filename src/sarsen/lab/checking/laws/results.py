"""No two moves lead to the same position, whatever a written position remembers of them."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Mapping
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.core.recorded import RecordedPosition
from sarsen.drawing.view import registered
from sarsen.lab.checking.laws.positions import board_of
from sarsen.lab.checking.walks import Fault, Law, Walk, typed_moves

MAX_MOVES = 60  # of a position whose results are looked at, drawn by lot where there are more
# What a `RecordedPosition` is written as: it tells every two moves apart, alike or not.
RECORD = ("terms", "moves")


def moves_are_distinct(walk: Walk) -> Iterator[Fault]:
    """Legal moves, and the positions they lead to, are distinct."""
    position = walk.position
    moves = list(position.legal_moves())
    if len(set(moves)) != len(moves):
        yield Fault("same-move-twice", "`legal_moves` lists a move twice.")
    if len(moves) > MAX_MOVES:
        moves = random.Random(len(walk.moves)).sample(moves, MAX_MOVES)
    results: dict[str, tuple[str, AnyPosition]] = {}
    for move in moves:
        text, after = position.format(move), walk.after(move)
        earlier, other = results.setdefault(held(after, text), (text, after))
        if other is not after and is_same(other, after):
            said = f"{earlier} and {text} lead to the same position."
            yield Fault("same-result", said, text)
            return


def held(position: AnyPosition, move: str) -> str:
    """Return what a position holds: its line; of a `RecordedPosition` all fields but its record.

    A field that only names the last move, or places in it, is left out, too.
    """
    if not is_recorded(position):
        return position.write()
    return repr([(name, value) for name, value in _fields(position) if not _names(value, move)])


def is_same(one: AnyPosition, other: AnyPosition) -> bool:
    """Return whether two positions that hold the same are the same for all that follows.

    Rules may read the record, so endings, moves and the drawn board must agree, too.
    """
    if not is_recorded(one):
        return True
    is_drawn = registered(one.game.info.name) is not None
    if not is_drawn and not _fields(one):
        return False  # nothing but the record tells of the board
    return (
        (one.seat, one.sides, one.outcome()) == (other.seat, other.sides, other.outcome())
        and typed_moves(one) == typed_moves(other)
        and (not is_drawn or board_of(one) == board_of(other))
    )


def is_recorded(position: AnyPosition) -> bool:
    """Return whether a position is written as the moves that led to it."""
    return RecordedPosition in type(position).__mro__ and dataclasses.is_dataclass(position)


def _fields(position: Any) -> list[tuple[str, Any]]:
    return [
        (field.name, _ordered(getattr(position, field.name)))
        for field in dataclasses.fields(position)
        if field.compare and field.name not in RECORD
    ]


def _ordered(value: Any) -> Any:
    """Return a value in which equal sets and mappings are written alike."""
    if isinstance(value, Mapping):
        return "mapping", sorted(
            (repr(_ordered(key)), _ordered(item)) for key, item in value.items()
        )
    if isinstance(value, set | frozenset):
        return "set", sorted(repr(_ordered(item)) for item in value)
    if isinstance(value, list | tuple):
        return tuple(map(_ordered, value))
    return value


def _names(value: Any, move: str) -> bool:
    """Return whether a value is the text of a move, or a row of places in it."""
    if isinstance(value, str):
        return value != "" and value in move
    return isinstance(value, tuple) and bool(value) and all(_names(one, move) for one in value)


# A law that looks at every move of a position, which some games have hundreds of.
SOME_PLIES: tuple[Law, ...] = (moves_are_distinct,)
