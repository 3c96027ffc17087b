"""What so many boards need, computed by hand for round costs."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.scale.costs import Costs, read_costs
from bench.scale.needs import A_DAY, needs, walls
from bench.scale.page import page

PAGE = Path(__file__).parents[1] / "docs/scale.md"
ROUND = Costs(
    machine="of this test",
    busy=0.0,
    commits=1000,
    postgres_commits=2000,
    by_mail={"worker": 8.0, "listener": 2.0},
    by_api={"web": 10.0, "worker": 4.0},
    by_page={"web": 3.0},
    row_bytes={"board": 1000, "event": 100, "letter": 500, "mail": 400, "request": 300},
    memory={"web": 100},
)


def test_a_board_a_second_needs_what_its_moves_cost() -> None:
    found = needs(int(A_DAY), ROUND)  # a move a second, four in the busiest minutes
    assert (found.moves, found.peak, found.letters, found.commits) == (1, 4, 8, 16)
    assert found.views == 20
    # Half of four moves by mail: 2 ms of the listener each; a core is used by half.
    assert found.processors["listener"] == pytest.approx(2 * 2 / 1000 / 0.5)
    assert found.processors["worker"] == pytest.approx((2 * 8 + 2 * 4) / 1000 / 0.5)
    assert found.processors["web"] == pytest.approx((2 * 10 + 20 * 3) / 1000 / 0.5)
    a_day = 30 * 2 * 500 + 60 * (400 / 2 + 300)
    assert found.disk == pytest.approx(A_DAY * (1000 + 30 * 100 + a_day))
    assert found.disk_a_year == pytest.approx(A_DAY / 60 * 365 * (1000 + 60 * 100))


def test_a_hundred_times_the_boards_need_a_hundred_times_as_much() -> None:
    few, many = needs(10_000, ROUND), needs(1_000_000, ROUND)
    assert many.all_processors == pytest.approx(100 * few.all_processors)
    assert many.disk == pytest.approx(100 * few.disk)


def test_the_first_wall_comes_first_and_is_just_used_up() -> None:
    found = walls(ROUND)
    assert [one.boards for one in found] == sorted(one.boards for one in found)
    for store, commits in (("SQLite", ROUND.commits), ("PostgreSQL", ROUND.postgres_commits)):
        wall = next(one for one in found if f"one {store}" in one.what)
        assert needs(int(wall.boards), ROUND).commits == pytest.approx(commits, rel=1e-3)


def test_the_page_is_what_the_kept_costs_give() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(read_costs()), "run `python -m bench.scale`"
