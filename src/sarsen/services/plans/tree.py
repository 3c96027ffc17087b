"""A tree of variations: frozen, flat, and without any knowledge of games.

It is rooted at the first position of a match. The moves played so far are one path of
it, kept as far as variations hang on it. A move is named by its text in full form; the
node `any` stands for every answer that has no node of its own.

A planned line is a path of marked nodes. At most one move of the owner's own is marked
below a node, so what is to be played is never in doubt.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from typing import Any

from sarsen.language.plans import PlanLine, PlanText

ANY = "any"
ROOT = 0

Path = tuple[str, ...]


@dataclass(frozen=True)
class Node:
    """One move of a variation.

    Attributes:
        parent: Index of the node before it; -1 at the root.
        text: The move in full form, or `any`; "" at the root.
        is_mine: The owner of the tree makes this move.
        is_plan: It belongs to a planned line.
        is_loose: The text is as its owner typed it: what comes before it is not known
            yet, so nobody could judge it.
    """

    parent: int
    text: str
    is_mine: bool = False
    is_plan: bool = False
    comment: str = ""
    is_loose: bool = False

    @property
    def is_any(self) -> bool:
        """Whether it stands for every answer without a node of its own."""
        return self.text == ANY


@dataclass(frozen=True)
class VariationTree:
    """All nodes, parents before children; the first is the root."""

    nodes: tuple[Node, ...] = (Node(-1, ""),)

    @cached_property
    def _below(self) -> Mapping[int, list[int]]:
        below: dict[int, list[int]] = defaultdict(list)
        for index, node in enumerate(self.nodes):
            below[node.parent].append(index)
        return below

    def children(self, at: int) -> tuple[int, ...]:
        """Return the nodes right below one, in the order in which they were added."""
        return tuple(self._below.get(at, ()))

    def child(self, at: int, text: str) -> int | None:
        """Return the node of a move below another."""
        return next((index for index in self.children(at) if self.nodes[index].text == text), None)

    def find(self, path: Iterable[str]) -> int | None:
        """Return the node at the end of a path from the root."""
        at: int | None = ROOT
        for text in path:
            at = None if at is None else self.child(at, text)
        return at

    def path(self, at: int) -> Path:
        """Return the moves that lead to a node. The pair of `find`."""
        return tuple(self.nodes[index].text for index in reversed([*self._upwards(at)]))

    def descendants(self, at: int) -> Iterator[int]:
        """Yield all nodes below one, parents before children."""
        inside = {at}
        for index in range(at + 1, len(self.nodes)):
            if self.nodes[index].parent in inside:
                inside.add(index)
                yield index

    def _upwards(self, at: int) -> Iterator[int]:
        while at != ROOT:
            yield at
            at = self.nodes[at].parent


def add(
    tree: VariationTree, at: int, text: str, *, is_mine: bool, is_loose: bool = False
) -> tuple[VariationTree, int]:
    """Return the tree with a move below a node, and where it is; one that is there stays."""
    existing = tree.child(at, text)
    if existing is not None:
        return change(tree, existing, is_mine=is_mine), existing
    return VariationTree((*tree.nodes, Node(at, text, is_mine, is_loose=is_loose))), len(tree.nodes)


def add_path(
    tree: VariationTree, path: Iterable[str], mine: Iterable[bool]
) -> tuple[VariationTree, int]:
    """Return the tree with a path from the root, and the node at its end."""
    at = ROOT
    for text, is_mine in zip(path, mine, strict=True):
        tree, at = add(tree, at, text, is_mine=is_mine)
    return tree, at


def change(tree: VariationTree, at: int, **changes: Any) -> VariationTree:
    """Return the tree with some fields of a node changed."""
    nodes = list(tree.nodes)
    nodes[at] = replace(nodes[at], **changes)
    return VariationTree(tuple(nodes))


def mark(tree: VariationTree, at: int, until: int) -> VariationTree:
    """Plan the line that leads from a node to one below it.

    Another move of the owner's own at the same place is planned no more.
    """
    while until != at:
        node = tree.nodes[until]
        if node.is_mine:
            for other in tree.children(node.parent):
                if other != until and tree.nodes[other].is_mine:
                    tree = unmark(tree, other)
        tree = change(tree, until, is_plan=True)
        until = node.parent
    return tree


def unmark(tree: VariationTree, at: int) -> VariationTree:
    """Plan neither a node nor anything below it; the variations stay."""
    removed = {at, *tree.descendants(at)}
    nodes = enumerate(tree.nodes)
    return VariationTree(tuple(replace(n, is_plan=False) if i in removed else n for i, n in nodes))


def cut(tree: VariationTree, at: int) -> VariationTree:
    """Leave out a node, unless it is the root, and all below it."""
    removed = {at, *tree.descendants(at)} - {ROOT}
    kept = [index for index in range(len(tree.nodes)) if index not in removed]
    place = {-1: -1} | {old: new for new, old in enumerate(kept)}
    nodes = (tree.nodes[index] for index in kept)
    return VariationTree(tuple(replace(node, parent=place[node.parent]) for node in nodes))


def planned_reply(tree: VariationTree, at: int) -> int | None:
    """Return the owner's planned move after a node."""
    planned = (index for index in tree.children(at) if tree.nodes[index].is_plan)
    return next((index for index in planned if tree.nodes[index].is_mine), None)


