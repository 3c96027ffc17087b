"""Plain UCT: the yardstick that stays the same while our searches get better.

Upper confidence bounds on trees as Kocsis and Szepesvári gave them ("Bandit based
Monte-Carlo planning"), on nothing but `legal` and `play` of a kernel: a new leaf each
time, playouts of uniform moves to the end, the most visited move is played. It knows
no evaluation, no proof, no order of moves.
"""

from __future__ import annotations

import importlib
import random
import sys
import time
from dataclasses import dataclass

import numpy as np
from numba import int64

from sarsen.core.game import AnyPosition, Game, own_module
from sarsen.lab.contestants import Choice, EngineMoved
from sarsen.search.chance import draw, seeded
from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    DRAWN,
    INTEGERS,
    LEGAL,
    ONGOING,
    PLAY,
    SEAT,
    WON_BY_FIRST,
    Array,
    Kernel,
    KernelModule,
    legal_move,
)
from sarsen.search.rules_kernel import MAX_POSITIONS, PlainModule
from sarsen.search.thinking import runs
from sarsen.search.thought import Budget

PLAYOUTS = 10_000  # where nothing else is asked for
MAX_NODES = 2_000_000  # of a tree, for memory's sake; leaves that are tried again stay leaves then
LONGEST = 2_000  # plies of a playout; it is a draw then
AT_ONCE = 64  # playouts between two looks at the clock, which take time, too

# A node is a row: its move, the seat that made it, its first child, how many children,
# visits, and points, two for a win of that seat and one for a draw.
MOVE, BY, CHILD, CHILDREN, VISITS, POINTS = 0, 1, 2, 3, 4, 5
COLUMNS = 6


@compiled(int64(INTEGERS, int64, INTEGERS, INTEGERS, int64, int64))
def expand(tree, node, size, moves, count, seat):  # type: ignore[no-untyped-def]
    """Add the children of a node; return 0 when there is no room for them."""
    first = size[0]
    if (first + count) * COLUMNS > tree.size:
        return 0
    tree[node * COLUMNS + CHILD] = first
    tree[node * COLUMNS + CHILDREN] = count
    for at in range(count):
        row = (first + at) * COLUMNS
        for column in range(COLUMNS):
            tree[row + column] = 0
        tree[row + MOVE] = moves[at]
        tree[row + BY] = seat
    size[0] += count
    return count


@compiled(int64(INTEGERS, int64, INTEGERS))
def choose(tree, node, chance):  # type: ignore[no-untyped-def]
    """Choose a child: one never tried if there is one, else that of the highest bound."""
    first, count = tree[node * COLUMNS + CHILD], tree[node * COLUMNS + CHILDREN]
    start = draw(chance, count)
    logarithm = 2.0 * np.log(max(1, tree[node * COLUMNS + VISITS]))
    best, chosen = -1.0, first
    for at in range(count):
        child = first + (start + at) % count
        visits = tree[child * COLUMNS + VISITS]
        if visits == 0:
            return child
        mean = tree[child * COLUMNS + POINTS] / (2.0 * visits)
        bound = mean + np.sqrt(logarithm / visits)
        if bound > best:
            best, chosen = bound, child
    return chosen


@compiled(int64(INTEGERS, INTEGERS, INTEGERS, INTEGERS, int64, LEGAL, PLAY))
def play_out(constants, state, moves, chance, plies, legal, play):  # type: ignore[no-untyped-def]
    """Play uniform moves to the end of the game, at most so many."""
    result = ONGOING
    for _ in range(plies):
        count = legal(constants, state, moves)
        result = play(constants, state, moves[draw(chance, count)])
        if result != ONGOING:
            return result
    return DRAWN


@compiled(int64(INTEGERS, INTEGERS, int64, int64))
def note(tree, path, depth, result):  # type: ignore[no-untyped-def]
    """Count a result at every node of a path; gives the path's length."""
    for at in range(depth):
        row = path[at] * COLUMNS
        tree[row + VISITS] += 1
        if result == DRAWN:
            tree[row + POINTS] += 1
        elif (result == WON_BY_FIRST) == (tree[row + BY] == 0):
            tree[row + POINTS] += 2
    return depth


_GROW = int64(
    *(LEGAL, PLAY),
    *(INTEGERS, INTEGERS, INTEGERS, INTEGERS, INTEGERS, INTEGERS, INTEGERS, INTEGERS),
    int64,
)


