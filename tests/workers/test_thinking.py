"""The work queue of the thinker: who gets which board, and what is done about failures."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError
from django.utils import timezone

from sarsen.language.commands import Analyse, MakeChallenge
from sarsen.search.analysis import Analysis
from sarsen.server.commands.serve import cache_folder
from sarsen.services import wake_pipes
from sarsen.services.analysis import questions
from sarsen.services.bots import due_boards
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.dispatch import perform
from sarsen.services.limits import daily
from sarsen.services.request import Actor
from sarsen.storage.models import AnalysisResult, Match, MatchEvent
from sarsen.storage.models import Analyst as Asker
from sarsen.workers.sweeps import wake_due
from sarsen.workers.thinking import thinker, work
from sarsen.workers.thinking.work import (
    DEEP,
    MAX_ATTEMPTS,
    QUICK,
    BoardTask,
    WorkQueue,
    think_about,
    watch,
)
from web_world import NOW, World

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    make_accounts(NOW)
    return World()


def begin(world: World, level: int, game: str = "druid", options: str = "-size=3") -> int:
    command = MakeChallenge(game, options, (), (f"bot{level}", "me"))
    perform(command, Actor(world.player("ann")), "", timezone.now())
    match = Match.objects.latest("pk")
    return int(match.pk)


@pytest.mark.parametrize(
    ("may_end", "is_compiling", "looks_taken"),
    [(True, False, 3), (True, True, 5), (False, False, 5)],
)
def test_supervised_thinker_ends_when_nothing_is_due_or_compiled_any_more(
    world: World,
    may_end: bool,
    is_compiling: bool,
    looks_taken: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begin(world, 3)
    queue, looks = WorkQueue(freshen=int), list[int]()

    def wait(pipe: int, seconds: float) -> bool:
        looks.append(pipe)
        if len(looks) == 3:
            Match.objects.update(bot_level=None)
        if len(looks) == 5:
            queue.close()
        return False

    monkeypatch.setattr(wake_pipes, "wait", wait)
    monkeypatch.setattr(thinker, "close_old_connections", lambda: None)
    monkeypatch.setattr(thinker, "POLL", 0)
    monkeypatch.setattr(thinker, "IDLE_LIMIT", 0)
    compiling = threading.Thread(target=queue.closed.wait)
    if is_compiling:
        compiling.start()
    helpers = thinker.Reviewer(queue), thinker.Analyst(queue)
    thinker._watch_boards(queue, 0, *helpers, compiling, may_end=may_end)
    assert len(looks) == looks_taken


def test_worker_wakes_a_thinker_for_a_board_whose_own_call_was_lost(
    world: World,
) -> None:
    with wake_pipes.listening(wake_pipes.THINKER) as pipe:
        wake_due(NOW, is_first=False)
        assert not wake_pipes.wait(pipe, 0)
        begin(world, 3)
        wake_due(NOW, is_first=False)
        assert wake_pipes.wait(pipe, 0)


def taken(queue: WorkQueue, lane: work.Lane) -> BoardTask:
    task = queue.take(lane)
    assert task is not None
    return task


def test_deep_thoughts_leave_the_quick_lane_free_and_help_where_there_are_none(
    world: World,
) -> None:
    deep, quick, other = begin(world, 8), begin(world, 2), begin(world, 3)
    queue = WorkQueue(freshen=int)
    assert taken(queue, DEEP).due.board == deep
    assert taken(queue, QUICK).due.board == quick
    assert taken(queue, DEEP).due.board == other


def test_no_board_is_in_two_hands(world: World) -> None:
    boards = {begin(world, 2) for _ in range(3)}
    queue = WorkQueue(freshen=int)
    tasks = [taken(queue, QUICK) for _ in boards]
    assert {task.due.board for task in tasks} == boards
    queue.give_back(tasks[0], failed=False)
    assert taken(queue, QUICK).due == tasks[0].due


def test_many_boards_are_all_moved_at(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sarsen.services.bots.accounts.MAX_GAMES", 200)
    monkeypatch.setitem(daily.MAX_A_DAY, "challenge", 200)
    boards = [begin(world, 1, "visavis", "-size=5") for _ in range(60)]
    queue = WorkQueue(freshen=int)
    for _ in boards:
        task = taken(queue, QUICK)
        assert think_about(task, queue)
        queue.give_back(task, failed=False)
    assert MatchEvent.objects.count() == len(boards)
    assert not Match.objects.filter(bot_level__isnull=False).exists()


def test_board_that_fails_waits_and_after_some_failures_gets_any_legal_move(world: World) -> None:
    board = begin(world, 2)
    other = begin(world, 2)
    queue = WorkQueue(freshen=int)
    task = taken(queue, QUICK)
    assert task.due.board == board
    queue.give_back(task, failed=True)
    assert taken(queue, QUICK).due.board == other  # the others do not wait for it
    last = BoardTask(task.due, MAX_ATTEMPTS + 1)
    assert think_about(last, queue)
    assert MatchEvent.objects.filter(match=board).count() == 1


def test_attempts_are_counted_for_the_same_position_only(world: World) -> None:
    board = begin(world, 2)
    queue = WorkQueue(freshen=int)
    for attempt in (1, 2):
        task = queue._next(QUICK)
        assert task is not None
        assert task.attempt == attempt
        queue.give_back(task, failed=True)
        queue._failed[board].not_before = 0.0
    Match.objects.filter(pk=board).update(event_count=7)
    task = queue._next(QUICK)
    assert task is not None
    assert task.attempt == 1


@pytest.mark.parametrize("trouble", [OperationalError, InterfaceError, ProgrammingError])
def test_no_lane_ends_while_the_database_is_in_trouble(
    world: World, trouble: type[Exception]
) -> None:
    begin(world, 2)

    def fails() -> None:
        raise trouble

    assert WorkQueue(freshen=fails)._next(QUICK) is None


def test_closed_desk_hands_nothing_out_and_hurries_who_thinks(world: World) -> None:
    begin(world, 2)
    begin(world, 2)
    queue = WorkQueue(freshen=int)
    task = taken(queue, QUICK)
    queue.close()
    assert task.stop.is_set()
    assert queue.take(QUICK) is None
    assert not think_about(task, queue)  # a hurried thought is not played
    assert not MatchEvent.objects.exists()


def test_thought_that_lasts_too_long_is_asked_for_its_move(world: World) -> None:
    begin(world, 2)
    queue = WorkQueue(freshen=int)
    task = taken(queue, QUICK)
    watch(queue)
    assert not task.stop.is_set()
    task.began_at = time.monotonic() - work.MOVE_SECONDS - 1
    watch(queue)
    assert task.stop.is_set()


def test_compiled_code_is_kept_in_the_data_folder_where_the_package_cannot_be_written(
    tmp_path: Path,
) -> None:
    assert cache_folder(tmp_path, Path("data")) is None
    assert cache_folder(tmp_path / "absent", Path("data")) == Path("data/numba")


def test_a_waiter_is_woken_at_once_and_never_waits_for_the_waker() -> None:
    due_boards.wake()  # nobody listens
    with wake_pipes.listening(wake_pipes.THINKER) as pipe:
        assert not wake_pipes.wait(pipe, 0.0)
        for _ in range(70_000):  # more than the pipe holds
            due_boards.wake()
        assert wake_pipes.wait(pipe, 0.0)


@pytest.mark.django_db(transaction=True)
def test_move_of_a_person_wakes_the_process_that_thinks(world: World) -> None:
    with wake_pipes.listening(wake_pipes.THINKER) as pipe:
        board = begin(world, 2)
        assert wake_pipes.wait(pipe, 0.0)
        assert not wake_pipes.wait(pipe, 0.0)
        assert board


def asked(world: World, *moves: str) -> Asker:
    """Have ann ask about a position of Druid, and return her row."""
    ann = Actor(world.player("ann"))
    question = questions.question_of(Analyse("druid", "-size=5", moves), ann)
    questions.ask(question, ann, timezone.now())
    return Asker.objects.get()


@pytest.fixture
def _searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "are_made", lambda: True)
    monkeypatch.setattr(thinker, "close_old_connections", lambda: None)
    monkeypatch.setattr(thinker, "GIVE_WAY_SECONDS", 0.0)


@pytest.mark.usefixtures("_searches")
def test_a_question_is_searched_and_charged(world: World) -> None:
    row = asked(world, "c1", "b2")
    row.reserved = 0.2
    row.save()
    analyst = thinker.Analyst(WorkQueue(freshen=int))
    assert analyst._search_next()
    assert not analyst._search_next()
    row.refresh_from_db()
    assert (row.state, row.reserved) == (Asker.State.DONE, 0.0)
    assert 0 < row.spent <= 0.2


@pytest.mark.usefixtures("_searches")
def test_a_search_gives_way_to_boards_twice_and_then_goes_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = asked(world, "c1", "b2")
    begin(world, 3)
    queue = WorkQueue(freshen=int)
    analyst, was_stopped = thinker.Analyst(queue), list[bool]()

    def search(position: object, seconds: float, stop: threading.Event) -> Analysis:
        queue.give_back(taken(queue, QUICK), failed=False)
        was_stopped.append(stop.is_set())
        return Analysis(None, ("a1",), None, (), 0.5)

    monkeypatch.setattr(thinker, "analyse", search)
    while analyst._search_next():
        pass
    assert was_stopped == [True, True, False]
    row.refresh_from_db()
    assert (row.state, row.spent) == (Asker.State.DONE, 0.5)


@pytest.mark.usefixtures("_searches")
def test_a_search_ends_soon_after_its_question_is_cancelled(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = asked(world)
    analyst = thinker.Analyst(WorkQueue(freshen=int))

    def search(position: object, seconds: float, stop: threading.Event) -> Analysis:
        analyst.look_again()
        assert not stop.is_set()
        questions.cancel(row.pk, row.number, timezone.now())
        analyst.look_again()  # as its call wakes the thinker to do
        assert stop.is_set()
        return Analysis(None, ("a1",), None, (), 0.5)

    monkeypatch.setattr(thinker, "analyse", search)
    assert analyst._search_next()
    row.refresh_from_db()
    assert (row.state, row.reserved) == ("", 0.0)
    assert not AnalysisResult.objects.exists()
