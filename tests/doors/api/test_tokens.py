"""Tokens: got by a letter, made, listed, revoked, ended; and never to be seen again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from program import Program
from sarsen.language.commands import SignOff
from sarsen.services.accounts import attempts, login_letters, tokens
from sarsen.services.admin.cleanup import tidy_up
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import OutgoingMail, Player, Token

Programs = Callable[..., Program]


def code_sent() -> str:
    login_letters.send_asked()
    return str(OutgoingMail.objects.filter(kind="login").latest("pk").facts["code"])


def test_a_code_from_a_letter_gives_a_token_without_a_browser(
    world: Any, program: Programs
) -> None:
    world.player("ann")
    visitor = program()
    visitor.post("login", {"userid": "ann"})
    assert visitor.status == 202
    made = visitor.post(
        "login/code",
        {"userid": "ann", "code": code_sent(), "scopes": ["read"], "label": "home", "days": 30},
    )
    assert visitor.status == 201
    assert made["scopes"] == ["read"]
    visitor.token = made["token"]
    account = visitor.get("account")
    assert (account["userid"], account["scopes"]) == ("ann", ["read"])


def test_a_code_holds_once_and_a_wish_that_cannot_be_uses_up_none(
    world: Any, program: Programs
) -> None:
    world.player("ann")
    visitor = program()
    visitor.post("login", {"userid": "ann@example.org"})
    asked = {"userid": "ann", "code": code_sent()}
    visitor.post("login/code", {**asked, "scopes": ["everything"]})
    assert (visitor.status, visitor.code) == (422, "unknown-scope")
    visitor.post("login/code", asked)
    assert visitor.status == 201
    visitor.post("login/code", asked)
    assert (visitor.status, visitor.code) == (401, "login-code")


def test_a_name_of_several_words_or_none_gets_no_letter(program: Programs) -> None:
    visitor = program()
    for name in ("ann bob", "  "):
        visitor.post("login", {"userid": name})
        assert (visitor.status, visitor.code) == (422, "login-name")


def test_five_wrong_codes_make_the_right_one_void(world: Any, program: Programs) -> None:
    world.player("ann")
    visitor = program()
    visitor.post("login", {"userid": "ann"})
    right = code_sent()
    wrong = "00000000" if right != "00000000" else "11111111"
    for _ in range(5):
        visitor.post("login/code", {"userid": "ann", "code": wrong})
        assert (visitor.status, visitor.code) == (401, "login-code")
    visitor.post("login/code", {"userid": "ann", "code": right})
    assert visitor.status == 401
    assert not Token.objects.exists()


def test_nobody_learns_from_a_log_in_whether_there_is_an_account(
    world: Any, program: Programs
) -> None:
    world.player("ann")
    visitor = program()
    known = (visitor.post("login", {"userid": "ann"}), visitor.status)
    unknown = (visitor.post("login", {"userid": "nobody"}), visitor.status)
    assert known == unknown
    refused = [
        visitor.post("login/code", {"userid": name, "code": "12345678"})
        for name in ("ann", "nobody")
    ]
    assert refused[0] == refused[1]


def test_one_place_tries_so_often_a_day_to_get_in(
    world: Any, program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(attempts.MAX_A_DAY, "signup", 2)
    monkeypatch.setitem(attempts.MAX_A_DAY, "login", 3)
    for name in ("ann", "bob"):
        world.player(name)
    visitor = program()
    visitor.post("login", {"userid": "ann"})
    visitor.post("login/code", {"userid": "ann", "code": "12345678"})
    visitor.line("account ghost wrong-words")
    assert (visitor.status, visitor.code) == (401, "wrong-password")
    sent = OutgoingMail.objects.count()
    for ask in (
        lambda: visitor.post("login", {"userid": "bob"}),
        lambda: visitor.post("login/code", {"userid": "bob", "code": "12345678"}),
        lambda: visitor.line("account ghost wrong-words"),
    ):
        ask()
        assert (visitor.status, visitor.code) == (429, "too-many-attempts")
        assert int(visitor.headers["Retry-After"]) > 0
    assert OutgoingMail.objects.count() == sent
    several = [f"account ghost{number} wrong-words" for number in range(5)]
    found = visitor.line("multiple", "\n".join(several))["reply"]["answers"]
    assert {one["reply"]["code"] for one in found} == {"too-many-attempts"}


def test_one_place_signs_up_so_often_a_day(
    db: None, program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(attempts.MAX_A_DAY, "signup", 2)
    monkeypatch.setitem(attempts.MAX_A_DAY, "login", 3)
    visitor = program()
    lines = [f"signup dora{number} dora{number}@example.org" for number in range(5)]
    visitor.line("multiple", "\n".join(lines))
    visitor.post("commands/signup", {"userid": "eve", "addresses": ["eve@example.org"]})
    assert (visitor.status, visitor.code) == (429, "too-many-attempts")
    assert OutgoingMail.objects.filter(kind="signup").count() == 2


def test_a_token_is_kept_only_as_a_digest_and_shown_once(world: Any, program: Programs) -> None:
    ann = program("ann")
    made = ann.post("account/tokens", {"label": "bot", "scopes": ["play", "read"]})
    assert ann.status == 201
    secret = made["token"]
    assert len(secret) >= 32
    row = Token.objects.get(pk=made["number"])
    assert secret not in str(vars(row))
    listed = ann.get("account/tokens")["tokens"]
    assert [one["label"] for one in listed] == ["bot", "tests"]
    assert secret not in ann.body.decode()
    assert listed[0]["scopes"] == ["read", "play"]


@pytest.mark.parametrize(
    "label", ["", " ", "\x07", "a" * 61, "bot" + "\x07" * 58, "bot" + " " * 58]
)
def test_a_label_is_as_short_as_the_document_says(
    program: Programs, world: Any, label: str
) -> None:
    ann = program("ann")
    ann.post("account/tokens", {"label": label, "scopes": ["read"]})
    assert (ann.status, ann.code) == (422, "token-label")


def test_a_revoked_token_speaks_no_more_and_nobody_revokes_anothers(
    world: Any, program: Programs
) -> None:
    ann, bob = program("ann"), program("bob")
    made = ann.post("account/tokens", {"scopes": ["read"]})
    bob.send("delete", f"account/tokens/{made['number']}")
    assert (bob.status, bob.code) == (404, "no-such-token")
    other = program()
    other.token = made["token"]
    assert other.get("account")["userid"] == "ann"
    ann.send("delete", f"account/tokens/{made['number']}")
    assert ann.status == 204
    other.get("account")
    assert (other.status, other.code) == (401, "unknown-token")


def test_a_token_ends_on_its_day_and_is_tidied_away(world: Any, program: Programs) -> None:
    now = timezone.now()
    made = tokens.make(world.player("ann"), "short", ["read"], now - timedelta(days=2), days=1)
    visitor = program()
    visitor.token = made.secret
    visitor.get("account")
    assert (visitor.status, visitor.code) == (401, "unknown-token")
    assert tidy_up(now)["tokens"] == 1


def test_last_use_is_noted(world: Any, program: Programs) -> None:
    ann = program("ann")
    ann.get("account")
    assert Token.objects.get().used_at is not None


def test_a_player_who_leaves_takes_all_tokens_along(world: Any, program: Programs) -> None:
    ann = program("ann")
    perform(SignOff(confirmed=True), Actor(world.player("ann")), "", timezone.now())
    assert not Token.objects.exists()
    ann.get("account")
    assert ann.status == 401


def test_a_token_of_who_may_not_log_in_speaks_no_more(world: Any, program: Programs) -> None:
    ann = program("ann")
    Player.objects.filter(key="ann").update(is_active=False)
    ann.get("account")
    assert (ann.status, ann.code) == (401, "unknown-token")


def test_there_is_an_end_to_the_number_of_tokens(
    world: Any, program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "MAX_TOKENS", 2)
    ann = program("ann")
    ann.post("account/tokens", {"scopes": ["read"]})
    assert ann.status == 201
    ann.post("account/tokens", {"scopes": ["read"]})
    assert (ann.status, ann.code) == (422, "too-many-tokens")


def test_no_token_stands_in_a_log(
    world: Any, program: Programs, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ann = program("ann")
    made = ann.post("account/tokens", {"scopes": ["read"]})
    other = program()
    other.token = made["token"]
    other.get("nothing")
    other.get("account", Authorization=f"Basic {made['token']}")
    other.post("commands/move", {"board": 1, "text": made["token"]})
    assert made["token"] not in caplog.text


def test_an_account_says_that_a_program_plays_for_it(world: Any, program: Programs) -> None:
    board = world.board()
    ann = program("ann")
    assert ann.send("patch", "account", {"is_program": True})["is_program"]
    visitor = program()
    assert visitor.get(f"boards/{board}")["programs"] == ["ann"]
    assert visitor.get("players/ann")["is_program"]
    ann.send("patch", "account", {"is_program": False})
    assert visitor.get(f"boards/{board}")["programs"] == []


def test_the_export_comes_as_lines_and_names_tokens_without_them(
    world: Any, program: Programs
) -> None:
    ann = program("ann")
    text = ann.get("account/export")
    assert '"kind": "account"' in text
    assert '"kind": "token"' in text
    assert ann.token not in text
