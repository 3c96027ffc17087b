"""Clocks by mail: agreed, shown in every board letter, and looked after."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest
import time_machine
from django.utils import timezone

from doors.mail.conftest import PostOffice, words_of
from doors.mail.conftest import text_of as wrapped_text_of
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.clocks.running import sweep
from sarsen.storage.models import Heartbeat, Match
from sarsen.workers import jobs

FRIDAY = datetime(2026, 11, 20, 12, tzinfo=UTC)
DAY = timedelta(days=1)
BOB = "bob@bob.example"
ANN = "ann@ann.example"


@pytest.fixture(autouse=True)
def clock() -> time_machine.Coordinates:
    with time_machine.travel(FRIDAY, tick=True) as traveller:
        yield traveller


def later(clock: time_machine.Coordinates, days: float) -> None:
    """Let some days pass in which the worker ran all the time."""
    clock.shift(days * DAY)
    now = timezone.now()
    Heartbeat.objects.update_or_create(name="clocks", defaults={"at": now})


def text_of(letter: EmailMessage) -> str:
    return wrapped_text_of(letter).replace("\r\n", "\n")


def html_of(letter: EmailMessage) -> str:
    part = letter.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def test_a_challenge_says_its_terms_wherever_it_is_described(post: PostOffice) -> None:
    ann = post.join("ann")
    post.join("bob")
    post.answer(ann, "druid challenge -size=4 ann bob --unrated --totaltime=30 --nagtime=2.5")
    terms = "--unrated --nagtime=2.5 --totaltime=30"
    invitation = post.last(BOB)
    assert f"Druid -size=4 {terms}" in words_of(invitation)
    assert f"druid -size=4 {terms}, ann v bob" in words_of(post.last(ANN))
    post.answer(invitation, "accept")
    for address in (ANN, BOB):
        letter = post.last(address)
        assert f"Druid Board 1 (-size=4 {terms})" in text_of(letter)
        assert f"Druid Board 1 (-size=4 {terms})" in html_of(letter)
    post.answer(ann, "games ann")
    assert "--nagtime=2.5 --totaltime=30" in text_of(post.last(ANN))


@pytest.mark.parametrize(
    ("options", "text", "line"),
    [
        ("-size=4 --nagtime=99 ann bob", "is already lost after 21", "-size=4 --nagtime=10.5"),
        ("-size=4 --nagtime=0 ann bob", "from 0.01 to 364", "-size=4 --nagtime=0.01"),
        ("-size=99 --private ann bob", "from 3 to 12", "-size=12 --private"),
        ("-foo --bar=1 ann bob", "There are: -size=N -nogaps", ""),
        ("--weekends=maybe ann bob", "one of on, off", "--weekends=on"),
        ("--forfeittime=soon ann bob", "a number of days", "--forfeittime=21"),
        ("--increment=1 ann bob", "without --totaltime", "--totaltime=30 --increment=1"),
        ("--bar ann bob", "There are: --unrated|--rated --private", ""),
    ],
)
def test_a_refused_option_comes_with_one_whole_line_that_works(
    post: PostOffice, options: str, text: str, line: str
) -> None:
    ann = post.join("ann")
    post.join("bob")
    post.answer(ann, f"druid challenge {options}")
    letter = post.last(ANN)
    whole = " ".join(filter(None, ("druid challenge", line, "ann bob")))
    assert text in words_of(letter)
    assert f"\n    {whole}\n" in f"{text_of(letter)}\n"
    post.answer(ann, whole)
    assert "It starts when bob accepts" in words_of(post.last(ANN))


def test_every_board_letter_says_the_deadline_in_its_readers_time(post: PostOffice) -> None:
    letters = post.board("-size=4 --totaltime=25")
    sentence = "ann must move by Fri 11 Dec 12:00 UTC; then 4 days of reserve are left."
    assert sentence in text_of(letters["ann"])
    assert sentence in html_of(letters["bob"])
    assert "V: ann (reserve: 25 days)    H: bob (reserve: 25 days)" in text_of(letters["bob"])
    post.answer(letters["bob"], "change timezone Europa/Bern")
    assert "unknown-timezone" in text_of(post.last(BOB))
    post.answer(letters["bob"], "change timezone Europe/Berlin")
    said = "Your time zone is Europe/Berlin, where it is now Fri 20 Nov 13:00."
    assert said in words_of(post.last(BOB))
    post.answer(letters["ann"], "a1")
    assert "bob must move by Fri 11 Dec 13:00 your time" in text_of(post.last(BOB))
    assert "bob must move by Fri 11 Dec 12:00 UTC" in text_of(post.last(ANN))


def test_a_vacation_by_mail_is_seen_by_the_opponent(post: PostOffice) -> None:
    letters = post.board("-size=4")
    post.answer(letters["bob"], "vacation today 24 Nov")
    said = "Your clocks are stopped from Fri 20 Nov to Tue 24 Nov, inclusive."
    assert said in words_of(post.last(BOB))
    post.answer(letters["ann"], "a1")
    letter = post.last(ANN)
    assert "H: bob (on vacation until Tue 24 Nov)" in text_of(letter)
    assert "bob must move by Wed 16 Dec 00:00 UTC. The clock is stopped: vacation." in words_of(
        letter
    )
    post.answer(letters["ann"], "games ann")
    assert "bob to move (on vacation until" in text_of(post.last(ANN))
    post.answer(letters["bob"], "vacation off")
    said = "Your vacation is over; your clocks run again. Left: 29 days for 2026."
    assert said in words_of(post.last(BOB))
    post.answer(letters["bob"], "weekends off")
    assert "Saturdays and Sundays do not count" in text_of(post.last(BOB))


def test_reminder_warning_and_forfeit_are_mailed_with_the_board(
    post: PostOffice, clock: time_machine.Coordinates
) -> None:
    post.board("-size=4 --nagtime=1 --forfeittime=4")
    later(clock, 1)
    jobs.look_after_clocks.call()
    post.work()
    reminder = post.last(ANN)
    assert reminder["Subject"] == "Druid Board 1"
    said = "It is still your turn. Please move by Tue 24 Nov 12:00 UTC."
    assert text_of(reminder).startswith(said)
    later(clock, 2)
    jobs.look_after_clocks.call()
    post.work()
    warning = post.last(ANN)
    assert "If you don't, you lose the game" in words_of(warning)
    later(clock, 1.01)
    jobs.look_after_clocks.call()
    post.work()
    mine = words_of(post.last(ANN))
    assert mine.startswith("You ran out of time, and the game is over. bob wins. Druid Board 1 ")
    letter = post.last(BOB)
    told = text_of(letter)
    assert told.startswith("ann ran out of time, and the game is over. bob wins.\n")
    for text in (mine, told, html_of(letter)):
        assert (text.count("bob wins"), text.count("ran out of time")) == (1, 1)
    assert "finished after 0 moves." in words_of(letter)
    assert "\n   1 forfeit\n" in told
    assert "forfeit</td>" in html_of(letter)
    post.answer(warning, "a1")
    assert "is finished" in text_of(post.last(ANN))


def test_the_warning_can_be_answered_with_the_move(
    post: PostOffice, clock: time_machine.Coordinates
) -> None:
    post.board("-size=4 --forfeittime=4")
    later(clock, 3)
    jobs.look_after_clocks.call()
    post.work()
    post.answer(post.last(ANN), "a1")
    assert Match.objects.get().ply == 1


def test_a_reminder_that_is_sent_after_the_move_says_so(
    post: PostOffice, clock: time_machine.Coordinates
) -> None:
    letters = post.board("-size=4")
    later(clock, 8)
    jobs.look_after_clocks.call()
    # The move is read before the reminder goes out.
    post.answer(letters["ann"], "a1")
    said = [text_of(letter) for letter in post.box(ANN)]
    assert any("it is no longer your turn" in text for text in said)


def test_a_sweep_with_nothing_due_sends_nothing(post: PostOffice) -> None:
    post.board("-size=4")
    assert sweep(timezone.now(), AFTER_EVENTS) == 0
