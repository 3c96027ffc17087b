"""Druid's circuits: two ways to solve them, Kirchhoff's laws, and what a move changes."""

from __future__ import annotations

import numpy as np
import pytest

from sarsen.games.druid.kernel.circuit import (
    FRONTS,
    conductance_ratio,
    list_currents,
    solve_circuit,
)

SIZES = (3, 5, 8, 9, 12)
Floats = np.ndarray[tuple[int], np.dtype[np.float64]]


def drawn_resistances(size: int) -> Floats:
    """Draw what all squares resist, from a safe stone to one far out of reach."""
    chance = np.random.default_rng(size)
    return np.exp(chance.uniform(np.log(0.01), np.log(15.0), 2 * size * size))


def solved(size: int, resistances: Floats, side: int) -> tuple[float, Floats]:
    volts = np.zeros(size * size)
    total = solve_circuit(size, resistances, side, np.zeros(size * size * (size + 1)), volts)
    return total, volts


@pytest.mark.parametrize("size", SIZES)
def test_a_circuit_put_together_by_lines_conducts_as_its_equations_say(size: int) -> None:
    resistances, squares = drawn_resistances(size), size * size
    first, _ = solved(size, resistances[:squares], 0)
    second, _ = solved(size, resistances[squares:], 1)
    better = conductance_ratio(size, resistances, np.full(FRONTS, np.nan))
    assert better == pytest.approx(first / second, rel=1e-9)


@pytest.mark.parametrize("size", SIZES)
def test_squares_alike_conduct_as_so_many_rows_side_by_side(size: int) -> None:
    for side in (0, 1):
        total, volts = solved(size, np.full(size * size, 2.0), side)
        assert total == pytest.approx(0.5)
        assert volts[:size] == pytest.approx(np.full(size, 1 - 0.5 / size))


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("size", SIZES)
def test_all_the_current_runs_through_every_line(size: int, side: int) -> None:
    resistances = drawn_resistances(size)[: size * size]
    # Where no current runs sideways, what passes a line is what passes the site.
    lined = np.repeat(resistances[:size], size)
    lined = lined if side == 0 else lined.reshape(size, size).T.ravel().copy()
    total, volts = solved(size, lined, side)
    currents = np.zeros(size * size)
    list_currents(size, lined, side, volts, currents)
    lines = currents.reshape(size, size) if side == 0 else currents.reshape(size, size).T
    assert lines.sum(axis=1) == pytest.approx(np.full(size, total))
