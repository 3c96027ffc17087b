"""Seats that change hands before the first move: E7, and E29 for programs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from contest_world import DAY, ContestWorld
from sarsen.core.errors import UserError
from sarsen.games import load
from sarsen.language.commands import (
    JoinContest,
    LeaveContest,
    ListContests,
    MakeContest,
    PlayMove,
    Resign,
    ShowContest,
    SignOff,
)
from sarsen.language.contests.answers import (
    ContestJoined,
    ContestLeft,
    ContestMade,
    ContestWaiting,
)
from sarsen.language.grammar.dates import day_phrase
from sarsen.language.ratings import Table
from sarsen.language.translating import sentence, translated
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.views.calendar import dates_of_contests
from sarsen.services.contests.views.facts import view_contest
from sarsen.services.contests.views.happenings import SHOWN, happenings
from sarsen.services.contests.views.letters import view_for_letter
from sarsen.services.contests.views.listing import list_contests
from sarsen.services.contests.views.pages import view_page
from sarsen.services.contests.views.wording import last_day
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import (
    Contest,
    ContestBoard,
    ContestEntry,
    ContestEvent,
    Heartbeat,
    Match,
)

pytestmark = pytest.mark.django_db
START = datetime(2027, 3, 1, 12, tzinfo=UTC)


def differences() -> list[str]:
    found = verify(VerifyReport(), lambda: None)
    return [f"{one.about}, {one.what}: {one.stored}; {one.recomputed}" for one in found]


def started(*terms: str) -> ContestWorld:
    """Start a contest of four on 1 March in which all but ann have made their first moves."""
    world = ContestWorld(START)
    world.make("ann", "bob", "cid", "dora", game="druid", options="-size=8", terms=terms)
    for match in Match.objects.filter(contest_board__contest=world.number).order_by("pk"):
        if match.seat_rows[0].player.userid != "ann":
            world.move(match.pk)
    for one, other in (("bob", "cid"), ("cid", "dora"), ("dora", "bob")):
        match = world.board(one, other)
        if match.ply == 1:
            world.move(match.pk)
    return world


def dues(world: ContestWorld, kind: str) -> list[datetime]:
    events = ContestEvent.objects.filter(contest=world.number, kind=kind)
    return list(events.order_by("number").values_list("due", flat=True))


def others_write(world: ContestWorld, *names: str) -> None:
    for name in names or ("bob", "cid", "dora"):
        world.say(name, ListContests())


def test_e7_reminded_on_the_6th_and_7th_and_substituted_on_the_11th_of_march() -> None:
    world = started()
    before = list(ContestBoard.objects.filter(match__seats__player__key="ann"))
    waiting = world.say("eva", JoinContest(world.number, waits=True))
    assert waiting == ContestWaiting(world.number, "Druid round robin", 1)
    assert world.view().waiting == ("eva",)
    world.wait(9 * DAY)
    assert dues(world, "reminded") == [START + 5 * DAY, START + 6 * DAY]
    assert world.letters("contest-reminded") == ["ann", "ann"]
    assert "substituted" not in world.kinds()
    world.wait(DAY)
    assert dues(world, "substituted") == [START + 10 * DAY]
    assert world.view().entrants == ("eva", "bob", "cid", "dora")
    assert world.view().waiting == ()
    assert not ContestEntry.objects.filter(player__key="ann").exists()
    for board in before:
        board.match.refresh_from_db()
        assert board.match.ended_at is not None
        assert board.match.scores is None
        anew = ContestBoard.objects.get(contest=world.number, key=f"{board.key}s")
        names = [row.player.userid for row in board.match.seat_rows]
        assert [row.player.userid for row in anew.match.seat_rows] == [
            "eva" if name == "ann" else name for name in names
        ]
    assert sorted(world.letters("contest-substituted")) == ["ann", "bob", "cid", "dora", "eva"]
    assert len(world.view().boards) == 6
    assert differences() == []


def test_e7_without_a_waiting_list_the_clocks_go_on() -> None:
    world = started()
    world.wait(12 * DAY)
    assert "substituted" not in world.kinds()
    assert world.view().entrants == ("ann", "bob", "cid", "dora")
    # Somebody who comes to wait after the day has the seat at once.
    world.say("eva", JoinContest(world.number, waits=True))
    world.sweep()
    assert dues(world, "substituted") == [world.now]
    assert differences() == []


def test_e7_nobody_is_substituted_who_has_moved_or_cannot_move_yet() -> None:
    world = started()
    world.say("eva", JoinContest(world.number, waits=True))
    match = next(
        one
        for one in Match.objects.order_by("pk")
        if one.ended_at is None and one.seat_rows[one.seat_to_move].player.userid == "ann"
    )
    world.move(match.pk)
    world.wait(11 * DAY)
    assert not {"reminded", "substituted"} & set(world.kinds())


def test_e5_a_sign_of_life_before_the_sweep_undoes_e7() -> None:
    world = started()
    world.say("eva", JoinContest(world.number, waits=True))
    world.wait(9 * DAY)
    world.now += 2 * DAY  # no sweep of contests meanwhile
    Heartbeat.objects.update_or_create(name="clocks", defaults={"at": world.now})
    world.say("ann", ListContests())
    world.sweep()
    assert "substituted" not in world.kinds()


def test_e5_a_late_sweep_substitutes_as_of_the_same_day() -> None:
    logs = []
    for late in (timedelta(), 2 * DAY):
        world = started()
        world.say("eva", JoinContest(world.number, waits=True))
        world.now += 5 * DAY + late
        world.sweep()
        world.now = START + 10 * DAY + late
        world.sweep()
        first = ContestBoard.objects.filter(contest=world.number).earliest("pk").match_id
        logs.append(
            [
                (one.kind, one.due, {**one.facts, "board": one.facts.get("board", first) - first})
                for one in Contest.objects.get(pk=world.number).log.order_by("number")
                if one.kind != "made"
            ]
        )
    assert logs[0] == logs[1]


def test_whoever_waits_can_leave_the_list_without_a_question() -> None:
    world = started()
    world.say("eva", JoinContest(world.number, waits=True))
    with pytest.raises(UserError) as refusal:
        world.say("eva", JoinContest(world.number, waits=True))
    assert refusal.value.code == "contest.in-already"
    left = world.say("eva", LeaveContest(world.number))
    assert isinstance(left, ContestLeft)
    assert sentence(left).startswith("You no longer wait for a seat in contest")
    held = contest_log.read(Contest.objects.get())
    assert [one.words for one in happenings(held, world.now, 2, SHOWN)] == [
        "eva no longer waits for a seat.",
        "eva waits for a seat.",
    ]
    assert world.view().waiting == ()
    assert not ContestEntry.objects.filter(player__key="eva").exists()
    assert differences() == []


def test_who_leaves_the_server_is_on_no_waiting_list() -> None:
    world = started()
    for name in ("eva", "fay"):
        world.say(name, JoinContest(world.number, waits=True))
    world.say("eva", SignOff(confirmed=True))
    assert world.view().waiting == ("fay",)
    assert differences() == []


def test_verify_finds_a_seat_and_a_waiting_list_that_the_log_has_not() -> None:
    world = started()
    world.say("eva", JoinContest(world.number, waits=True))
    entry = ContestEntry.objects.get(player__key="eva")
    ContestEntry.objects.filter(pk=entry.pk).update(is_waiting=False)
    assert any("entries" in one for one in differences())
    ContestEntry.objects.filter(pk=entry.pk).update(is_waiting=True)
    world.wait(10 * DAY)
    assert differences() == []
    event = ContestEvent.objects.get(contest=world.number, kind="substituted")
    planted = {
        **event.facts,
        "substitute": world.world.player("fay").pk,
        "boards": event.facts["boards"][1:],
    }
    ContestEvent.objects.filter(pk=event.pk).update(facts=planted, due=START)
    found = differences()
    assert any("entries" in one for one in found)
    assert any("players of" in one for one in found)
    assert any("boards of event" in one for one in found)
    assert any("substitute of event" in one for one in found)


def test_a_full_contest_names_the_waiting_list_while_a_seat_may_become_free() -> None:
    world = started()
    with pytest.raises(UserError, match="wait for a seat") as refusal:
        world.say("eva", JoinContest(world.number))
    assert refusal.value.hint == f"contest join {world.number} wait"
    assert refusal.value.code == "contest.full"
    for match in Match.objects.filter(seats__player__key="ann"):
        for _ in range(2):
            world.move(match.pk)
    for waits in (False, True):
        with pytest.raises(UserError, match=r"no more players\.$"):
            world.say("eva", JoinContest(world.number, waits=waits))


@pytest.fixture
def filled(settings: Any) -> ContestWorld:
    """Start a contest of ann's that two programs have filled, and in which nobody has moved."""
    settings.SARSEN_BOTS = True
    make_accounts(START)
    world = ContestWorld(START)
    made = world.say("ann", MakeContest("druid", "round-robin", "-size=8", ("--bots=fill",)))
    assert isinstance(made, ContestMade)
    world.number = made.number
    world.wait(2 * DAY)
    assert world.view().entrants == ("ann", "bot2", "bot4")
    return world


