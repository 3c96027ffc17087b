"""What makes a level: how far it looks, and how carelessly it chooses.

A weak player sees less and takes what looks well enough, but takes a win that lies open,
and soon learns not to give one. So a level searches few nodes, draws among the moves in
proportion to how good they look, and is guarded against what nobody would overlook.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.search import tactics
from sarsen.search.contract import ONGOING, RESULT, SEAT, Array, Kernel, KernelModule, legal_move
from sarsen.search.thinking import runs
from sarsen.search.thought import Budget, Candidate, Stop, Thought

# A better move by this much of a game's score is not "near equal" even in an opening.
NEAR = 0.02
# Most for a thought; only on the largest boards it ends one.
SECONDS = 5.0


@dataclass(frozen=True)
class LevelSettings:
    """The settings of a level.

    Attributes:
        nodes: How many positions, or playouts, it looks at.
        temperature: A move that looks worse by so much of a game's score is drawn e times
            more rarely than the best; 0 takes the best.
        choice: From so many of the moves that look best it draws, or from all. Where there
            are many moves, bad ones would else be drawn by their number.
        sees_wins: It takes a win in one move.
        sees_threats: It allows no win in one move where it can help it.
        seconds: It looks no longer than this, whatever the size of the board, or None.
    """

    nodes: int
    temperature: float = 0.0
    sees_wins: bool = True
    sees_threats: bool = True
    seconds: float | None = SECONDS
    choice: int | None = None

    @property
    def budget(self) -> Budget:
        return Budget(self.nodes, self.seconds)


Search = Callable[[Budget], Thought]


def play(
    module: KernelModule,
    position: AnyPosition,
    level: LevelSettings,
    search: Search,
    *,
    seed: int,
    budget: Budget | None = None,
    is_opening: bool = False,
    stop: Stop | None = None,
) -> Thought:
    """Play a position as a level does.

    Args:
        module: As the search uses it.
        search: Thinks about the position; its candidates are what is chosen from.
        budget: Instead of the level's own.
        is_opening: Draw among the near-equal best even without a temperature.
        stop: Ends the search, and how long rules in Python are asked for threats.
    """
    budget = budget or level.budget
    guard = _Guard(module, position, budget.seconds, stop)
    if level.sees_wins and (win := guard.winning_move()) is not None:
        best = Candidate(win, 1.0, 1.0)
        return Thought(win, 1.0, 1.0, plies=1, line=(win,), candidates=(best,), nodes=1)
    thought = search(budget)
    candidates = _acceptable(thought, level, is_opening)
    chance = random.Random(seed)
    while candidates:
        picked = _draw(candidates, max(level.temperature, NEAR / 2 * is_opening), chance)
        if not level.sees_threats or not guard.allows_win(picked.move):
            return _playing(thought, picked)
        candidates = [other for other in candidates if other is not picked]
    return _rescue(thought, guard)


def _acceptable(thought: Thought, level: LevelSettings, is_opening: bool) -> list[Candidate]:
    """List what may be drawn: all with a temperature, the near-equal in an opening."""
    best = thought.candidates[0]
    if level.temperature > 0:
        return list(thought.candidates[: level.choice])
    if not is_opening or best.proved is not None:
        return [best]
    return [
        other
        for other in thought.candidates
        if other.proved is None and other.score >= best.score - NEAR
    ]


def _draw(candidates: list[Candidate], temperature: float, chance: random.Random) -> Candidate:
    if temperature <= 0:
        return candidates[0]
    best = max(candidate.score for candidate in candidates)
    weights = [math.exp((candidate.score - best) / temperature) for candidate in candidates]
    return chance.choices(candidates, weights)[0]


def _playing(thought: Thought, picked: Candidate) -> Thought:
    """Change a thought to play another of its candidates."""
    if picked.move == thought.move:
        return thought
    # A level that throws a game away has not found it lost, and plays on.
    is_lost = thought.proved == 0.0
    proved = picked.proved if picked.proved != 0.0 or is_lost else None
    return replace(
        thought,
        move=picked.move,
        score=picked.score,
        proved=proved,
        plies=None,
        line=(picked.move,),
    )


def _rescue(thought: Thought, guard: _Guard) -> Thought:
    """Play the best move that does not allow a win, candidate or not; else the best of all."""
    if thought.proved == 0.0:
        return thought
    for candidate in thought.candidates:
        if not guard.allows_win(candidate.move):
            return _playing(thought, candidate)
    if (move := guard.safe_move()) is not None:
        return _playing(thought, Candidate(move, thought.candidates[-1].score))
    return thought


class _Guard:
    """See what nobody would overlook in a position, by its kernel.

    A kernel sees it in no time. Rules in Python may take minutes for every answer to every
    move: they are asked as long as the search may take, and then hoped to allow no win.
    """

    def __init__(
        self, module: KernelModule, position: AnyPosition, seconds: float | None, stop: Stop | None
    ) -> None:
        self._module = module
        self._left = math.inf if seconds is None else seconds
        self._stop = stop
        self._position = position
        self._kernel: Kernel = module.kernel(position)
        self._root: Array = module.encode(position)
        self._moves = np.empty(self._kernel.most_moves, np.int64)
        self._room = self._root.copy()

    def winning_move(self) -> Any | None:
        return self._as_legal(self._win(self._root))

    def allows_win(self, move: Any) -> bool:
        return self._code_allows_win(self._module.code(self._position, move))

    def safe_move(self) -> Any | None:
        """Return the first move that allows no win in one, if there is one."""
        kernel = self._kernel
        count = kernel.legal(kernel.constants, self._root, self._moves)
        for code in self._moves[:count].tolist():
            if not self._code_allows_win(code) and (move := self._as_legal(code)) is not None:
                return move
        return None

    def _code_allows_win(self, code: int) -> bool:
        if self._is_in_haste():
            return False
        began = time.monotonic()
        allows = self._has_winning_answer(code)
        self._left -= time.monotonic() - began
        return allows

    def _is_in_haste(self) -> bool:
        is_stopped = self._stop is not None and self._stop.is_set()
        return not self._kernel.is_compiled and (is_stopped or self._left <= 0)

    def _has_winning_answer(self, code: int) -> bool:
        kernel, after = self._kernel, self._root.copy()
        kernel.play(kernel.constants, after, code)
        if after[RESULT] != ONGOING or after[SEAT] == self._root[SEAT]:
            return False
        return self._win(after) >= 0

    def _win(self, state: Array) -> int:
        room = (state, self._moves, self._room)
        return runs.run(tactics, "winning_move", self._kernel, ("legal", "play"), *room)

    def _as_legal(self, code: int) -> Any | None:
        return None if code < 0 else legal_move(self._module, self._position, code)
