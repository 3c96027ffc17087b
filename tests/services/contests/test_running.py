"""Contests as they run: started, carried on and ended by the sweep."""

from __future__ import annotations

from datetime import timedelta

import pytest

from contest_world import DAY, ContestWorld
from sarsen.core.errors import UserError
from sarsen.language.commands import (
    AskUndo,
    CloseContest,
    CorrectContest,
    JoinContest,
    LeaveContest,
    ListContests,
    MakeContest,
    ShowContest,
    SignOff,
    StartContest,
    WithdrawFromContest,
)
from sarsen.language.contests.answers import ContestLeaveAsked, ContestMade, ContestWithdrawn
from sarsen.language.ratings import Table
from sarsen.services.accounts.leaving import forget
from sarsen.services.admin.actions import ban
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.storage.models import (
    Contest,
    ContestBoard,
    ContestEntry,
    ContestEvent,
    Match,
    MatchEvent,
    Result,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def four() -> ContestWorld:
    world = ContestWorld()
    world.make("ann", "bob", "cid", "dora")
    return world


def differences() -> list[str]:
    found = verify(VerifyReport(), lambda: None)
    return [f"{one.about}, {one.what}: {one.stored}; {one.recomputed}" for one in found]


def test_a_contest_that_is_full_starts_with_all_boards_and_one_letter_each(
    four: ContestWorld,
) -> None:
    assert four.view().state == "running"
    assert Match.objects.count() == 6
    assert four.letters("contest-started") == ["ann", "bob", "cid", "dora"]
    # The players who move first have the board, and nobody else.
    movers = [match.seat_rows[0].player.userid for match in Match.objects.order_by("pk")]
    assert four.letters("board") == movers
    assert differences() == []


def test_it_ends_with_its_last_board(four: ContestWorld) -> None:
    names = ("ann", "bob", "cid", "dora")
    for at, winner in enumerate(names):
        for loser in names[at + 1 :]:
            four.win(winner, loser)
    assert four.view().state == "ended"
    assert four.points() == {"ann": 3, "bob": 2, "cid": 1, "dora": 0}
    assert four.letters("contest-ended") == list(names)
    assert differences() == []


def test_a_sweep_more_changes_nothing(four: ContestWorld) -> None:
    four.win("ann", "bob")
    log = four.kinds()
    Contest.objects.update(look_at=four.now)
    four.sweep()
    assert four.kinds() == log


def test_it_starts_on_its_day_with_enough_players() -> None:
    world = ContestWorld()
    made = world.say("ann", MakeContest("visavis", "round-robin", "-size=5", ("--solved",)))
    assert isinstance(made, ContestMade)
    assert (made.starts, made.ends) == ("2026-12-04", "2027-03-04")
    for name in ("bob", "cid"):
        world.say(name, JoinContest(made.number))
    world.wait(13 * DAY)
    assert Contest.objects.get().state == "open"
    world.wait(2 * DAY)
    world.number = made.number
    assert world.view().state == "running"
    assert world.view().ends_at == Contest.objects.get().ends_at
    assert differences() == []


def test_with_too_few_players_it_waits_a_week_and_tells_once() -> None:
    world = ContestWorld()
    made = world.say("ann", MakeContest("visavis", "round-robin", "-size=5", ("--solved",)))
    assert isinstance(made, ContestMade)
    world.wait(30 * DAY)
    assert Contest.objects.get().state == "open"
    assert world.letters("contest-postponed") == ["ann"]
    world.number = made.number
    assert world.kinds().count("opened") == 4


def test_e1_no_move_is_taken_back(four: ContestWorld) -> None:
    match = four.board("ann", "dora")
    four.move(match.pk)
    with pytest.raises(UserError, match="no moves are taken back") as refusal:
        four.say("ann", AskUndo("visavis", match.pk))
    assert refusal.value.code == "contest.no-undo"


def test_e2_the_clocks_come_from_the_days_and_the_length_of_games(four: ContestWorld) -> None:
    terms = four.board("ann", "bob").terms
    assert terms["totaltime"] == 30
    assert terms["increment"] == 0.75
    assert (terms["forfeittime"], terms["nagtime"]) == (14, 5)


def test_e5_a_move_after_the_end_date_is_refused(four: ContestWorld) -> None:
    match = four.board("ann", "dora")
    ends_at = Contest.objects.get().ends_at
    assert ends_at is not None
    four.now = ends_at
    with pytest.raises(UserError, match="end date") as refusal:
        four.move(match.pk)
    assert refusal.value.code == "contest.ended"


def test_e5_a_sweep_two_days_late_writes_the_same_log() -> None:
    logs = []
    for late in (timedelta(), 2 * DAY):
        world = ContestWorld()
        number = world.make("ann", "bob", "cid", terms=("--days=14", "--forfeittime=30"))
        ends_at = Contest.objects.get(pk=number).ends_at
        assert ends_at is not None
        world.now = ends_at + late
        world.sweep()
        log = Contest.objects.get(pk=number).log.all()
        first = Match.objects.filter(contest_board__contest=number).earliest("pk").pk
        logs.append(
            [
                (
                    event.kind,
                    event.due,
                    event.facts | {"board": event.facts.get("board", first) - first},
                )
                for event in log
                if event.kind not in ("made",)
            ]
        )
    assert logs[0] == logs[1]


def test_e8_who_leaves_is_asked_first(four: ContestWorld) -> None:
    four.win("dora", "ann")
    asked = four.say("dora", LeaveContest(four.number))
    assert asked == ContestLeaveAsked(four.number, "Visavis round robin", 1, 3, annuls=True)
    assert four.view().state == "running"
    left = four.say("dora", LeaveContest(four.number, confirmed=True))
    assert isinstance(left, ContestWithdrawn)
    assert left.annuls
    four.sweep()
    assert four.points() == {"ann": 0, "bob": 0, "cid": 0, "dora": 0}
    assert Match.objects.filter(ended_at=None).count() == 3
    assert four.letters("contest-withdrawn") == ["ann", "bob", "cid"]
    assert ContestEntry.objects.get(player__key="dora").is_out
    assert differences() == []


def test_e8_a_host_withdraws_with_a_reason(four: ContestWorld) -> None:
    with pytest.raises(UserError) as refusal:
        four.say("bob", WithdrawFromContest(four.number, "dora", "gone"))
    assert refusal.value.code == "contest.host-only"
    with pytest.raises(UserError) as refusal:
        four.say("ann", WithdrawFromContest(four.number, "dora", "gone"))
    assert refusal.value.code == "contest.host-plays"  # an opponent who is there
    four.now += 8 * DAY
    with pytest.raises(UserError) as refusal:
        four.say("ann", WithdrawFromContest(four.number, "dora"))
    assert refusal.value.code == "reason-missing"
    done = four.say("ann", WithdrawFromContest(four.number, "dora", "gone"))
    assert isinstance(done, ContestWithdrawn)
    assert (done.userid, done.reason, done.annuls) == ("dora", "gone", True)
    assert four.letters("contest-withdrawn") == ["ann", "bob", "cid", "dora"]


def test_e8_thirty_days_of_silence_are_warned_and_then_too_long() -> None:
    four = ContestWorld()
    four.make("ann", "bob", "cid", "dora", terms=("--forfeittime=60",))
    for one, other in (("ann", "bob"), ("bob", "cid"), ("cid", "ann")):
        four.win(one, other)

    def all_but_dora_write() -> None:
        for name in ("ann", "bob", "cid"):
            four.say(name, ListContests())

    four.wait(20 * DAY)
    all_but_dora_write()
    four.wait(4 * DAY)
    assert four.letters("contest-warned") == ["dora"]
    four.wait(7 * DAY)
    assert "withdrawn" in four.kinds()
    assert ContestEntry.objects.get(is_out=True).player.userid == "dora"
    assert differences() == []


def test_e8_a_sign_of_life_ends_the_silence() -> None:
    four = ContestWorld()
    four.make("ann", "bob", "cid", "dora", terms=("--forfeittime=60",))
    four.wait(24 * DAY)
    assert "dora" in four.letters("contest-warned")
    for name in ("ann", "bob", "cid", "dora"):
        four.say(name, ListContests())
    four.wait(10 * DAY)
    assert "withdrawn" not in four.kinds()


def test_e11_the_first_loss_on_time_of_an_absence_is_rated() -> None:
    four = ContestWorld()
    four.make("ann", "bob", "cid", "dora", options="-size=9")
    for other in ("ann", "bob", "cid"):
        match = four.board("dora", other)
        for _ in range(4):
            four.move(Match.objects.get(pk=match.pk).pk)
        match.refresh_from_db()
        if match.seat_rows[match.seat_to_move].player.userid != "dora":
            four.move(match.pk)
        four.now += timedelta(hours=1)
    four.wait(20 * DAY)
    lost = MatchEvent.objects.filter(kind="forfeit").order_by("at", "pk")
    boards = [
        event.match for event in lost if event.match.seat_rows[event.seat].player.userid == "dora"
    ]
    assert len(boards) == 3
    rated = [any(row.is_rated for row in Result.objects.filter(match=match)) for match in boards]
    assert rated == [True, False, False]


def test_e16_boards_that_run_at_the_end_date_are_decided_unrated() -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid", options="-size=9", terms=("--days=14", "--forfeittime=60"))
    begun = world.board("ann", "bob")
    for _ in range(3):
        world.move(begun.pk)
    world.wait(29 * DAY)
    assert world.view().state == "ended"
    decided = MatchEvent.objects.filter(kind="decide")
    assert decided.count() == 3
    assert not Result.objects.filter(is_rated=True).exists()
    # The first moves cost no time: whoever was to move then has used all of it.
    begun.refresh_from_db()
    assert begun.reason.endswith("had used less time by the end date.")
    assert begun.scores is not None
    assert begun.scores[begun.seat_to_move] == 0
    assert differences() == []


def test_e36_an_operator_corrects_a_result_with_a_reason(four: ContestWorld) -> None:
    four.win("ann", "bob")
    match = four.board("ann", "bob")
    operator = four.world.player("opa")
    operator.is_staff = True
    operator.save()
    seats = [row.player.userid for row in match.seat_rows]
    won = "1-0" if seats[0] == "bob" else "0-1"
    four.say("opa", CorrectContest(four.number, match.pk, won, "wrong board"))
    assert four.points()["bob"] == 1
    assert four.letters("contest-corrected") == ["ann", "bob"]
    four.say("opa", CorrectContest(four.number, match.pk, "void", "wrong board"))
    assert four.points()["bob"] == 0
    assert differences() == []


REFUSALS = [
    ("ann", JoinContest(99), "unknown-contest"),
    ("ann", JoinContest(1), "contest.in-already"),
    ("eva", JoinContest(1), "contest.full"),
    ("eva", LeaveContest(1), "contest.not-in"),
    ("ann", StartContest(1), "contest.running"),
    ("ann", CloseContest(1), "contest.running"),
    ("bob", CloseContest(1), "contest.host-only"),
    ("ann", CorrectContest(1, 1, "1-0", "wrong"), "operators-only"),
    ("ann", WithdrawFromContest(1, "eva"), "contest.not-in"),
    ("ann", MakeContest("visavis", "leage"), "unknown-format"),
    ("ann", MakeContest("chess", "round-robin"), "unknown-game"),
    ("ann", MakeContest("visavis", "round-robin", "-swap", terms=("--most=2",)), "option-range"),
    ("ann", MakeContest("visavis", "round-robin", "-swap", terms=("--days=3",)), "option-range"),
    ("ann", MakeContest("visavis", "round-robin", "-swap", terms=("--private",)), "unknown-option"),
    ("ann", MakeContest("visavis", "round-robin"), "contest.solved"),
    ("ann", MakeContest("vasco", "round-robin", "-size=47"), "contest.solved"),
    (
        "ann",
        MakeContest("visavis", "round-robin", "-swap", terms=("--most=4", "--least=5")),
        "contest.dates",
    ),
    (
        "ann",
        MakeContest("visavis", "round-robin", "-swap", terms=("--starts=2020-01-01",)),
        "contest.dates",
    ),
    ("ann", MakeContest("visavis", "round-robin", "-swap", name="x"), "contest.name"),
    (
        "ann",
        MakeContest("visavis", "round-robin", "-swap", name="Visavis round robin"),
        "contest.name",
    ),
]


@pytest.mark.parametrize(("userid", "command", "code"), REFUSALS, ids=lambda one: str(one)[:40])
def test_refusals_change_nothing(
    four: ContestWorld, userid: str, command: object, code: str
) -> None:
    four.world.player("eva")
    asked = command
    if getattr(command, "number", 0) == 1:
        asked = type(command)(**{**vars(command), "number": four.number})
    log = four.kinds()
    with pytest.raises(UserError) as refusal:
        four.say(userid, asked)  # type: ignore[arg-type]
    assert refusal.value.code == code
    assert four.kinds() == log
    assert Contest.objects.count() == 1


def test_boards_are_made_once_by_their_keys(four: ContestWorld) -> None:
    keys = list(ContestBoard.objects.values_list("key", flat=True))
    assert len(keys) == len(set(keys)) == 6


@pytest.mark.parametrize(
    ("game", "options", "terms"),
    [
        ("druid", "-size=8", ()),
        ("gyges", "", ()),
        ("visavis", "-swap", ()),
        ("vasco", "-size=40", ()),
        ("visavis", "", ("--games=2",)),
        ("visavis", "", ("--solved",)),
    ],
)
def test_e32_games_of_unknown_value_or_seats_exchanged_are_made(
    game: str, options: str, terms: tuple[str, ...]
) -> None:
    world = ContestWorld()
    made = world.say("ann", MakeContest(game, "round-robin", options, terms))
    assert isinstance(made, ContestMade)
    world.number = made.number
    world.say("bob", ListContests())
    title = shown_title(world)
    assert title.count("solved") == (game == "visavis" and not options)


def shown_title(world: ContestWorld) -> str:
    table = world.say("bob", ShowContest(world.number))
    assert isinstance(table, Table)
    return str(table.title)


def test_who_leaves_the_server_is_out_of_all_contests(four: ContestWorld) -> None:
    waiting = ContestWorld()
    waiting.make("dora", most=4, game="gyges", options="")
    four.say("dora", SignOff(confirmed=True))
    four.sweep()
    assert "withdrawn" in four.kinds()
    assert "left" in waiting.kinds()
    assert not Match.objects.filter(ended_at=None, seats__player__key="dora").exists()
    # Closed by the contest, and not resigned: nobody has played there yet.
    assert MatchEvent.objects.filter(kind="close").count() == 3
    assert differences() == []


def test_who_is_forgotten_leaves_no_name_and_no_words_in_contests() -> None:
    world = ContestWorld()
    made = world.say("dora", MakeContest("gyges", "round-robin", name="Rings of dora"))
    assert isinstance(made, ContestMade)
    running = ContestWorld()
    running.make("ann", "bob", "cid", "dora", game="druid", options="-size=4")
    running.now += 8 * DAY
    running.say("ann", WithdrawFromContest(running.number, "bob", "dora saw bob is gone"))
    dora = running.world.player("dora")
    forget(dora, running.now, AFTER_EVENTS)
    stored = [
        *Contest.objects.values_list("name", flat=True),
        *map(str, ContestEvent.objects.values_list("facts", flat=True)),
        *Match.objects.values_list("reason", flat=True),
    ]
    assert not [text for text in stored if "dora" in text]
    assert differences() == []


def test_who_is_banned_holds_nobody_up(four: ContestWorld) -> None:
    ban(four.world.player("dora"), "two accounts", four.now, resigns=True)
    four.sweep()
    assert "withdrawn" in four.kinds()
    assert not Match.objects.filter(ended_at=None, seats__player__key="dora").exists()


def test_e8_an_entrant_whose_games_are_all_over_may_be_silent() -> None:
    four = ContestWorld()
    four.make("ann", "bob", "cid", "dora", terms=("--forfeittime=60",))
    for other in ("bob", "cid", "dora"):
        four.win("ann", other)
    four.wait(24 * DAY)
    assert sorted(four.letters("contest-warned")) == ["bob", "cid", "dora"]
    four.wait(10 * DAY)
    assert not ContestEntry.objects.get(player__key="ann").is_out
