"""The solution of Visavis: facts, the strategy, and verdicts against exhaustive search."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from sarsen.core.referee import replayed
from sarsen.games.visavis.board import O, X
from sarsen.games.visavis.proof import facts, strategy, survey
from sarsen.games.visavis.proof.cells import Built, cells_of
from sarsen.games.visavis.proof.sense import traps
from sarsen.games.visavis.proof.survey import RIVALS
from sarsen.games.visavis.proof.verdict import JudgingBudget, judge, judge_cells, moves_in_cells
from sarsen.games.visavis.rules import GAME, VisavisPosition
from sarsen.search.thought import Budget

SIZES = range(5, 26, 2)


def started(options: str, moves: str = "") -> VisavisPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, VisavisPosition)
    return position


def told(line: str) -> None:
    """Ignore a line of progress."""


@pytest.mark.parametrize("size", [5, 7, 13, 17])
def test_the_facts_of_the_proof_hold(size: int) -> None:
    for fact in (facts.crossings(size), facts.one_cut(size), facts.two_colours(size)):
        assert fact.is_true, fact


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_the_facts_of_the_proof_hold_on_every_size(size: int) -> None:
    for fact in (facts.crossings(size), facts.one_cut(size), facts.two_colours(size)):
        assert fact.is_true, fact


def test_every_reply_on_size_5_loses_to_the_strategy() -> None:
    assert facts.every_reply(5, told).is_true


@pytest.mark.slow
def test_every_reply_on_size_7_loses_to_the_strategy() -> None:
    assert facts.every_reply(7, told).is_true


@pytest.mark.parametrize("rival", range(len(RIVALS)), ids=RIVALS)
@pytest.mark.parametrize("size", [9, 25])
def test_the_strategy_beats_its_rivals(size: int, rival: int) -> None:
    assert survey.run(size, rival, 40 if size == 9 else 8, 1, told).is_true


@pytest.mark.slow
@pytest.mark.parametrize("rival", range(len(RIVALS)), ids=RIVALS)
def test_the_strategy_beats_its_rivals_on_the_largest_board_2500_times_each(rival: int) -> None:
    assert survey.run(25, rival, 2_500, 2, told).is_true


@pytest.mark.parametrize("size", [5, 7, 13])
def test_the_strategy_plays_by_the_rules_and_wins(size: int) -> None:
    chance = random.Random(size)
    for _ in range(5):
        position = started(f"-size={size}")
        while position.outcome() is None:
            moves = position.legal_moves()
            is_ours = position.side == O
            position = position.play(strategy.reply(position) if is_ours else chance.choice(moves))
        assert position.winner == O


def test_each_step_of_the_strategy_keeps_both_colours_whole() -> None:
    chance = random.Random(4)
    position = started("-size=9", strategy.opening(9))
    while position.outcome() is None:
        assert strategy.is_kept(cells_of(9), cells_of(9).built(position))
        position = position.play(chance.choice(position.legal_moves()))
        position = position.play(strategy.reply(position))


@cache
def winner_by_search(position: VisavisPosition) -> int:
    """Return the winner by looking at every move; O or X."""
    if position.winner is not None:
        return position.winner
    mover = position.side
    moves = position.legal_moves()
    wins = any(winner_by_search(position.play(move)) == mover for move in moves)
    return mover if wins else 1 - mover


def all_positions(position: VisavisPosition) -> set[VisavisPosition]:
    found, waiting = {position}, [position]
    while waiting:
        here = waiting.pop()
        after = {here.play(move) for move in here.legal_moves()} - found
        found |= after
        waiting += after
    return found


def test_every_verdict_on_size_5_agrees_with_search() -> None:
    positions = all_positions(started("-size=5"))
    assert len(positions) > 5_000
    for position in positions:
        verdict = judge(position)
        assert verdict.winner == winner_by_search(position), position.write()
        for move in verdict.moves:
            assert winner_by_search(position.play(move)) == position.side


def solved_in_cells(built: Built, mover: int, known: dict[bytes, int]) -> int:
    """Return the winner on size 7 by search in the cells; idle bridges do not matter."""
    cells = cells_of(7)
    key = built.astype(np.uint8).tobytes() + bytes([mover])
    if key not in known:
        winner = 1 - mover
        for _, after in moves_in_cells(cells, built, mover):
            if strategy.has_joined(cells.ways, after, cells.vertices, mover):
                winner = mover
                break
            if solved_in_cells(after, 1 - mover, known) == mover:
                winner = mover
                break
        known[key] = winner
    return known[key]


def test_verdicts_on_size_7_agree_with_search() -> None:
    cells, known = cells_of(7), dict[bytes, int]()
    pick = random.Random(7)
    for kind in survey.GAMES:
        for _ in range(25):
            built, mover = survey.position_of(cells, kind, pick)
            if built.astype(bool).sum() >= 6:
                winner = solved_in_cells(built, mover, known)
                assert judge_cells(cells, built, mover).winner == winner


@pytest.mark.parametrize("size", [5, 7, 9, 13, 25])
def test_half_of_the_openings_win_and_one_more(size: int) -> None:
    position = started(f"-size={size}")
    moves = position.legal_moves()
    if size == 25:
        moves = moves[::9]
    verdicts = {move: judge(position.play(move)).winner for move in moves}
    assert None not in verdicts.values()
    if size < 25:
        assert list(verdicts.values()).count(O) == (len(moves) + 1) // 2
    assert all(verdicts.get(move, O) == O for move in strategy.openings(size))


@pytest.mark.parametrize("size", SIZES)
def test_an_idle_opening_loses(size: int) -> None:
    assert judge(started(f"-size={size}", "A3")).winner == X


@pytest.mark.parametrize("kind", survey.GAMES)
@pytest.mark.parametrize("size", [13, 25])
def test_positions_of_many_games_are_decided(size: int, kind: str) -> None:
    fact = survey.judge_games(size, kind, 12, 3, told)
    assert fact.is_true, fact


def test_a_trap_leaves_fewer_right_answers_than_other_moves() -> None:
    # X is lost after D4, and on the move.
    position = started("-size=7", "D4")
    cells = cells_of(7)
    found = traps(cells, cells.built(position), X, 1, JudgingBudget(Budget()))
    assert found[0].share < 0.5 < max(trap.share for trap in found)
    after = position.play(found[0].move)
    right = [move for move in after.legal_moves() if judge(after.play(move)).winner == O]
    assert 0 < len(right) < len(after.legal_moves()) / 2
