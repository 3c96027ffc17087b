"""A move chosen place by place, without script: what can come next, and what is complete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sarsen.core.game import AnyPosition
from sarsen.drawing.cells import CellTable
from sarsen.drawing.taps import Tree, tap_tree, tapped

MOST_MOVES = 3000  # legal moves that are laid out; where there are more, they are typed
MOST_SPOTS = 12  # of one move

Spots = tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """One place that may be chosen next.

    Attributes:
        words: What stands there; "" where nothing is known of it.
        move: What is chosen with it, when nothing else can be; else "".
        moves: How many moves go on from there.
    """

    spot: str
    words: str
    move: str
    moves: int


@dataclass(frozen=True)
class StepGroup:
    """The next places in one row of the board."""

    head: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Choice:
    """How far a move is chosen.

    Attributes:
        chosen: The places so far.
        groups: The places that may come next, by rows.
        complete: Moves that need no further place.
        move: The only move that is left, or "".
        steps: The same places by their names.
    """

    chosen: Spots = ()
    groups: tuple[StepGroup, ...] = ()
    complete: tuple[str, ...] = ()
    move: str = ""
    steps: dict[str, Step] = field(default_factory=dict)

    @property
    def is_known(self) -> bool:
        """Whether anything can be chosen: the game goes on, and its moves are not too many."""
        return bool(self.groups or self.complete)


def choose(position: AnyPosition, table: CellTable, chosen: Sequence[str]) -> Choice:
    """Find out what may follow some places; the first that leads nowhere ends them."""
    if len(position.legal_moves()) > MOST_MOVES:
        return Choice()
    tree: Tree | str | list[str] = tap_tree(position)
    taken: list[str] = []
    for spot in chosen[:MOST_SPOTS]:
        if not isinstance(tree, dict) or not spot or spot not in tree:
            break
        taken.append(spot)
        tree = tree[spot]
    left = _left(tree)
    if taken and len(left) == 1:  # the places that are missing go without saying
        return Choice(chosen=tuple(taken), complete=left, move=left[0])
    complete = _complete(tree)
    steps = _steps(tree, _words(table)) if isinstance(tree, dict) else {}
    return Choice(
        chosen=tuple(taken),
        groups=_grouped(steps, table),
        complete=complete,
        steps=steps,
    )


def _left(tree: Tree | str | list[str]) -> tuple[str, ...]:
    """Return the moves that the places so far may still become."""
    if not isinstance(tree, dict):
        return _complete(tree)
    return tuple({text: None for _, text in tapped(tree)})


def _complete(tree: Tree | str | list[str]) -> tuple[str, ...]:
    """Return the moves that the places so far make."""
    match tree:
        case str():
            return (tree,)
        case list():
            return tuple(tree)
        case dict():
            return _complete(tree[""]) if "" in tree else ()


def _steps(tree: Tree, words: dict[str, str]) -> dict[str, Step]:
    steps = {}
    for spot, below in tree.items():
        if spot:
            moves = {text for _, text in tapped({spot: below})}
            move = next(iter(moves)) if len(moves) == 1 else ""
            steps[spot] = Step(spot, words.get(spot, ""), move, len(moves))
    return steps


def _words(table: CellTable) -> dict[str, str]:
    return {cell.spot: cell.words for row in table.rows for cell in row.cells if cell.spot}


def _grouped(steps: dict[str, Step], table: CellTable) -> tuple[StepGroup, ...]:
    groups = [
        StepGroup(row.head, tuple(steps[cell.spot] for cell in row.cells if cell.spot in steps))
        for row in table.rows
    ]
    known = _words(table)
    groups.append(StepGroup("Elsewhere", tuple(steps[one] for one in steps if one not in known)))
    return tuple(group for group in groups if group.steps)
