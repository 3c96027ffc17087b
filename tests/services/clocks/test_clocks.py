"""Clocks of real boards: started, charged, looked after, and never unjust."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sarsen.language.commands import (
    Accept,
    ChangeTimezone,
    ChangeWeekends,
    MakeChallenge,
    PlayMove,
    TakeVacation,
)
from sarsen.language.replies import ChallengeStands
from sarsen.services import clocks
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.boards.view import view_board
from sarsen.services.clocks import running
from sarsen.services.clocks.running import sweep
from sarsen.services.dispatch import perform
from sarsen.services.matches import matches, terms
from sarsen.services.request import NOBODY, Actor, BoardEvent, Request
from sarsen.storage.models import (
    Address,
    Downtime,
    Heartbeat,
    Match,
    MatchEvent,
    MatchSeat,
    OutgoingMail,
    Player,
)

pytestmark = [pytest.mark.django_db(reset_sequences=True), pytest.mark.postgres]
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
MONDAY = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _hourly_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweep every hour instead of every few seconds: the same arithmetic in less time."""
    monkeypatch.setattr("sarsen.services.clocks.turns.AWAY_AFTER", timedelta(minutes=60))


@pytest.fixture
def people() -> dict[str, Actor]:
    made = {}
    for userid in ("ann", "bob"):
        player = Player.objects.create(key=userid, userid=userid, joined_at=MONDAY)
        address = f"{userid}@x.example"
        Address.objects.create(player=player, address=address, confirmed_at=MONDAY)
        made[userid] = Actor(player)
    return made


def board(people: dict[str, Actor], *terms: str, now: datetime = MONDAY) -> Match:
    """Start a board on which ann moves first."""
    challenge = MakeChallenge("druid", "-size=4", terms, ("ann", "bob"))
    made = perform(challenge, people["ann"], "", now)
    assert isinstance(made, ChallengeStands)
    stands = perform(Accept(made.number), people["bob"], "", now)
    assert isinstance(stands, ChallengeStands)
    return Match.objects.get(pk=stands.board)


def play(people: dict[str, Actor], who: str, match: Match, text: str, now: datetime) -> Match:
    perform(PlayMove("druid", match.pk, text), people[who], "", now)
    return Match.objects.get(pk=match.pk)


def look_after(begin: datetime, end: datetime, every: timedelta = HOUR) -> None:
    """Let the worker sweep from one instant to another, as often as it would at least."""
    now = begin
    while now <= end:
        sweep(now, AFTER_EVENTS)
        now += every


def skip_to(now: datetime) -> None:
    """Let the worker have swept all the time until now, with nothing that was due."""
    Heartbeat.objects.update_or_create(name="clocks", defaults={"at": now - MINUTE})
    sweep(now, AFTER_EVENTS)


def letters(kind: str) -> list[str]:
    found = OutgoingMail.objects.filter(kind=kind).order_by("pk")
    return list(found.values_list("player__userid", flat=True))


def test_the_clock_of_the_first_seat_starts_with_the_game(people: dict[str, Actor]) -> None:
    match = board(people)
    assert (match.turn_began_at, match.due_at) == (MONDAY, MONDAY + 21 * DAY)
    assert match.look_at == MONDAY + 7 * DAY


def test_a_move_starts_the_clock_of_the_other_seat(people: dict[str, Actor]) -> None:
    match = play(people, "ann", board(people), "a1", MONDAY + 3 * DAY)
    assert match.turn_began_at == MONDAY + 3 * DAY
    assert match.due_at == MONDAY + 24 * DAY
    clock = view_board(match.pk).clock
    assert clock is not None
    assert (clock.userid, clock.due_at) == ("bob", match.due_at)
    assert view_board(match.pk, 0).clock is None


def test_the_last_move_stops_the_clock(people: dict[str, Actor]) -> None:
    match = board(people)
    matches.record_resignation(match, 0, Request(NOBODY, MONDAY, AFTER_EVENTS))
    match.refresh_from_db()
    assert (match.turn_began_at, match.due_at, match.look_at) == (None, None, None)
    assert view_board(match.pk).clock is None


