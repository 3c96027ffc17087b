"""Caught mail: read it, answer it, write it; only at the machine itself."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest
from django.test import Client

from sarsen.storage.models import InboundMail

Read = Callable[..., str]
SERVER = "sarsen@sarsen.test"


def token_of(page: str) -> str:
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found
    return found[1]


def stored() -> list[tuple[str, str, EmailMessage]]:
    return [
        (
            mail.envelope_sender,
            mail.recipient,
            email.message_from_bytes(bytes(mail.raw), policy=email.policy.default),
        )
        for mail in InboundMail.objects.order_by("pk")
    ]


def test_mail_is_listed_newest_first_and_by_address(world: Any, read: Read) -> None:
    first = world.caught("ann@example.org", "first")
    second = world.caught("bob@example.org", "second")
    page = read("/mail/")
    assert page.index(f"/mail/{second}/") < page.index(f"/mail/{first}/")
    only = read("/mail/?to=ann%40example.org")
    assert f"/mail/{first}/" in only
    assert f"/mail/{second}/" not in only
    assert "?to=bob%40example.org" in only


def test_a_mail_shows_its_headers_text_and_a_form(world: Any, read: Read) -> None:
    number = world.caught(subject="Druid Board 7", text="a b\n c\n")
    page = read(f"/mail/{number}/")
    for part in ("Druid Board 7", "ann@example.org", "sarsen@sarsen.test", "a b\n c\n"):
        assert part in page
    assert f'action="/mail/{number}/reply/"' in page


def test_the_html_of_a_mail_is_shown_in_a_frame_that_its_links_leave(
    world: Any, browser: Client
) -> None:
    number = world.caught(html="<head></head><p>Hello</p>")
    page, letter = browser.get(f"/mail/{number}/"), browser.get(f"/mail/{number}/html/")
    assert f'<iframe src="/mail/{number}/html/"' in page.content.decode()
    assert "frame-src 'self'" in page["Content-Security-Policy"]
    assert letter["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in letter["Content-Security-Policy"]
    assert '<base target="_top">' in letter.content.decode()


def test_parts_of_a_mail_are_served_as_what_they_are(world: Any, browser: Client) -> None:
    html = '<p style="color: red">Hello</p><img src="cid:board@sarsen.test">'
    number = world.caught(html=html, picture=b"PNG!")
    raw = browser.get(f"/mail/{number}/raw/")
    assert raw["Content-Type"].startswith("text/plain")
    assert b"Message-ID: <one@sarsen.test>" in raw.content
    picture = browser.get(f"/mail/{number}/picture.png")
    assert (picture["Content-Type"], picture.content) == ("image/png", b"PNG!")
    shown = browser.get(f"/mail/{number}/html/")
    assert f'src="/mail/{number}/picture.png"' in shown.content.decode()
    policy = shown["Content-Security-Policy"]
    assert "sandbox" in policy
    assert "script" not in policy
    assert shown["Cache-Control"] == "no-store"


def test_a_mail_without_parts_says_so(world: Any, read: Read) -> None:
    number = world.caught()
    assert "has no picture" in read(f"/mail/{number}/picture.png", 404)
    assert "has no HTML" in read(f"/mail/{number}/html/", 404)
    assert "no caught mail 99999" in read("/mail/99999/", 404)


def test_what_stands_in_a_mail_cannot_become_html(world: Any, read: Read) -> None:
    evil = "<script>alert(1)</script>"
    number = world.caught(subject=evil, text=f"{evil} http://sarsen.test/boards/1/{evil}\n")
    for page in (read(f"/mail/{number}/"), read("/mail/"), read("/mail/?to=<script>")):
        assert "<script" not in page


def test_only_addresses_of_our_own_pages_become_links(world: Any, read: Read) -> None:
    number = world.caught(text="http://sarsen.test/boards/1/ and http://example.org/x\n")
    page = read(f"/mail/{number}/")
    assert '<a href="/boards/1/">http://sarsen.test/boards/1/</a>' in page
    assert 'href="http://example.org' not in page


def test_an_answer_is_stored_as_a_real_mail(world: Any, browser: Client, read: Read) -> None:
    number = world.caught()
    form = {"token": token_of(read(f"/mail/{number}/")), "text": "c3\n"}
    response = browser.post(f"/mail/{number}/reply/", form)
    assert response.status_code == 302
    assert response["Location"] == f"/mail/?to=ann%40example.org&after={number}"
    [(sender, recipient, mail)] = stored()
    assert (sender, recipient) == (
        "ann@example.org",
        "board-1-0-1-abcdefghijklmnop@sarsen.test",
    )
    assert mail["From"] == "ann@example.org"
    assert mail["To"] == recipient
    assert mail["Subject"] == "Re: Druid Board 1"
    assert mail["In-Reply-To"] == "<one@sarsen.test>"
    assert mail["References"] == "<board-1@sarsen.test> <one@sarsen.test>"
    assert mail["Message-ID"]
    assert mail["Date"]
    assert mail.get_content().splitlines() == ["c3"]


def test_a_double_click_sends_one_mail(world: Any, browser: Client, read: Read) -> None:
    number = world.caught()
    form = {"token": token_of(read(f"/mail/{number}/")), "text": "c3"}
    for _ in range(2):
        assert browser.post(f"/mail/{number}/reply/", form).status_code == 302
    assert len(stored()) == 1


def test_two_forms_send_two_mails(world: Any, browser: Client, read: Read) -> None:
    number = world.caught()
    for _ in range(2):
        form = {"token": token_of(read(f"/mail/{number}/")), "text": "c3"}
        browser.post(f"/mail/{number}/reply/", form)
    assert len(stored()) == 2


def test_a_first_mail_is_written_here(db: None, browser: Client, read: Read) -> None:
    page = read("/mail/write/?subject=signup%20ann&from=ann%40example.org")
    assert 'value="signup ann"' in page
    assert f'value="{SERVER}"' in page
    form = {
        "token": token_of(page),
        "sender": "ann@example.org",
        "to": SERVER,
        "subject": "signup ann",
        "text": "",
    }
    assert browser.post("/mail/write/", form)["Location"] == "/mail/?to=ann%40example.org&after=0"
    [(sender, recipient, mail)] = stored()
    assert (sender, recipient, mail["Subject"]) == ("ann@example.org", SERVER, "signup ann")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("sender", "ann@example.org\r\nBcc: eve@example.org", "looks like ann@example.org"),
        ("sender", "nobody", "looks like ann@example.org"),
        ("to", "eve@example.org", "ends in @sarsen.test"),
        ("to", f'"><script>@{SERVER}', "looks like ann@example.org"),
        ("subject", "help\nBcc: eve@example.org", "one line"),
        ("subject", "x" * 501, "at most 500"),
        ("text", "x" * 20_001, "at most 20000"),
        ("token", "0-0", "damaged"),
    ],
)
def test_what_could_not_be_a_mail_is_refused_with_words(
    db: None, browser: Client, read: Read, field: str, value: str, words: str
) -> None:
    form = {
        "token": token_of(read("/mail/write/")),
        "sender": "ann@example.org",
        "to": SERVER,
        "subject": "help",
        "text": "",
        field: value,
    }
    response = browser.post("/mail/write/", form)
    page = response.content.decode()
    assert response.status_code == 400
    assert words in page
    assert "<script" not in page
    assert not stored()


def test_an_empty_answer_is_refused_and_the_mail_stays_in_view(
    world: Any, browser: Client, read: Read
) -> None:
    number = world.caught()
    form = {"token": token_of(read(f"/mail/{number}/")), "text": "  "}
    response = browser.post(f"/mail/{number}/reply/", form)
    assert response.status_code == 400
    assert "Your move." in response.content.decode()
    assert not stored()


def test_the_mailbox_looks_again_until_the_answer_has_come(world: Any, read: Read) -> None:
    old = world.caught()
    waiting = read(f"/mail/?to=ann%40example.org&after={old}")
    assert 'http-equiv="refresh"' in waiting
    assert f"after={old}&amp;look=1" in waiting
    new = world.caught(subject="Re: c3")
    come = read(f"/mail/?to=ann%40example.org&after={old}&look=3")
    assert 'http-equiv="refresh"' not in come
    assert "The answer has come." in come
    assert re.search(rf'class="new">\s*<a href="/mail/{new}/"', come)


def test_the_mailbox_does_not_look_for_ever(world: Any, read: Read) -> None:
    page = read("/mail/?to=ann%40example.org&after=5&look=20")
    assert 'http-equiv="refresh"' not in page
    assert "no answer has come yet" in page


def test_odd_numbers_in_the_mailbox_address_do_no_harm(db: None, read: Read) -> None:
    for query in ("after=-1", "after=99999999999999999999", "look=x", "to=%00", "after=%D9%A1"):
        read(f"/mail/?{query}")


PATHS = ("/mail/", "/mail/write/", "/mail/1/", "/mail/1/raw/", "/mail/1/html/")


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_shown_when_a_relay_sends_the_mail(
    world: Any, browser: Client, settings: Any, path: str
) -> None:
    number = world.caught(subject="secret subject")
    settings.SARSEN_SMTP_URL = "smtp://relay.example.org"
    response = browser.get(path.replace("1", str(number)))
    assert response.status_code == 404
    assert b"secret subject" not in response.content
    assert b"through a relay" in response.content
    assert b"Caught mail" not in browser.get("/").content


@pytest.mark.parametrize(
    "somewhere_else",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"REMOTE_ADDR": ""},
        {"HTTP_X_FORWARDED_FOR": "192.0.2.7"},
        {"HTTP_FORWARDED": "for=192.0.2.7"},
        {"HTTP_VIA": "1.1 proxy"},
        {"SERVER_NAME": "rebound.example.org"},
    ],
)
@pytest.mark.parametrize("path", PATHS)
def test_mail_is_shown_only_at_the_machine_itself(
    world: Any, browser: Client, path: str, somewhere_else: dict[str, str]
) -> None:
    number = world.caught(subject="secret subject")
    response = browser.get(path.replace("1", str(number)), **somewhere_else)
    assert response.status_code == 404
    assert b"secret subject" not in response.content
    assert b"only at the machine it runs on" in response.content


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "sarsen.localhost"])
def test_the_machine_has_several_names(world: Any, browser: Client, name: str) -> None:
    assert browser.get("/mail/", SERVER_NAME=name).status_code == 200


def test_nobody_elsewhere_sends_mail_through_the_forms(
    world: Any, browser: Client, read: Read
) -> None:
    number = world.caught()
    form = {"token": token_of(read(f"/mail/{number}/")), "text": "c3"}
    response = browser.post(f"/mail/{number}/reply/", form, REMOTE_ADDR="192.0.2.7")
    assert response.status_code == 404
    assert not stored()


def test_forms_of_other_pages_send_nothing(world: Any) -> None:
    strict = Client(enforce_csrf_checks=True, SERVER_NAME="sarsen.test", REMOTE_ADDR="127.0.0.1")
    number = world.caught()
    for path in (f"/mail/{number}/reply/", "/mail/write/"):
        response = strict.post(path, {"text": "c3"})
        assert response.status_code == 403
        assert b"nothing was changed" in response.content
    assert not stored()


def test_answering_needs_a_post(world: Any, browser: Client) -> None:
    assert browser.get(f"/mail/{world.caught()}/reply/").status_code == 405