def test_e29_entry_ends_two_days_after_the_first_player_at_all_doors(settings: Any) -> None:
    settings.SARSEN_BOTS = True
    make_accounts(START)
    world = ContestWorld(START)
    made = world.say("ann", MakeContest("druid", "round-robin", "-size=8", ("--bots=fill",)))
    assert isinstance(made, ContestMade)
    number, ends_at = made.number, START + 2 * DAY
    day = last_day(ends_at)
    (line,) = list_contests(viewer=None)
    assert (line.starts_at, view_contest(number).starts_at) == (ends_at, ends_at)
    (entry, _) = dates_of_contests(viewer=None)
    assert entry.at == ends_at
    words = translated(day_phrase(day, START.date()))
    page = view_page(number, None, START)
    assert words in translated(page.title)
    (opened,) = [one for one in page.log if one.kind == "opened"]
    assert words in translated(opened.words)
    assert view_for_letter(number, START).starts == day_phrase(day, START.date())
    assert differences() == []
    world.say("ann", LeaveContest(number))
    assert view_contest(number).starts_at == list_contests(viewer=None)[0].starts_at
    assert list_contests(viewer=None)[0].starts_at != ends_at  # nobody waits for programs any more
    joined = sentence(world.say("bob", JoinContest(number)))
    assert joined.endswith(f"after {day:%a} {day.day} {day:%b} programs take the empty seats.")
    assert differences() == []