def test_reserves_are_charged_what_a_turn_took_and_given_the_increment(
    people: dict[str, Actor],
) -> None:
    match = board(people, "--totaltime=30", "--increment=1")
    match = play(people, "ann", match, "a1", MONDAY + 5 * DAY)
    match = play(people, "bob", match, "b1", MONDAY + 6 * DAY)
    left = MatchSeat.objects.filter(match=match).values_list("reserve", flat=True)
    assert list(left) == [26 * 86400.0, 30 * 86400.0]
    clock = view_board(match.pk).clock
    assert clock is not None
    assert clock.reserves == (26 * DAY, 30 * DAY)
    assert clock.reserve_after == 5 * DAY


def test_the_reserve_is_the_deadline_once_it_is_shorter(people: dict[str, Actor]) -> None:
    match = board(people, "--totaltime=10")
    assert match.due_at == MONDAY + 10 * DAY
    clock = view_board(match.pk).clock
    assert clock is not None
    assert clock.reserve_after == timedelta()


def test_moves_taken_back_are_charged_without_increment(people: dict[str, Actor]) -> None:
    match = board(people, "--totaltime=30", "--increment=1")
    match = play(people, "ann", match, "a1", MONDAY + 5 * DAY)
    matches.take_back(match, 0, 0, Request(NOBODY, MONDAY + 7 * DAY, AFTER_EVENTS))
    left = MatchSeat.objects.filter(match=match).values_list("reserve", flat=True)
    assert list(left) == [26 * 86400.0, 28 * 86400.0]
    match.refresh_from_db()
    assert (match.turn_began_at, match.due_at) == (MONDAY + 7 * DAY, MONDAY + 28 * DAY)


def test_reminder_warning_and_forfeit_come_in_order_and_once(people: dict[str, Actor]) -> None:
    match = board(people, "--nagtime=1", "--forfeittime=4")
    look_after(MONDAY, MONDAY + 5 * DAY)
    assert letters("reminder") == letters("last-warning") == ["ann"]
    assert sorted(letters("forfeit")) == ["ann", "bob"]
    warned, lost = (
        OutgoingMail.objects.filter(kind=kind).values_list("queued_at", flat=True)[0]
        for kind in ("last-warning", "forfeit")
    )
    assert (warned, lost) == (MONDAY + 3 * DAY, MONDAY + 4 * DAY)
    match.refresh_from_db()
    assert (match.scores, match.ended_at) == ([0.0, 1.0], MONDAY + 4 * DAY)
    assert match.reason == "V ran out of time."
    event = MatchEvent.objects.get(match=match)
    assert (event.kind, event.seat, event.at) == ("forfeit", 0, MONDAY + 4 * DAY)
    assert match.look_at is None


def test_a_move_after_the_warning_begins_a_new_turn_with_new_notices(
    people: dict[str, Actor],
) -> None:
    match = board(people, "--nagtime=1", "--forfeittime=4")
    look_after(MONDAY, MONDAY + 3.5 * DAY)
    match = play(people, "ann", match, "a1", MONDAY + 3.5 * DAY + HOUR)
    assert (match.reminders, match.warned_at) == (0, None)
    look_after(MONDAY + 3.5 * DAY + HOUR, MONDAY + 4.7 * DAY)
    assert letters("reminder") == ["ann", "bob"]
    assert match.ended_at is None


def test_a_move_that_comes_late_but_before_the_sweep_counts(people: dict[str, Actor]) -> None:
    match = board(people, "--forfeittime=4")
    look_after(MONDAY, MONDAY + 4 * DAY - HOUR)
    match = play(people, "ann", match, "a1", MONDAY + 4 * DAY + MINUTE)
    sweep(MONDAY + 4 * DAY + 2 * MINUTE, AFTER_EVENTS)
    match.refresh_from_db()
    assert match.ended_at is None


