"""Joining on a page: a letter with six digits, typed where they were asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from email import message_from_bytes, policy
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from sarsen.doors.mail import jobs
from sarsen.services.accounts import attempts
from sarsen.storage.models import CaughtMail, OutgoingMail, Player, Signup
from visitor import Visitor, who

Visit = Callable[..., Visitor]
DORA = {"userid": "dora", "address": "dora@example.org", "zone": "Europe/Berlin"}


@pytest.fixture
def nobody(visit: Visit) -> Visitor:
    visitor = visit()
    visitor.go("/join/")
    return visitor


def digits() -> str:
    """Return the digits of the newest letter, as its reader sees them."""
    jobs.send_mail.call()
    raw = bytes(CaughtMail.objects.filter(letter__kind="signup").latest("pk").raw)
    body = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    assert body is not None
    found = re.search(r"asked for them: (\d{6})\b", str(body.get_content()))
    assert found
    return found[1]


def wrong(right: str) -> str:
    return f"{(int(right) + 1) % 10**6:06d}"


def test_six_digits_make_an_account_without_a_password_that_every_door_knows(
    nobody: Visitor,
) -> None:
    nobody.press("Join", **DORA)
    assert nobody.path == "/join/code/"
    assert "A mail is on its way to dora@example.org" in nobody.text
    typed = digits()
    nobody.press("Continue", digits=f" {typed[:3]}-{typed[3:]} ")
    assert "Welcome, dora" in nobody.text
    assert who(nobody) == "dora"
    dora = Player.objects.get(key="dora")
    assert dora.timezone == "Europe/Berlin"
    assert not dora.has_usable_password()
    assert [one.address for one in dora.addresses.all()] == ["dora@example.org"]
    assert not Signup.objects.exists()
    (welcome,) = OutgoingMail.objects.filter(kind="welcome")
    assert welcome.player == dora  # its reply address speaks for her
    nobody.go("/join/code/")
    assert nobody.path == "/my/"


def test_a_session_that_somebody_else_gave_is_not_the_one_that_is_logged_in(
    nobody: Visitor,
) -> None:
    nobody.press("Join", **DORA)
    before = nobody.client.cookies["sessionid"].value
    nobody.press("Continue", digits=digits())
    assert nobody.client.cookies["sessionid"].value != before


def test_digits_are_good_only_in_the_browser_that_asked_for_them(
    nobody: Visitor, visit: Visit
) -> None:
    nobody.press("Join", **DORA)
    typed = digits()
    thief = visit()
    thief.go("/join/")
    thief.press("Join", userid="thief", address="thief@example.org")
    thief.press("Continue", digits=typed)
    assert thief.status == 422
    assert not Player.objects.exists()


def test_five_wrong_digits_make_them_void_and_the_link_still_works(nobody: Visitor) -> None:
    nobody.press("Join", **DORA)
    typed = digits()
    for _ in range(5):
        nobody.press("Continue", digits=wrong(typed))
        assert nobody.status == 422
    nobody.press("Continue", digits=typed)
    assert nobody.status == 422
    assert "Open the link" in nobody.text
    nobody.go(f"/welcome/{Signup.objects.get().code}/")
    nobody.press("Yes, I am dora")
    assert who(nobody) == "dora"
    nobody.go("/join/code/")
    nobody.press("Continue", digits=typed)
    assert "was already confirmed" in nobody.text


def test_digits_hold_for_half_an_hour(nobody: Visitor) -> None:
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        nobody.press("Join", **DORA)
        typed = digits()
        clock.move_to(start + timedelta(minutes=31))
        nobody.press("Continue", digits=typed)
        assert nobody.status == 422
        clock.move_to(start + timedelta(minutes=29))
        nobody.press("Continue", digits=typed)
        assert nobody.status == 200


def test_a_double_click_sends_one_letter_and_one_place_sends_so_many_a_day(
    nobody: Visitor, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(attempts.MAX_A_DAY, "signup", 2)
    monkeypatch.setitem(attempts.MAX_A_DAY, "login", 3)
    nobody.press("Join", **DORA)
    nobody.send(*nobody.last)
    assert OutgoingMail.objects.filter(kind="signup").count() == 1
    for number in (1, 2):
        nobody.go("/join/")
        nobody.press("Join", userid=f"dora{number}", address=f"dora{number}@example.org")
    assert nobody.status == 422
    assert "too many attempts from your network" in nobody.text
    assert OutgoingMail.objects.filter(kind="signup").count() == 2
    guesser = visit()
    for _ in range(4):
        guesser.go("/login/")
        guesser.press("Log in", name="ghost", password="guessed-words")
    assert "too many attempts" in guesser.text


def test_nobody_learns_whose_address_it_is_and_a_taken_userid_is_said_with_a_free_one(
    world: Any, nobody: Visitor, visit: Visit
) -> None:
    world.player("ann")

    def said(userid: str, address: str) -> str:
        visitor = visit()
        visitor.go("/join/")
        return visitor.press("Join", userid=userid, address=address).replace(address, "ADDRESS")

    assert said("carla", "ann@example.org") == said("clara", "nobody@example.org")
    nobody.press("Join", userid="Ann", address="dora@example.org", zone="Nowhere/Here")
    assert "no time zone" in nobody.text
    nobody.press("Join", zone="UTC")
    assert "The name Ann is taken." in nobody.text
    assert "Ann2 is free." in nobody.text
    fields = nobody.tree.xpath("//input[@id='userid' or @id='address']/@value")
    assert fields == ["Ann", "dora@example.org"]


def test_a_form_that_was_too_old_is_shown_again_with_what_was_typed(nobody: Visitor) -> None:
    nobody.send("/join/", [*DORA.items()])
    assert nobody.status == 403
    assert "nothing was sent" in nobody.text
    nobody.press("Join")
    assert nobody.path == "/join/code/"
    nobody.send("/login/", [("name", "dora"), ("password", "open-sesame")])
    assert nobody.status == 403
    assert nobody.tree.xpath("//input[@id='name']/@value") == ["dora"]
    nobody.send("/account/tokens/", [("label", "My engine"), ("password", "open-sesame")])
    assert nobody.status == 403
    assert "My engine" in nobody.text
    assert "open-sesame" not in nobody.page


def test_joining_looks_for_no_account_of_the_address_before_the_answer(world: Any) -> None:
    """What is not looked up, no time can tell: a known address takes the same statements."""
    world.player("ann")

    def statements(userid: str, address: str) -> list[str]:
        form = {"userid": userid, "address": address, "zone": ""}
        with CaptureQueriesContext(connection) as captured:
            assert Client().post("/join/", form).status_code == 302
        return [re.sub(r"'[^']*'|[0-9]+", "…", query["sql"]) for query in captured]

    statements("fritz", "fritz@example.org")  # also queues the job that sends the letters
    known, unknown = statements("dora", "ann@example.org"), statements("emil", "emil@example.org")
    assert known == unknown
    assert [sql for sql in known if "storage_address" in sql] == []
