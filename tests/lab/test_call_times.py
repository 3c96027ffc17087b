"""The time of calls that `sarsen check` asks for: each has its own, whatever else runs here."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from sarsen.core.game import Game
from sarsen.drawing.view import _views
from sarsen.games import load
from sarsen.lab.checking import bounded, check, random_games, timing
from sarsen.lab.checking.laws import bots
from sarsen.lab.checking.report import CheckReport, CheckRequest, Measures
from sarsen.lab.checking.walks import Fault, Walk, walk
from sarsen.search.general.functions import OwnFunctions

ASKED = ("legal_moves", "outcome", "play", "parse", "text", "scene", "describe")


class Spending:
    """Count what the calls between two notes take together, where each takes `timing.SLOW`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, game: Game, options: str) -> None:
        self.part, self.spent, self.most = "", 0.0, dict[str, float]()
        kind, own = type(game.start(options)), _views[game.info.name]
        view = SimpleNamespace(**{name: getattr(own, name) for name in dir(own) if name[0] != "_"})
        for name in ASKED:
            owner = kind if hasattr(kind, name) else view
            monkeypatch.setattr(owner, name, self.counted(getattr(owner, name)))
        monkeypatch.setitem(_views, game.info.name, view)
        functions = OwnFunctions(lambda _: 0.0, lambda _, moves: [0.0] * len(moves), lambda *_: 0.5)
        for name in ("evaluate", "policy", "rollout"):
            call = self.counted(getattr(functions, name))
            functions = replace(functions, **{name: call})  # type: ignore[arg-type]
        monkeypatch.setattr(bots, "functions_of", lambda _: functions)

    def counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*words: Any, **named: Any) -> Any:
            self.spent += timing.SLOW
            return call(*words, **named)

        return counting

    def note(self, line: str) -> None:
        self.most[self.part] = max(self.spent, self.most.get(self.part, 0.0))
        self.spent = 0.0

    def begin(self, part: str) -> None:
        self.note("")
        self.part = part


