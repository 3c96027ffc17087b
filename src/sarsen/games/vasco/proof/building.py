"""Find X's answers for `forced_loop`: `python -m sarsen.games.vasco.proof.building`, in seconds.

It asks whether X forces a loop within so many plies while never more than so many tiles are
laid. Nothing rests on it: `pools` proves by the rules what it finds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numba import int64

from sarsen.core.game import AnyPosition
from sarsen.games.vasco import kernel as vasco_kernel
from sarsen.games.vasco.kernel.layout import STATE_SIZE, TILES
from sarsen.games.vasco.kernel.moves import legal, play
from sarsen.games.vasco.proof.forced_loop import SMALLEST, X
from sarsen.games.vasco.rules import GAME, VascoPosition
from sarsen.search.compiling import compiled, part, tuple_of
from sarsen.search.contract import INTEGERS, KEY, ONGOING, RESULT, SEAT, Kernel

# So large that no line of the search comes near its end.
POOL = 3 * SMALLEST
# After the first tile. A loop closed by O for X counts, so odd numbers are enough.
PLIES = 9
# What X answers to `a1`. Left to itself the search finds it too, in three times the time.
OPENING = ("a1", "b2")

# An entry of the table: key, plies within which X wins (0 for none), plies within which X does
# not, and the move that decided.
_ENTRY = 4
_ENTRIES = 1 << 21  # 64 MiB of entries; one that is overwritten is searched again
_WON, _LOST, _MOVE = 1, 2, 3
_FRAME = 2048  # moves of a ply, and their ranks
WORK = tuple_of(*[INTEGERS] * 5)


class _Prover:
    """Ask about positions, and remember what was found."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._table = np.zeros(_ENTRY * _ENTRIES, np.int64)
        self._states = np.zeros((PLIES + 2) * kernel.state_size, np.int64)
        frames = np.zeros(2 * (PLIES + 2) * _FRAME, np.int64)
        bounds = np.array([SMALLEST], np.int64)
        self._work = (kernel.constants, bounds, self._states, frames, self._table)

    def answer(self, position: AnyPosition, plies: int) -> tuple[int, int] | None:
        """Return a move that wins within the fewest plies, and these; None when none does."""
        self._states[: self._kernel.state_size] = vasco_kernel.encode(position)
        for within in range(1, plies + 1, 2):
            if wins(self._work, within, 0):
                entry = entry_of(self._table, self._states[KEY])
                return int(self._table[entry + _MOVE]), within
        return None


def build() -> Iterator[str]:
    """Yield the lines of `forced_loop.txt`.

    Raises:
        LookupError: X forces no loop within these bounds.
    """
    position = GAME.start({"size": POOL})
    for text in OPENING:
        position = position.play(position.parse(text))
    prover = _Prover(vasco_kernel.kernel(position))
    yield " ".join(OPENING)
    yield from _answers_after(prover, position, OPENING, PLIES - 1, set())


def _answers_after(
    prover: _Prover,
    position: VascoPosition,
    line: tuple[str, ...],
    plies: int,
    seen: set[frozenset[tuple[int, str]]],
) -> Iterator[str]:
    """Yield X's answers to each of O's replies, and to what follows."""
    for reply in position.legal_moves():
        after = position.play(reply)
        tiles = frozenset(after.tiles.items())
        if after.outcome() is not None or tiles in seen:
            continue
        seen.add(tiles)
        answer = prover.answer(after, plies - 1)
        if answer is None:
            raise LookupError(f"X forces no loop after {' '.join(line)} {position.format(reply)}.")
        code, within = answer
        if within > 1:
            move = vasco_kernel.move(after, code)
            longer = (*line, position.format(reply), after.format(move))
            yield " ".join(longer)
            yield from _answers_after(prover, after.play(move), longer, within - 1, seen)


