"""Paths of a tree on their board: full forms, positions, and whose moves they are."""

from __future__ import annotations

from sarsen.core.game import AnyPosition
from sarsen.services import replays, rulings
from sarsen.services.budgets import Budget
from sarsen.services.plans.stored import Grounds, check_depth, grounds_of
from sarsen.services.plans.tree import ANY, Path
from sarsen.storage.models import Match, Player


def full_path(match: Match, path: Path, budget: Budget | None = None) -> Path:
    """Bring a path to its full form, as far as its positions are known.

    Args:
        budget: The processor time it may take; None for any.

    Raises:
        UserError: A move is illegal, or the time is used up.
    """
    path_played = grounds_of(match).path
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
            ruling = rulings.judged_at(match.game, position.write(), text)
            full.append(ruling.text)
            position = ruling.position
    return tuple(full)


def position_at(match: Match, path: Path) -> AnyPosition | None:
    if ANY in path:
        return None
    return replays.position_after(match.game, match.options, path)


def moves_of_his(match: Match, path: Path, grounds: Grounds, player: Player) -> list[bool]:
    """Tell of each move of a known path whether a player makes it."""
    seats = set(match.seats.filter(player=player).values_list("seat", flat=True))
    shared = shared_moves(path, grounds.path)
    tried = (position_at(match, path[:ply]) for ply in range(shared, len(path)))
    after = [position is not None and position.seat in seats for position in tried]
    return [seat in seats for seat in grounds.seats[:shared]] + after


def shared_moves(path: Path, other: Path) -> int:
    """Count the moves with which both begin."""
    pairs = zip(path, other, strict=False)
    return next(
        (ply for ply, (one, two) in enumerate(pairs) if one != two), min(len(path), len(other))
    )