def test_a_worker_that_was_busy_for_a_moment_warns_and_waits_instead_of_ending(
    people: dict[str, Actor],
) -> None:
    match = board(people)
    skip_to(MONDAY + 40 * DAY)
    match.refresh_from_db()
    assert match.ended_at is None
    assert match.due_at == MONDAY + 41 * DAY
    assert letters("last-warning") == ["ann"]
    look_after(MONDAY + 40 * DAY, MONDAY + 41 * DAY)
    match.refresh_from_db()
    assert match.ended_at == MONDAY + 41 * DAY


def test_five_days_of_downtime_over_a_deadline_count_for_nobody(people: dict[str, Actor]) -> None:
    match = board(people, "--nagtime=1", "--forfeittime=4")
    look_after(MONDAY, MONDAY + 2 * DAY)
    back = MONDAY + 7 * DAY
    sweep(back, AFTER_EVENTS)
    assert list(Downtime.objects.values_list("starts_at", "ends_at")) == [(MONDAY + 2 * DAY, back)]
    look_after(back, back + DAY - 2 * HOUR)
    assert (letters("reminder"), letters("last-warning")) == (["ann"], [])
    clock = view_board(match.pk).clock
    assert clock is not None
    assert clock.due_at == MONDAY + 9 * DAY
    look_after(back + DAY - HOUR, back + 2 * DAY)
    match.refresh_from_db()
    assert match.ended_at == MONDAY + 9 * DAY
    assert letters("last-warning") == ["ann"]


def test_downtime_is_not_charged_to_a_reserve_even_before_it_is_recorded(
    people: dict[str, Actor],
) -> None:
    match = board(people, "--totaltime=30")
    look_after(MONDAY, MONDAY + DAY)
    # The listener is back and plays a move before the worker sweeps.
    play(people, "ann", match, "a1", MONDAY + 6 * DAY)
    reserve = MatchSeat.objects.get(match=match, seat=0).reserve
    assert reserve == 29 * 86400.0


