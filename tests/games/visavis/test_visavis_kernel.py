"""The kernel of Visavis agrees with the rules, which judge."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from sarsen.core.referee import replayed
from sarsen.games.visavis import kernel as visavis_kernel
from sarsen.games.visavis.board import O, X
from sarsen.games.visavis.kernel.playouts import LANES, finish, playouts
from sarsen.games.visavis.rules import GAME, VisavisPosition
from sarsen.search.chance import seeded
from sarsen.search.contract import KEY, ONGOING, PLY, RESULT, WON_BY_FIRST, Array, Kernel

PERFT = [
    line
    for line in (Path(__file__).parents[2] / "games" / "perft.txt").read_text().splitlines()
    if line.startswith("visavis")
]
SIZES = range(5, 26, 2)


def started(options: str, moves: str = "") -> VisavisPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, VisavisPosition)
    return position


def codes(kernel: Kernel, state: Array) -> list[int]:
    moves = np.zeros(kernel.most_moves, np.int64)
    return [int(move) for move in moves[: kernel.legal(kernel.constants, state, moves)]]


def child(kernel: Kernel, state: Array, code: int) -> Array:
    after = state.copy()
    assert kernel.play(kernel.constants, after, code) == after[RESULT]
    return after


def assert_agree(position: VisavisPosition, chance: random.Random, most: int) -> None:
    """Compare a position's moves, and what `most` of them lead to, with the kernel's."""
    kernel, state = visavis_kernel.kernel(position), visavis_kernel.encode(position)
    legal = list(position.legal_moves())
    assert [visavis_kernel.move(position, code) for code in codes(kernel, state)] == legal
    for move in chance.sample(legal, min(most, len(legal))):
        after = child(kernel, state, visavis_kernel.code(position, move))
        wanted = visavis_kernel.encode(position.play(move))
        assert after[PLY] == 1
        after[PLY] = 0
        assert after.tolist() == wanted.tolist(), move


def walk(position: VisavisPosition, chance: random.Random, most: int) -> None:
    """Compare all along a game at random."""
    assert_agree(position, chance, most)
    while legal := position.legal_moves():
        position = position.play(chance.choice(legal))
        assert_agree(position, chance, most)


@pytest.mark.parametrize("swap", ["", " -swap"])
@pytest.mark.parametrize("size", [5, 7, 11])
def test_random_games_agree_with_the_rules(size: int, swap: str) -> None:
    walk(started(f"-size={size}{swap}"), random.Random(f"{size}{swap}"), 100 if size < 9 else 5)


def test_a_random_game_on_the_largest_board_agrees_with_the_rules() -> None:
    position = started("-size=25 -swap", "L12 swap")
    for seed in range(12):
        chance = random.Random(seed)
        assert_agree(position, chance, 2)
        for _ in range(20):
            position = position.play(chance.choice(position.legal_moves()))


@pytest.mark.slow
@pytest.mark.parametrize("swap", ["", " -swap"])
@pytest.mark.parametrize("size", SIZES)
def test_long_random_games_agree_with_the_rules(size: int, swap: str) -> None:
    chance = random.Random(f"long {size}{swap}")
    for _ in range(10):
        walk(started(f"-size={size}{swap}"), chance, 100 if size < 15 else 10)


def test_a_swap_changes_seats_and_nothing_else() -> None:
    position = started("-size=7 -swap", "D4")
    swapped = visavis_kernel.encode(position.play("swap"))
    state = visavis_kernel.encode(position)
    assert sorted(np.flatnonzero(state != swapped).tolist()) == [0, KEY, 4]


def test_a_swapped_game_is_won_by_the_seat_that_took_the_side() -> None:
    # O joins A4 to G4; O is played by the second seat here.
    position = started("-size=5 -swap", "B4 swap D3 D4")
    assert visavis_kernel.encode(position)[RESULT] == WON_BY_FIRST + 1


@pytest.mark.parametrize("line", PERFT)
def test_perft_agrees(line: str) -> None:
    start, moves, counts = (part.strip() for part in line.split("|"))
    position = started(start.partition(" ")[2], moves)
    kernel, state = visavis_kernel.kernel(position), visavis_kernel.encode(position)
    for depth, count in enumerate(counts.split()[:3], start=1):
        assert count_paths(kernel, state, depth) == int(count)


def count_paths(kernel: Kernel, state: Array, depth: int) -> int:
    moves = codes(kernel, state)
    if depth == 1:
        return len(moves)
    return sum(count_paths(kernel, child(kernel, state, move), depth - 1) for move in moves)


def test_the_same_bridges_have_one_key_in_whatever_order() -> None:
    one, other = started("-size=7", "D4 E2 B2"), started("-size=7", "B2 E2 D4")
    assert visavis_kernel.encode(one)[KEY] == visavis_kernel.encode(other)[KEY]
    assert (
        visavis_kernel.encode(one)[KEY]
        != visavis_kernel.encode(started("-size=7", "D4 E2 F2"))[KEY]
    )


@pytest.mark.parametrize("size", [5, 9, 25])
def test_rollouts_end_as_a_played_game_can_end(size: int) -> None:
    chance = seeded(size)
    position = started(f"-size={size}")
    kernel = visavis_kernel.kernel(position)
    results = set()
    for _ in range(60):
        state = visavis_kernel.encode(position)
        assert kernel.rollout is not None
        results.add(kernel.rollout(kernel.constants, state, chance))
    assert results == {WON_BY_FIRST, WON_BY_FIRST + 1}


def test_a_rollout_of_a_full_board_finds_the_winner_that_the_rules_find() -> None:
    chance = random.Random(5)
    for size in (5, 7, 11):
        for _ in range(20):
            bridges, winner = filled(size, chance)
            position = started(f"-size={size}")
            assert (
                finish(visavis_kernel.kernel(position).constants, bridges, O, seeded(1)) == winner
            )


def filled(
    size: int, chance: random.Random
) -> tuple[np.ndarray[tuple[int], np.dtype[np.uint8]], int]:
    """Fill a board at random, both sides, and see which one the labels of `play` say has won."""
    kernel, state = (
        visavis_kernel.kernel(started(f"-size={size}")),
        visavis_kernel.encode(started(f"-size={size}")),
    )
    winner = -1
    while True:
        # The game is played on after its end, to fill the board.
        result, state[RESULT] = state[RESULT], ONGOING
        if winner < 0 and result != ONGOING:
            winner = int(result) - WON_BY_FIRST
        moves = codes(kernel, state)
        if not moves:
            state[0] ^= 1
            moves = codes(kernel, state)
            if not moves:
                return state[5:].view(np.uint8), winner
        kernel.play(kernel.constants, state, chance.choice(moves))


@pytest.mark.slow
def test_playouts_are_about_as_often_won_by_either_side() -> None:
    position = started("")
    rounds = 500
    won_by_x = playouts(visavis_kernel.kernel(position).constants, seeded(3), rounds)
    # Five standard deviations either way; moving first is worth little in random play.
    assert abs(won_by_x / (LANES * rounds) - 0.495) < 0.056


@pytest.mark.ci
def test_playouts_follow_the_same_chances_as_single_rollouts() -> None:
    position = started("-size=5")
    kernel = visavis_kernel.kernel(position)
    many = playouts(kernel.constants, seeded(8), 5_000) / (5_000 * LANES)
    chance, single = seeded(9), 0
    for _ in range(5_000):
        state = visavis_kernel.encode(position)
        assert kernel.rollout is not None
        single += kernel.rollout(kernel.constants, state, chance) == WON_BY_FIRST + X
    assert abs(many - single / 5_000) < 0.03
