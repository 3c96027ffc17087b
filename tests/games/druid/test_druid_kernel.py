"""The kernel of Druid agrees with the rules, which judge."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from sarsen.core.referee import perft, replayed
from sarsen.games.druid import kernel as druid_kernel
from sarsen.games.druid.kernel import layout, random_games
from sarsen.games.druid.rules import GAME, DruidPosition
from sarsen.search.chance import seeded, word
from sarsen.search.contract import (
    DRAWN,
    KEY,
    PLY,
    PROVED_WIN,
    RESULT,
    UNKNOWN,
    WON_BY_FIRST,
    Array,
    Kernel,
)

VARIANTS = ("", "-nogaps", "-exact", "-exact -nogaps", "-swap", "-exact -swap -nogaps")
PERFT = [
    line
    for line in (Path(__file__).parents[2] / "games" / "perft.txt").read_text().splitlines()
    if line.startswith("druid")
]


def started(options: str, moves: str = "") -> DruidPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, DruidPosition)
    return position


def codes(kernel: Kernel, state: Array) -> list[int]:
    moves = np.zeros(kernel.most_moves, np.int64)
    return [int(move) for move in moves[: kernel.legal(kernel.constants, state, moves)]]


def child(kernel: Kernel, state: Array, code: int) -> Array:
    after = state.copy()
    assert kernel.play(kernel.constants, after, code) == after[RESULT]
    return after


def assert_agree(position: DruidPosition) -> None:
    """Compare a position's moves, and what each leads to, with the kernel's."""
    kernel, state = druid_kernel.kernel(position), druid_kernel.encode(position)
    legal = list(position.legal_moves())
    assert [druid_kernel.move(position, code) for code in codes(kernel, state)] == legal
    for move in legal:
        after = child(kernel, state, druid_kernel.code(position, move))
        wanted = druid_kernel.encode(position.play(move))
        assert after[PLY] == state[PLY] + 1
        after[PLY] = wanted[PLY]
        assert after.tolist() == wanted.tolist(), position.format(move)


def walk(position: DruidPosition, chance: random.Random, most: int) -> None:
    """Play at random, lintels more often than not, so that heights meet."""
    for _ in range(most):
        assert_agree(position)
        moves = list(position.legal_moves())
        if not moves:
            return
        lintels = [move for move in moves if len(position.format(move)) > 3]
        is_lintel = lintels and chance.random() < 0.6
        position = position.play(chance.choice(lintels if is_lintel else moves))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("size", [3, 4, 5, 8, 9, 12])
def test_random_walks_agree_with_the_rules(size: int, variant: str) -> None:
    position = started(f"-size={size} {variant}".strip())
    walk(position, random.Random(f"{size}{variant}"), 40 if size < 9 else 12)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("size", range(3, 13))
def test_long_random_walks_agree_with_the_rules(size: int, variant: str) -> None:
    chance = random.Random(f"long {size}{variant}")
    walk(started(f"-size={size} {variant}".strip()), chance, 4 * size * size)


@pytest.mark.parametrize("line", PERFT)
def test_perft_of_the_rules_holds_in_the_kernel(line: str) -> None:
    start, moves, counts = (part.strip() for part in line.split("|"))
    position = started(start.removeprefix("druid").strip(), moves)
    kernel, state = druid_kernel.kernel(position), druid_kernel.encode(position)
    for depth, count in enumerate(counts.split(), start=1):
        assert paths(kernel, state, depth) == int(count)


def paths(kernel: Kernel, state: Array, depth: int) -> int:
    moves = codes(kernel, state)
    if depth == 1:
        return len(moves)
    return sum(paths(kernel, child(kernel, state, move), depth - 1) for move in moves)


def test_perft_on_a_large_site_agrees_with_the_rules() -> None:
    position = started("-size=9")
    assert paths(druid_kernel.kernel(position), druid_kernel.encode(position), 2) == perft(
        position, 2
    )


def texts(position: DruidPosition) -> list[str]:
    kernel, state = druid_kernel.kernel(position), druid_kernel.encode(position)
    return [position.format(druid_kernel.move(position, code)) for code in codes(kernel, state)]


@pytest.mark.parametrize("size", [5, 9])
def test_d3_and_d4_three_own_stones_bear_a_lintel_unless_exact(size: int) -> None:
    moves = "a1 e5 b1 e4 c1 e2"
    assert "a1-c1" in texts(started(f"-size={size}", moves))
    assert "a1-c1" not in texts(started(f"-size={size} -exact", moves))


@pytest.mark.parametrize("size", [5, 9])
def test_d4_exact_lintel_may_rest_on_an_enemy_end(size: int) -> None:
    moves = "a1 c1 b1 e4"
    assert "a1-c1" in texts(started(f"-size={size} -exact", moves))
    assert "a1-c1" not in texts(started(f"-size={size}", moves))


@pytest.mark.parametrize("size", [3, 9])
def test_d5_the_last_ply_without_a_winner_is_a_draw(size: int) -> None:
    last = 10 * size * size - 1
    position = started(f"-size={size}")
    while position.ply < last:
        stacked = "a1" if position.seat == 0 else "b2"
        position = position.play(position.parse(stacked))
    assert_agree(position)
    assert position.play(position.parse("b2")).outcome() is not None


def test_swapped_seats_win_for_the_seat_that_joined() -> None:
    position = started("-size=3 -swap", "b1 swap a3 b2 c1 b3")
    assert druid_kernel.encode(position)[RESULT] == WON_BY_FIRST + 1
    assert_agree(position)


def test_keys_depend_on_the_position_and_not_on_the_way_to_it() -> None:
    one = druid_kernel.encode(started("-size=6", "a1 d4 a2 e5 a3"))
    other = druid_kernel.encode(started("-size=6", "a3 e5 a1 d4 a2"))
    higher = druid_kernel.encode(started("-size=6", "a3 e5 a3 d4 a2"))
    assert one[KEY] == other[KEY] != higher[KEY]


def test_places_in_a_set_are_found_on_any_processor() -> None:
    chance = seeded(5)
    for _ in range(300):
        squares = int(word(chance)) & int(word(chance)) | 1
        wanted = [bit for bit in range(64) if squares >> bit & 1]
        for nth in (layout.nth, layout.nth_by_bytes):
            assert [nth(np.uint64(squares), at) for at in range(len(wanted))] == wanted
        assert layout.size_of(np.uint64(squares)) == len(wanted)


@pytest.mark.parametrize("policy", [random_games.ANY, random_games.GAIN])
def test_random_games_end_as_often_as_in_the_c_loop(policy: int) -> None:
    # The C loop: V wins 0.421 and 0.499 of all games, 0.152 and 0.029 are cut short.
    position = started("-size=8")
    constants, state = druid_kernel.kernel(position).constants, druid_kernel.encode(position)
    counts = random_games.count_results(constants, state, seeded(1), policy, 20_000) / 20_000
    wins, cut = ((0.421, 0.152), (0.499, 0.029))[policy]
    assert counts[WON_BY_FIRST] == pytest.approx(wins, abs=0.015)
    assert counts[DRAWN] == pytest.approx(cut, abs=0.01)


def some_positions(size: int, variant: str, count: int) -> list[DruidPosition]:
    """Return the last two positions before the end of random games, and some earlier ones."""
    chance, found = random.Random(f"some {size}{variant}"), []
    while len(found) < count:
        position, earlier = started(f"-size={size} {variant}".strip()), []
        while position.outcome() is None and position.ply < 90:
            earlier.append(position)
            position = position.play(chance.choice(position.legal_moves()))
        found += earlier[-2:] + earlier[4::12]
    return found[:count]


def wins_at_once(position: DruidPosition) -> bool:
    after = (position.play(move).outcome() for move in position.legal_moves())
    return any(outcome is not None and outcome.winner is not None for outcome in after)


@pytest.mark.parametrize("variant", ["", "-nogaps", "-exact"])
@pytest.mark.parametrize("size", [4, 9])
def test_wins_in_one_are_proved_and_nothing_else(size: int, variant: str) -> None:
    seen = set()
    for position in some_positions(size, variant, 20 if size < 9 else 5):
        kernel, state = druid_kernel.kernel(position), druid_kernel.encode(position)
        assert kernel.prove is not None
        proved = kernel.prove(kernel.constants, state)
        assert proved == (PROVED_WIN if wins_at_once(position) else UNKNOWN), position.write()
        seen.add(proved)
    assert seen == {PROVED_WIN, UNKNOWN} or size == 9


@pytest.mark.parametrize("size", [4, 9])
def test_order_keeps_every_move_that_does_not_lose_at_once(size: int) -> None:
    dropped = 0
    for position in some_positions(size, "", 12 if size < 9 else 2):
        kernel, state = druid_kernel.kernel(position), druid_kernel.encode(position)
        moves, scores = np.zeros(kernel.most_moves, np.int64), np.zeros(kernel.most_moves, np.int64)
        count = kernel.legal(kernel.constants, state, moves)
        assert kernel.order is not None
        kept = kernel.order(kernel.constants, state, moves, scores, count)
        by_rules = position.legal_moves()
        stays = {druid_kernel.move(position, int(code)) for code in moves[:kept]}
        for move in by_rules:
            loses = wins_at_once(position.play(move))
            assert move in stays or loses
            dropped += move not in stays
        assert len(stays) == kept
    assert dropped or size == 9


def test_better_circuits_are_worth_more() -> None:
    kernel = druid_kernel.kernel(started("-size=6"))
    assert kernel.evaluate is not None
    points = [
        kernel.evaluate(kernel.constants, druid_kernel.encode(started("-size=6", moves)))
        for moves in ("c1 a6 c2 a5 c3 a4", "c1 c2", "c1 a6 c2 b6 c3 c6 a1 d6 a1 e6")
    ]
    assert points[0] > points[1] > points[2]
