"""A player's variations at a board, for a page: look, add, comment, plan, cut, publish.

A place in a tree is named by its path: the moves in full form from the first position
of the match, `any` standing for an answer that is not known. Every function returns the
place as it looks afterwards. Anyone who may see a board may keep variations on it; only those who
play there can plan lines. Nobody sees another player's tree unless its owner has
published it and the match is over.

    view = look(123, (), player)                  # () is the first position
    view = add(123, view.game_path, ("d3", "e4", "f5"), player, now)
    view = mark(123, view.path, player, now)      # d3 e4 f5 becomes a planned line
    view = comment(123, view.path, "strong?", player, now)
    view = cut(123, view.path, player, now)       # gives the place above it
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.language.grammar.kept_text import kept_text
from sarsen.services.limits import daily
from sarsen.services.limits.processor_time import ProcessorBudget
from sarsen.services.mail.private_words import refuse_private
from sarsen.services.matches import matches
from sarsen.services.matches.moves import check_running
from sarsen.services.plans import stored_trees
from sarsen.services.plans import tree as trees
from sarsen.services.plans.stored_trees import (
    Branch,
    PlayedPath,
    branches_of,
    check_depth,
    check_exploration,
    full_path,
    load,
    moves_of_player,
    plan_after,
    played_path_of,
    position_at,
    save,
    shared_moves,
)
from sarsen.services.plans.tree import Path, VariationTree
from sarsen.services.players import find_player
from sarsen.services.request import Player
from sarsen.services.speakers import hold_player
from sarsen.storage.models import Match, Plan
from sarsen.storage.transactions import asking_transaction

MAX_COMMENT = 500  # characters: it stands beside a move, and the tree is one row


@dataclass(frozen=True)
class Variation:
    """A move that a tree has after the place shown.

    Attributes:
        path: Where it leads; look there next.
        is_mine: The owner of the tree makes it.
        is_plan: It belongs to a line that is played by itself.
        is_played: It is what was played in the match.
        moves: How many moves the tree has after it.
    """

    path: Path
    text: str
    is_mine: bool
    is_plan: bool
    is_played: bool
    comment: str
    moves: int


@dataclass(frozen=True)
class TreeView:
    """A place in somebody's tree of variations.

    Attributes:
        owner: Whose tree it is; "" for nobody's.
        path: The moves that lead here, from the first position, in full form.
        position: Here; None after `any`, where nobody can know it.
        game_path: The moves of the match that stand now; `path == game_path` is the
            present position.
        is_plan: The move that leads here belongs to a planned line.
        plan: What is planned from the present position, as `queue` would take it.
        moves, most_moves: How many moves the variations hold, and may hold.
        can_plan: The viewer owns the tree, plays here, and the match runs.
        can_change: The viewer owns the tree.
        keeps: What the viewer tries here is kept: they play here, or have kept something.
        branches: The whole tree, without the moves played.
    """

    board: int
    owner: str
    path: Path
    position: AnyPosition | None
    game_path: Path
    comment: str
    is_plan: bool
    variations: tuple[Variation, ...]
    plan: str
    moves: int
    most_moves: int
    can_plan: bool
    can_change: bool
    is_public: bool
    keeps: bool
    branches: tuple[Branch, ...]


def view_tree(
    board: int,
    path: Path,
    viewer: Player | None,
    *,
    owner: str = "",
    budget: ProcessorBudget | None = None,
) -> TreeView:
    """Look at a place of a tree.

    Args:
        path: Any legal line; a tree that does not hold it has no variations there.
        owner: Whose tree; "" for the viewer's own, which for nobody is empty.
        budget: The processor time that trying the path may take; None for any.

    Raises:
        UserError: No such board, an illegal path, not published, or `--exploration=off`.
    """
    match = matches.find(board, viewer=viewer)
    check_exploration(match)
    tree_owner = find_player(owner) if owner else viewer
    # Nobody has no tree: what they try is in the address alone.
    plan, tree = (
        (Plan(match=match), VariationTree()) if tree_owner is None else load(match, tree_owner)
    )
    if tree_owner and tree_owner != viewer and not (plan.is_public and match.ended_at):
        raise _not_published(tree_owner.userid, match)
    return _view(match, plan, tree, full_path(match, path, budget), viewer)


def owners_of_public_trees(board: int, viewer: Player | None) -> tuple[str, ...]:
    """Return the userids of those whose trees at a finished board everybody may see."""
    match = matches.find(board, viewer=viewer)
    if match.ended_at is None:
        return ()
    plans = Plan.objects.filter(match=match, is_public=True).order_by("pk")
    return tuple(plans.values_list("player__userid", flat=True))


@asking_transaction()
def add(board: int, path: Path, moves: tuple[str, ...], player: Player, now: datetime) -> TreeView:
    """Add a line of moves after a place, and look at its end.

    Raises:
        UserError: A move is illegal, or the tree is full; nothing has changed.
    """
    match = _changed_by(player, board, now)
    plan, tree = load(match, player)
    grounds = played_path_of(match)
    full = full_path(match, path)
    position = position_at(match, full)
    if position is None:
        raise UserError(
            "After `any` the position is not known, so you cannot add moves there.",
            code="plan-after-any",
            hint=f"queue {board} if any then MOVE",
        )
    check_depth(len(full) + len(moves) - shared_moves(full, grounds.path))
    for text in moves:
        ruling = judge(position, text)
        full, position = (*full, ruling.text), ruling.position
    tree, _ = trees.add_path(tree, full, moves_of_player(match, full, grounds, player))
    save(plan, tree, grounds, now)
    return _view(match, plan, tree, full, player)


@asking_transaction()
def comment(board: int, path: Path, text: str, player: Player, now: datetime) -> TreeView:
    """Set the comment on a move of the tree; "" removes it."""
    words = kept_text(text)
    if len(words) > MAX_COMMENT:
        raise UserError(
            "A comment has at most {most} characters; this one has {count}.",
            code="comment-too-long",
            most=MAX_COMMENT,
            count=len(words),
        )
    refuse_private(words, player)  # the tree may be published
    match = _changed_by(player, board, now)
    plan, tree, at = _place(match, player, path)
    tree = trees.change(tree, at, comment=words)
    save(plan, tree, played_path_of(match), now)
    return _view(match, plan, tree, tree.path(at), player)


@asking_transaction()
def mark(board: int, path: Path, player: Player, now: datetime) -> TreeView:
    """Plan the line from the present position to a move of the player's own.

    Moves of their own that were planned in its stead are planned no more.
    """
    match = _changed_by(player, board, now)
    check_running(match)
    plan, tree, at = _place(match, player, path)
    if not match.seats.filter(player=player).exists():
        raise UserError("Only the players of a board can plan moves there.", code="not-your-board")
    grounds = played_path_of(match)
    length = len(grounds.path)
    full = tree.path(at)
    if full[:length] != grounds.path or len(full) == length:
        raise UserError(
            "A plan begins at the current position; this line branches off earlier.",
            code="plan-elsewhere",
        )
    if not tree.nodes[at].is_mine:
        raise UserError(
            "A planned line must end with a move of yours.",
            code="plan-end",
        )
    present = tree.find(grounds.path)
    assert present is not None  # the line goes through it
    tree = trees.mark(tree, present, at)
    save(plan, tree, grounds, now)
    return _view(match, plan, tree, full, player)


@asking_transaction()
def unmark(board: int, path: Path, player: Player, now: datetime) -> TreeView:
    """Plan a move, and all after it, no more; the variations stay."""
    match = _changed_by(player, board, now)
    plan, tree, at = _place(match, player, path)
    tree = trees.unmark(tree, at)
    save(plan, tree, played_path_of(match), now)
    return _view(match, plan, tree, tree.path(at), player)


@asking_transaction()
def cut(board: int, path: Path, player: Player, now: datetime) -> TreeView:
    """Remove a move and all after it from the tree; return the place before it."""
    match = _changed_by(player, board, now)
    plan, tree, at = _place(match, player, path)
    above = tree.path(at)[:-1]
    tree = trees.cut(tree, at)
    # Smaller than before: a full tree can always be cut.
    save(plan, tree, played_path_of(match), now)
    return _view(match, plan, tree, above, player)


@asking_transaction()
def publish(board: int, player: Player, now: datetime, *, is_public: bool = True) -> None:
    """Show one's tree at a finished board to everybody, or to nobody any more."""
    hold_player(player)
    match = matches.find(board, viewer=player, lock=True)
    if is_public and match.ended_at is None:
        raise UserError(
            "Variations can be published after the game; board {board} is still being played.",
            code="plan-running",
            hint=f"queue {match.pk}",
            board=match.pk,
        )
    plan, tree = load(match, player)
    if is_public:
        for node in tree.nodes:  # stored before comments were looked at, perhaps
            refuse_private(node.comment, player)
    if plan.pk is None:
        raise UserError(
            "You have no variations on board {board}.",
            code="no-plan",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )
    plan.is_public = is_public
    plan.changed_at = now
    plan.save(update_fields=["is_public", "changed_at"])