def planned_answers(tree: VariationTree, at: int) -> tuple[int, ...]:
    """Return the answers after a node for which a reply is planned; `any` comes last."""
    answers = [
        index
        for index in tree.children(at)
        if tree.nodes[index].is_plan and not tree.nodes[index].is_mine
        if planned_reply(tree, index) is not None
    ]
    return tuple(sorted(answers, key=lambda index: tree.nodes[index].is_any))


def has_plan(tree: VariationTree, at: int) -> bool:
    """Return whether anything is planned after a node."""
    return planned_reply(tree, at) is not None or bool(planned_answers(tree, at))


def planned_text(tree: VariationTree, at: int) -> PlanText:
    """Return what is planned after a node, as its owner would write it."""
    first = planned_reply(tree, at)
    if first is None:
        return PlanText("", _lines(tree, at))
    return PlanText(tree.nodes[first].text, _lines(tree, first))


def _lines(tree: VariationTree, at: int) -> tuple[PlanLine, ...]:
    lines = []
    for answer in planned_answers(tree, at):
        reply = planned_reply(tree, answer)
        assert reply is not None  # of such answers only
        text = "" if tree.nodes[answer].is_any else tree.nodes[answer].text
        lines.append(PlanLine(text, tree.nodes[reply].text, _lines(tree, reply)))
    return tuple(lines)


def follow(
    tree: VariationTree, at: int, text: str, *, most: int
) -> tuple[VariationTree, int | None]:
    """Walk one played move down the tree.

    Where only `any` is planned, what hangs on it is copied below the move itself, so
    that from there on every move is known; without room for a copy it is moved.

    Returns:
        The tree, and the node of the move; None where the tree has none.
    """
    existing = tree.child(at, text)
    any_answer = tree.child(at, ANY)
    is_covered = existing is not None and planned_reply(tree, existing) is not None
    if is_covered or any_answer is None or not tree.nodes[any_answer].is_plan:
        return tree, existing
    if len(tree.nodes) + 1 + sum(1 for _ in tree.descendants(any_answer)) <= most:
        tree, new_index = add(tree, at, text, is_mine=False)
        return _copied(change(tree, new_index, is_plan=True), any_answer, new_index), new_index
    if existing is not None:
        return tree, existing
    return change(tree, any_answer, text=text), any_answer


def with_full_text(tree: VariationTree, at: int, text: str) -> VariationTree:
    """Return the full form of a move whose text was loose.

    Where that move has a node already, the loose one becomes part of it. No node that
    stands before it changes its place.
    """
    loose = tree.nodes[at]
    existing = tree.child(loose.parent, text)
    if existing is None or existing == at:
        return change(tree, at, text=text, is_loose=False)
    if loose.is_plan:
        tree = change(tree, existing, is_plan=True)
    return cut(_copied(tree, at, existing), at)


def count_variations(tree: VariationTree, path: Sequence[str]) -> int:
    """Count the nodes that are not moves of a path: those that variations take up."""
    at: int | None = ROOT
    length = 0
    for text in path:
        at = None if at is None else tree.child(at, text)
        length += at is not None
    return len(tree.nodes) - 1 - length


def encode(tree: VariationTree) -> dict[str, Any]:
    """Write a tree as what JSON can hold. The pair of `decode`."""
    rows = [list(astuple(node)) for node in tree.nodes[1:]]
    return {"nodes": rows} if rows else {}


def decode(stored: dict[str, Any]) -> VariationTree:
    """Read what `encode` wrote."""
    return VariationTree((Node(-1, ""), *(Node(*row) for row in stored.get("nodes", ()))))


def _copied(tree: VariationTree, source: int, target: int) -> VariationTree:
    """Copy what hangs below one node below another, over what stands there already."""
    place = {source: target}
    for index in tuple(tree.descendants(source)):
        node = tree.nodes[index]
        parent, is_mine, is_loose = place[node.parent], node.is_mine, node.is_loose
        tree, new_index = add(tree, parent, node.text, is_mine=is_mine, is_loose=is_loose)
        place[index] = new_index
        is_plan = tree.nodes[new_index].is_plan or node.is_plan
        comment = tree.nodes[new_index].comment or node.comment
        tree = change(tree, new_index, is_plan=is_plan, comment=comment)
    return tree
