"""The machine's clock jumps, the server sleeps, and a move comes in the very last second."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pytest_django import Settings

from faults.one_effect import deeds
from faults.one_effect.deeds import Deed
from faults.one_effect.relay import Relay
from faults.one_effect.server import Server
from sarsen.doors.mail.send import sending
from sarsen.services.mail import reply_addresses
from sarsen.storage.models import InboundMail, Match, MatchSeat, OutgoingMail

SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def server(db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server that may be asleep for a day before that counts as away."""
    settings.SARSEN_SMTP_URL = "smtp://relay.example:25"
    settings.SARSEN_MAIL_PICTURES = False
    monkeypatch.setattr("sarsen.services.clocks.turns.AWAY_AFTER", timedelta(minutes=1440))
    relay = Relay()
    monkeypatch.setattr(sending, "_backend", lambda: relay)
    return Server(relay)


def at_the_deadline(server: Server, *terms: str) -> Match:
    """Begin a board, let its first turn be warned, and come to its deadline."""
    board = server.begin("druid", terms or ("--forfeittime=2",), "ann", "bob")
    while (due := server.next_deadline()) and server.now < due:
        server.now = min(due, server.now + 12 * HOUR)
        if server.now < due:
            server.look_after_clocks()
    return Match.objects.get(pk=board)


def move_by_mail(server: Server, match: Match, text: str = "a1") -> None:
    """Take a mail with a move, which nobody answers yet."""
    address = reply_addresses.board_address(server.players["ann"], match.pk, 1, event=0)
    assert address is not None
    mail = deeds.mail(Deed("move", "ann"), "ann@ann.example", address, text, "late@ann.example")
    server.store(mail)


def work(server: Server) -> None:
    with server.clock():
        server.answer_mail()


def test_f19_move_that_came_in_the_second_of_the_deadline_counts_though_the_sweep_is_first(
    server: Server,
) -> None:
    match = at_the_deadline(server)
    move_by_mail(server, match)
    server.look_after_clocks()
    match.refresh_from_db()
    assert match.ended_at is None
    work(server)
    server.look_after_clocks()
    match.refresh_from_db()
    assert (match.ply, match.ended_at) == (1, None)
    assert not OutgoingMail.objects.filter(kind="forfeit").exists()


def test_f19_move_that_came_in_that_second_counts_when_it_is_answered_first(
    server: Server,
) -> None:
    match = at_the_deadline(server)
    move_by_mail(server, match)
    work(server)
    server.look_after_clocks()
    match.refresh_from_db()
    assert (match.ply, match.ended_at) == (1, None)


def test_f19_move_that_came_after_the_deadline_loses_to_the_sweep(server: Server) -> None:
    match = at_the_deadline(server)
    server.now += SECOND
    move_by_mail(server, match)
    server.look_after_clocks()
    match.refresh_from_db()
    assert match.ended_at == server.now
    work(server)
    match.refresh_from_db()
    assert match.ply == 0
    assert InboundMail.objects.get().note == "board-finished"


def test_f19_mail_that_plays_nothing_delays_a_loss_only_until_it_is_answered(
    server: Server,
) -> None:
    match = at_the_deadline(server)
    move_by_mail(server, match, "no such move")
    server.look_after_clocks()
    work(server)
    server.now += timedelta(minutes=2)
    server.look_after_clocks()
    match.refresh_from_db()
    assert match.ended_at == server.now


def test_f17_clock_that_steps_back_or_far_ahead_takes_no_game_and_gives_no_time(
    server: Server,
) -> None:
    board = server.begin("druid", ("--totaltime=3",), "ann", "bob")
    server.look_after_clocks()
    whole = 3 * DAY.total_seconds()
    for number, step in enumerate((-HOUR, 30 * DAY, -DAY, 90 * DAY, -2 * DAY), 1):
        server.pass_time(step)
        server.look_after_clocks()
        match = Match.objects.get(pk=board)
        assert match.ended_at is None
        reserves = MatchSeat.objects.values_list("reserve", flat=True)
        assert all(whole - HOUR.total_seconds() <= reserve <= whole for reserve in reserves)
        text = ("", "a1", "b1", "c1", "a2", "b2")[number]
        mover = ("ann", "bob")[match.seat_to_move]
        move = Deed("move", mover, board, line=f"move {board} {text}")
        assert server.type(deeds.typed(move))[0] == 200
    assert not OutgoingMail.objects.filter(kind="forfeit").exists()


def test_f17_deadlines_are_settled_again_when_a_clock_that_was_ahead_is_set_right(
    server: Server,
) -> None:
    first, second = (server.begin("druid", ("--forfeittime=2",), "ann", "bob") for _ in range(2))
    server.look_after_clocks()
    start, (due, _) = server.now, [Match.objects.get(pk=one).due_at for one in (first, second)]
    server.pass_time(90 * DAY)
    server.look_after_clocks()
    move = Deed("move", "ann", first, line=f"move {first} a1")
    assert server.type(deeds.typed(move))[0] == 200  # a turn that begins in three months
    server.pass_time(-90 * DAY)
    server.look_after_clocks()
    deadlines = {one.pk: one.due_at for one in Match.objects.all()}
    assert deadlines[first] <= server.now + 2 * DAY + HOUR
    assert deadlines[second] <= due + (server.now - start) + HOUR
    assert all(one.turn_began_at <= server.now for one in Match.objects.all())


def test_f17_letter_that_was_put_off_while_the_clock_was_a_year_ahead_goes_out_at_once(
    server: Server,
) -> None:
    server.begin("druid", (), "ann", "bob")
    server.look_after_clocks()
    server.pass_time(365 * DAY)
    server.look_after_clocks()
    server.relay.is_away = True
    with server.clock():
        server.send_mail()
    server.relay.is_away = False
    server.pass_time(-365 * DAY)
    server.look_after_clocks()
    with server.clock():
        server.send_mail()
    states = set(OutgoingMail.objects.filter(kind="board").values_list("state", flat=True))
    assert states == {"sent"}


def test_f18_server_that_was_down_across_a_deadline_flags_nobody_when_it_starts(
    server: Server,
) -> None:
    board = server.begin("druid", ("--forfeittime=2",), "ann", "bob")
    server.look_after_clocks()
    server.pass_time(9 * DAY)
    for _ in range(10):
        server.look_after_clocks()
        server.pass_time(timedelta(minutes=1))
    match = Match.objects.get(pk=board)
    assert match.ended_at is None
    assert match.due_at is not None
    assert match.due_at > server.now + DAY
