"""Unsubscribing by one click, and confirming a sign-up by its link."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sarsen.language.commands import SignUp
from sarsen.services.dispatch import perform
from sarsen.services.mail.reply_addresses import unsubscribe_token
from sarsen.services.notices import Channel, Event, channel_of
from sarsen.services.request import NOBODY
from sarsen.storage.models import OutgoingMail, Player, Signup

Read = Callable[..., str]
# As a mail program posts it: no cookie, no token of a form (RFC 8058).
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def wants_boards() -> bool:
    return channel_of(Player.objects.get(key="ann"), Event.TURN) is Channel.MAIL


@pytest.fixture
def address(world: Any) -> str:
    return f"/unsubscribe/{unsubscribe_token(world.player('ann'))}/"


@pytest.fixture
def strict() -> Client:
    return Client(enforce_csrf_checks=True)


def test_looking_changes_nothing(address: str, read: Read) -> None:
    page = read(address)
    assert "ann" in page
    assert "when it is your move" in page
    assert "Stop these mails" in page
    assert wants_boards()


def test_one_click_switches_board_mails_off_as_often_as_it_comes(
    address: str, strict: Client
) -> None:
    for _ in range(2):
        response = strict.post(address, ONE_CLICK)
        assert response.status_code == 200
        assert not wants_boards()


def test_they_are_switched_on_again_by_a_form_of_the_page(address: str, read: Read) -> None:
    browser = Client(enforce_csrf_checks=True)
    page = browser.post(address, ONE_CLICK).content.decode()
    assert f'action="{address}on/"' in page
    token = page.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    browser.post(f"{address}on/", {"csrfmiddlewaretoken": token})
    assert wants_boards()


def test_another_page_cannot_switch_them_on(address: str, strict: Client) -> None:
    strict.post(address, ONE_CLICK)
    assert strict.post(f"{address}on/").status_code == 403
    assert strict.get(f"{address}on/").status_code == 405
    assert not wants_boards()


def test_a_forged_address_is_refused(world: Any, address: str, strict: Client) -> None:
    bob = world.player("bob")
    mac = unsubscribe_token(bob).partition("-")[2]
    ann = Player.objects.get(key="ann")
    for token in (f"{ann.pk}-{mac}", f"{ann.pk}-", "1", "x", "9" * 30):
        assert strict.post(f"/unsubscribe/{token}/", ONE_CLICK).status_code == 404
        assert strict.get(f"/unsubscribe/{token}/").status_code == 404
    assert wants_boards()


def test_no_board_mails_still_means_reminders_and_ends(address: str, strict: Client) -> None:
    page = strict.post(address, ONE_CLICK).content.decode()
    ann = Player.objects.get(key="ann")
    assert channel_of(ann, Event.TURN) is channel_of(ann, Event.MOVED) is Channel.NONE
    others = set(Event) - {Event.TURN, Event.MOVED}
    assert {channel_of(ann, event) for event in others} == {Channel.MAIL}
    assert "so that you do not lose a game without being warned" in page


@pytest.mark.parametrize("event", ["message", "broadcast", "watched", "weekly", "started"])
def test_one_click_stops_the_kind_of_letter_it_stands_in(
    world: Any, strict: Client, event: str
) -> None:
    address = f"/unsubscribe/{unsubscribe_token(world.player('ann'), event)}/"
    assert strict.post(address, ONE_CLICK).status_code == 200
    assert Player.objects.get(key="ann").channels == {event: "none"}


@pytest.mark.parametrize("event", ["reminder", "ended"])
def test_who_stops_last_warnings_by_one_click_is_told_so_by_mail_once(
    world: Any, strict: Client, read: Read, event: str
) -> None:
    address = f"/unsubscribe/{unsubscribe_token(world.player('ann'), event)}/"
    assert "Without them you could lose a game" in read(address)
    for _ in range(2):
        assert (
            "lose a game without being warned" in strict.post(address, ONE_CLICK).content.decode()
        )
    (letter,) = OutgoingMail.objects.filter(kind="warnings-off")
    assert letter.facts == {"event": event}


def test_stopping_the_digest_keeps_the_ends_of_games_by_mail(world: Any, strict: Client) -> None:
    Player.objects.filter(pk=world.player("ann").pk).update(
        channels={"turn": "digest", "ended": "digest", "chat": "none"}
    )
    address = f"/unsubscribe/{unsubscribe_token(world.player('ann'), 'digest')}/"
    assert strict.post(address, ONE_CLICK).status_code == 200
    ann = Player.objects.get(key="ann")
    assert ann.channels == {"turn": "none", "chat": "none"}
    assert channel_of(ann, Event.ENDED) is Channel.MAIL


def test_a_token_for_one_kind_is_none_for_another(world: Any, strict: Client) -> None:
    token = unsubscribe_token(world.player("ann"), "message")
    for forged in (
        token.replace("message", "reminder"),
        token.replace("message-", ""),
        token.replace("message", "account"),
        unsubscribe_token(world.player("ann"), "account").replace("account", "x"),
    ):
        assert strict.post(f"/unsubscribe/{forged}/", ONE_CLICK).status_code == 404
    assert not Player.objects.get(key="ann").channels


def sign_up(userid: str = "carla") -> str:
    perform(SignUp(userid, "", (f"{userid}@example.org",)), NOBODY, "", timezone.now())
    return str(Signup.objects.get(userid=userid).code)


def test_a_welcome_link_asks_first_and_then_makes_the_account(
    db: None, browser: Client, read: Read
) -> None:
    address = f"/welcome/{sign_up()}/"
    assert "Join as carla?" in read(address)
    assert not Player.objects.filter(key="carla").exists()
    for _ in range(2):  # a double click is told the same twice
        response = browser.post(address)
        assert response.status_code == 200
        assert b"Welcome, carla" in response.content
    assert Player.objects.filter(key="carla").count() == 1
    assert "was already confirmed" in read(address, 404)


def test_an_unknown_or_old_welcome_code_is_refused(db: None, browser: Client, read: Read) -> None:
    assert "There is no sign-up for this code" in read(f"/welcome/{'0' * 20}/", 404)
    assert browser.post(f"/welcome/{'0' * 20}/").status_code == 404
    code = sign_up()
    Signup.objects.update(asked_at=timezone.now() - timedelta(days=8))
    assert "There is no sign-up for this code" in read(f"/welcome/{code}/", 404)


def test_a_welcome_needs_the_token_of_its_form(db: None, strict: Client) -> None:
    assert strict.post(f"/welcome/{sign_up()}/").status_code == 403
    assert not Player.objects.exists()
