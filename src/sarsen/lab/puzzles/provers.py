"""Certain answers about every legal move of a position."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from sarsen.core.game import AnyPosition, Game, own_module
from sarsen.lab.puzzles.settings import PuzzleModule
from sarsen.search.thought import Budget

if TYPE_CHECKING:
    from sarsen.search.contract import KernelModule
    from sarsen.search.thinking.by_exhausting import Question

# A wrong move is met by a line where that is proved within so many nodes; else nothing is said.
MEETING_NODES = 20_000
# Two plies before, the same side must not have won already: then the puzzle follows a mistake.
BEFORE_NODES = 400_000


class Prover(Protocol):
    """Answers for one seat, the attacker, of a position and of those that follow it."""

    @property
    def attacker(self) -> int:
        """The seat whose wins are asked for."""

    def wins(self, position: AnyPosition, own: int) -> bool | None:
        """Return whether the attacker wins within so many own moves; None when undecided."""

    def met_by(self, position: AnyPosition) -> str | None:
        """Return what is proved of a position after a wrong move, beyond the task.

        Returns:
            "" where the attacker wins after all; a line by which the other side wins; None where
            nothing is proved.
        """


@dataclass(frozen=True)
class Exhausting:
    """Every move is looked at: "no" is as certain as "yes"."""

    module: KernelModule
    attacker: int
    asked: Question
    budget: Budget

    def wins(self, position: AnyPosition, own: int) -> bool | None:
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner == self.attacker
        return self.asked.ask(position, own, self.budget) if own > 0 else False

    def met_by(self, position: AnyPosition) -> str | None:
        if position.outcome() is not None:
            return None
        from sarsen.search.thinking import prove

        found = prove(self.module, position, Budget(MEETING_NODES))
        if found.score is None or found.score == 0.5:
            return None
        winner = position.seat if found.score == 1.0 else 1 - position.seat
        return "" if winner == self.attacker else " ".join(written(position, found.line))


@dataclass(frozen=True)
class Judging:
    """The game's own prover says who wins any position, with no limit of moves."""

    settings: PuzzleModule
    attacker: int

    def wins(self, position: AnyPosition, own: int) -> bool | None:
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner == self.attacker
        found = self.settings.winner(position)
        return None if found is None else found[0] == self.attacker

    def met_by(self, position: AnyPosition) -> str | None:
        found = None if position.outcome() is not None else self.settings.winner(position)
        return None if found is None or found[0] == self.attacker else found[1] or None


def has_own(settings: PuzzleModule) -> bool:
    """Return whether a game has a prover of its own."""
    return hasattr(settings, "winner")


@contextmanager
def prover(
    game: Game, settings: PuzzleModule, position: AnyPosition, attacker: int, *, times: int = 1
) -> Iterator[Prover]:
    """Lend a prover for positions with the options of the one given.

    Args:
        times: As many positions for each question as the settings say.
    """
    if has_own(settings):
        yield Judging(settings, attacker)
        return
    # Not before it is needed: it loads NumPy and Numba, which may not be installed.
    from sarsen.search.thinking.by_exhausting import question

    module = kernel_of(game)
    with question(module, position, attacker) as asked:
        yield Exhausting(module, attacker, asked, Budget(times * settings.NODES))


def kernel_of(game: Game) -> KernelModule:
    """Return the kernel of a game that brings one."""
    name = own_module(game, "kernel")
    assert name is not None  # games with settings for puzzles bring one
    module: Any = importlib.import_module(name)
    return module  # type: ignore[no-any-return]


def rights(asked: Prover, position: AnyPosition, own: int) -> Mapping[str, AnyPosition] | None:
    """Return the moves after which the attacker, who is to move, wins within `own` in all.

    Moves that lead to the same position count once, by the text that comes first.

    Returns:
        None when a move is undecided.
    """
    found: dict[str, AnyPosition] = {}
    seen: set[str] = set()
    for text, after in moves_of(position):
        key = after.write()
        if key in seen:
            continue
        wins = asked.wins(after, own - 1)
        if wins is None:
            return None
        seen.add(key)
        if wins:
            found[text] = after
    return found


def moves_of(position: AnyPosition) -> list[tuple[str, AnyPosition]]:
    """Return the legal moves in full form with the positions after them, sorted by text."""
    return sorted(
        ((position.format(move), position.play(move)) for move in position.legal_moves()),
        key=lambda one: one[0],
    )


def written(position: AnyPosition, line: tuple[Any, ...]) -> list[str]:
    """Return a line of moves in full form."""
    texts = []
    for move in line:
        texts.append(position.format(move))
        position = position.play(move)
    return texts
