"""Druid in words, for ears: the position in sentences, and square by square."""

from __future__ import annotations

from collections.abc import Iterator

from sarsen.drawing.cells import Cell, CellRow, CellTable
from sarsen.games.druid.monument import (
    EAST,
    NORTH,
    SIDES,
    H,
    Lintel,
    Monument,
    V,
    column_row,
    squares_of,
)
from sarsen.games.druid.notation import Move, Word, square_name
from sarsen.games.druid.rules import EDGES, DruidPosition

LETTERS = "abcdefghijkl"


def words_of(position: DruidPosition) -> str:
    """Return a text that says whose turn it is, what the last move did, and each group of
    squares.
    """
    sentences = [_state(position)]
    if position.last is not None:
        sentences.append(f"The last move was {_spoken(position.last)}.")
    sentences += position.effects()
    for side in (V, H):
        sentences += _holdings(position.monument, side)
    return " ".join(sentences)


def cells_of(position: DruidPosition) -> CellTable:
    """Return the squares, the last row on top as in the picture."""
    size = position.monument.size
    rows = []
    for row in reversed(range(size)):
        squares = [NORTH * row + column for column in range(size)]
        cells = tuple(Cell(_top(position.monument, one), square_name(one)) for one in squares)
        rows.append(CellRow(str(row + 1), cells))
    return CellTable(tuple(LETTERS[:size]), tuple(rows))


def _top(monument: Monument, square: int) -> str:
    owner, height = monument.owner(square), monument.heights[square]
    if owner is None:
        return "empty"
    return SIDES[owner] + (f", {height} high" if height > 1 else "")


def _state(position: DruidPosition) -> str:
    outcome = position.outcome()
    if outcome is not None:
        return f"The game is over after {position.ply} plies: {outcome.reason}"
    name = SIDES[position.side]
    task = f"{name} to move, joining {EDGES[position.side]}."
    if position.is_opening:
        task += " The first stone is a sarsen on an edge square."
    if position.may_swap:
        task += f" {name} may swap."
    return task


def _spoken(move: Move) -> str:
    match move:
        case Word():
            return f"a {move.value}"
        case Lintel():
            first, middle, last = (square_name(square) for square in move.squares)
            return f"a lintel on {first}, {middle} and {last}"
        case _:
            return f"a sarsen on {square_name(move.square)}"


def _holdings(monument: Monument, side: int) -> list[str]:
    """Name the squares a side is on top of, a sentence a group, the widest reach first."""
    squares = list(squares_of(monument.tops[side]))
    if not squares:
        return [f"{SIDES[side]} has no square."]
    name, groups = SIDES[side], sorted(_groups(monument, side), key=lambda one: -one[0])
    joined = [f"{name}{words}." for reach, words in groups if reach]
    alone = ", ".join(words for reach, words in groups if not reach)
    count = f"{len(squares)} square{'s' * (len(squares) > 1)}"
    if len(groups) == 1:
        return [f"{name} has {count}{groups[0][1]}." if joined else f"{name} has {count}: {alone}."]
    heading = f"{name} has {count} in {len(groups)} groups."
    return [heading, *joined, *([f"{name}, alone: {alone}."] if alone else [])]


def _groups(monument: Monument, side: int) -> Iterator[tuple[int, str]]:
    """Yield for each group how far it reaches across and its squares in words.

    A square that stands alone reaches 0 far, and is named only.
    """
    for group in _connected(monument.tops[side]):
        squares = list(squares_of(group))
        names = ", ".join(_with_height(monument, square) for square in squares)
        reached = [column_row(square)[1 - side] for square in squares]
        first, last = min(reached), max(reached)
        kind = "row" if side == V else "column"
        ends = [str(end + 1) if side == V else LETTERS[end] for end in (first, last)]
        reach = f", {kind}s {ends[0]} to {ends[1]}" if first < last else f", {kind} {ends[0]}"
        yield (last - first + 1, f"{reach}: {names}") if len(squares) > 1 else (0, names)


def _with_height(monument: Monument, square: int) -> str:
    height = monument.heights[square]
    return square_name(square) + (f" ({height} high)" if height > 1 else "")


def _connected(squares: int) -> Iterator[int]:
    """Split a set of squares into those that hang together edge to edge."""
    while squares:
        group, grown = 0, squares & -squares
        while grown != group:
            group = grown
            beside = group << EAST | group >> EAST | group << NORTH | group >> NORTH
            grown |= squares & beside
        yield group
        squares &= ~group
