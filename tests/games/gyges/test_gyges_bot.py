"""Gyges is played by rules that every level keeps: wins, threats, proofs, varied set-ups."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from sarsen.core.game import AnyPosition
from sarsen.games.gyges import GAME, kernel
from sarsen.games.gyges.board import SetUp
from sarsen.games.gyges.rules import GygesPosition
from sarsen.search import bots
from sarsen.search.contract import Kernel
from sarsen.search.thinking import alphabeta
from sarsen.search.thought import Budget, Thought

FEW = Budget(nodes=600)
# South wins, whatever North does: found by search, and checked below by the rules.
WON_IN_THREE = "S a2123a/d3a/f/c1b/a3a3b/2a211a"


def think(position: GygesPosition, level: int, seed: int = 0, budget: Budget = FEW) -> Thought:
    return bots.load(level).think(position, seed=seed, budget=budget)


def met(seed: int) -> GygesPosition:
    """Return a position of a game at random in which nobody took a win."""
    chance = random.Random(seed)
    position = GAME.start()
    for _ in range(4 + seed % 9):
        quiet = [move for move in position.legal_moves() if not wins(move)]
        position = position.play(chance.choice(quiet))
    return position


def wins(move: object) -> bool:
    return str(move).endswith(("N", "S"))


def can_win(position: GygesPosition) -> bool:
    return any(wins(move) for move in position.legal_moves())


class ListsAll:
    """The kernel without what it knows of a single move."""

    encode, move, code = map(staticmethod, (kernel.encode, kernel.move, kernel.code))

    def kernel(self, position: AnyPosition) -> Kernel:
        return replace(kernel.kernel(position), lists=None)


def test_a_first_move_that_is_made_before_the_others_are_listed_changes_nothing() -> None:
    for seed in range(12):
        position, budget = met(seed), Budget(nodes=20_000)
        one = alphabeta(kernel, position, budget, seed)
        other = alphabeta(ListsAll(), position, budget, seed)
        assert replace(one, seconds=0) == replace(other, seconds=0)


def test_set_ups_are_drawn_by_lot() -> None:
    start = GAME.start()
    drawn = {think(start, 8, seed).move for seed in range(40)}
    assert len(drawn) > 20
    assert all(isinstance(move, SetUp) for move in drawn)


def test_the_same_seed_gives_the_same_move() -> None:
    position = met(3)
    for level in (1, 5, 8):
        first, again = think(position, level, seed=7), think(position, level, seed=7)
        assert (first.move, first.score, first.line) == (again.move, again.score, again.line)


def test_first_moves_vary_where_several_are_as_good() -> None:
    varied = 0
    for rings in ("231123", "112233", "321123", "132231"):
        position = GAME.read(f"S {rings}/f/f/f/f/{rings[::-1]}")
        varied += len({think(position, 6, seed).move for seed in range(8)}) > 1
    assert varied > 0


@pytest.mark.parametrize("level", range(2, 9))
def test_from_level_two_no_win_is_missed(level: int) -> None:
    seen = 0
    for seed in range(14):
        position = met(seed)
        if can_win(position):
            assert wins(think(position, level, seed).move)
            seen += 1
    assert seen > 2


@pytest.mark.parametrize("level", range(3, 9))
def test_from_level_three_no_win_is_allowed_that_can_be_helped(level: int) -> None:
    seen = 0
    for seed in range(14):
        position = met(seed)
        if can_win(position):
            continue
        after = position.play(think(position, level, seed).move)
        if can_win(after) and after.seat != position.seat:
            assert not any(
                not can_win(position.play(move)) or position.play(move).seat == position.seat
                for move in position.legal_moves()
            )
        seen += 1
    assert seen > 2


@pytest.mark.parametrize("seat", "SN")
def test_a_proved_win_is_won_against_every_answer(seat: str) -> None:
    position = GAME.read(WON_IN_THREE)
    if seat == "N":
        turned = "/".join(row[::-1] for row in reversed(WON_IN_THREE[2:].split("/")))
        position = GAME.read(f"N {turned}")
    thought = think(position, 8, budget=Budget(nodes=100_000))
    assert thought.proved == 1.0
    assert thought.plies == len(thought.line) == 3
    after = position.play(thought.line[0])
    assert not can_win(after)
    assert all(can_win(after.play(answer)) for answer in after.legal_moves())
