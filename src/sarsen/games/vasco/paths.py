"""Paths: the arcs of one colour that meet from tile to tile.

On every tile the arc of a colour joins the edge of that colour to the overlap
edge, so both colours run on through the overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sarsen.core.game import Outcome
from sarsen.core.phrases import Phrase
from sarsen.games.vasco.board import EDGES, O_ARC, OVERLAP, X_ARC, Cell, Rotation, neighbours

ARCS = (O_ARC, X_ARC)  # the colour of each seat


@dataclass(frozen=True)
class Path:
    """The tiles one colour runs through, from one end to the other.

    A closed path comes back from its last cell to its first.
    """

    cells: tuple[Cell, ...]
    is_closed: bool

    def __len__(self) -> int:
        return len(self.cells)


def path_through(tiles: Mapping[Cell, Rotation], cell: Cell, arc: int) -> Path:
    """Follow the arc of one colour both ways from a tile."""
    ahead = _follow(tiles, cell, arc, OVERLAP)
    if ahead and ahead[-1] == cell:
        return Path((cell, *ahead[:-1]), is_closed=True)
    behind = _follow(tiles, cell, arc, arc)
    return Path((*reversed(behind), cell, *ahead), is_closed=False)


def paths(
    tiles: Mapping[Cell, Rotation], arc: int, through: Iterable[Cell] | None = None
) -> list[Path]:
    """List the paths of one colour, those through the given cells only when there are any."""
    all_paths: list[Path] = []
    followed: set[Cell] = set()
    for cell in sorted(tiles) if through is None else through:
        if cell not in followed:
            path = path_through(tiles, cell, arc)
            followed.update(path.cells)
            all_paths.append(path)
    return all_paths


def longest(all_paths: Iterable[Path]) -> int:
    """Return the length of the longest path in tiles, 0 when there is none."""
    return max(map(len, all_paths), default=0)


def _follow(tiles: Mapping[Cell, Rotation], start: Cell, arc: int, leaving: int) -> list[Cell]:
    """Leave a tile by its edge of one colour; return the tiles met, a closed path's start last."""
    cells: list[Cell] = []
    cell = start
    while True:
        cell = neighbours(cell)[EDGES[tiles[cell]].index(leaving)]
        if cell not in tiles:
            return cells
        cells.append(cell)
        if cell == start:
            return cells
        # The arc entered by the overlap leaves by its colour, and the other way round.
        leaving = arc if leaving == OVERLAP else OVERLAP


_DRAWN = (0.5, 0.5)
_WON = ((1.0, 0.0), (0.0, 1.0))
_NAMES = ("O", "X")


def judgement(
    tiles: Mapping[Cell, Rotation], through: Iterable[Cell] | None, *, is_at_its_end: bool
) -> Outcome | None:
    """Judge the tiles on the table, or give None while the game goes on.

    Args:
        tiles: All placements of a move are on the table before it is judged.
        through: The cells any new loop runs through; None for all.
        is_at_its_end: Whether nothing more can be laid.
    """
    news = None if through is None else tuple(through)
    loops = [longest(path for path in paths(tiles, arc, news) if path.is_closed) for arc in ARCS]
    # Ruling V5: loops come before the end of the pool, no matter who closed them.
    if any(loops):
        return _by_loops(*loops)
    if is_at_its_end:
        return _by_longest_path(*(longest(paths(tiles, arc)) for arc in ARCS))
    return None


def _by_loops(o_loop: int, x_loop: int) -> Outcome:
    if not x_loop:
        return Outcome(_WON[0], Phrase("O has a closed loop of {tiles} tiles.", tiles=o_loop))
    if not o_loop:
        return Outcome(_WON[1], Phrase("X has a closed loop of {tiles} tiles.", tiles=x_loop))
    # Ruling V5: with loops of both colours the longest one loses.
    if o_loop == x_loop:
        return Outcome(
            _DRAWN,
            Phrase("Both have closed loops, the longest of {tiles} tiles each.", tiles=o_loop),
        )
    loser = 0 if o_loop > x_loop else 1
    return Outcome(
        _WON[1 - loser],
        Phrase(
            "Both have closed loops and the longest loses: {loser} has {longest} "
            "tiles, {winner} {other}.",
            loser=_NAMES[loser],
            longest=max(o_loop, x_loop),
            winner=_NAMES[1 - loser],
            other=min(o_loop, x_loop),
        ),
    )


def _by_longest_path(o_path: int, x_path: int) -> Outcome:
    # Ruling V6: nothing left to lay and no loop: the longest path loses.
    if o_path == x_path:
        return Outcome(
            _DRAWN,
            Phrase(
                "No loop was closed, and the longest paths are {tiles} tiles each.", tiles=o_path
            ),
        )
    loser = 0 if o_path > x_path else 1
    return Outcome(
        _WON[1 - loser],
        Phrase(
            "No loop was closed and the longest path loses: {loser} has {longest} "
            "tiles, {winner} {other}.",
            loser=_NAMES[loser],
            longest=max(o_path, x_path),
            winner=_NAMES[1 - loser],
            other=min(o_path, x_path),
        ),
    )
