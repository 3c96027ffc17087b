"""The facts of the proof, each looked up on a board of one size.

`docs/visavis-proof.md` proves them for every size; here a machine goes through all the
cases that a board has. Crossings are asked of the rules themselves. Plain Python, so that
anyone who doubts can read it; only the replies of the strategy are compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from sarsen.games.visavis.board import O, X, board_of
from sarsen.games.visavis.proof.cells import LYING, UPRIGHT, Built, Cells, cells_of
from sarsen.games.visavis.proof.strategy import MENDED, has_joined, openings, strategy_reply

ProgressCallback = Callable[[str], None]
Edge = tuple[int, int]  # two vertices
Inside = tuple[int, int]  # the ways built in one cell, as bits, by O and by X


@dataclass(frozen=True)
class Fact:
    """One fact and whether it is true.

    Attributes:
        name: Its heading in the proof.
        text: What was looked at, and found.
        is_true: Whether it holds in every case.
        counts: How many cases of each kind.
    """

    name: str
    text: str
    is_true: bool
    counts: dict[str, int] = field(default_factory=dict)


def crossings(size: int) -> Fact:
    """Bridges cross inside their own cell only, and there all but the one of the same way."""
    board, cells = board_of(size), cells_of(size)
    crossing_count = bridges = 0
    is_true = True
    for side in (O, X):
        for text, bit in board.named[side]:
            others = set(board.names(board.crossed(side, bit)))
            if text not in cells.where[side]:
                is_true &= not others
                continue
            cell, way = cells.where[side][text]
            names = cells.names[1 - side][cell]
            expected = {other for at, other in enumerate(names) if at != way and other}
            is_true &= others == expected
            bridges += 1
            crossing_count += len(others)
    counts = {"cells": len(cells.places), "bridges": bridges, "crossings": crossing_count // 2}
    return Fact(
        "Cells",
        f"{bridges} bridges lie in {len(cells.places)} cells; all {crossing_count // 2} crossings "
        "are between bridges of one cell that run different ways.",
        is_true,
        counts,
    )


def one_cut(size: int) -> Fact:
    """A bridge of X parts what a cell of O can join into two at most; one of O never does."""
    cells = cells_of(size)
    bridges = 0
    is_true = True
    for cell in range(len(cells.places)):
        states = set(_states(cells, cell))
        for state in states:
            before = _joined(cells, cell, state)
            for side in (O, X):
                for after in _moves(cells, cell, state, side):
                    bridges += 1
                    lost = len(_joined(cells, cell, after)) - len(before)
                    is_true &= lost == 0 if side == O else lost <= 1
    return Fact(
        "One cut",
        f"{bridges} bridges in all {len(cells.places)} cells, whatever stood there before: none "
        "of X's parts what O can still join in its cell into more than two, none of O's parts it.",
        is_true,
        {"bridges": bridges},
    )


def two_colours(size: int) -> Fact:
    """One colour is in two halves at first; each opening of the strategy joins them."""
    cells = cells_of(size)
    nothing = np.zeros((2, len(cells.places)), np.int64)
    whole, split = cells.half % 2, (cells.half + 1) % 2
    is_true = len(_pieces(cells, nothing, whole)) == 1
    halves = _pieces(cells, nothing, split)
    is_true &= len(halves) == 2 and {0 in half for half in halves} == {True, False}
    crossing = 0
    for cell, ways in enumerate(cells.names[O]):
        for way in range(3):
            if not ways[way]:
                continue
            built = nothing.copy()
            built[O, cell] = 1 << way
            is_whole = all(len(_pieces(cells, built, colour)) == 1 for colour in range(2))
            is_opening = sum(cells.places[cell]) == cells.half and way in (LYING, UPRIGHT)
            is_true &= is_whole == is_opening
            crossing += is_whole
    is_true &= crossing == len(openings(size)) == 2 * cells.half - 1
    return Fact(
        "Two colours",
        f"All {cells.vertices} pegs of O hang together in the colour of the long diagonal; in the "
        f"other there are two halves, which {crossing} first bridges join, those of the diagonal.",
        is_true,
        {"pegs": cells.vertices, "openings": crossing},
    )


def every_reply(size: int, report: ProgressCallback) -> Fact:
    """Play the strategy against every bridge of X, in every position it can lead to."""
    cells = cells_of(size)
    names = openings(size)
    seen: set[bytes] = set()
    won = 0
    is_true = True
    for at, name in enumerate(names):
        cell, way = cells.where[O][name]
        built = np.zeros((2, len(cells.places)), np.int64)
        built[O, cell] = 1 << way
        waiting = [built]
        while waiting and is_true:
            built = waiting.pop()
            key = built.astype(np.uint8).tobytes()
            if key in seen:
                continue
            seen.add(key)
            if has_joined(cells.ways, built, cells.vertices, O):
                won += 1
                continue
            after = list(_answered(cells, built))
            is_true &= all(answered is not None for answered in after)
            waiting += [answered for answered in after if answered is not None]
        report(f"{name}, opening {at + 1} of {len(names)}: {len(seen)} positions so far")
    return Fact(
        "Every reply",
        f"{len(seen)} positions after a bridge of O, from {len(names)} openings and against "
        f"every bridge of X: O has won in {won} of them and is never without a reply.",
        is_true,
        {"positions": len(seen), "won": won},
    )


def _answered(cells: Cells, built: Built) -> Iterator[Built | None]:
    """Yield what stands after each bridge of X and the reply; None where X has won or O none.

    The first is after a bridge of X that joins and crosses nothing.
    """
    bridge = np.empty(2, np.int64)
    strategy_reply(cells.ways, built, cells.vertices, cells.colours, bridge)
    idle = built.copy()
    idle[O, bridge[0]] |= 1 << bridge[1]
    yield idle
    for cell in range(len(cells.places)):
        inside = int(built[O, cell]), int(built[X, cell])
        for _, mask in _moves(cells, cell, inside, X):
            after = built.copy()
            after[X, cell] = mask
            answer = strategy_reply(cells.ways, after, cells.vertices, cells.colours, bridge)
            if has_joined(cells.ways, after, cells.vertices, X) or answer < MENDED:
                yield None
            else:
                after[O, bridge[0]] |= 1 << bridge[1]
                yield after


def _states(cells: Cells, cell: int) -> Iterator[Inside]:
    """Yield all that can stand in a cell."""
    waiting, seen = [(0, 0)], {(0, 0)}
    while waiting:
        state = waiting.pop()
        yield state
        for side in (O, X):
            new = [after for after in _moves(cells, cell, state, side) if after not in seen]
            seen.update(new)
            waiting += new


def _moves(cells: Cells, cell: int, state: Inside, side: int) -> Iterator[Inside]:
    """Yield what can stand in a cell after one more bridge of a side."""
    for way in _open(cells, cell, state, side):
        own = state[side] | 1 << way
        yield (own, state[X]) if side == O else (state[O], own)


def _open(cells: Cells, cell: int, state: Inside, side: int) -> Iterator[int]:
    for way, text in enumerate(cells.names[side][cell]):
        if text and not state[side] >> way & 1 and not state[1 - side] & ~(1 << way):
            yield way


def _joined(cells: Cells, cell: int, state: Inside) -> list[set[int]]:
    """Group O's vertices of a cell by what it has built there or can still build."""
    ways = [way for way in range(3) if state[O] >> way & 1 or way in _open(cells, cell, state, O)]
    edges = [_edge(cells, cell, way) for way in ways]
    every = [_edge(cells, cell, way) for way, text in enumerate(cells.names[O][cell]) if text]
    return _grouped({vertex for edge in every for vertex in edge}, edges)


def _pieces(cells: Cells, built: Built, colour: int) -> list[set[int]]:
    """Group all vertices of O by its bridges and by the open ones of one colour."""
    edges = []
    for cell in range(len(cells.places)):
        state = int(built[O, cell]), int(built[X, cell])
        is_coloured = cells.colours[cell] == colour
        for way in range(3):
            if state[O] >> way & 1 or (is_coloured and way in _open(cells, cell, state, O)):
                edges.append(_edge(cells, cell, way))
    return _grouped(set(range(cells.vertices)), edges)


def _edge(cells: Cells, cell: int, way: int) -> Edge:
    first, second = cells.ways[O, cell, way]
    return int(first), int(second)


def _grouped(vertices: set[int], edges: list[Edge]) -> list[set[int]]:
    """Group vertices that edges join, the lesser group always moving to the greater."""
    group_of = {vertex: {vertex} for vertex in vertices}
    for first, second in edges:
        lesser, greater = sorted((group_of[first], group_of[second]), key=len)
        if lesser is not greater:
            greater |= lesser
            group_of.update(dict.fromkeys(lesser, greater))
    return list({id(group): group for group in group_of.values()}.values())