def _changed_by(player: Player, board: int, now: datetime) -> Match:
    """Lock a board whose tree a player changes."""
    hold_player(player)
    match = matches.find(board, viewer=player, lock=True)
    check_exploration(match)
    daily.check(player, "plan", now)
    return match


def _place(match: Match, player: Player, path: Path) -> tuple[Plan, VariationTree, int]:
    plan, tree = load(match, player)
    at = tree.find(path)
    if at is None or at == trees.ROOT:
        raise UserError(
            "Your variations have no such move; perhaps you removed it elsewhere.",
            code="unknown-variation",
        )
    return plan, tree, at


def _view(
    match: Match, plan: Plan, tree: VariationTree, path: Path, viewer: Player | None
) -> TreeView:
    grounds = played_path_of(match)
    at = tree.find(path)
    node = None if at is None else tree.nodes[at]
    owner = plan.player if plan.player_id else None
    is_own = owner is not None and viewer == owner
    sits = owner is not None and match.seats.filter(player=owner).exists()
    size = trees.count_variations(tree, grounds.path)
    return TreeView(
        board=match.pk,
        owner=owner.userid if owner else "",
        path=path,
        position=position_at(match, path),
        game_path=grounds.path,
        comment=node.comment if node else "",
        is_plan=bool(node and node.is_plan),
        variations=() if at is None else _variations(tree, at, grounds),
        plan="" if match.ended_at else plan_after(tree, grounds.path),
        moves=size,
        most_moves=stored_trees.MAX_MOVES,
        can_plan=is_own and sits and match.ended_at is None,
        can_change=is_own,
        is_public=plan.is_public,
        keeps=is_own and (sits or size > 0),
        branches=branches_of(tree, grounds.path),
    )


def _variations(tree: VariationTree, at: int, grounds: PlayedPath) -> tuple[Variation, ...]:
    variations = []
    for index in tree.children(at):
        node, path = tree.nodes[index], tree.path(index)
        variations.append(
            Variation(
                path=path,
                text=node.text,
                is_mine=node.is_mine,
                is_plan=node.is_plan,
                is_played=grounds.path[: len(path)] == path,
                comment=node.comment,
                moves=sum(1 for _ in tree.descendants(index)),
            )
        )
    return tuple(variations)


def _not_published(userid: str, match: Match) -> UserError:
    # The same whether there is a tree or not: that alone is its owner's business.
    return UserError(
        "{player} has published no variations on board {board}.",
        code="plan-private",
        hint=f"{match.game} show {match.pk}",
        player=userid,
        board=match.pk,
    )
