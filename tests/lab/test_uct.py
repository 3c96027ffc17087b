"""The lab's plain UCT: what it keeps of a game without a kernel."""

from __future__ import annotations

import numpy as np
import pytest

from sarsen.games import load
from sarsen.lab import uct
from sarsen.lab.uct import UctTree, search
from sarsen.search.chance import seeded
from sarsen.search.rules_kernel import PlainModule
from sarsen.search.thought import Budget


def grown(playouts: int) -> tuple[UctTree, PlainModule]:
    module, position = PlainModule(), load("visavis").start("-size=5")
    tree = UctTree(module.kernel(position), module.encode(position), seeded(3), module)
    search(tree, Budget(nodes=playouts))
    return tree, module


def test_positions_of_a_game_without_a_kernel_are_forgotten_and_nothing_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept, everything = grown(192)
    assert everything.held > 500
    monkeypatch.setattr(uct, "MAX_POSITIONS", 100)
    forgotten, little = grown(192)
    assert little.held == 1
    assert forgotten.best == kept.best
    size = int(kept.size[0]) * uct.COLUMNS
    assert np.array_equal(forgotten.rows[:size], kept.rows[:size])
