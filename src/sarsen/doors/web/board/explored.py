"""What the page of a place in a tree of variations shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.http import urlencode

from sarsen.doors.web.board.in_words import PositionAddress, speak_position
from sarsen.doors.web.board.line_addresses import Path, write_line
from sarsen.doors.web.frame.pictures import inline_cells, inline_picture, inline_plan
from sarsen.doors.web.frame.visitors import with_query
from sarsen.services.boards.view import BoardView
from sarsen.services.plans.exploring import TreeView
from sarsen.services.plans.stored_trees import Branch


@dataclass(frozen=True)
class ArrowAddresses:
    """Where the arrow keys lead; "" where there is nothing.

    Attributes:
        up, down: To the variations beside this one.
        last: Along the first variation to its end.
    """

    first: str = ""
    previous: str = ""
    next: str = ""
    last: str = ""
    up: str = ""
    down: str = ""


def explored_facts(
    tree: TreeView, board: BoardView, owner: str, chosen: Sequence[str]
) -> dict[str, object]:
    """Return what the page of a place shows.

    Its `line` are the moves after those of the game, which it leaves after `left_at` moves; it
    `is_new` when it is in no tree. `after_choice` is where to go instead, after a move has been
    chosen step by step; `place` is what forms say of the place.
    """
    links = _Links(tree, owner)
    position = tree.position
    words = write_line(tree.path, tree.game_path)
    left_at = int(words[0][1]) if words else len(tree.game_path)
    # From here one more move is tried, so the ply is said even at the last one.
    place = words or (("ply", str(left_at)),)
    spot = PositionAddress(links.page, (*links.owner, *place))
    spoken = speak_position(position, spot, list(chosen), chooses=True) if position else None
    query = urlencode(place)
    return {
        "tree": tree,
        "board": board,
        "picture": inline_picture(position) if position else "",
        "plan": inline_plan(position) if position else "",
        "cells": inline_cells(position) if position else "",
        "spoken": spoken,
        "effects": position.effects() if position and tree.path else (),
        "after_choice": spot.link(("try", spoken.choice.move))
        if spoken and spoken.choice.move
        else "",
        "line": tuple(
            (text, links.to(tree.path[: left_at + at]))
            for at, text in enumerate(tree.path[left_at:], start=1)
        ),
        "left_at": left_at,
        "is_new": bool(tree.path[left_at:])
        and not any(branch.path == tree.path for branch in _below(tree.branches, tree.path[:-1])),
        "is_here": tree.path == tree.game_path,
        "place": place,
        "share": f"{settings.SARSEN_URL}{links.page}?{query}",
        "page_path": links.to(tree.game_path),
        "rows": tuple(
            (
                row,
                links.to(row.branch.path) if row.branch else "",
                row.branch is not None and row.branch.path == tree.path,
            )
            for row in tree_rows(tree.branches)
        ),
        "branches": tuple((variation, links.to(variation.path)) for variation in tree.variations),
        "steps": _steps(tree, links),
        "moves_path": f"{reverse('variations-moves', args=[tree.board])}?{query}",
        "reason_path": f"{reverse('variations-reason', args=[tree.board])}?{query}",
        "choose_path": links.page,
    }


@dataclass(frozen=True)
class _Links:
    """Addresses of places in one tree."""

    tree: TreeView
    of: str

    @property
    def page(self) -> str:
        return reverse("variations", args=[self.tree.board])

    @property
    def owner(self) -> tuple[tuple[str, str], ...]:
        return (("of", self.of),) if self.of else ()

    def to(self, path: Path) -> str:
        return with_query(self.page, (*self.owner, *write_line(path, self.tree.game_path)))


def _steps(tree: TreeView, links: _Links) -> ArrowAddresses:
    path, played = tree.path, tree.game_path
    continuations = [variation.path for variation in tree.variations]
    if path == played[: len(path)] and path != played:
        continuations = [
            played[: len(path) + 1],
            *(moves for moves in continuations if moves != played[: len(moves)]),
        ]
    beside = _beside(tree)
    at = beside.index(path) if path in beside else 0
    return ArrowAddresses(
        first=links.to(()) if path else "",
        previous=links.to(path[:-1]) if path else "",
        next=links.to(continuations[0]) if continuations else "",
        last=links.to(played) if path != played else "",
        up=links.to(beside[at - 1]) if at > 0 else "",
        down=links.to(beside[at + 1]) if at + 1 < len(beside) else "",
    )


def _beside(tree: TreeView) -> list[Path]:
    """Return the moves that could stand in the place of the last one, the one played first."""
    path, played = tree.path, tree.game_path
    if not path:
        return []
    above = path[:-1]
    on_game = (
        [played[: len(path)]] if above == played[: len(above)] and len(path) <= len(played) else []
    )
    return [*on_game, *(branch.path for branch in _below(tree.branches, above))]


def _below(branches: tuple[Branch, ...], above: Path) -> list[Branch]:
    children: list[Branch] = []
    waiting = list(branches)
    while waiting:
        branch = waiting.pop(0)
        if branch.path[:-1] == above:
            children.append(branch)
        elif above[: len(branch.path)] == branch.path:
            waiting = list(branch.then)
    return children


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