def test_calls_that_are_not_slow_never_fill_the_time_of_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, options = load("druid"), "-size=3"
    spending = Spending(monkeypatch, game, options)
    met = list(walk(game, options, 1, note=spending.note))
    for law in random_games.LAWS:
        spending.begin(law.__name__)
        for found in (*met[:2], met[len(met) // 2], met[-1]):
            random_games.first_fault(law, found)
    spending.begin("look on")
    report = CheckReport("druid", "Druid", "druid")
    walking = random_games.Walking(game, report, 1, lambda *_: None, spending.note)
    walking.look_on(options, walk(game, options, 1, note=spending.note))
    for code, compare in check.COMPARISONS.items():
        spending.begin(code)
        list(compare(game, time.process_time() + 0.05, spending.note))
    spending.begin("")
    assert {*check.COMPARISONS, "look on", "functions_answer"} <= set(spending.most)
    limit = bounded.SHORTEST
    assert not {part: most for part, most in spending.most.items() if most > limit}


def test_what_a_bot_imports_is_loaded_before_the_time_of_the_first_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = list[str]()
    monkeypatch.setattr(check, "functions_of", lambda game: done.append(f"bot of {game.info.name}"))
    request = CheckRequest("druid", only="exchange")
    check.find_faults(request, lambda *_: None, done.append)
    assert done[:2] == ["bot of druid", ""]


def test_quick_laws_see_begin_and_end_of_a_game_whose_drawing_took_all_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = list[tuple[str, int]]()

    def law(name: str) -> Callable[[Walk], Iterator[Fault]]:
        def noted(found: Walk) -> Iterator[Fault]:
            seen.append((name, len(found.moves)))
            return iter(())

        return noted

    quick, slow = ((law(name),) for name in ("quick", "slow"))
    monkeypatch.setattr(random_games, "QUICK_LAWS", quick)
    monkeypatch.setattr(random_games, "SLOW_LAWS", slow)
    monkeypatch.setattr(random_games, "LAWS", quick + slow)
    monkeypatch.setattr(
        random_games, "first_fault", lambda law, found: next(iter(law(found)), None)
    )
    game = load("druid")
    report = CheckReport("druid", "Druid", "druid")
    walking = random_games.Walking(game, report, 1, lambda *_: None, lambda _: None)
    walking._play_one("-size=3", seed=1, until=0.0, is_long=False)
    *_, last = walk(game, "-size=3", seed=1)
    assert seen == [("quick", 0), ("quick", 1), ("quick", len(last.moves)), ("slow", 0)]


@pytest.mark.parametrize(("step", "does_end"), [(1, True), (0, False)])
def test_process_that_has_told_all_may_take_its_time_to_end_but_not_sleep(
    step: int, does_end: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent, waits = itertools.count(step=step), itertools.count()

    def wait(seconds: float) -> None:
        if next(waits) < 5:
            raise subprocess.TimeoutExpired("sarsen check", seconds)

    monkeypatch.setattr(bounded, "processor_time", lambda process: next(spent))
    assert bounded._ends(cast(Any, SimpleNamespace(pid=1, wait=wait))) == does_end


def test_time_that_others_have_the_processor_is_no_sleep() -> None:
    def work() -> None:
        end = time.thread_time() + 0.05
        while time.thread_time() < end:
            pass

    def nap() -> None:
        while not is_done.wait(0.001):
            pass

    def spin() -> None:
        while not is_done.is_set():
            pass

    is_done = threading.Event()
    threads = [threading.Thread(target=act) for act in (nap, nap, spin)]
    # Before the others are started, and thrice: a wait that began earlier is counted when it ends.
    asleep = max(timing.sleep_of(lambda: time.sleep(timing.SLOW)) for _ in range(3))
    words = [sys.executable, "-c", "import time\nwhile time.process_time() < 60: pass"]
    others = [subprocess.Popen(words) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        for thread in threads:
            thread.start()
        # As a check does: a wait that has not ended yet is in no count, so one try may be wrong.
        at_work = min(timing.sleep_of(work) for _ in range(3))
    finally:
        is_done.set()
        for other in others:
            other.kill()
            other.wait()
    assert asleep > timing.SLOW / 2
    assert at_work < timing.SLOW


def test_rules_are_refused_for_a_sleep_and_not_for_a_busy_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by_clock, queue = itertools.count(step=30), itertools.count(step=30)
    (game, *_) = walk(load("visavis"), "-size=5", seed=1)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(by_clock)))
    monkeypatch.setattr(timing, "_queued_seconds", lambda: float(next(queue)) + 1)
    timing.time_calls(game, Measures())
    monkeypatch.setattr(timing, "_queued_seconds", lambda: 1.0)
    with pytest.raises(timing.WaitingRules, match=r"waits for 30\.0 s without working"):
        timing.time_calls(game, Measures())


@pytest.mark.parametrize(("step", "is_done"), [(10, True), (0, False)])
def test_process_that_works_is_waited_for_and_one_that_sleeps_is_not(
    step: int, is_done: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = itertools.count(step=step)
    monkeypatch.setattr(bounded, "processor_time", lambda process: next(spent))
    done = CheckReport("hex", "Hex", "hex")
    polls = iter([False, False, True])
    link = SimpleNamespace(poll=lambda waiting: next(polls), recv=lambda: ("done", done))
    _, whole = bounded._follow("hex", cast(Any, link), lambda text: None, 1, 100.0)
    assert whole == is_done


def test_reading_is_timed_at_the_ends_of_a_game_and_seldom_between() -> None:
    calls = [
        [name for name, *_ in timing._calls(found)]
        for found in walk(load("visavis"), "-size=5", seed=1)
    ]
    assert "read" in calls[0]
    assert "read" in calls[-1]
    assert sum("read" in names for names in calls) <= 2 + len(calls) // timing.READ_PLIES
    assert all("play" in names for names in calls[:-1])


def test_time_of_another_process_is_told() -> None:
    before = bounded.processor_time(os.getpid())
    began = time.process_time()
    while time.process_time() < began + 0.1:
        pass
    assert bounded.processor_time(os.getpid()) > before
    assert bounded.processor_time(-1) == 0.0
