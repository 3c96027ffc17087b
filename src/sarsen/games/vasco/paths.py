"""Paths: the arcs of one colour that meet from tile to tile.

On every tile the arc of a colour joins the edge of that colour to the overlap
edge, so both colours run on through the overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

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
