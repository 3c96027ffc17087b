"""Kills exactly between two steps, and processes that sleep through something."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from faults.kills import asking
from faults.kills.household import Household, household
from faults.kills.settling import audit, let_claims_end, require_balance, settle, waits
from faults.kills.traffic import ply_of
from processes.conftest import await_true

pytestmark = pytest.mark.slow


def test_f2_a_sender_killed_between_the_relay_s_250_and_its_mark_sends_the_same_letter_again(
    tmp_path: Path, seed: int, count: Callable[[str, object], None]
) -> None:
    with household(tmp_path / "data") as house:
        (board,) = house.make_world(seed, 8, ["druid,-size=6"])
        house.open()
        house.start("listener", "worker")
        house.await_ports(house.smtp)
        strikes = [True, True]  # before the 250 is said, and after it

        def strike(which: int) -> None:
            if strikes[which]:
                strikes[which] = False
                os.kill(house.running["worker"], signal.SIGKILL)

        for which, ply in ((0, 1), (1, 2)):
            if which == 0:
                house.relay.on_taken = lambda: strike(0)
            else:
                house.relay.on_next = lambda: strike(1)
            assert asking.mail(house, board, ply).status == 250
            await_true(lambda which=which: not strikes[which], "the worker sent nothing")
            house.wait_for(house.running.pop("worker"))
            assert waits(house, "storage_outgoingmail", "waiting")
            let_claims_end(house)
            house.start("worker")
            await_true(lambda: not waits(house, "storage_outgoingmail", "waiting"), "no letter")
        count("second copies, same Message-ID", house.relay.doubles)
        assert house.relay.doubles == 2
        require_balance(house, board, 2, [asking.name_of(board, ply) for ply in (1, 2)])


def test_f22_a_worker_that_sleeps_with_letters_in_its_hand_is_replaced_and_does_no_harm(
    tmp_path: Path, seed: int, count: Callable[[str, object], None]
) -> None:
    with household(tmp_path / "data") as house:
        (board,) = house.make_world(seed, 8, ["druid,-size=6"])
        house.open()
        house.start("listener", "worker")
        house.await_ports(house.smtp)
        asleep, wakes = threading.Event(), threading.Event()

        def fall_asleep() -> None:
            if not asleep.is_set():
                os.kill(house.running["worker"], signal.SIGSTOP)
                asleep.set()

        house.relay.on_taken = fall_asleep
        assert asking.mail(house, board, 1).status == 250
        assert asleep.wait(60), "the worker sent nothing"
        let_claims_end(house)
        house.start("worker2")
        await_true(lambda: not waits(house, "storage_outgoingmail", "waiting"), "no letter")
        before_it_woke = {*house.relay.copies}
        assert asking.mail(house, board, 2).status == 250
        await_true(lambda: ply_of(house, board["board"]) == 2, "the second worker does not work")
        os.kill(house.running["worker"], signal.SIGCONT)
        wakes.set()
        assert asking.mail(house, board, 3).status == 250
        await_true(lambda: ply_of(house, board["board"]) == 3, "nobody works")
        await_true(lambda: not waits(house, "storage_outgoingmail", "waiting"), "no letter")
        house.end("worker2")
        house.end("worker")
        count("second copies, same Message-ID", house.relay.doubles)
        # One letter at least was in its hand; how many depends on the machine. Not asked after
        # settling, which kills workers once more.
        doubled = {name: len(c) for name, c in house.relay.copies.items() if len(c) > 1}
        assert {*doubled.values()} == {2}
        assert doubled.keys() <= before_it_woke
        house.start("worker")
        require_balance(house, board, 3, [asking.name_of(board, ply) for ply in (1, 2, 3)])


def test_f23_restarting_one_process_after_another_under_load_leaves_nobody_without_an_answer(
    tmp_path: Path, seed: int, count: Callable[[str, object], None]
) -> None:
    rounds = 3
    with household(tmp_path / "data") as house:
        made = house.make_world(seed, 40, ["druid,-size=6", "gyges", "visavis,-size=7"])
        house.open()
        house.start("listener", "worker", "web")
        house.await_ports()
        stop, unanswered = threading.Event(), []
        played = {board["board"]: 0 for board in made}
        mails: list[str] = []

        def play(board: dict) -> None:  # type: ignore[type-arg]
            try:
                while not stop.is_set() and played[board["board"]] < len(board["moves"]):
                    _play_one(house, board, played[board["board"]] + 1, mails, unanswered)
                    played[board["board"]] += 1
            except BaseException as failed:
                unanswered.append(repr(failed))

        tables = [threading.Thread(target=play, args=(board,), daemon=True) for board in made]
        for table in tables:
            table.start()
        for _ in range(rounds):
            for name in ("listener", "web", "worker"):
                status = house.end(name)
                house.start(name)
                assert status == 0, (name, status)
                house.await_ports()
        stop.set()
        for table in tables:
            table.join(60)
        count("restarts under load", 3 * rounds)
        count("moves meanwhile", sum(played.values()))
        count("cut off without an answer", len(unanswered))
        assert not unanswered, unanswered
        _require_all(house, made, played, mails)


def _play_one(
    house: Household,
    board: dict,
    ply: int,
    mails: list[str],
    unanswered: list[str],  # type: ignore[type-arg]
) -> None:
    """Play by mail and by the API in turn, until it is answered; note who is cut off."""
    await_true(lambda: ply_of(house, board["board"]) == ply - 1, f"ply {ply} never came")
    door = asking.mail if ply % 2 else asking.program
    good = 250 if ply % 2 else 200

    def tried() -> bool:
        try:
            return door(house, board, ply).status == good
        except ConnectionRefusedError:
            return False  # nobody listens for a moment: the client knows that nothing was taken
        except Exception as cut:
            if "421" not in str(cut):
                unanswered.append(f"ply {ply} at board {board['board']}: {cut!r}")
            return False

    await_true(tried, f"ply {ply} was never taken")
    if ply % 2:
        mails.append(asking.name_of(board, ply))


def _require_all(house: Household, made: list, played: dict, mails: list[str]) -> None:  # type: ignore[type-arg]
    settle(house)
    texts = {
        board["board"]: [move["text"] for move in board["moves"][: played[board["board"]]]]
        for board in made
    }
    found = audit(house, texts, mails)
    assert not found["faults"], found["faults"]
