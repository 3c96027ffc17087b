"""What Druid's kernel thinks of positions and moves agrees with the same said plainly."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from sarsen.core.referee import replayed
from sarsen.games.druid import kernel as druid_kernel
from sarsen.games.druid.board import site, squares_of
from sarsen.games.druid.kernel.circuit import FAR
from sarsen.games.druid.kernel.layout import (
    BARE,
    ENEMY,
    OWNED,
    PASSES,
    PLIES_LEFT,
    RISK,
    SWAPPED,
    TEMPO,
    turn_key,
)
from sarsen.games.druid.rules import GAME, DruidPosition
from sarsen.search.contract import KEY, PROVED_WIN, UNKNOWN

Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
VARIANTS = [(5, ""), (8, "-nogaps"), (6, "-exact"), (9, "")]


def started(options: str, moves: str = "") -> DruidPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, DruidPosition)
    return position


def walked(size: int, variant: str, plies: int, seed: int) -> DruidPosition:
    """Play at random on few squares, so that stones meet and are stacked."""
    chance = random.Random(f"{size}{variant}{seed}")
    position = started(f"-size={size} {variant}".strip())
    for _ in range(plies):
        moves = list(position.legal_moves())
        lintels = [move for move in moves if len(position.format(move)) > 3]
        after = position.play(chance.choice(lintels or moves))
        position = after if after.outcome() is None else position
    return position


def lintel_cost(position: DruidPosition, side: int, square: int) -> int:
    """Count the moves by which a side brings a lintel over a square."""
    monument, terms = position.monument, position.terms
    every = site(terms.size).every
    least = max(1, monument.heights[square])
    cost = FAR
    for step in (1, 16):
        ends = (square - step, square + step)
        on_site = all(end >= 0 and every >> end & 1 for end in ends)
        if not on_site or any(monument.owner(end) == 1 - side for end in ends):
            continue
        one, other = (monument.heights[end] for end in ends)
        bed = max(least, one, other)
        if bed == least or not terms.nogaps:
            cost = min(cost, (bed - one) + (bed - other) + 1)
    return cost


def resistances(position: DruidPosition, side: int, *, is_next: bool) -> Floats:
    """List what the squares resist a side, row by row."""
    table, found = druid_kernel.kernel(position).constants, []
    shift = 0 if is_next else 10
    for square in squares_of(site(position.terms.size).every):
        owner = position.monument.owner(square)
        gaining = lintel_cost(position, side, square)
        losing = lintel_cost(position, 1 - side, square)
        if owner is None:
            points = table[BARE + gaining] + table[RISK + shift + losing]
        else:
            points = table[OWNED + shift + losing if owner == side else ENEMY + shift + gaining]
        found.append(points / 1000)
    return np.array(found)


def circuit(size: int, ohms: Floats, side: int) -> tuple[float, Floats]:
    """Return the current from edge to edge at one volt, and how much runs through each square."""
    squares = size * size
    # Two more nodes: the edges, at one volt and at none.
    flows = np.zeros((squares + 2, squares + 2))
    for square in range(squares):
        row, column = divmod(square, size)
        line = row if side == 0 else column
        for there, other in ((column + 1 < size, square + 1), (row + 1 < size, square + size)):
            if there:
                flows[square, other] = flows[other, square] = 2 / (ohms[square] + ohms[other])
        for at, edge in ((0, squares), (size - 1, squares + 1)):
            if line == at:
                flows[square, edge] = flows[edge, square] = 2 / ohms[square]
    laws = np.diag(flows.sum(axis=1)) - flows
    volts = np.linalg.solve(laws[:squares, :squares], flows[:squares, squares])
    volts = np.append(volts, (1.0, 0.0))
    currents = flows * (volts[:, None] - volts[None, :])
    return float(currents[squares].sum()), np.abs(currents[:squares]).sum(axis=1) / 2


@pytest.mark.parametrize(("size", "variant"), VARIANTS)
def test_a_position_is_worth_what_its_circuits_conduct(size: int, variant: str) -> None:
    for seed in range(4):
        position = walked(size, variant, 3 * size + 5 * seed, seed)
        kernel, side = druid_kernel.kernel(position), position.side
        own, _ = circuit(size, resistances(position, side, is_next=True), side)
        theirs, _ = circuit(size, resistances(position, 1 - side, is_next=False), 1 - side)
        assert kernel.evaluate is not None
        points = kernel.evaluate(kernel.constants, druid_kernel.encode(position))
        plain = 1000 * math.log(own / theirs) + kernel.constants[TEMPO]
        assert points == pytest.approx(plain, abs=1.01), position.write()


def promise(before: DruidPosition, after: DruidPosition, powers: list[Floats]) -> float:
    """Sum up what a move changes, by the power that the squares draw."""
    promised = 0.0
    for side in (0, 1):
        is_next = side != before.side
        now, then = (resistances(one, side, is_next=is_next) for one in (after, before))
        change = now - then
        change = np.where(change > 0, change / (1 + np.maximum(change, 0) / 2), change)
        promised += float((powers[side] * change).sum()) * (1 if is_next else -1)
    return promised


@pytest.mark.parametrize(("size", "variant"), VARIANTS)
def test_moves_are_ordered_by_the_power_of_what_they_change(size: int, variant: str) -> None:
    for seed in range(2):
        position = walked(size, variant, 3 * size + 7 * seed, seed)
        kernel, state = druid_kernel.kernel(position), druid_kernel.encode(position)
        powers = []
        for side in (0, 1):
            ohms = resistances(position, side, is_next=side != position.side)
            total, currents = circuit(size, ohms, side)
            powers.append(currents**2 / total)
        moves, scores = np.zeros(kernel.most_moves, np.int64), np.zeros(kernel.most_moves, np.int64)
        count = kernel.legal(kernel.constants, state, moves)
        assert kernel.order is not None
        kept = kernel.order(kernel.constants, state, moves, scores, count)
        # An only move needs no score.
        for place in range(0, kept if kept > 1 else 0, 3):
            move = druid_kernel.move(position, int(moves[place]))
            plain = 1000 * promise(position, position.play(move), powers)
            told = position.format(move)
            assert scores[place] == pytest.approx(plain, abs=1.01, rel=1e-6), told


def test_the_last_square_of_a_row_is_not_beside_the_first_of_the_next() -> None:
    # H holds e1 to h1 and a2 to d2: together all columns, but not one chain.
    moves = "a8 e1 b8 f1 c8 g1 a7 h1 b7 a2 c7 b2 a6 c2 b6"
    position = started("-size=8", moves)
    kernel, state = druid_kernel.kernel(position), druid_kernel.encode(position)
    assert kernel.prove is not None
    assert kernel.prove(kernel.constants, state) == UNKNOWN
    after = position.play(position.parse("d2"))
    assert after.outcome() is None
    assert (
        kernel.play(kernel.constants, state, druid_kernel.code(position, position.parse("d2"))) == 0
    )


@pytest.mark.parametrize("size", [7, 9])
def test_d4_a_lintel_over_an_enemy_end_is_seen_to_win_with_exact(size: int) -> None:
    # V's lintel from c3 to e3 may end on H's stone at e3, which V's column lacks. The
    # stones below and above it differ in height, so that no lintel lies along the column.
    below = "e1 a1 e2 b1 c3 e3 d3 c1 e4 a2"
    above = " ".join(f"e{row} {'abcdfgh'[row - 4]}7" for row in range(4, size + 1))
    for variant, proved in (("-exact", PROVED_WIN), ("", UNKNOWN)):
        position = started(f"-size={size} {variant}".strip(), f"{below} {above}")
        kernel, state = druid_kernel.kernel(position), druid_kernel.encode(position)
        assert kernel.prove is not None
        assert kernel.prove(kernel.constants, state) == proved


def key(position: DruidPosition) -> int:
    return int(druid_kernel.encode(position)[KEY])


@pytest.mark.parametrize("size", [3, 9])
def test_keys_tell_apart_who_moves_and_how_near_the_last_ply_is(size: int) -> None:
    position = started(f"-size={size} -swap", "b1")
    swapped = position.play(position.parse("swap"))
    assert key(swapped) != key(position)
    kernel, state = druid_kernel.kernel(position), druid_kernel.encode(position)
    keys = set()
    for left in (1, 2, 99, 1000, 1002):
        state[PLIES_LEFT] = left
        keys.add(int(turn_key(kernel.constants, state)))
    # Far from the last ply, positions are the same however they came about.
    assert len(keys) == 4


@pytest.mark.parametrize("word", [PASSES, SWAPPED])
def test_keys_tell_a_pass_and_changed_sides_from_none(word: int) -> None:
    position = started("-size=3")
    kernel, state = druid_kernel.kernel(position), druid_kernel.encode(position)
    before = int(turn_key(kernel.constants, state))
    state[word] = 1
    assert int(turn_key(kernel.constants, state)) != before


def test_a_move_that_wins_is_kept_though_the_other_side_could_win_after_it() -> None:
    # V wins by b4. H's lintel from a2 to c2 would cut V's column and join H's row.
    position = started("-size=4", "b1 a2 b2 c2 b3 d2")
    kernel, state = druid_kernel.kernel(position), druid_kernel.encode(position)
    moves, scores = np.zeros(kernel.most_moves, np.int64), np.zeros(kernel.most_moves, np.int64)
    count = kernel.legal(kernel.constants, state, moves)
    assert kernel.order is not None
    kept = kernel.order(kernel.constants, state, moves, scores, count)
    texts = [position.format(druid_kernel.move(position, int(code))) for code in moves[:kept]]
    assert "b4" in texts
    assert len(texts) < count
