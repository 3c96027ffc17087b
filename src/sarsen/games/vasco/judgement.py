"""Who won: by a closed loop, or by the longest path when the pool is empty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sarsen.core.game import Outcome
from sarsen.games.vasco.cells import Cell, Rotation
from sarsen.games.vasco.paths import ARCS, longest, paths

_DRAWN = (0.5, 0.5)
_WON = ((1.0, 0.0), (0.0, 1.0))
_NAMES = ("O", "X")


def judgement(
    tiles: Mapping[Cell, Rotation], through: Iterable[Cell] | None, *, is_at_its_end: bool
) -> Outcome | None:
    """Judge the tiles on the table, or give None while the game goes on.

    Args:
        tiles: All placements of a move are on the table before it is judged.
        through: The cells any new loop runs through; None for all.
        is_at_its_end: Whether nothing more can be laid.
    """
    news = None if through is None else tuple(through)
    loops = [longest(path for path in paths(tiles, arc, news) if path.is_closed) for arc in ARCS]
    # Ruling V5: loops come before the end of the pool, whoever closed them.
    if any(loops):
        return _by_loops(*loops)
    if is_at_its_end:
        return _by_longest_path(*(longest(paths(tiles, arc)) for arc in ARCS))
    return None


def _by_loops(o_loop: int, x_loop: int) -> Outcome:
    if not x_loop:
        return Outcome(_WON[0], f"O has a closed loop of {o_loop} tiles.")
    if not o_loop:
        return Outcome(_WON[1], f"X has a closed loop of {x_loop} tiles.")
    # Ruling V5: with loops of both colours the longest one loses.
    if o_loop == x_loop:
        return Outcome(_DRAWN, f"Both have closed loops, the longest of {o_loop} tiles each.")
    loser = 0 if o_loop > x_loop else 1
    return Outcome(
        _WON[1 - loser],
        f"Both have closed loops and the longest loses: {_NAMES[loser]} has "
        f"{max(o_loop, x_loop)} tiles, {_NAMES[1 - loser]} {min(o_loop, x_loop)}.",
    )


def _by_longest_path(o_path: int, x_path: int) -> Outcome:
    # Ruling V6: nothing left to lay and no loop: the longest path loses.
    if o_path == x_path:
        return Outcome(
            _DRAWN, f"No loop was closed, and the longest paths are {o_path} tiles each."
        )
    loser = 0 if o_path > x_path else 1
    return Outcome(
        _WON[1 - loser],
        f"No loop was closed and the longest path loses: {_NAMES[loser]} has "
        f"{max(o_path, x_path)} tiles, {_NAMES[1 - loser]} {min(o_path, x_path)}.",
    )
