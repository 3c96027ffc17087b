"""Two workers on one database: each mail is in one's hands, and all keep their order."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from faults.kills import asking
from faults.kills.household import HERE, Household, household
from faults.kills.settling import waits
from faults.kills.traffic import change, ply_of, rows
from processes.conftest import await_true

pytestmark = pytest.mark.ci


@contextmanager
def taker(house: Household) -> Iterator[subprocess.Popen[str]]:
    """Run a process that takes names."""
    process = subprocess.Popen(
        [sys.executable, str(HERE / "taker.py")],
        env=house.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def takes(process: subprocess.Popen[str], name: str) -> bool:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{name}\n")
    process.stdin.flush()
    said = process.stdout.readline()
    assert said in ("taken\n", "not taken\n"), said
    return said == "taken\n"


def test_a_name_is_one_process_s_until_it_ends_however_it_ends(tmp_path: Path) -> None:
    with household(tmp_path / "data") as house, taker(house) as one:
        assert takes(one, "mail to board 1")
        assert takes(one, "mail to board 2")
        with taker(house) as two:
            assert not takes(two, "mail to board 1")
            assert takes(two, "mail to board 3")
            assert not takes(one, "mail to board 3")
            one.kill()
            one.wait()
            # A worker that was told no asks no more before it begins anew.
            assert not takes(two, "mail to board 1")
        with taker(house) as three:
            assert takes(three, "mail to board 1")
            assert takes(three, "mail to board 3")


def test_a_board_in_other_hands_waits_for_them_alone_and_not_for_ever(
    tmp_path: Path, seed: int
) -> None:
    with household(tmp_path / "data") as house:
        held, free = house.make_world(seed, 8, ["druid,-size=6", "druid,-size=6"])
        house.open()
        house.start("listener")
        house.await_ports(house.smtp)
        with taker(house) as other:
            assert takes(other, f"mail to board {held['board']}")
            for board in (held, free):
                assert asking.mail(house, board, 1).status == 250
                assert asking.mail(house, board, 2).status == 250
            house.start("worker")
            await_true(lambda: ply_of(house, free["board"]) == 2, "the other board waits, too")
            assert ply_of(house, held["board"]) == 0
        await_true(lambda: ply_of(house, held["board"]) == 2, "a dead process holds the board")
        with taker(house) as asleep:
            # Given back when they were answered, however soon that is.
            await_true(lambda: takes_anew(house, held["board"]), "the worker gives nothing back")
            assert takes(asleep, f"mail to board {held['board']}")
            assert asking.mail(house, held, 3).status == 250
            change(house, f"UPDATE storage_inboundmail SET received_at = {long_ago(house)}")
            await_true(lambda: ply_of(house, held["board"]) == 3, "one asleep holds up a board")


def takes_anew(house: Household, board: int) -> bool:
    with taker(house) as one:
        return takes(one, f"mail to board {board}")


def long_ago(house: Household) -> str:
    return "now() - interval '61 seconds'" if house.database else "datetime('now', '-61 seconds')"


@pytest.mark.parametrize("plies", [6, pytest.param(30, marks=pytest.mark.slow)])
def test_two_workers_answer_all_mail_in_its_order_and_send_all_letters_in_theirs(
    tmp_path: Path, seed: int, plies: int
) -> None:
    with household(tmp_path / "data") as house:
        made = house.make_world(seed, plies, ["druid", "visavis,-size=7", "gyges", "vasco"] * 3)
        house.open()
        house.start("listener")
        house.await_ports(house.smtp)
        for ply in range(1, plies + 1):
            for board in made:
                if ply <= len(board["moves"]):
                    assert asking.mail(house, board, ply).status == 250
        house.start("worker", "worker2")
        await_true(lambda: not waits(house, "storage_inboundmail", "new"), "a mail waits")
        await_true(lambda: not waits(house, "storage_outgoingmail", "waiting"), "a letter waits")
        house.end("worker2")
        assert house.relay.doubles == 0
        # Out of its order a move would have been refused.
        for board in made:
            assert ply_of(house, board["board"]) == min(plies, len(board["moves"]))
        # The first copies came in the order in which the letters of each board were made.
        board_of = dict(rows(house, "SELECT id, match_id FROM storage_outgoingmail"))
        came: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for name, copies in house.relay.copies.items():
            number = int(name.strip("<").split(".")[1])
            came[board_of[number], copies[0][0]].append(number)
        assert len(came) >= 2 * len(made)
        for (board, address), numbers in came.items():
            # An answer to a command belongs to no board.
            assert board is None or numbers == sorted(numbers), (board, address)
