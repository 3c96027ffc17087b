"""The winner of a game of Vasco: by loops first, then by the longest path (V5, V6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sarsen.core.game import Outcome
from sarsen.core.phrases import Phrase
from sarsen.games.vasco.board import Cell, Rotation
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
    # Ruling V5: loops come before the end of the pool, no matter who closed them.
    if any(loops):
        return _by_loops(*loops)
    if is_at_its_end:
        return _by_longest_path(*(longest(paths(tiles, arc)) for arc in ARCS))
    return None


def _by_loops(o_loop: int, x_loop: int) -> Outcome:
    if not x_loop:
        return Outcome(_WON[0], Phrase("O has a closed loop of {tiles} tiles.", tiles=o_loop))
    if not o_loop:
        return Outcome(_WON[1], Phrase("X has a closed loop of {tiles} tiles.", tiles=x_loop))
    # Ruling V5: with loops of both colours the longest one loses.
    if o_loop == x_loop:
        return Outcome(
            _DRAWN,
            Phrase("Both have closed loops, the longest of {tiles} tiles each.", tiles=o_loop),
        )
    loser = 0 if o_loop > x_loop else 1
    return Outcome(
        _WON[1 - loser],
        Phrase(
            "Both have closed loops and the longest loses: {loser} has {longest} "
            "tiles, {winner} {other}.",
            loser=_NAMES[loser],
            longest=max(o_loop, x_loop),
            winner=_NAMES[1 - loser],
            other=min(o_loop, x_loop),
        ),
    )


def _by_longest_path(o_path: int, x_path: int) -> Outcome:
    # Ruling V6: nothing left to lay and no loop: the longest path loses.
    if o_path == x_path:
        return Outcome(
            _DRAWN,
            Phrase(
                "No loop was closed, and the longest paths are {tiles} tiles each.", tiles=o_path
            ),
        )
    loser = 0 if o_path > x_path else 1
    return Outcome(
        _WON[1 - loser],
        Phrase(
            "No loop was closed and the longest path loses: {loser} has {longest} "
            "tiles, {winner} {other}.",
            loser=_NAMES[loser],
            longest=max(o_path, x_path),
            winner=_NAMES[1 - loser],
            other=min(o_path, x_path),
        ),
    )
