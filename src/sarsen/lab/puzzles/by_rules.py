"""Compare puzzles with the rules alone: every line of three plies is played, no prover is asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.learning.puzzles.puzzle import Answers, Puzzle, Task, right_moves

OWN = 2  # own moves within three plies


@dataclass(frozen=True)
class RulesJob:
    """The work, for a pool of processes."""

    game: str

    def open(self) -> RulesChecker:
        """Return what checks."""
        return RulesChecker(self.game)


@dataclass(frozen=True)
class RulesChecker:
    """Find what the rules alone say otherwise.

    Of a win within two moves this is all there is to know. Of a longer one the rules must find
    no shorter win, and the right second moves after each right first one; of the others, that no
    right move loses within three plies and no other one wins.
    """

    game: str

    def close(self) -> None:
        """Do nothing: it holds no resources."""

    def do(self, puzzle: Puzzle) -> str:
        """Return what differs; "" for nothing."""
        position = puzzle.position(self.game)
        brute = BruteForce(position.seat)
        match puzzle.task:
            case Task.WIN:
                return self._win(puzzle.answers, position, puzzle.within, brute)
            case Task.SAVE:
                return self._save(puzzle, position)
            case _:
                return self._keep(puzzle.answers, position, brute)

    def _win(self, known: Answers, position: AnyPosition, within: int, brute: BruteForce) -> str:
        if within <= OWN:
            found = {
                after.write() for _, after in moves(position) if brute.forces(after, within - 1)
            }
            return _compared(known, position, found)
        if brute.forces(position, OWN):
            return f"is won within {OWN}, not {within}"
        faults = (
            self._win(known[move][1], _after(position, move, known[move][0]), within - 1, brute)
            for move in right_moves(known)
            if len(known[move]) > 1
        )
        return next(filter(None, faults), "")

    def _save(self, puzzle: Puzzle, position: AnyPosition) -> str:
        other = BruteForce(1 - position.seat)
        holding = {after.write() for _, after in moves(position) if not other.forces(after, OWN)}
        return _compared(puzzle.answers, position, holding)

    def _keep(self, known: Answers, position: AnyPosition, brute: BruteForce) -> str:
        other, right = BruteForce(1 - position.seat), _positions(known, position)
        for (text, after), is_own in product(moves(position), (True, False)):
            if is_own and brute.forces(after, OWN - 1) and after.write() not in right:
                return f"{text} wins, too"
            if not is_own and after.write() in right and other.forces(after, OWN):
                return f"{text} loses"
        return ""


@dataclass(frozen=True)
class BruteForce:
    """Whether a seat wins within some moves of its own, by playing all there are.

    Attributes:
        known: What was found of positions, by the own moves left.
        deciding: The move that decided last, by own moves left and who moves: it is tried first.
    """

    attacker: int
    known: dict[tuple[str, int], bool] = field(default_factory=dict)
    deciding: dict[tuple[int, bool], Any] = field(default_factory=dict)

    def forces(self, position: AnyPosition, own: int) -> bool:
        """Return whether the attacker wins within so many own moves, whatever the other does."""
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner == self.attacker
        if own == 0:
            return False
        key = (position.write(), own)
        if key not in self.known:
            self.known[key] = self._decided(position, own)
        return self.known[key]

    def _decided(self, position: AnyPosition, own: int) -> bool:
        is_own = position.seat == self.attacker
        legal, place = list(position.legal_moves()), (own, is_own)
        if (last := self.deciding.get(place)) in legal:
            legal.insert(0, last)
        for move in legal:
            if self.forces(position.play(move), own - is_own) == is_own:
                self.deciding[place] = move
                return is_own
        return not is_own


def moves(position: AnyPosition) -> list[tuple[str, AnyPosition]]:
    """Return the legal moves with the positions after them."""
    return [(position.format(move), position.play(move)) for move in position.legal_moves()]


def _compared(known: Answers, position: AnyPosition, found: set[str]) -> str:
    right = _positions(known, position)
    if right == found:
        return ""
    texts = {after.write(): text for text, after in moves(position)}
    missing = sorted(texts[one] for one in found - right)
    wrong = sorted(texts[one] for one in right - found)
    return f"right by the rules alone: {missing}; not right by them: {wrong}"


def _positions(known: Answers, position: AnyPosition) -> set[str]:
    """Return the positions after the right moves."""
    return {_after(position, move).write() for move in right_moves(known)}


def _after(position: AnyPosition, *texts: str) -> AnyPosition:
    for text in texts:
        position = position.play(position.parse(text))
    return position
