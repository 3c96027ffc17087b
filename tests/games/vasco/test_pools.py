"""Values of small pools, against a search that knows nothing but the moves."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from sarsen.core.errors import UserError
from sarsen.games.vasco import kernel as vasco_kernel
from sarsen.games.vasco.proof.pools import solve
from sarsen.games.vasco.rules import GAME
from sarsen.search import thinking
from sarsen.search.contract import DRAWN, ONGOING, RESULT, SEAT, Array, Kernel
from sarsen.search.thinking import Tuning
from sarsen.search.thought import Budget, Thought

PAGE = Path(__file__).parents[3] / "docs" / "vasco-small-pools.md"
TO_THE_END = Tuning(late=1 << 30, very_late=1 << 30)


def plain_value(kernel: Kernel, state: Array, low: float, high: float) -> float:
    """Return the score of the seat to move by alpha-beta as in a textbook."""
    if state[RESULT] != ONGOING:
        return 0.5 if state[RESULT] == DRAWN else float(state[RESULT] == state[SEAT] + 1)
    room = np.empty(kernel.most_moves, np.int64)
    best = 0.0
    for code in room[: kernel.legal(kernel.constants, state, room)].tolist():
        after = state.copy()
        kernel.play(kernel.constants, after, code)
        best = max(best, 1 - plain_value(kernel, after, 1 - high, 1 - low))
        low = max(low, best)
        if low >= high:
            break
    return best


def after(size: int, first: str) -> Thought:
    start = GAME.start({"size": size})
    position = start.play(start.parse(first))
    return thinking.alphabeta(vasco_kernel, position, Budget(), tuning=TO_THE_END)


def test_v4_first_tiles_differ_where_the_pool_runs_out_in_reading_order() -> None:
    # Ruling V4: turned, a table is read in another order, and the pool runs out elsewhere.
    assert [after(18, first).proved for first in ("a1", "c1")] == [0.5, 1.0]


def test_v4_value_of_a_pool_is_that_of_the_best_first_tile_of_all_six() -> None:
    thoughts = [after(9, first) for first in ("a1", "b1", "c1", "d1", "e1", "f1")]
    solved = solve(9)
    assert solved.nodes == sum(thought.nodes for thought in thoughts)
    assert solved.score == max(1 - thought.proved for thought in thoughts if thought.proved)


@pytest.mark.parametrize("size", [6, 7, 8])
def test_value_of_a_pool_is_that_of_a_plain_search_after_any_first_move(size: int) -> None:
    start = GAME.start({"size": size})
    kernel = vasco_kernel.kernel(start)
    values = {
        1 - plain_value(kernel, vasco_kernel.encode(start.play(move)), 0.0, 1.0)
        for move in start.legal_moves()
    }
    assert values == {solve(size).score}


@pytest.mark.parametrize("size", range(6, 14))
def test_line_of_a_pool_ends_as_its_value_says(size: int) -> None:
    solved = solve(size)
    position = GAME.start({"size": size})
    for text in solved.line:
        position = position.play(position.parse(text))
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.scores[0], outcome.reason) == (solved.score, solved.reason)


def test_a_search_ended_early_does_not_pretend() -> None:
    solved = solve(20, Budget(nodes=50))
    assert (solved.score, solved.winner, solved.reason) == (None, "?", "")


def test_there_is_no_pool_of_five_tiles() -> None:
    with pytest.raises(UserError, match="6"):
        solve(5)


def test_table_in_the_documentation_is_what_the_program_finds() -> None:
    rows = re.findall(r"^\| (\d+) \| (\w+) \|", PAGE.read_text("utf-8"), re.M)
    assert len(rows) > 10
    for size, winner in rows:
        if int(size) <= 13:
            assert solve(int(size)).winner == winner