@compiled(_GROW)
def grow(  # type: ignore[no-untyped-def]
    legal, play, constants, root, tree, size, state, moves, path, chance, playouts
):
    """Do some playouts. Node 0 is the root; `size[0]` nodes are used. Returns the last depth."""
    depth = 0
    for _ in range(playouts):
        for word in range(root.shape[0]):
            state[word] = root[word]
        path[0] = 0
        node, depth, result = 0, 1, ONGOING
        while result == ONGOING and depth < LONGEST:
            row = node * COLUMNS
            if tree[row + CHILDREN] == 0:
                if node != 0 and tree[row + VISITS] == 0:
                    break  # a new leaf: here the playout begins
                count = legal(constants, state, moves)
                if expand(tree, node, size, moves, count, state[SEAT]) == 0:
                    break
            node = choose(tree, node, chance)
            result = play(constants, state, tree[node * COLUMNS + MOVE])
            path[depth] = node
            depth += 1
        if result == ONGOING:
            result = play_out(constants, state, moves, chance, LONGEST - depth, legal, play)
        note(tree, path, depth, result)
    return depth


@dataclass
class UctTree:
    """A search of one position.

    Attributes:
        plain: What keeps the positions of a game without a kernel. The tree holds moves only,
            so between playouts all but the root may be forgotten, and made again.
    """

    kernel: Kernel
    root: Array
    chance: Array
    plain: PlainModule | None = None

    def __post_init__(self) -> None:
        self.rows = np.zeros(0, np.int64)
        self.size = np.ones(1, np.int64)
        self.moves = np.zeros(self.kernel.most_moves, np.int64)
        self.state = self.root.copy()
        self.path = np.zeros(LONGEST, np.int64)

    def grow(self, playouts: int) -> None:
        """Do some playouts."""
        self._make_room(int(self.size[0]) + (playouts + 1) * self.kernel.most_moves)
        room = (self.root, self.rows, self.size, self.state, self.moves, self.path)
        search = sys.modules[__name__]
        runs.run(search, "grow", self.kernel, ("legal", "play"), *room, self.chance, playouts)
        if self.plain is not None and self.plain.held > MAX_POSITIONS:
            self.plain.forget()

    @property
    def best(self) -> list[int]:
        """The moves of the root, the most often visited first."""
        first, count = int(self.rows[CHILD]), int(self.rows[CHILDREN])
        rows = self.rows[first * COLUMNS : (first + count) * COLUMNS].reshape(count, COLUMNS)
        by_visits = np.argsort(-rows[:, VISITS], kind="stable")
        moves: list[int] = rows[by_visits, MOVE].tolist()
        return moves

    def _make_room(self, nodes: int) -> None:
        needed = min(nodes, MAX_NODES) * COLUMNS
        if self.rows.size < needed:
            larger = np.zeros(min(2 * needed, MAX_NODES * COLUMNS), np.int64)
            larger[: self.rows.size] = self.rows
            self.rows = larger


def pick(position: AnyPosition, chance: random.Random, budget: Budget | None) -> Choice:
    """Choose a move by plain UCT. Nodes of a budget are playouts."""
    module = kernel_module(position.game)
    plain = module if isinstance(module, PlainModule) else None
    drawn = seeded(chance.getrandbits(63))
    tree = UctTree(module.kernel(position), module.encode(position), drawn, plain)
    search(tree, budget or Budget(nodes=PLAYOUTS))
    legal = position.legal_moves()
    judged = (legal_move(module, position, code, legal) for code in tree.best)
    best = next((move for move in judged if move is not None), legal[0])
    return EngineMoved(position.format(best))


def search(tree: UctTree, budget: Budget) -> int:
    """Grow a tree until the budget is spent; return the number of playouts."""
    began = time.perf_counter()
    done = 0
    while budget.nodes is None or done < budget.nodes:
        playouts = AT_ONCE if budget.nodes is None else min(AT_ONCE, budget.nodes - done)
        tree.grow(playouts)
        done += playouts
        spent = time.perf_counter() - began
        # The next ones are not begun when they would end after the time.
        if budget.seconds is not None and spent * (1 + AT_ONCE / done) > budget.seconds:
            break
    return done


def kernel_module(game: Game) -> KernelModule:
    """Return the kernel of a game, or its rules in the place of one."""
    name = own_module(game, "kernel")
    if name is None:
        return PlainModule()
    module: KernelModule = importlib.import_module(name)
    return module
