"""The searches against plain minimax, on noughts and crosses with seats in turn and not."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sarsen.search.rules_kernel import PlainModule
from sarsen.search.thinking import Tuning, alphabeta, mcts, prove
from sarsen.search.thought import Budget, Thought
from search.noughts import GAME, Noughts, NoughtsModule, truth, value_of

ENOUGH = Budget(nodes=20_000)
VARIANTS = ("", "-twice")


def walks(options: str, number: int) -> list[Noughts]:
    """Collect positions of random games, the same ones every time."""
    chance = random.Random(options)
    found = {}
    while len(found) < number:
        position = GAME.start(options)
        for _ in range(chance.randrange(1, 8)):
            if position.outcome() is None:
                position = position.play(chance.choice(position.legal_moves()))
        if position.outcome() is None:
            found[position.write()] = position
    return list(found.values())


@pytest.mark.parametrize("options", VARIANTS)
def test_alphabeta_proves_what_minimax_says_and_how_soon(options: str) -> None:
    for position in [GAME.start(options), *walks(options, 250)]:
        thought = alphabeta(NoughtsModule(), position, ENOUGH)
        score, plies = truth(position)
        assert (thought.proved, thought.score) == (score, score), position
        assert value_of(position, thought.move)[0] == score
        if score != 0.5:
            assert thought.plies == plies == len(thought.line), position


@pytest.mark.parametrize("options", VARIANTS)
def test_alphabeta_without_reductions_and_with_a_margin_scores_every_move(options: str) -> None:
    tuning = Tuning(late=99, very_late=99, margin=3_000_000)
    for position in walks(options, 60):
        if truth(position)[0] == 1.0:
            continue
        thought = alphabeta(NoughtsModule(), position, ENOUGH, tuning=tuning)
        assert len(thought.candidates) == len(position.legal_moves())
        for candidate in thought.candidates:
            assert candidate.proved == value_of(position, candidate.move)[0]


@pytest.mark.parametrize("options", VARIANTS)
def test_visits_settle_what_minimax_says(options: str) -> None:
    for position in walks(options, 250):
        if position.ply < 3:
            continue
        thought = mcts(NoughtsModule(), position, Budget(nodes=20_000), seed=7)
        assert thought.proved == truth(position)[0], position
        assert value_of(position, thought.move)[0] == thought.proved
        for candidate in thought.candidates:
            if candidate.proved is not None:
                assert candidate.proved == value_of(position, candidate.move)[0]


@pytest.mark.parametrize("options", VARIANTS)
def test_proof_numbers_settle_what_minimax_says_and_show_the_win(options: str) -> None:
    for position in [GAME.start(options), *walks(options, 250)]:
        proof = prove(NoughtsModule(), position, ENOUGH)
        assert proof.score == truth(position)[0], position
        if proof.score != 0.5:
            follow_forced_line(position, proof.line, position.seat if proof.score else None)


def follow_forced_line(position: Noughts, line: tuple[Any, ...], winner: int | None) -> None:
    winner = 1 - position.seat if winner is None else winner
    for move in line:
        assert truth(position)[0] == float(position.seat == winner)
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == winner


def without_time(thought: Thought) -> tuple[Any, ...]:
    return (
        thought.move,
        thought.score,
        thought.proved,
        thought.line,
        thought.candidates,
        thought.nodes,
    )


@pytest.mark.parametrize("nodes", [1, 20, 400, 3000])
@pytest.mark.parametrize("options", VARIANTS)
def test_interpreted_searches_do_exactly_what_compiled_ones_do(options: str, nodes: int) -> None:
    budget = Budget(nodes=nodes)
    for position in walks(options, 4):
        for think in (alphabeta, mcts):
            fast = think(NoughtsModule(), position, budget, seed=nodes)
            slow = think(NoughtsModule(is_compiled=False), position, budget, seed=nodes)
            assert without_time(fast) == without_time(slow)
        proofs = [prove(NoughtsModule(is_compiled=c), position, budget) for c in (True, False)]
        assert proofs[0].score == proofs[1].score
        assert (proofs[0].line, proofs[0].nodes) == (proofs[1].line, proofs[1].nodes)


@pytest.mark.parametrize("options", VARIANTS)
def test_a_plain_game_is_searched_like_its_kernel_without_judgement(options: str) -> None:
    for position in walks(options, 4):
        kernel = NoughtsModule(judges=False)
        proof = prove(PlainModule(), position, ENOUGH)
        assert proof.score == truth(position)[0]
        plain = mcts(PlainModule(), position, Budget(nodes=200), seed=5)
        fast = mcts(kernel, position, Budget(nodes=200), seed=5)
        assert (plain.move, plain.score, plain.line) == (fast.move, fast.score, fast.line)


@pytest.mark.parametrize("think", [alphabeta, mcts])
def test_the_same_seed_and_nodes_give_the_same_thought(think: Any) -> None:
    start = GAME.start()
    thoughts = []
    for seed in (1, 1, 2, 3, 4, 5, 6, 7):
        thoughts.append(think(NoughtsModule(judges=False), start, Budget(nodes=40), seed=seed))
    assert without_time(thoughts[0]) == without_time(thoughts[1])
    assert len({thought.move for thought in thoughts}) > 1
