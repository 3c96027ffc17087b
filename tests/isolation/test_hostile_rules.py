"""Rules that loop, wait, fork, flood or die end their process, and hold up one thread only."""

from __future__ import annotations

import math
import os
import pickle
import signal
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from faults.one_effect.endless import HARM, Plugin
from sarsen.core.errors import PluginBusy, PluginFailure, PluginTooSlow
from sarsen.isolation import process as plugin_process
from sarsen.isolation.allowance import Allowance, Turn, plugins_within
from sarsen.isolation.descendants import children
from sarsen.isolation.stand_in import PluginGame, PluginPosition, isolated

LIMIT = 60.0  # seconds for what must happen, and does so at once
TOO_SLOW = {"loop", "stubborn", "wait", "trickle"}
ANSWERS_ALL_THE_SAME = {"fork", "daemon", "many", "print"}


@pytest.fixture
def endless() -> Iterator[PluginGame]:
    game: PluginGame = isolated(Plugin("faults.one_effect.endless")).GAME
    yield game
    stop(game)


def stop(game: PluginGame) -> None:
    for process in game._processes:
        process.end()


def play(position: PluginPosition, move: str) -> str:
    """Return what a move comes to, asked for with an allowance of its own."""
    with plugins_within(Allowance(lambda: 0.2 if move in TOO_SLOW else LIMIT, LIMIT)):
        try:
            return position.play(move).write()
        except PluginFailure as failure:
            return type(failure).__name__


def processes_of(mark: str) -> set[int]:
    """Return the living processes that were started with a mark in their environment."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
            if state not in "ZX" and mark.encode() in (folder / "environ").read_bytes():
                found.add(int(folder.name))
        except OSError:
            continue  # it has just ended
    return found


def those_that_stay(mark: str, expected: set[int]) -> set[int]:
    """Return the processes with a mark that do not end; one that was killed may take a moment."""
    ends = time.monotonic() + LIMIT
    while (left := processes_of(mark) - expected) and time.monotonic() < ends:
        threading.Event().wait(0.01)
    return left


def test_every_harm_that_rules_do_ends_with_their_process_and_the_next_question_is_answered(
    endless: PluginGame, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARK_OF_THIS_TEST", mark := f"mark-{os.getpid()}-")
    position = endless.start()
    expected = {move: "1" if move in ANSWERS_ALL_THE_SAME else "PluginFailure" for move in HARM}
    expected |= dict.fromkeys(TOO_SLOW, "PluginTooSlow")
    for move in HARM:  # at the first that does harm: what it leaves would spoil the others
        answers = [play(position, move), play(position, "on")]
        pid = endless._processes[0].pid
        left = those_that_stay(mark, {pid, *children(pid)})
        assert (move, answers, left) == (move, [expected[move], "1"], set())
    assert "x" * 100 not in capfd.readouterr().out


def test_answer_to_another_question_is_none(endless: PluginGame) -> None:
    position = endless.start()
    process = endless._processes[0]
    earlier = pickle.dumps((process._number, LIMIT, "start", ""))
    process._link.sendall(struct.pack("!i", len(earlier)) + earlier)
    assert [play(position, "on") for _ in range(2)] == ["PluginFailure", "1"]


def test_rules_that_raise_keep_their_process(endless: PluginGame) -> None:
    position = endless.start()
    pid = endless._processes[0].pid
    assert play(position, "raise") == "PluginFailure"
    assert play(position, "on") == "1"
    assert endless._processes[0].pid == pid


def test_process_that_was_killed_while_idle_is_replaced(endless: PluginGame) -> None:
    position = endless.start()
    process = endless._processes[0]
    os.kill(process.pid, signal.SIGKILL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert play(position, "on") == "1"


def test_process_ends_with_the_one_that_asked_it(endless: PluginGame) -> None:
    endless.start()
    process = endless._processes.pop()
    process._link.close()  # as the system does when the parent dies
    assert process._process.wait(LIMIT) == 0


@pytest.mark.parametrize("module", ["no_such_plugin", "antigravity_no_more"])
def test_plugin_that_cannot_be_loaded_is_a_failure_each_time(module: str) -> None:
    game: PluginGame = isolated(Plugin(module)).GAME
    for _ in range(2):
        with pytest.raises(PluginFailure, match="no answer"):
            game.start()
    assert game._processes == []


def test_plugin_that_is_still_being_loaded_is_asked_later_and_not_loaded_anew(
    endless: PluginGame,
) -> None:
    with plugins_within(Allowance(start_seconds=1e-6)), pytest.raises(PluginBusy):
        endless.start()
    pid = endless._processes[0].pid
    with plugins_within(Allowance(start_seconds=LIMIT)):
        assert endless.start().write() == "0"
    assert endless._processes[0].pid == pid


def test_plugin_that_is_not_loaded_in_time_is_given_up(
    endless: PluginGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugin_process, "START_SECONDS", 0.0)
    with pytest.raises(PluginFailure, match="no answer"):
        endless.start()
    assert endless._processes == []


class Place:
    """The place of a turn, for which nobody may wait."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.release, self.locked = self._lock.release, self._lock.locked

    def acquire(self, *, timeout: float = math.inf) -> bool:
        assert timeout == 0.0, "it is waited for"
        return self._lock.acquire(blocking=False)


def test_one_thread_waits_for_rules_and_all_others_are_told_at_once_that_they_are_busy(
    endless: PluginGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.isolation.allowance.TURN_SECONDS", 0.0)
    turn = Turn()
    monkeypatch.setattr(turn, "_lock", Place())
    games = [isolated(Plugin("faults.one_effect.endless"), turn).GAME for _ in range(2)]
    positions = [game.start() for game in games]
    is_asking, found = threading.Event(), []

    def ask_for_ever() -> None:
        def seconds() -> float:
            is_asking.set()
            return LIMIT

        with plugins_within(Allowance(seconds)):
            try:
                positions[0].play("wait")
            except PluginFailure as failure:
                found.append(failure)

    waiting = threading.Thread(target=ask_for_ever)
    waiting.start()
    assert is_asking.wait(LIMIT)
    while waiting.is_alive() and not turn._lock.locked():
        threading.Event().wait(0.001)
    for position in positions * 3:  # of the same plug-in and of another one
        assert play(position, "on") == "PluginBusy"
    while waiting.is_alive():
        # One that ends before it has read the question is started anew, and asked again.
        for process in games[0]._processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        waiting.join(0.1)
    assert not isinstance(found[0], PluginTooSlow)
    assert [play(position, "on") for position in positions] == ["1", "1"]
    for game in games:
        stop(game)


def test_one_process_at_a_time_has_a_place_that_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.isolation.allowance.TURN_SECONDS", 0.0)
    here, there = Turn(tmp_path / "turn"), Turn(tmp_path / "turn")  # as two workers open it
    with here.taken(), pytest.raises(PluginBusy), there.taken():
        pass
    with there.taken(), pytest.raises(PluginBusy), here.taken():
        pass


def test_time_that_a_request_may_give_to_plugins_is_used_up_by_all_its_questions(
    endless: PluginGame,
) -> None:
    position = endless.start()
    with plugins_within(Allowance(lambda: 0.2)) as allowance:
        with pytest.raises(PluginTooSlow):
            position.play("wait")
        assert allowance.used >= 0.2
        with pytest.raises(PluginBusy):
            position.play("on")
    assert play(position, "on") == "1"
