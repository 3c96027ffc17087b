"""Prove shipped puzzles again."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.games import load
from sarsen.lab.puzzles.making import LEAST_MOVES, PuzzleMaker
from sarsen.lab.puzzles.settings import settings_of
from sarsen.learning.puzzles.puzzle import Puzzle

AGAIN = 10  # times as many positions where somebody says that a right move was refused


@dataclass(frozen=True)
class CheckJob:
    """The work, for a pool of processes.

    Attributes:
        times: As many positions for each question as when puzzles are made.
    """

    game: str
    times: int = 1

    def open(self) -> PuzzleChecker:
        """Load the game in this process."""
        game = load(self.game)
        return PuzzleChecker(PuzzleMaker(game, settings_of(game), self.times))


@dataclass(frozen=True)
class PuzzleChecker:
    """Compare what puzzles say with what is proved of their positions now."""

    maker: PuzzleMaker

    def close(self) -> None:
        """Do nothing: it holds no resources."""

    def do(self, puzzle: Puzzle) -> str:
        """Return what differs; "" for nothing."""
        before, position = self.maker.positions(puzzle)
        again = self.maker.with_task(puzzle, position, before)
        if again is None:
            return "no puzzle any more"
        for name in ("task", "within", "first", "legal", "answers", "proof"):
            stored, found = getattr(puzzle, name), getattr(again, name)
            if stored != found:
                return f"{name}: {stored!r}, and now {found!r}"
        if puzzle.legal < LEAST_MOVES or puzzle.legal != self.maker.legal(position):
            return f"legal: {puzzle.legal}, and now {self.maker.legal(position)}"
        return ""
