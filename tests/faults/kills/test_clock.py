"""F17: the clock steps back an hour and forward a day, under a running server."""

from __future__ import annotations

from pathlib import Path

import pytest

from faults.kills import asking
from faults.kills.household import household
from faults.kills.settling import require_balance
from faults.kills.shim import Faults, needs_compiler
from faults.kills.traffic import ply_of, rows
from processes.conftest import await_true

HOUR, DAY = 3600.0, 86_400.0
pytestmark = [needs_compiler, pytest.mark.slow]


def test_f17_nobody_loses_on_time_when_the_clock_steps_and_play_goes_on(
    tmp_path: Path, seed: int
) -> None:
    faults = Faults(tmp_path)
    with household(tmp_path / "data", faults.environment) as house:
        # A move is lost after two days: a step of one would leave few hours, of three none.
        (board,) = house.make_world(seed, 12, ["druid,-size=6"])
        house.open()
        known = _sweeps_of_clocks(house)
        house.start("listener", "worker", "web")
        house.await_ports()
        ply = 0
        # With 40 days the clean-up, which follows the clock as all sweeps do, deleted what was kept
        # of the nine letters sent before, as of any older than 30 days: the audit reads them.
        for step in (0.0, -HOUR, DAY, 25 * DAY, 0.0):
            faults.order(clock=step)
            # Asked before the step, or a sweep that the worker did at once would count as known;
            # the next one, where nobody's time runs out, is due ten minutes later.
            await_true(lambda known=known: _sweeps_of_clocks(house) - known, "no sweep")
            ply += 1
            assert asking.mail(house, board, ply).status == 250
            await_true(lambda ply=ply: ply_of(house, board["board"]) == ply, f"stuck at {step}")
            ply += 1
            assert asking.program(house, board, ply).status == 200
            assert not list(rows(house, "SELECT 1 FROM storage_match WHERE ended_at IS NOT NULL"))
            known = _sweeps_of_clocks(house)
        letters = [asking.name_of(board, one) for one in range(1, ply + 1, 2)]
        require_balance(house, board, ply, letters)


def _sweeps_of_clocks(house) -> set[tuple[str]]:  # type: ignore[no-untyped-def]
    """Return which sweeps of the clocks have ended; old ones are deleted as the clock steps."""
    query = "SELECT id FROM django_tasks_database_dbtaskresult WHERE task_path LIKE "
    query += "'%look_after_clocks' AND status = 'SUCCESSFUL'"
    return set(rows(house, query))
