"""Look through games for positions that are puzzles, and prove all that solves them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sarsen import __version__
from sarsen.core.game import AnyPosition, Game
from sarsen.games import load
from sarsen.lab.puzzles.provers import (
    BEFORE_NODES,
    Prover,
    has_own,
    kernel_of,
    moves_of,
    prover,
    rights,
)
from sarsen.lab.puzzles.settings import PuzzleModule, settings_of
from sarsen.lab.puzzles.trees import MAX_FIRST, TooWide, grow
from sarsen.learning.puzzles.puzzle import Puzzle, Task, digest_of, own_moves, right_moves
from sarsen.search import bots
from sarsen.search.thought import Budget

# Self-play: levels that make mistakes, and some moves that nobody would make.
LEVELS = (2, 3, 4, 5)
RANDOM_MOVES = 0.07
MAX_PLIES = 120  # of a game: bots may go in circles
# Positions of one game that are asked about, the last ones: before, nothing is decided yet.
LAST = 14
FIRST_PLY = 3  # before, every game is the same
LEAST_MOVES = 8  # legal ones: with fewer, guessing would do
MAX_OF_GAME = 2  # puzzles of one game
SEEDS = (1, 2, 3)  # of a level that finds a right move
BASE_RATING, A_LEVEL, A_MOVE = 700, 150, 100
SAVE_WITHIN, SAVE_FURTHER = 2, 1  # lost within two moves; a right move holds for one more


@dataclass(frozen=True)
class GameTask:
    """A game to be looked through.

    Attributes:
        options: As typed.
        seed: Of self-play; with `moves`, of nothing.
        moves: In full form; empty for a game that bots have to play first.
        source: Where it comes from.
    """

    options: str
    seed: int
    moves: tuple[str, ...] = ()
    source: str = ""

    def __str__(self) -> str:
        return self.source or f"{self.options} seed {self.seed}"


@dataclass(frozen=True)
class PuzzleJob:
    """The work, for a pool of processes."""

    game: str

    def open(self) -> PuzzleMaker:
        """Load the game in this process."""
        game = load(self.game)
        return PuzzleMaker(game, settings_of(game))


@dataclass(frozen=True)
class PuzzleMaker:
    """Find the puzzles of one game after another.

    Attributes:
        times: As many positions for each question as the game says.
    """

    game: Game
    settings: PuzzleModule
    times: int = 1

    def close(self) -> None:
        """Do nothing: it holds no resources."""

    def do(self, task: GameTask) -> tuple[Puzzle, ...]:
        """Return the puzzles of a game, without ids, from the end backwards."""
        task = task if task.moves else self._played(task)
        positions = [self.game.start(task.options)]
        for text in task.moves:
            positions.append(positions[-1].play(positions[-1].parse(text)))
        found: list[Puzzle] = []
        for ply in range(len(positions) - 1, max(FIRST_PLY, len(positions) - LAST) - 1, -1):
            if len(found) < MAX_OF_GAME and not any(_near(ply, one) for one in found):
                found += self._puzzles(task, positions, ply)
        return tuple(found)

    def _played(self, task: GameTask) -> GameTask:
        chance = random.Random(f"{self.game.info.name} {task.options} {task.seed}")
        position = self.game.start(task.options)
        moves: list[str] = []
        levels = chance.choice(LEVELS), chance.choice(LEVELS)
        while position.outcome() is None and len(moves) < MAX_PLIES:
            if len(moves) < 2 or chance.random() < RANDOM_MOVES:
                move = chance.choice(position.legal_moves())
            else:
                bot = bots.load(levels[position.seat])
                # Nodes alone, and no clock, make a game that can be played again.
                move = bot.think(position, seed=chance.getrandbits(31)).move
            moves.append(position.format(move))
            position = position.play(move)
        source = f"bot{levels[0]}-bot{levels[1]}, seed {task.seed}"
        return GameTask(task.options, task.seed, tuple(moves), source)

    def _puzzles(
        self, task: GameTask, positions: Sequence[AnyPosition], ply: int
    ) -> Iterator[Puzzle]:
        position = positions[ply]
        if position.outcome() is not None or not self.settings.fits(position):
            return
        legal = self.legal(position)
        if legal < LEAST_MOVES:
            return
        made = Puzzle(
            0, task.options, " ".join(task.moves[:ply]), Task.WIN, 0, (), legal, {}, "",
            f"{task.source}, ply {ply}", 0, 0, __version__,
        )  # fmt: skip
        puzzle = self.with_task(made, position, positions[ply - 2])
        if puzzle is not None:
            yield self._rated(puzzle, position)

    def legal(self, position: AnyPosition) -> int:
        """Return how many different positions the legal moves lead to."""
        return sum(1 for _ in _different(position))

    def positions(self, puzzle: Puzzle) -> tuple[AnyPosition, AnyPosition]:
        """Return the position two plies before a puzzle, and its own."""
        position = before = earlier = self.game.start(puzzle.options)
        for text in puzzle.line:
            earlier, before, position = before, position, position.play(position.parse(text))
        return earlier, position

    def with_task(
        self, puzzle: Puzzle, position: AnyPosition, before: AnyPosition
    ) -> Puzzle | None:
        """Return a puzzle with its task and answers; None where the position is none.

        Args:
            before: Two plies before.
        """
        most = self.settings.WITHIN[puzzle.options]
        with prover(self.game, self.settings, position, position.seat, times=self.times) as asked:
            if has_own(self.settings):
                return self._solved(puzzle, asked, position, before, most, Task.KEEP)
            for within in range(1, most + 1):
                wins = asked.wins(position, within)
                if wins is None or (wins and within == 1):
                    return None
                if wins:
                    return self._solved(puzzle, asked, position, before, within, Task.WIN)
        with prover(
            self.game, self.settings, position, 1 - position.seat, times=self.times
        ) as asked:
            return self._saving(puzzle, asked, position)

    def _solved(
        self, puzzle: Puzzle, asked: Prover, position: AnyPosition, before: AnyPosition,
        within: int, task: Task,
    ) -> Puzzle | None:  # fmt: skip
        first = rights(asked, position, within)
        if first is None or not 0 < len(first) <= MAX_FIRST:
            return None
        if any(after.outcome() is not None for after in first.values()):
            return None  # a win in one
        if self._was_won(before, position.seat):
            return None
        try:
            answers = grow(asked, position, within, keeps=task is Task.KEEP)
        except TooWide:
            return None
        return replace(
            puzzle,
            task=task,
            within=within if task is Task.WIN else own_moves(answers),
            first=right_moves(answers),
            answers=answers,
            proof=digest_of(answers),
        )

    def _was_won(self, before: AnyPosition, seat: int) -> bool:
        """Return whether a seat had won before, as far as it is proved: then nothing went wrong."""
        if before.outcome() is not None or before.seat != seat:
            return True
        if has_own(self.settings):
            found = self.settings.winner(before)
            return found is None or found[0] == seat
        from sarsen.search.thinking import prove  # loads NumPy and Numba

        return prove(kernel_of(self.game), before, Budget(BEFORE_NODES)).score == 1.0

    def _saving(self, puzzle: Puzzle, asked: Prover, position: AnyPosition) -> Puzzle | None:
        """Return the puzzle to save a game: of few moves it is known that they do not lose soon.

        Args:
            asked: For wins of the other side.
        """
        losing: list[tuple[str, AnyPosition]] = []
        holding: list[tuple[str, AnyPosition]] = []
        for text, after in _different(position):
            wins = asked.wins(after, SAVE_WITHIN)
            if wins is None:
                return None
            (losing if wins else holding).append((text, after))
            if len(holding) > MAX_FIRST:
                return None
        if not holding or not losing:
            return None
        if any(asked.wins(after, SAVE_WITHIN + SAVE_FURTHER) is not False for _, after in holding):
            return None
        # A move that wins at once, or that ends the game, would be the answer to another task.
        if any(after.outcome() is not None for _, after in holding):
            return None
        answers: dict[str, object] = {text: [] for text, _ in holding}
        return replace(
            puzzle,
            task=Task.SAVE,
            within=SAVE_WITHIN,
            first=tuple(answers),
            answers=answers,
            proof=digest_of(answers),
        )

    def _rated(self, puzzle: Puzzle, position: AnyPosition) -> Puzzle:
        level = self._level(puzzle, position)
        further = 0 if puzzle.task is Task.SAVE else puzzle.within - 1
        rating = BASE_RATING + A_LEVEL * level + A_MOVE * further
        return replace(puzzle, level=level, rating=rating)

    def _level(self, puzzle: Puzzle, position: AnyPosition) -> int:
        """Return the lowest level that finds a right move with each seed; one more than all."""
        right = {position.play(position.parse(text)).write() for text in puzzle.first}
        for level in range(bots.LEAST, bots.MOST + 1):
            bot = bots.load(level)
            found = (bot.think(position, seed=seed).move for seed in SEEDS)
            if all(position.play(move).write() in right for move in found):
                return level
        return bots.MOST + 1


def _different(position: AnyPosition) -> Iterator[tuple[str, AnyPosition]]:
    """Yield the moves that lead to different positions."""
    seen: set[str] = set()
    for text, after in moves_of(position):
        if after.write() not in seen:
            seen.add(after.write())
            yield text, after


def _near(ply: int, puzzle: Puzzle) -> bool:
    """Return whether a puzzle stands so close before that it is nearly the same."""
    return abs(len(puzzle.line) - ply) <= 2
