"""Walk through every line of the forced loop by the rules: the proof that X wins Vasco.

The rules alone judge: they list O's replies and say who has won. The kernel only points at
the tile that may close a loop, which the rules then lay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from sarsen.games.vasco.laying import Move
from sarsen.games.vasco.rules import GAME, VascoPosition
from sarsen.search.contract import RESULT
from sarsen.search.kernels import vasco
from sarsen.search.vasco import forced_loop
from sarsen.search.vasco.forced_loop import SMALLEST, X

Answer = Callable[[VascoPosition], Move | None]


@dataclass
class Walk:
    """Count what was met.

    Attributes:
        escapes: Positions in which X was not seen to win; none, if the proof holds.
        positions: Positions with O to move, all of whose replies were tried.
        replies: O's replies.
        plies: Of the longest line, the first tile and X's last one included.
        tiles: The most that lay on the table, or would have in one of O's tries.
    """

    escapes: list[VascoPosition] = field(default_factory=list)
    positions: int = 0
    replies: int = 0
    plies: int = 0
    tiles: int = 0


def walk(size: int, first: str, answer: Answer = forced_loop.answer) -> Walk:
    """Answer every reply of O's after a first tile such as `a1`, to the end of every line."""
    start = GAME.start({"size": size})
    found = Walk()
    met: set[frozenset[tuple[int, str]]] = set()
    waiting = [(start.play(start.parse(first)), 1)]
    while waiting:
        position, plies = waiting.pop()
        # However the tiles came to lie there, X answers alike.
        tiles = frozenset(position.tiles.items())
        if tiles not in met:
            met.add(tiles)
            waiting += _replies(found, position, answer(position), plies)
    return found


def longest_line(size: int) -> tuple[str, ...]:
    """Return the longest stored line as a whole game, to X's loop: after it O replies anything."""
    position = GAME.start({"size": size})
    longest: tuple[str, ...] = max(forced_loop.lines(), key=len)
    texts = list(longest)
    for text in texts:
        position = position.play(position.parse(text))
    while position.outcome() is None:
        loop = _loop(position) if position.seat == X else None
        move = loop or position.legal_moves()[0]
        texts.append(position.format(move))
        position = position.play(move)
    return tuple(texts)


def _replies(
    found: Walk, position: VascoPosition, move: Move | None, plies: int
) -> Iterator[tuple[VascoPosition, int]]:
    """Let X answer, and give what O may reply to it, without what X has won already."""
    move = move or _loop(position)
    if move is None:
        found.escapes.append(position)
        return
    after = position.play(move)
    found.plies = max(found.plies, plies + 1)
    found.tiles = max(found.tiles, len(after.tiles))
    if _is_won(after):
        return
    found.positions += 1
    tries = after.survey().trials.values()
    found.tiles = max(found.tiles, len(after.tiles) + max(each.most for each in tries))
    if after.outcome() is not None:
        found.escapes.append(after)
    for reply in after.legal_moves():
        found.replies += 1
        next_one = after.play(reply)
        if next_one.outcome() is None:
            yield next_one, plies + 2
        elif not _is_won(next_one):
            found.escapes.append(next_one)


def _loop(position: VascoPosition) -> Move | None:
    """Return a move that closes a loop for X and fits the smallest pool, or None."""
    for move in _pointed_at(position):
        after = position.play(move)
        if _is_won(after) and len(after.tiles) <= SMALLEST:
            return move
    return None


def _pointed_at(position: VascoPosition) -> Iterator[Move]:
    """Yield the moves that win, as the kernel sees it."""
    kernel, state = vasco.kernel(position), vasco.encode(position)
    room = np.empty(kernel.most_moves, np.int64)
    for code in room[: kernel.legal(kernel.constants, state, room)].tolist():
        after = state.copy()
        kernel.play(kernel.constants, after, code)
        if after[RESULT] == X + 1:
            yield vasco.move(position, code)


def _is_won(position: VascoPosition) -> bool:
    outcome = position.outcome()
    return outcome is not None and outcome.winner == X and "closed loop" in outcome.reason