def test_e29_a_program_gives_its_seat_to_a_person_before_its_first_move(
    filled: ContestWorld,
) -> None:
    joined = filled.say("eva", JoinContest(filled.number))
    assert isinstance(joined, ContestJoined)
    assert joined.has_started
    assert filled.view().entrants == ("ann", "eva", "bot4")
    filled.say("fay", JoinContest(filled.number, waits=True))  # no need to wait
    assert filled.view().entrants == ("ann", "eva", "fay")
    assert len(filled.view().boards) == 3
    assert all(line.board for line in filled.view().boards)
    with pytest.raises(UserError) as refusal:
        filled.say("gil", JoinContest(filled.number))
    assert refusal.value.code == "contest.full"
    assert sorted(set(filled.letters("contest-substituted"))) == ["ann", "eva", "fay"]
    assert differences() == []


def test_e29_a_program_that_has_moved_keeps_its_seat(filled: ContestWorld) -> None:
    match = filled.board("bot2", "bot4")
    programs = {row.player.userid: row.player for row in match.seat_rows}
    mover = match.seat_rows[0].player.userid
    position = load("druid").read(match.position)
    text = position.format(next(iter(position.legal_moves())))
    perform(PlayMove("druid", match.pk, text), Actor(programs[mover]), "bot 1", filled.now)
    filled.say("eva", JoinContest(filled.number))
    assert mover in filled.view().entrants
    assert "eva" in filled.view().entrants


def test_programs_are_marked_in_the_table(filled: ContestWorld) -> None:
    table = filled.say("ann", ShowContest(filled.number))
    assert isinstance(table, Table)
    assert sorted(row[1] for row in table.rows) == ["ann", "bot2 (bot)", "bot4 (bot)"]


def test_games_that_nobody_began_before_a_player_left_hold_no_contest_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid", "dan", terms=("--games=2", "--boards=2"))
    for _ in range(4):  # of dan's six games: those that are left count as lost
        own = Match.objects.filter(ended_at=None, seats__player__key="dan").order_by("pk").first()
        assert own is not None
        world.say("dan", Resign(own.game, own.pk, confirmed=True))
        world.sweep()
    world.say("dan", LeaveContest(world.number, confirmed=True))
    left = ContestEvent.objects.get(kind="withdrawn").facts["left"]
    started = {event.facts["key"] for event in ContestEvent.objects.filter(kind="board")}
    assert {key for key, _ in left} - started
    for match in Match.objects.filter(ended_at=None).order_by("pk"):
        world.move(match.pk)
    world.wait(2 * DAY)
    assert "cannot be carried on" not in caplog.text
