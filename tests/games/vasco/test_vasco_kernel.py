"""The kernel of Vasco against the rules, which judge it."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sarsen.games.vasco import kernel as vasco_kernel
from sarsen.games.vasco.kernel import layout, moves, threats
from sarsen.games.vasco.rules import GAME, VascoPosition
from sarsen.search.chance import seeded
from sarsen.search.contract import (
    DRAWN,
    ONGOING,
    PLY,
    PROVED_LOSS,
    PROVED_WIN,
    RESULT,
    SEAT,
    UNKNOWN,
    Array,
)
from sarsen.search.thinking import Tuning, alphabeta
from sarsen.search.thought import Budget

PERFT = Path(__file__).parents[2] / "games" / "perft.txt"
EXHAUSTIVE = Tuning(deepest=5, late=10**6, very_late=10**6)


def facts(state: Array, size: int) -> tuple[object, ...]:
    """Return what a state says, without the order of its list and what its notes hold."""
    constants = layout.constants(size)
    grid = state[layout.GRID : constants[layout.LIST]].view(np.uint8)
    near = state[constants[layout.LIST] : constants[layout.NOTES]].view(np.int32)
    tiles = (grid & layout.FILLED > 0) * (grid & 127)
    # The labels of empty cells are spent when the end is judged.
    labels = tiles if state[RESULT] != ONGOING else grid & 127
    listed = {int(cell & constants[layout.MASK]) for cell in near[: state[layout.LENGTH]]}
    free = frozenset(cell for cell in listed if not tiles[cell])
    head = (int(state[word]) for word in (SEAT, RESULT, 2, layout.TILES))
    return (*head, labels.tobytes(), free)


def codes_of(position: VascoPosition, state: Array) -> list[int]:
    kernel = vasco_kernel.kernel(position)
    room = np.empty(kernel.most_moves, np.int64)
    return room[: kernel.legal(kernel.constants, state, room)].tolist()


def played(position: VascoPosition, state: Array, code: int) -> Array:
    kernel, after = vasco_kernel.kernel(position), state.copy()
    kernel.play(kernel.constants, after, code)
    return after


def agree_along_a_walk(
    size: int, seed: int, plies: range = range(1000), compared: int = 99
) -> None:
    """Play a random game by both; compare the moves, and so many successors, of each ply."""
    chance = random.Random(seed)
    position = GAME.start({"size": size})
    state = vasco_kernel.encode(position)
    for ply in range(plies.stop):
        legal = position.legal_moves()
        chosen = chance.choice(legal) if legal else None
        if ply in plies:
            assert facts(state, size) == facts(vasco_kernel.encode(position), size)
            codes = codes_of(position, state)
            assert len(codes) == len(legal) <= vasco_kernel.kernel(position).most_moves
            assert {vasco_kernel.move(position, code) for code in codes} == set(legal)
            assert [
                vasco_kernel.move(position, vasco_kernel.code(position, m)) for m in legal
            ] == list(legal)
            for move in chance.sample(legal, min(compared, len(legal))):
                after = played(position, state, vasco_kernel.code(position, move))
                assert facts(after, size) == facts(vasco_kernel.encode(position.play(move)), size)
        if chosen is None:
            return
        state = played(position, state, vasco_kernel.code(position, chosen))
        position = position.play(chosen)


def perft(position: VascoPosition, state: Array, depth: int) -> int:
    codes = codes_of(position, state)
    if depth == 1:
        return len(codes)
    return sum(perft(position, played(position, state, code), depth - 1) for code in codes)


def random_position(size: int, seed: int, plies: int) -> VascoPosition:
    """Return a position that is not over, after so many random plies or a few less."""
    chance = random.Random(seed)
    position = GAME.start({"size": size})
    for _ in range(plies):
        after = position.play(chance.choice(position.legal_moves()))
        if after.outcome() is not None:
            break
        position = after
    return position


@pytest.mark.parametrize("size", [6, 7, 8, 11, 16, 23])
def test_kernel_agrees_with_the_rules_along_random_games(size: int) -> None:
    for seed in range(3):
        agree_along_a_walk(size, seed)


def test_kernel_agrees_with_the_rules_along_games_of_54_tiles() -> None:
    for seed in range(3):
        agree_along_a_walk(54, seed, compared=12)


def test_kernel_agrees_with_the_rules_in_a_pool_of_600_tiles() -> None:
    agree_along_a_walk(600, 4, range(4, 9), compared=1)


@pytest.mark.slow
@pytest.mark.parametrize("size", [6, 7, 9, 10, 13, 20, 30, 54, 100, 250, 600])
def test_kernel_agrees_with_the_rules_along_many_random_games(size: int) -> None:
    for seed in range(100, 108 if size < 100 else 102):
        agree_along_a_walk(size, seed, compared=20)


def test_v4_v2_random_games_run_out_of_tiles_while_cells_are_forced() -> None:
    """See that the walks above meet what only reading order decides."""
    seen = 0
    for seed in range(3):
        chance = random.Random(seed)
        position = GAME.start({"size": 11})
        while position.outcome() is None:
            seen += any(
                position.play(move).room == 0 and len(position.play(move).last) > 1
                for move in position.legal_moves()
            )
            position = position.play(chance.choice(position.legal_moves()))
    assert seen


def test_counts_of_moves_are_the_settled_ones() -> None:
    lines = [line.split("|") for line in PERFT.read_text().splitlines() if line[:5] == "vasco"]
    assert lines
    for _, played_before, counts in lines:
        assert not played_before.strip()
        start = GAME.start()
        state = vasco_kernel.encode(start)
        found = [perft(start, state, depth + 1) for depth in range(len(counts.split()))]
        assert found == [int(count) for count in counts.split()]


@pytest.mark.parametrize("size", [6, 7, 23, 54, 55, 255, 599, 600])
def test_no_group_meets_itself_on_the_torus(size: int) -> None:
    cells, residue = layout.torus(size)
    for row in range(size // 2 + 7):
        reach = size + 8 - row
        columns = np.arange(-reach, reach + 1)
        meets = (row * residue + columns) % cells == 0
        assert not meets[columns != 0].any() if row == 0 else not meets.any()


def test_a_row_as_long_as_the_pool_stays_apart_from_itself() -> None:
    for size in (6, 9, 54):
        line = ("ca" * 300)[: size - 1] if size % 2 else ("ac" * 300)[: size - 1]
        position = GAME.read(f"{size} {'OX'[(size - 1) % 2]} 0,0={line}")
        state = vasco_kernel.encode(position)
        assert {vasco_kernel.move(position, code) for code in codes_of(position, state)} == set(
            position.legal_moves()
        )


def test_two_orders_of_the_same_placements_have_one_key() -> None:
    start = GAME.start().play(GAME.start().parse("a1"))
    state = vasco_kernel.encode(start)
    first, second = start.legal_moves()[0], start.legal_moves()[-1]
    one = played(
        start,
        played(start, state, vasco_kernel.code(start, first)),
        vasco_kernel.code(start, second),
    )
    two = played(
        start,
        played(start, state, vasco_kernel.code(start, second)),
        vasco_kernel.code(start, first),
    )
    assert one[2] == two[2] != state[2]


@pytest.mark.slow
def test_a_random_game_is_one_the_rules_allow() -> None:
    """Its end is what the rules say of the tiles it laid."""
    for size, seed in [(6, 1), (11, 2), (23, 3), (54, 4), (54, 5)]:
        start = GAME.start({"size": size})
        constants = layout.constants(size)
        for random_game in (moves.play_out, moves.rollout):
            state = vasco_kernel.encode(start)
            result = random_game(constants, state, seeded(seed))
            assert result == state[RESULT] != ONGOING
            assert 1 < state[PLY] <= size >= state[layout.TILES]


def test_random_games_are_even_over_the_legal_placements() -> None:
    position = random_position(7, 3, 2)
    constants, counts = layout.constants(7), dict.fromkeys(range(1, 4), 0)
    expected = dict.fromkeys(counts, 0.0)

    def spread_out(position: VascoPosition, share: float) -> None:
        outcome = position.outcome()
        if outcome is not None:
            expected[DRAWN if outcome.winner is None else 1 + outcome.winner] += share
            return
        legal = position.legal_moves()
        for move in legal:
            spread_out(position.play(move), share / len(legal))

    position = random_position(7, 3, 3)
    spread_out(position, 1.0)
    state, chance = vasco_kernel.encode(position), seeded(1)
    for _ in range(4000):
        counts[moves.play_out(constants, state.copy(), chance)] += 1
    assert all(abs(counts[result] / 4000 - expected[result]) < 0.04 for result in counts)


def test_prove_finds_every_loop_that_one_placement_closes() -> None:
    found = set()
    for seed in range(60):
        position = random_position(30, seed, 3 + seed % 7)
        kernel = vasco_kernel.kernel(position)
        said = threats.prove(kernel.constants, vasco_kernel.encode(position))
        ends = [position.play(move).outcome() for move in position.legal_moves()]
        loops = [end for end in ends if end and not end.reason.startswith("No loop")]
        wins = [end for end in loops if end.winner == position.seat]
        losses = [end for end in loops if end.winner == 1 - position.seat]
        assert said == (
            PROVED_WIN if wins else PROVED_LOSS if len(losses) == len(ends) else UNKNOWN
        )
        found.add(said)
    assert {PROVED_WIN, UNKNOWN} <= found


def test_order_drops_only_moves_that_lose_at_once() -> None:
    dropped = 0
    for seed in range(30):
        position = random_position(30, seed, 3 + seed % 7)
        kernel, state = vasco_kernel.kernel(position), vasco_kernel.encode(position)
        room, scores = np.empty((2, kernel.most_moves), np.int64)
        count = kernel.legal(kernel.constants, state, room)
        every = set(room[:count].tolist())
        kept = threats.order(kernel.constants, state, room, scores, count)
        for code in every - set(room[:kept].tolist()):
            outcome = position.play(vasco_kernel.move(position, code)).outcome()
            assert outcome is not None
            assert outcome.winner == 1 - position.seat
            dropped += 1
    assert dropped


class Bare:
    """The kernel without anything that sees ahead: `legal` and `play` alone."""

    kernel = staticmethod(
        lambda position: replace(
            vasco_kernel.kernel(position), evaluate=None, order=None, prove=None, rollout=None
        )
    )
    encode, move, code = map(
        staticmethod, (vasco_kernel.encode, vasco_kernel.move, vasco_kernel.code)
    )


@pytest.mark.parametrize("seed", range(12))
def test_no_forced_loop_within_six_plies_is_missed(seed: int) -> None:
    """A search of every move to six plies, which knows nothing, finds no other wins."""
    position = random_position(10 + seed % 3, seed, 2 + seed % 3)
    seen = alphabeta(vasco_kernel, position, Budget(), tuning=EXHAUSTIVE)
    tried = alphabeta(Bare, position, Budget(), tuning=replace(EXHAUSTIVE, deepest=6))
    if tried.proved is not None:
        assert seen.proved == tried.proved
    elif seen.proved is not None:
        assert seen.plies is None or seen.plies > 6
