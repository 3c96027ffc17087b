"""What the page of a place in a tree of variations shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.conf import settings
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from sarsen.doors.web.lines import Path, write_line
from sarsen.doors.web.listening import Heard, Place, hear
from sarsen.doors.web.pictures import inline_picture, inline_plan
from sarsen.doors.web.tree_rows import TreeRow, tree_rows
from sarsen.services.plans.branches import Branch
from sarsen.services.plans.exploring import TreeView
from sarsen.services.viewing import BoardView


@dataclass(frozen=True)
class Row:
    """A row of the tree, with where its move leads."""

    row: TreeRow
    link: str
    is_here: bool


@dataclass(frozen=True)
class Steps:
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


@dataclass(frozen=True)
class Explored:
    """A place as its page shows it.

    Attributes:
        found: Where to go instead, since a move has been chosen place by place.
        line: The moves after those of the game, each with where it leads.
        left_at: After how many moves of the game the line begins.
        is_new: The line is in no tree.
        place: What forms say of the place, by name and value.
        share: The whole address of this line.
        moves_path, cells_path, reason_path: Where a script asks what can be tapped, what it
            is, and why something else cannot.
    """

    tree: TreeView
    board: BoardView
    picture: SafeString | str = ""
    plan: SafeString | str = ""
    heard: Heard | None = None
    effects: tuple[str, ...] = ()
    found: str = ""
    line: tuple[tuple[str, str], ...] = ()
    left_at: int = 0
    is_new: bool = False
    is_here: bool = True
    place: tuple[tuple[str, str], ...] = ()
    share: str = ""
    here: str = ""
    rows: tuple[Row, ...] = ()
    branches: tuple[tuple[object, str], ...] = ()
    steps: Steps = field(default_factory=Steps)
    moves_path: str = ""
    cells_path: str = ""
    reason_path: str = ""
    choose_path: str = ""


def explored_facts(tree: TreeView, board: BoardView, owner: str, chosen: Sequence[str]) -> Explored:
    """Put a place together for its page."""
    links = _Links(tree, owner)
    position = tree.position
    words = write_line(tree.path, tree.game_path)
    left_at = int(words[0][1]) if words else len(tree.game_path)
    # From here one more move is tried, so the ply is said even at the last one.
    place = words or (("ply", str(left_at)),)
    spot = Place(links.page, (*links.owner, *place))
    heard = hear(position, spot, list(chosen), chooses=True) if position else None
    query = urlencode(place)
    return Explored(
        tree=tree,
        board=board,
        picture=inline_picture(position) if position else "",
        plan=inline_plan(position) if position else "",
        heard=heard,
        effects=position.effects() if position and tree.path else (),
        found=spot.link(("try", heard.choice.move)) if heard and heard.choice.move else "",
        line=tuple(
            (text, links.to(tree.path[: left_at + at]))
            for at, text in enumerate(tree.path[left_at:], start=1)
        ),
        left_at=left_at,
        is_new=bool(tree.path[left_at:]) and not _holds(tree.branches, tree.path),
        is_here=tree.path == tree.game_path,
        place=place,
        share=f"{settings.SARSEN_URL}{links.page}?{query}",
        here=links.to(tree.game_path),
        rows=tuple(
            Row(
                row,
                links.to(row.branch.path) if row.branch else "",
                row.branch is not None and row.branch.path == tree.path,
            )
            for row in tree_rows(tree.branches)
        ),
        branches=tuple((one, links.to(one.path)) for one in tree.variations),
        steps=_steps(tree, links),
        moves_path=f"{reverse('variations-moves', args=[tree.board])}?{query}",
        cells_path=f"{reverse('variations-cells', args=[tree.board])}?{query}",
        reason_path=f"{reverse('variations-reason', args=[tree.board])}?{query}",
        choose_path=links.page,
    )


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
        words = (*self.owner, *write_line(path, self.tree.game_path))
        return f"{self.page}?{urlencode(words)}" if words else self.page


def _holds(branches: tuple[Branch, ...], path: Path) -> bool:
    """Return whether a path leads to a move of a tree."""
    waiting = list(branches)
    while waiting:
        branch = waiting.pop()
        if branch.path == path:
            return True
        if path[: len(branch.path)] == branch.path:
            waiting += branch.then
    return False


def _steps(tree: TreeView, links: _Links) -> Steps:
    path, played = tree.path, tree.game_path
    after = [one.path for one in tree.variations]
    if path == played[: len(path)] and path != played:
        after = [played[: len(path) + 1], *(one for one in after if one != played[: len(one)])]
    beside = _beside(tree)
    at = beside.index(path) if path in beside else 0
    return Steps(
        first=links.to(()) if path else "",
        previous=links.to(path[:-1]) if path else "",
        next=links.to(after[0]) if after else "",
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
    found: list[Branch] = []
    waiting = list(branches)
    while waiting:
        branch = waiting.pop(0)
        if branch.path[:-1] == above:
            found.append(branch)
        elif above[: len(branch.path)] == branch.path:
            waiting = list(branch.then)
    return found