@compiled(int64(WORK, int64, int64))
def wins(work, plies, ply):  # type: ignore[no-untyped-def]
    """Return 1 when X closes a loop within so many plies from the state at `ply`, else 0."""
    constants, _, states, frames, table = work
    size = constants[STATE_SIZE]
    state = states[ply * size : (ply + 1) * size]
    is_x, key = state[SEAT] == X, state[KEY]
    entry = entry_of(table, key)
    known_move = -1
    if table[entry] == key:
        if 0 < table[entry + _WON] <= plies:
            return 1
        if plies <= table[entry + _LOST]:
            return 0
        known_move = table[entry + _MOVE]
    frame = 2 * ply * _FRAME
    moves, ranks = frames[frame : frame + _FRAME], frames[frame + _FRAME : frame + 2 * _FRAME]
    decided = _try_all(work, state, moves, ranks, plies, ply, known_move)
    index, is_decided = 0, decided >= 0
    while not is_decided and plies > 1 and ranks[index] > 0:
        # The moves that force the most tiles first.
        _bring_best(moves, ranks, index)
        decided = moves[index]
        _go(work, ply, decided)
        is_decided = (wins(work, plies - 1, ply + 1) == 1) == is_x
        index += 1
    won = 1 if is_decided == is_x else 0
    _keep(table, key, won, plies, decided if is_decided else -1)
    return won


@part
def _try_all(work, state, moves, ranks, plies, ply, known_move):  # type: ignore[no-untyped-def]
    """Rank the moves that decide nothing at once, a zero last; return one that decides, or -1.

    For X a move decides that closes its loop, for O any that cannot be part of X's win.
    """
    constants, bounds, states = work[0], work[1], work[2]
    size = constants[STATE_SIZE]
    child = states[(ply + 1) * size : (ply + 2) * size]
    count, kept_count = legal(constants, state, moves), 0
    for index in range(count):
        move = moves[index]
        _go(work, ply, move)
        result = child[RESULT]
        is_won = result == X + 1 and child[TILES] <= bounds[0]
        is_open = result == ONGOING and child[TILES] <= bounds[0] and plies > 1
        if is_won if state[SEAT] == X else not (is_won or is_open):
            return move
        if is_open:
            moves[kept_count] = move
            ranks[kept_count] = child[TILES] + (1000 if move == known_move else 0)
            kept_count += 1
    ranks[kept_count] = 0
    return -1


@part
def _bring_best(moves, ranks, first):  # type: ignore[no-untyped-def]
    best = first
    index = first
    while ranks[index] > 0:
        if ranks[index] > ranks[best]:
            best = index
        index += 1
    moves[first], moves[best] = moves[best], moves[first]
    ranks[first], ranks[best] = ranks[best], ranks[first]


@part
def _go(work, ply, move):  # type: ignore[no-untyped-def]
    """Make the state of the next ply."""
    constants, states = work[0], work[2]
    size = constants[STATE_SIZE]
    for word in range(size):
        states[(ply + 1) * size + word] = states[ply * size + word]
    play(constants, states[(ply + 1) * size : (ply + 2) * size], move)


@compiled(int64(INTEGERS, int64))
def entry_of(table, key):  # type: ignore[no-untyped-def]
    """Return where a key stands, or would."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(24)) % _ENTRIES * _ENTRY


@part
def _keep(table, key, won, plies, move):  # type: ignore[no-untyped-def]
    entry = entry_of(table, key)
    if table[entry] != key:
        table[entry], table[entry + _MOVE] = key, -1
        table[entry + _WON] = table[entry + _LOST] = 0
    if won == 0:
        table[entry + _LOST] = max(table[entry + _LOST], plies)
    elif table[entry + _WON] == 0 or plies < table[entry + _WON]:
        table[entry + _WON] = plies
    # Of a longer win the move stays known when a shorter one is sought in vain.
    if move >= 0:
        table[entry + _MOVE] = move


if __name__ == "__main__":
    for found_line in build():
        print(found_line, flush=True)