def test_after_a_downtime_every_running_clock_is_written_anew_batch_by_batch(
    people: dict[str, Actor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "BATCH", 2)
    monkeypatch.setattr(running, "MAX_SETTLED", 4)
    boards = [board(people) for _ in range(5)]
    perform(TakeVacation("2026-11-30", "2026-12-01"), people["ann"], "", MONDAY)
    sweep(MONDAY, AFTER_EVENTS)
    back = MONDAY + 2 * DAY
    late = board(people, now=back)
    written = []
    for _ in range(3):
        sweep(back, AFTER_EVENTS)
        due = Match.objects.filter(pk__in=[match.pk for match in boards])
        written.append(due.filter(due_at=MONDAY + 25 * DAY).count())
    assert written == [4, 5, 5]
    assert Downtime.objects.get().is_settled
    late.refresh_from_db()
    assert late.due_at == back + 23 * DAY


def test_a_short_silence_is_no_downtime(people: dict[str, Actor]) -> None:
    sweep(MONDAY, AFTER_EVENTS)
    sweep(MONDAY + HOUR, AFTER_EVENTS)
    assert not Downtime.objects.exists()
    sweep(MONDAY + 2 * HOUR + MINUTE, AFTER_EVENTS)
    assert Downtime.objects.count() == 1


def test_a_clock_of_the_machine_that_was_wrong_for_a_while_stops_no_game_for_a_year(
    people: dict[str, Actor],
) -> None:
    match = board(people)
    sweep(MONDAY, AFTER_EVENTS)
    sweep(MONDAY + 365 * DAY, AFTER_EVENTS)
    sweep(MONDAY + HOUR, AFTER_EVENTS)
    clock = view_board(match.pk).clock
    assert clock is not None
    assert clock.due_at == MONDAY + 21 * DAY + HOUR


def test_one_run_looks_at_so_many_boards_and_the_next_goes_on(
    people: dict[str, Actor], monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        board(people)
    monkeypatch.setattr(running, "MOST", 2)
    Heartbeat.objects.create(name="clocks", at=MONDAY + 7 * DAY)
    assert [sweep(MONDAY + 7 * DAY, AFTER_EVENTS) for _ in range(4)] == [2, 2, 1, 0]
    assert len(letters("reminder")) == 5


def test_a_board_whose_game_is_gone_does_not_stop_the_others(people: dict[str, Actor]) -> None:
    gone, match = board(people, "--forfeittime=4"), board(people, "--forfeittime=4")
    Match.objects.filter(pk=gone.pk).update(game="atlantis")
    look_after(MONDAY, MONDAY + 4 * DAY)
    match.refresh_from_db()
    gone.refresh_from_db()
    assert match.ended_at is not None
    assert gone.ended_at is None


def test_weekends_do_not_count_where_both_want_that_when_the_game_begins(
    people: dict[str, Actor],
) -> None:
    perform(ChangeWeekends(True), people["ann"], "", MONDAY)
    people["ann"].player.refresh_from_db()  # type: ignore[union-attr]
    assert board(people).terms["weekends"] == "on"
    perform(ChangeWeekends(True), people["bob"], "", MONDAY)
    people["bob"].player.refresh_from_db()  # type: ignore[union-attr]
    match = board(people)
    assert match.terms["weekends"] == "off"
    # 21 days of which none is on a weekend: Monday noon to a Tuesday noon, four weeks on.
    assert match.due_at == MONDAY + 29 * DAY
    perform(ChangeWeekends(False), people["bob"], "", MONDAY)
    assert Match.objects.get(pk=match.pk).terms["weekends"] == "off"


def test_weekends_of_a_running_game_follow_its_mover_to_another_zone(
    people: dict[str, Actor],
) -> None:
    match = board(people, "--weekends=off", "--forfeittime=4.5")
    assert match.due_at == MONDAY + 7 * DAY - 12 * HOUR
    perform(ChangeTimezone("pacific/auckland"), people["ann"], "", MONDAY)
    match.refresh_from_db()
    # Saturday begins there on Friday at 11:00 UTC.
    assert match.due_at == MONDAY + 6.5 * DAY


@pytest.mark.parametrize("given", [(), ("--totaltime=30", "--weekends=off")])
def test_a_move_asks_the_database_little_about_clocks(
    people: dict[str, Actor], given: tuple[str, ...]
) -> None:
    match = board(people, *given)
    request = Request(NOBODY, MONDAY + DAY, AFTER_EVENTS)
    with CaptureQueriesContext(connection) as asked:
        clocks.keep_time(BoardEvent(match, "move", 0, request, turn_of=0))
    assert len(asked) <= (7 if given else 1)
    assert terms.write_terms(match.terms) == " ".join(given)


def test_a_board_shown_asks_one_question_more_for_its_clock(people: dict[str, Actor]) -> None:
    match = board(people)
    sitters = (clocks.ClockSeat(1, "ann", "UTC", None), clocks.ClockSeat(2, "bob", "UTC", None))
    assert match.seat_rows  # a view of a board has loaded its seats
    with CaptureQueriesContext(connection) as asked:
        assert clocks.view_clock(match, sitters)
    assert len(asked) == 1


def test_one_board_that_cannot_be_judged_does_not_stop_the_clocks_of_others(
    people: dict[str, Actor],
) -> None:
    broken, sound = board(people), board(people)
    # Found first, and of a seat that there is not.
    Match.objects.filter(pk=broken.pk).update(seat_to_move=7, look_at=MONDAY)
    sweep(MONDAY + 8 * DAY, AFTER_EVENTS)
    assert list(OutgoingMail.objects.filter(kind="reminder").values_list("match", flat=True)) == [
        sound.pk
    ]
    broken.refresh_from_db()
    assert broken.look_at == MONDAY + 8 * DAY + running.TRY_AGAIN
