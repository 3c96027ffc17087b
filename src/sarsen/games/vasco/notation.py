"""A position as one line: `54 X @0,1 0,0=aca 0,1=aca`.

The pool, the side to move, where the last player laid a tile by hand, then every
unbroken stretch of tiles of a row in reading order: where it begins, and its
rotations from left to right. The hand is part of a position because two moves that
force each other's tile are two moves, in the counts of the settled rules too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, quoted
from sarsen.games.vasco.board import (
    EDGES,
    FIRST_CELL,
    SIDES,
    Cell,
    LaidTiles,
    Rotation,
    cell_at,
    neighbours,
    place_of,
    runs,
    table_of,
)

_HEAD = re.compile(r"([1-9][0-9]{0,2}) ([OX])(?: @(-?[0-9]{1,3}),(-?[0-9]{1,3}))?((?: [^ ]+)*)")
_RUN = re.compile(r"(-?[0-9]{1,3}),(-?[0-9]{1,3})=([a-f]{1,600})")
_MAX_LINE = 12_000  # characters; the tiles of the largest pool take less, and patterns take time
_SIZES = range(6, 601)


def write_line(size: int, side: str, hand: Cell | None, tiles: Mapping[Cell, Rotation]) -> str:
    """Write a position. The pair of `read_line`."""
    words = [str(size), side]
    if hand is not None:
        words.append("@{},{}".format(*place_of(hand)))
    for run in runs(tiles):
        x, y = place_of(run[0])
        words.append(f"{x},{y}=" + "".join(tiles[cell] for cell in run))
    return " ".join(words)


def read_line(line: str) -> tuple[int, str, Cell | None, LaidTiles]:
    """Read the size of the pool, the side to move, the cell of the hand, and the table.

    Raises:
        UserError: Not what `write_line` writes, or tiles that no game can lead to.
    """
    head = _HEAD.fullmatch(line) if len(line) <= _MAX_LINE else None
    if head is None:
        raise _unreadable(Phrase("it does not begin with the pool and the side to move"))
    size, side = int(head[1]), head[2]
    if size not in _SIZES:
        raise _unreadable(Phrase("a pool has 6 to 600 tiles, not {size}", size=size))
    hand = cell_at(int(head[3]), int(head[4])) if head[3] else None
    tiles = _read_tiles(head[5].split(), size)
    if hand is not None and hand not in tiles:
        raise _unreadable(Phrase("no tile lies where the last one was laid"))
    if write_line(size, side, hand, tiles) != line:
        raise _unreadable(Phrase("its tiles are not in reading order"))
    table = table_of(tiles)
    _refuse_impossible(table, size - len(tiles))
    if len(tiles) < 2 and side != "OX"[len(tiles)]:
        raise _unreadable(
            Phrase("after {count} tiles it is not the turn of {side}", count=len(tiles), side=side)
        )
    return size, side, hand, table


def _read_tiles(words: list[str], size: int) -> dict[Cell, Rotation]:
    tiles: dict[Cell, Rotation] = {}
    for word in words:
        run = _RUN.fullmatch(word)
        if run is None:
            raise _unreadable(Phrase("{typed} is no row of tiles", typed=quoted(word, 20)))
        first = cell_at(int(run[1]), int(run[2]))
        tiles |= {first + step: rotation for step, rotation in enumerate(run[3])}
        if len(tiles) > size:
            raise _unreadable(Phrase("it has more than {size} tiles", size=size))
    return tiles


def _refuse_impossible(table: LaidTiles, room: int) -> None:
    """Refuse tiles that no sequence of legal moves leaves on the table."""
    if not table.tiles:
        return
    if FIRST_CELL not in table.tiles:
        raise _unreadable(Phrase("its first tile, at 0,0, is missing"))
    if not _is_one_group(table):
        raise _unreadable(Phrase("its tiles are not one group"))
    if not _all_ends_meet(table):
        raise _unreadable(Phrase("two of its path ends meet in different colours"))
    for cell in table.cells_beside():
        choices = len(table.possible(cell))
        if choices == 0 or (choices == 1 and room):
            raise _unreadable(Phrase("a cell beside its tiles is forced or cannot be filled"))


def _is_one_group(table: LaidTiles) -> bool:
    reached = {FIRST_CELL}
    ahead = [FIRST_CELL]
    while ahead:
        fresh = {near for near in neighbours(ahead.pop()) if near in table.tiles} - reached
        reached |= fresh
        ahead += fresh
    return len(reached) == len(table.tiles)


def _all_ends_meet(table: LaidTiles) -> bool:
    return all(
        table.colour_seen(cell, side) in (0, EDGES[rotation][side])
        for cell, rotation in table.tiles.items()
        for side in SIDES
    )


def _unreadable(reason: Phrase) -> UserError:
    return UserError(
        "This is not a position of Vasco: {why}.",
        code="vasco.unreadable-position",
        hint="54 X 0,0=a",
        why=reason,
    )
