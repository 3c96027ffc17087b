"""Trees in the store: loaded, bounded, saved; and where nobody may try moves ahead."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.language.plans import write_plan
from sarsen.language.terms import OFF
from sarsen.services.board_cache import judge_move, position_after
from sarsen.services.limits.processor_time import ProcessorBudget
from sarsen.services.matches import history
from sarsen.services.plans.tree import (
    ANY,
    ROOT,
    Path,
    VariationTree,
    count_variations,
    decode,
    encode,
    has_plan,
    planned_text,
)
from sarsen.storage.models import Match, Plan, Player

# Of one player's variations at one board.
MAX_MOVES = 400  # more than anybody looks at; the tree is one row, read whole
DEEPEST = 100  # plies: nobody looks further ahead, and each is judged by the rules


@dataclass(frozen=True)
class PlayedPath:
    """The root of a tree: the standing moves of a match, and who made them.

    Attributes:
        path: The moves in full form, from the first position.
        seats: Who made each of them.
    """

    path: Path
    seats: tuple[int, ...]


def played_path_of(match: Match) -> PlayedPath:
    """Return the moves of a match that stand now."""
    moves = history.moves_of(match)
    return PlayedPath(tuple(move.text for move in moves), tuple(move.seat for move in moves))


def load(match: Match, player: Player) -> tuple[Plan, VariationTree]:
    """Return a player's tree at a board; one that was never saved is empty."""
    plan = Plan.objects.filter(match=match, player=player).first()
    if plan is None:
        return Plan(match=match, player=player), VariationTree()
    return plan, decode(plan.tree)


def save(plan: Plan, tree: VariationTree, grounds: PlayedPath, now: datetime) -> None:
    """Store a tree.

    Raises:
        UserError: It has grown beyond its bounds.
    """
    check_size(tree, grounds.path)
    store(plan, tree, grounds.path, now)


def store(plan: Plan, tree: VariationTree, path: Path, now: datetime) -> None:
    """Store a tree as it is, and whether a line of it may be played."""
    plan.tree = encode(tree)
    plan.is_active = has_plan_after(tree, path)
    plan.changed_at = now
    plan.save()


def has_plan_after(tree: VariationTree, path: Path) -> bool:
    """Return whether anything is planned after the moves of a path."""
    at = tree.find(path)
    return at is not None and has_plan(tree, at)


def plan_after(tree: VariationTree, path: Path) -> str:
    """Return what is planned after the moves of a path, as its owner would write it."""
    at = tree.find(path)
    return "" if at is None else write_plan(planned_text(tree, at))


def player_plan_after(player: Player, board: int, path: Path) -> str:
    """Return what a player has planned at a board after the moves of a path."""
    plan = Plan.objects.filter(match=board, player=player, is_active=True).first()
    return "" if plan is None else plan_after(decode(plan.tree), path)


def check_size(tree: VariationTree, path: Path) -> None:
    """Refuse a tree with more variations than anybody looks at."""
    size, most = count_variations(tree, path), MAX_MOVES
    if size > most:
        raise UserError(
            "Your variations on one board have room for {most} moves; with this they would "
            "be {size}. Nothing was changed.",
            code="plan-too-large",
            hint="Send fewer lines, or remove variations you no longer need.",
            most=most,
            size=size,
        )


def check_depth(length: int) -> None:
    """Refuse a variation that goes further ahead than anybody looks."""
    deepest = DEEPEST
    if length > deepest:
        raise UserError(
            "A variation goes at most {most} moves ahead; this one has {count}.",
            code="plan-too-deep",
            hint="Send its first moves only.",
            most=deepest,
            count=length,
        )


def check_exploration(match: Match) -> None:
    """Refuse to try moves ahead where the players agreed that nobody does."""
    if match.ended_at is None and match.terms.get("exploration") == OFF:
        raise UserError(
            "Board {board} was agreed with --exploration=off: exploring is not allowed until the "
            "game is over.",
            code="exploration-off",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )


def full_path(match: Match, path: Path, budget: ProcessorBudget | None = None) -> Path:
    """Bring a path to its full form, as far as its positions are known.

    Args:
        budget: The processor time it may take; None for any.

    Raises:
        UserError: A move is illegal, or the time is used up.
    """
    path_played = played_path_of(match).path
    shared = shared_moves(path, path_played)
    check_depth(len(path) - shared)
    full = list(path[:shared])
    position = position_at(match, tuple(full))
    for text in path[shared:]:
        if text == ANY or position is None:
            full.append(text)
            position = None
        else:
            if budget:
                budget.check()
            ruling = judge_move(position, text)
            full.append(ruling.text)
            position = ruling.position
    return tuple(full)


def position_at(match: Match, path: Path) -> AnyPosition | None:
    if ANY in path:
        return None
    return position_after(match.game, match.options, path)


def moves_of_player(match: Match, path: Path, grounds: PlayedPath, player: Player) -> list[bool]:
    """Return for each move of a known path whether a player makes it."""
    seats = set(match.seats.filter(player=player).values_list("seat", flat=True))
    shared = shared_moves(path, grounds.path)
    tried = (position_at(match, path[:ply]) for ply in range(shared, len(path)))
    is_mine = [position is not None and position.seat in seats for position in tried]
    return [seat in seats for seat in grounds.seats[:shared]] + is_mine


def shared_moves(path: Path, other: Path) -> int:
    """Count the moves with which both begin."""
    pairs = zip(path, other, strict=False)
    return next(
        (ply for ply, (move, other_move) in enumerate(pairs) if move != other_move),
        min(len(path), len(other)),
    )


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


def branches_of(tree: VariationTree, played: Path) -> tuple[Branch, ...]:
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


def _trunk(tree: VariationTree, played: Path) -> list[int]:
    """Return the nodes of the moves played, as far as the tree holds them."""
    trunk = [ROOT]
    for text in played:
        at = tree.child(trunk[-1], text)
        if at is None:
            break
        trunk.append(at)
    return trunk
