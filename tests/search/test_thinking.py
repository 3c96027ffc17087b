"""Limits of thinking: nodes, the clock, a stop, memory, and kernels with faults."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit

from sarsen.core.errors import UserError
from sarsen.games.druid.kernel import judgement
from sarsen.search import alphabeta as by_points
from sarsen.search.compiling import sources
from sarsen.search.contract import (
    KEY,
    LEGAL_SIGNATURE,
    PLAY_SIGNATURE,
    SEAT,
    Array,
    Kernel,
    aligned_zeros,
)
from sarsen.search.rules_kernel import PlainModule
from sarsen.search.thinking import alphabeta, mcts, prove, runs
from sarsen.search.thought import Budget
from search.noughts import GAME, NoughtsModule

THINKERS = (alphabeta, mcts, prove)


@njit(LEGAL_SIGNATURE, cache=True, nogil=True)
def legal(constants, state, moves):  # type: ignore[no-untyped-def]
    moves[0], moves[1], moves[2] = 0, 1, 2
    return 3


@njit(PLAY_SIGNATURE, cache=True, nogil=True)
def play(constants, state, move):  # type: ignore[no-untyped-def]
    state[SEAT] = 1 - state[SEAT]
    state[KEY] = state[KEY] * 3 + move + 1
    return 0


class Endless:
    """A game without an end, whose start looks like one of noughts and crosses."""

    def kernel(self, position: Any) -> Kernel:
        return Kernel(np.zeros(1, np.int64), 5, 3, legal, play)

    def encode(self, position: Any) -> Array:
        return np.array([0, 0, 1, 0, 0], np.int64)

    def move(self, position: Any, code: int) -> int:
        return int(code)

    def code(self, position: Any, move: int) -> int:
        return move


class Faulty(NoughtsModule):
    """A kernel that takes cells 0 to 7 for cells off the board."""

    def move(self, position: Any, code: int) -> int:
        return code if code == 8 else code + 100


@pytest.mark.parametrize("think", THINKERS)
def test_the_clock_ends_a_search_without_an_end(think: Any) -> None:
    think(Endless(), GAME.start(), Budget(seconds=0.05))


@pytest.mark.parametrize("think", THINKERS)
def test_a_stop_ends_a_search_without_an_end(think: Any) -> None:
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    think(Endless(), GAME.start(), Budget(), stop=stop)
    assert stop.is_set()


@pytest.mark.parametrize("think", [alphabeta, mcts])
def test_a_search_stopped_before_it_begins_gives_a_legal_move(think: Any) -> None:
    stop = threading.Event()
    stop.set()
    for module in (NoughtsModule(), PlainModule()):
        thought = think(module, GAME.start(), Budget(nodes=10_000_000), stop=stop)
        assert thought.move in range(9)
        assert thought.proved is None
        assert thought.nodes <= 1


@pytest.mark.parametrize("think", THINKERS)
@pytest.mark.parametrize("nodes", [1, 17, 5000])
def test_a_search_keeps_to_its_nodes(think: Any, nodes: int) -> None:
    # Proofs count the children of a position together.
    spare = 3 if think is prove else 0
    assert think(Endless(), GAME.start(), Budget(nodes=nodes)).nodes <= nodes + spare


@pytest.mark.parametrize("think", THINKERS)
def test_nobody_thinks_about_a_game_that_is_over(think: Any) -> None:
    position = GAME.start()
    for cell in (0, 3, 1, 4, 2):
        position = position.play(cell)
    with pytest.raises(UserError) as refusal:
        think(NoughtsModule(), position, Budget(nodes=10))
    assert refusal.value.code == "game-over"


@pytest.mark.parametrize("think", [alphabeta, mcts])
def test_a_move_that_the_rules_refuse_is_logged_and_the_next_played(
    think: Any, caplog: pytest.LogCaptureFixture
) -> None:
    position = GAME.start()
    for cell in (0, 4, 1):
        position = position.play(cell)
    thought = think(Faulty(), position, Budget(nodes=2000))
    assert thought.move in position.legal_moves()
    assert "kernel move refused" in caplog.text
    assert position.write() in caplog.text


def test_tables_are_shared_by_all_searches_and_bounded() -> None:
    for nodes in (10, 10_000_000, 100, 300_000):
        alphabeta(NoughtsModule(), GAME.start(), Budget(nodes=nodes))
        prove(NoughtsModule(), GAME.start(), Budget(nodes=nodes))
    assert len(runs._kept) <= runs.MAX_KEPT
    assert all(array.shape[0] <= runs.MAX_WORDS for array in runs._kept)
    assert runs.table_words(Budget(nodes=1 << 40), 8) == runs.MAX_WORDS


def test_a_lent_table_is_empty_and_two_searches_never_share_one() -> None:
    with runs.borrowed_array(1 << 12) as first, runs.borrowed_array(1 << 12) as second:
        first[:] = 7
        assert not second.any()
    with runs.borrowed_array(1 << 12) as first, runs.borrowed_array(1 << 12) as second:
        assert not first.any()
        assert not second.any()


@pytest.mark.parametrize(("words", "unit"), [(1, 8), (100, 8), (1 << 19, 1 << 18)])
def test_large_arrays_begin_with_a_cache_line_or_a_huge_page(words: int, unit: int) -> None:
    array = aligned_zeros(words)
    assert array.shape == (words,)
    assert array.ctypes.data % (8 * unit) == 0
    assert not array.any()


def test_functions_of_every_kernel_are_served_by_one_compilation() -> None:
    for module in (NoughtsModule(), Endless()):
        alphabeta(module, GAME.start(), Budget(nodes=50))
    assert len(by_points.deepen.signatures) == 1
    assert by_points.deepen.nopython_signatures


def test_the_cache_knows_what_is_compiled_into_a_search_or_a_kernel() -> None:
    search = sources(Path(by_points.__file__), by_points.__name__)
    names = {path.stem for path in search}
    assert {"alphabeta", "ordering", "transpositions", "contract", "compiling"} <= names
    kernel = sources(Path(judgement.__file__), judgement.__name__)
    names = {path.parent.name + "/" + path.stem for path in kernel}
    assert {"kernel/judgement", "kernel/layout", "kernel/circuit", "search/contract"} <= names
    assert not any(name.startswith("core/") for name in names)
