"""Every level has a clock: no board is so large that a move takes long."""

from __future__ import annotations

import importlib
import time
from contextlib import ExitStack

import numpy as np
import pytest

from sarsen.games.visavis import bot
from sarsen.search import thought
from sarsen.search.bots import MOST
from sarsen.search.thinking.answers import NODES, STOP, watched_limits
from sarsen.search.thought import Budget


@pytest.mark.parametrize("game", ["druid", "gyges", "vasco"])
@pytest.mark.parametrize("level", range(1, MOST + 1))
def test_every_level_ends_its_thoughts_by_a_clock(game: str, level: int) -> None:
    module = importlib.import_module(f"sarsen.games.{game}.bot")
    budget = module.LEVELS[level - 1].budget
    assert budget.nodes is not None
    assert 0 < budget.seconds <= 5


def test_visavis_has_one_clock_for_all_levels() -> None:
    assert bot.BUDGET.seconds is not None
    assert bot.BUDGET.seconds <= 5


def test_clock_of_a_search_stands_still_while_something_is_loaded() -> None:
    control = np.zeros(4, np.int64)
    assert len(control) > NODES
    with ExitStack() as loading:
        # Before the clock begins, which may run out on a busy machine between two lines.
        loading.enter_context(thought.loading())
        with watched_limits(control, Budget(seconds=0.05), None):
            began = time.monotonic()
            while time.monotonic() < began + 0.2:
                pass
            assert control[STOP] == 0
            loading.close()
            while control[STOP] == 0:
                pass
