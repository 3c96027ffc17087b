"""A game of another package, without a kernel, gets searches and bots at once."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import xor
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from packages import load_rules
from sarsen.core.errors import UserError
from sarsen.search.bots import load
from sarsen.search.rules_kernel import PlainModule
from sarsen.search.thinking import alphabeta, mcts, prove
from sarsen.search.thinking.answers import extended_to_end
from sarsen.search.thought import Budget

RULES = Path(__file__).parents[1] / "plugin" / "sarsen_nim" / "rules.py"


@pytest.fixture(scope="module")
def nim() -> ModuleType:
    """Load the rules alone: installing the package is `test_plugin`'s affair."""
    return load_rules(RULES, "sarsen_nim_rules")


def is_won(position: Any) -> bool:
    """Return whether the seat to move wins, by Bouton's theorem of 1901."""
    rows = position.rows
    if position.options["misere"] and max(rows) <= 1:
        return sum(rows) % 2 == 0
    return reduce(xor, rows) != 0


@pytest.mark.parametrize("options", ["-rows=3", "-rows=3 -misere"])
def test_searches_find_what_the_theory_of_nim_knows(nim: ModuleType, options: str) -> None:
    start = nim.GAME.start(options)
    for first in start.legal_moves():
        position = start.play(first)
        truth = float(is_won(position))
        assert prove(PlainModule(), position, Budget(nodes=4000)).score == truth
        for think in (alphabeta, mcts):
            thought = think(PlainModule(), position, Budget(nodes=4000))
            assert thought.proved == truth
            assert is_won(position.play(thought.move)) == (truth == 0.0)


def test_the_last_level_wins_a_won_game_of_nim(nim: ModuleType) -> None:
    position = nim.GAME.start("-rows=3")
    assert is_won(position)
    budget = Budget(nodes=1600)
    while position.outcome() is None:
        level = 8 if position.seat == 0 else 4
        thought = load(level).think(position, seed=position.ply, budget=budget)
        position = position.play(thought.move)
    assert position.outcome().winner == 0


def test_nobody_thinks_about_a_game_of_three(nim: ModuleType) -> None:
    info = replace(nim.GAME.info, seats=("A", "B", "C"))
    position: Any = SimpleNamespace(game=SimpleNamespace(info=info))
    with pytest.raises(UserError) as refused:
        load(3).think(position)
    assert refused.value.code == "bot-seats"


def test_a_line_ends_with_the_move_that_must_lose(nim: ModuleType) -> None:
    position = nim.GAME.start("-rows=2 -misere")
    while sum(position.rows) > 1:
        position = position.play(position.legal_moves()[0])
    module = PlainModule()
    assert extended_to_end(module.kernel(position), module.encode(position), []) == [0]
