"""F4, F5: a disk that is full, and one that lies; on real processes, with a shim below them."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from faults.kills import asking
from faults.kills.household import household
from faults.kills.settling import require_balance
from faults.kills.shim import Faults, needs_compiler
from faults.kills.traffic import ply_of
from processes.conftest import await_true

pytestmark = [needs_compiler, pytest.mark.slow]


def test_f5_full_disk_is_answered_452_and_507_and_reading_goes_on(
    tmp_path: Path, seed: int
) -> None:
    faults = Faults(tmp_path)
    with household(tmp_path / "data", faults.environment) as house:
        (board,) = house.make_world(seed, 8, ["druid,-size=6"])
        house.open()
        house.start("listener", "worker", "web")
        house.await_ports()
        assert asking.mail(house, board, 1).status == 250
        await_true(lambda: ply_of(house, board["board"]) == 1, "the first move is never played")

        faults.order(write=errno.ENOSPC)
        answer = asking.mail(house, board, 2)
        assert (answer.status, answer.words[:5]) == (452, "4.3.1")
        problem = asking.program(house, board, 2)
        assert (problem.status, problem.wait) == (507, "300")
        assert '"code": "disk-full"' in problem.words
        said = asking.page(house, board, 2)
        assert said.status == 507
        assert "The disk of this server is full" in said.words
        assert "it takes effect only once" in said.words
        for path in ("/", f"/boards/{board['board']}/", f"/api/v1/boards/{board['board']}"):
            assert asking.ask(house, "GET", path).status == 200, path
        assert ply_of(house, board["board"]) == 1

        faults.order()
        assert asking.mail(house, board, 2).status == 250
        await_true(lambda: ply_of(house, board["board"]) == 2, "the worker does not go on")
        assert asking.program(house, board, 3).status == 200
        assert asking.page(house, board, 4).status == 200
        require_balance(house, board, 4, [asking.name_of(board, ply) for ply in (1, 2)])


def test_f4_after_a_failed_flush_nothing_is_acknowledged_and_the_process_starts_anew(
    tmp_path: Path, seed: int
) -> None:
    faults = Faults(tmp_path)
    with household(tmp_path / "data", faults.environment) as house:
        (board,) = house.make_world(seed, 8, ["druid,-size=6"])
        house.open()
        house.start("listener", "web")
        house.await_ports()
        faults.order(flush=errno.EIO)
        answer = asking.mail(house, board, 1)
        # The second when it has met the disk before, and is ending by then.
        assert (answer.status, answer.words[:5]) in ((451, "4.3.0"), (421, "4.3.2"))
        assert asking.program(house, board, 1).status == 503
        # Both end by themselves, in good order: the supervisor starts them again.
        for name in ("listener", "web"):
            house.wait_for(house.running.pop(name))

        faults.order()
        house.start("listener", "worker", "web")
        house.await_ports()
        assert asking.mail(house, board, 1).status == 250
        await_true(lambda: ply_of(house, board["board"]) == 1, "the move is never played")
        assert asking.program(house, board, 2).status == 200
        require_balance(house, board, 2, [asking.name_of(board, 1)])


def test_f4_worker_whose_disk_fails_ends_and_the_next_one_does_its_work(
    tmp_path: Path, seed: int
) -> None:
    faults = Faults(tmp_path)
    with household(tmp_path / "data", faults.environment) as house:
        (board,) = house.make_world(seed, 8, ["druid,-size=6"])
        house.open()
        house.start("listener")
        house.await_ports(house.smtp)
        assert asking.mail(house, board, 1).status == 250
        faults.order(flush=errno.EIO)
        house.start("worker")
        house.wait_for(house.running.pop("worker"))
        assert ply_of(house, board["board"]) == 0
        faults.order()
        house.start("worker")
        require_balance(house, board, 1, [asking.name_of(board, 1)])
