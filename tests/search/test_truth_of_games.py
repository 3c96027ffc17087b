"""The searches over real kernels against minimax over the rules, where that can be counted out."""

from __future__ import annotations

import random

import pytest

from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.games.druid import kernel
from sarsen.games.visavis import kernel as visavis_kernel
from sarsen.search.contract import KernelModule
from sarsen.search.rules_kernel import PlainModule
from sarsen.search.thinking import alphabeta, mcts, prove
from sarsen.search.thought import Budget

ENOUGH = Budget(nodes=300_000)


class Minimax:
    """Count a game out by its rules alone, remembering what it has seen."""

    def __init__(self) -> None:
        self._known: dict[str, float] = {}

    def score(self, position: AnyPosition) -> float:
        """Return the score of the seat to move."""
        outcome = position.outcome()
        if outcome is not None:
            return outcome.scores[position.seat]
        line = position.write()
        if line not in self._known:
            self._known[line] = max(self.of(position, m) for m in position.legal_moves())
        return self._known[line]

    def of(self, position: AnyPosition, move: object) -> float:
        """Return the score of a move for who makes it."""
        after = position.play(move)
        score = self.score(after)
        return score if after.seat == position.seat else 1 - score


def walk(game: str, options: str, plies: int, seed: int) -> AnyPosition | None:
    """Play so many random moves; None when the game ends before."""
    chance = random.Random(f"{game}{seed}")
    position = load(game).start(options)
    for _ in range(plies):
        if position.outcome() is not None:
            return None
        position = position.play(chance.choice(position.legal_moves()))
    return position if position.outcome() is None else None


def agree(module: KernelModule, position: AnyPosition, minimax: Minimax) -> float:
    """Ask every search, and hold them to the truth."""
    truth = minimax.score(position)
    by_points = alphabeta(module, position, ENOUGH)
    assert by_points.proved == truth, position.write()
    assert minimax.of(position, by_points.move) == truth
    assert prove(module, position, ENOUGH).score == truth, position.write()
    by_visits = mcts(module, position, Budget(nodes=4_000), seed=1)
    if by_visits.proved is not None:
        assert by_visits.proved == truth, position.write()
    for candidate in by_visits.candidates:
        if candidate.proved is not None:
            assert candidate.proved == minimax.of(position, candidate.move)
    return truth


@pytest.mark.parametrize("options", ["-size=5", "-size=5 -swap"])
def test_visavis_on_the_smallest_board(options: str) -> None:
    minimax, seen = Minimax(), set()
    for seed in range(14):
        position = walk("visavis", options, 3 + seed % 4, seed)
        if position is not None:
            seen.add(agree(visavis_kernel, position, minimax))
    assert seen == {0.0, 1.0}


def test_druid_just_before_its_games_end_undecided() -> None:
    minimax, seen = Minimax(), set()
    for seed in range(400):
        position = walk("druid", "-size=3", 87, seed)
        if position is not None:
            seen.add(agree(kernel, position, minimax))
            if len(seen) > 1:
                break
    assert 0.5 in seen


def test_the_rules_alone_are_searched_to_the_same_truth() -> None:
    minimax = Minimax()
    for seed in range(3):
        position = walk("visavis", "-size=5", 6, seed)
        if position is not None:
            truth = minimax.score(position)
            assert prove(PlainModule(), position, Budget(nodes=20_000)).score == truth
