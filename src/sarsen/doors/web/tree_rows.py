"""A tree of variations as a page walks it: lines of moves, and where they part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sarsen.services.plans.branches import Branch


@dataclass(frozen=True)
class TreeRow:
    """One move of a tree, or where lists of lines begin and end.

    Attributes:
        kind: `open` a list of lines, `line` begins one, `move`, `end` of a line, `close`.
        ply: The move's number; 0 where it goes on from the one before it.
    """

    kind: str
    branch: Branch | None = None
    ply: int = 0


def tree_rows(branches: Sequence[Branch]) -> Iterator[TreeRow]:
    """Walk branches so that a list in a page can be written one row after the other."""
    if not branches:
        return
    yield TreeRow("open")
    for branch in branches:
        yield TreeRow("line")
        yield from _line(branch)
        yield TreeRow("end")
    yield TreeRow("close")


def _line(branch: Branch) -> Iterator[TreeRow]:
    yield TreeRow("move", branch, len(branch.path))
    while len(branch.then) == 1:
        (branch,) = branch.then
        yield TreeRow("move", branch)
    yield from tree_rows(branch.then)
