"""Many games at once, as arrays: compiled, with the numbers and planes of the game's coding.

`batch("druid", 1024)` needs Numba (the extra `bots`) and a game with a kernel. The kernels are
the rules once more; tests compare them with the rules, move by move.
"""

from __future__ import annotations

import importlib
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarsen.core.errors import IllegalMove, UserError
from sarsen.core.game import own_module
from sarsen.research.playing import ResearchPosition, most_plies

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float32]

MAX_GAMES = 1 << 20
_PART = "kernel.batch"


class Batch:
    """So many games of one kind, each at its own position.

    Attributes:
        first: The position in which every game begins.
        size: How many games.
        actions: Moves have the numbers from 0 to one less than this.
        most_moves: No position has more legal moves.
        shape: Planes, rows and columns of the observation of one game.
        most_plies: A longer game is cut, without a reward.
        auto_reset: Whether a game that ends begins anew within the same step.
        ends: Which games are over; with `auto_reset`, which ended in the last step.
        cuts: Which of these were cut.
    """

    def __init__(
        self, first: ResearchPosition, n: int, seed: int, plies: int | None, *, auto_reset: bool
    ) -> None:
        size = _checked_size(n)
        kernel_module = _load_kernel(first)
        # Not above: games for researchers start without the compiler.
        search = importlib.import_module("sarsen.search.batches")
        contract = importlib.import_module("sarsen.search.contract")
        self.first, self.size, self.auto_reset = first, size, auto_reset
        self.most_plies = most_plies(first, plies)
        self.actions, self.shape = first.coding.actions, first.coding.shape
        self._kernel: Any = kernel_module.batch_kernel(first.rules, self.most_plies)
        self.most_moves: int = self._kernel.most_moves
        self._words = len(self._kernel.start)
        self._start = np.zeros(search.STATE + self._words + self.most_moves, np.int64)
        self._start[search.COUNT] = len(self._kernel.moves)
        self._start[search.STATE :][: self._words] = self._kernel.start
        self._start[search.STATE + self._words :][: len(self._kernel.moves)] = self._kernel.moves
        self._rows = np.tile(self._start, (size, 1))
        self._chances = self._rows[:, search.CHANCE]
        self._chances[:] = _chances(seed, size)
        self._counts = self._rows[:, search.COUNT]
        self._ends = self._rows[:, search.END]
        self._seats = self._rows[:, search.STATE + contract.SEAT]
        self._plies = self._rows[:, search.STATE + contract.PLY]
        self.ends: Flags = np.zeros(size, np.bool_)
        self.cuts: Flags = np.zeros(size, np.bool_)

    @property
    def seats(self) -> Integers:
        """The seat to move in each game. Ask it after every step: seats need not alternate."""
        return self._seats.copy()

    @property
    def plies(self) -> Integers:
        """How many moves were made in each game."""
        return self._plies.copy()

    @property
    def counts(self) -> Integers:
        """How many moves are legal in each game; none when it is over."""
        return self._counts.copy()

    def reset(self, mask: Flags | None = None) -> None:
        """Begin all games anew, or those that a mask of truths chooses. Chance goes on."""
        chosen = np.ones(self.size, np.bool_) if mask is None else np.asarray(mask)
        if chosen.dtype != np.bool_ or chosen.shape != (self.size,):
            raise _shape_refused("mask", f"{self.size} truths")
        chances = self._chances[chosen]
        self._rows[chosen] = self._start
        self._chances[chosen] = chances
        self.ends[chosen] = self.cuts[chosen] = False

    def step(self, actions: Any) -> tuple[Floats, Flags]:
        """Play the move of a number in each game, -1 to leave a game as it is.

        Returns:
            The rewards of this step, of shape `(size, 2)`: 1 to the seat that won and -1 to the
            other, else 0; and `ends`.

        Raises:
            IllegalMove: It names the first game whose action is no legal move; none is played.
        """
        numbers = self._checked(actions)
        rewards = np.empty((self.size, 2), np.float32)
        ends, cuts = np.empty(self.size, np.bool_), np.empty(self.size, np.bool_)
        refused = self._kernel.step(
            self._kernel.constants,
            self._words,
            self._rows,
            self._start,
            numbers,
            rewards,
            ends,
            cuts,
            self.most_plies,
            self.auto_reset,
        )
        if refused >= 0:
            raise self._refusal(refused, int(numbers[refused]))
        self.ends, self.cuts = ends, cuts
        return rewards, ends

    def legal_mask(self, out: Flags | None = None) -> Flags:
        """Return which numbers are legal moves, of shape `(size, actions)`.

        Args:
            out: An array of that shape to write into.
        """
        mask: Flags = self._room(out, (self.size, self.actions), np.dtype(np.bool_))
        self._kernel.mask(self._kernel.constants, self._words, self._rows, mask)
        return mask

    def legal_actions(self, out: Integers | None = None) -> Integers:
        """Return the numbers of the legal moves, of shape `(size, most_moves)`, -1 behind the last.

        They are in no certain order; `counts` says how many there are. For games with so many
        numbers that a mask is large.

        Args:
            out: An array of that shape to write into.
        """
        numbers: Integers = self._room(out, (self.size, self.most_moves), np.dtype(np.int64))
        self._kernel.list_actions(self._kernel.constants, self._words, self._rows, numbers)
        return numbers

    def sample(self) -> Integers:
        """Draw a legal move of each game, all as likely; -1 for games that are over.

        Each game has a chance of its own, so a game is the same in a batch of any size.
        """
        actions = np.empty(self.size, np.int64)
        self._kernel.sample(self._kernel.constants, self._words, self._rows, actions)
        return actions

    def observe(self, out: Floats | None = None) -> Floats:
        """Return the planes of each game, of shape `(size, *shape)`.

        Args:
            out: An array of that shape to write into.
        """
        planes: Floats = self._room(out, (self.size, *self.shape), np.dtype(np.float32))
        self._kernel.observe(self._kernel.constants, self._words, self._rows, planes)
        return planes

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"<{self.size} games of {self.first.rules.game.info.title}>"

    def _checked(self, actions: Any) -> Integers:
        numbers = np.asarray(actions)
        if numbers.dtype.kind not in "iu" or numbers.shape != (self.size,):
            raise _shape_refused("actions", f"{self.size} whole numbers")
        return np.ascontiguousarray(numbers, np.int64)

    def _refusal(self, game: int, action: int) -> IllegalMove:
        some = int(self.legal_actions()[game, 0])
        if some < 0:
            return IllegalMove(
                f"Game {game} of this batch is over, so it takes no action {action}.",
                code="no-such-action",
                hint=f"-1 leaves it as it is; or begin it anew: reset(mask) with mask[{game}] True",
            )
        return IllegalMove(
            f"In game {game} of this batch no legal move has the number {action}; none was played.",
            code="no-such-action",
            hint=f"For example: {some}",
        )

    def _room(self, out: Any, shape: tuple[int, ...], kind: np.dtype[Any]) -> Any:
        if out is None:
            return np.empty(shape, kind)
        if out.shape != shape or out.dtype != kind or not out.flags.c_contiguous:
            raise _shape_refused("out", f"a C-contiguous array of {kind} of shape {shape}")
        return out


def _checked_size(n: int) -> int:
    size = operator.index(n)
    if not 1 <= size <= MAX_GAMES:
        raise UserError(
            f"A batch has 1 to {MAX_GAMES} games, not {size}.", code="batch-size", hint="n=1024"
        )
    return size


def _load_kernel(first: ResearchPosition) -> Any:
    """Load the module that compiles a game's batches."""
    title = first.rules.game.info.title
    module = own_module(first.rules.game, _PART)
    if module is None:
        raise UserError(
            f"{title} has no kernel that plays batches.",
            code="no-batch",
            hint="sarsen.load, OpenSpiel and PettingZoo play every game: docs/research.md.",
        )
    return importlib.import_module(module)


def _chances(seed: int, size: int) -> Integers:
    return np.random.default_rng(seed).integers(-(2**63), 2**63, size, np.int64)


def _shape_refused(what: str, wanted: str) -> UserError:
    return UserError(f"`{what}` is {wanted} here.", code="batch-array", hint="docs/research.md")
