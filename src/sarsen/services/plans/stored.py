"""Trees in the store: loaded, bounded, saved; and where nobody may try moves ahead."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.language.plans import write_plan
from sarsen.language.terms import OFF
from sarsen.services import records
from sarsen.services.plans.tree import (
    Path,
    Tree,
    decode,
    encode,
    has_plan,
    off_the_path,
    planned_text,
)
from sarsen.storage.kept import Given, KeptQuery
from sarsen.storage.models import Match, Plan, Player

_ACTIVE = KeptQuery(
    lambda: Plan.objects.filter(match=Given("match"), player=Given("player"), is_active=True)
)


@dataclass(frozen=True)
class Grounds:
    """What a tree stands on: the moves of a match that stand, and who made them.

    Attributes:
        path: The moves in full form, from the first position.
        seats: Who made each of them.
    """

    path: Path
    seats: tuple[int, ...]


def grounds_of(match: Match) -> Grounds:
    """Return the moves of a match that stand now."""
    moves = records.moves_of(match)
    return Grounds(tuple(move.text for move in moves), tuple(move.seat for move in moves))


def load(match: Match, player: Player) -> tuple[Plan, Tree]:
    """Return a player's tree at a board; one that was never saved is empty."""
    plan = Plan.objects.filter(match=match, player=player).first()
    if plan is None:
        return Plan(match=match, player=player), Tree()
    return plan, decode(plan.tree)


def save(plan: Plan, tree: Tree, grounds: Grounds, now: datetime) -> None:
    """Keep a tree.

    Raises:
        UserError: It has grown beyond its bounds.
    """
    check_size(tree, grounds.path)
    store(plan, tree, grounds.path, now)


def store(plan: Plan, tree: Tree, path: Path, now: datetime) -> None:
    """Keep a tree as it is, and whether a line of it may be played."""
    plan.tree = encode(tree)
    plan.is_active = holds(tree, path)
    plan.changed_at = now
    plan.save()


def holds(tree: Tree, path: Path) -> bool:
    """Return whether anything is planned after the moves of a path."""
    at = tree.find(path)
    return at is not None and has_plan(tree, at)


def planned(tree: Tree, path: Path) -> str:
    """Return what is planned after the moves of a path, as its owner would write it."""
    at = tree.find(path)
    return "" if at is None else write_plan(planned_text(tree, at))


def planned_by(player: Player, board: int, path: Path) -> str:
    """Return what a player has planned at a board after the moves of a path."""
    plan = _ACTIVE.first(match=board, player=player.pk)
    return "" if plan is None else planned(decode(plan.tree), path)


def check_size(tree: Tree, path: Path) -> None:
    """Refuse a tree with more variations than anybody looks at."""
    size, most = off_the_path(tree, path), settings.SARSEN_PLANS["moves"]
    if size > most:
        raise UserError(
            f"Your variations on one board have room for {most} moves; with this they would be "
            f"{size}. Nothing was changed.",
            code="plan-too-large",
            hint="Send fewer lines, or cut variations that you need no more.",
        )


def check_depth(length: int) -> None:
    """Refuse a variation that goes further ahead than anybody looks."""
    deepest = settings.SARSEN_PLANS["depth"]
    if length > deepest:
        raise UserError(
            f"A variation goes at most {deepest} moves ahead; this one has {length}.",
            code="plan-too-deep",
            hint="Send its first moves only.",
        )


def forbids_exploration(match: Match) -> bool:
    """Return whether the players agreed that nobody tries moves ahead while they play."""
    return match.ended_at is None and match.terms.get("exploration") == OFF


def check_exploration(match: Match) -> None:
    """Refuse to try moves ahead where the players agreed that nobody does."""
    if forbids_exploration(match):
        raise UserError(
            f"Board {match.pk} was agreed with --exploration=off: until it is over nobody may try "
            "moves ahead on it here.",
            code="exploration-off",
            hint=f"{match.game} show {match.pk}",
        )
