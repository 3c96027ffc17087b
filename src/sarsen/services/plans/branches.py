"""A whole tree at once, as branches that leave the game where they do."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.services.plans.tree import ROOT, Path, Tree


@dataclass(frozen=True)
class Branch:
    """A move of a tree that was not played, and what hangs on it.

    Attributes:
        path: Where it leads, from the first position.
        then: The moves after it, in the order in which they were added.
    """

    path: Path
    is_mine: bool
    is_plan: bool
    comment: str
    then: tuple[Branch, ...]

    @property
    def text(self) -> str:
        """The move."""
        return self.path[-1]


def branches_of(tree: Tree, played: Path) -> tuple[Branch, ...]:
    """Return the branches by which a tree leaves the moves played, or goes on after them."""
    trunk = _trunk(tree, played)
    below: dict[int, list[Branch]] = {}
    # Parents stand before children: from the end on, what hangs on a node is known.
    for at in range(len(tree.nodes) - 1, ROOT, -1):
        if at in trunk:
            continue
        node, then = tree.nodes[at], reversed(below.pop(at, []))
        branch = Branch(tree.path(at), node.is_mine, node.is_plan, node.comment, tuple(then))
        below.setdefault(node.parent, []).append(branch)
    return tuple(branch for at in trunk for branch in reversed(below.get(at, [])))


def _trunk(tree: Tree, played: Path) -> list[int]:
    """Return the nodes of the moves played, as far as the tree holds them."""
    trunk = [ROOT]
    for text in played:
        at = tree.child(trunk[-1], text)
        if at is None:
            break
        trunk.append(at)
    return trunk
