"""Logging in by a password, logging out, and what a session may do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sarsen.storage.models import (
    Match,
    Player,
    Signup,
    WebSession,
)
from visitor import Visitor, who

Visit = Callable[..., Visitor]


def test_a_password_logs_in_and_guessing_is_paused(world: Any, visit: Visit) -> None:
    player = world.player("ann")
    player.set_password("open-sesame")
    player.save()
    nobody = visit()
    nobody.go("/login/")
    nobody.press("Log in", name="Ann", password="open-sesame")
    assert who(nobody) == "ann"
    guesser = visit()
    for _ in range(6):
        guesser.go("/login/")
        guesser.press("Log in", name="ann", password="wrong-words")
        assert guesser.status == 422
    assert "Too many wrong passwords" in guesser.text
    assert "wrong-words" not in guesser.page


def test_logging_out_ends_the_session_at_the_server(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/my/")
    ann.press("Log out")
    assert who(ann) == ""
    assert WebSession.objects.count() == 0


def test_a_new_password_ends_all_other_sessions(world: Any, visit: Visit) -> None:
    here, elsewhere = visit("ann"), visit("ann")
    here.go("/account/security/")
    here.press("Change password", new="brand-new-words")
    assert "Your password is changed" in here.text
    assert who(here) == "ann"
    assert who(elsewhere) == ""


def test_sessions_are_listed_and_others_ended(world: Any, visit: Visit) -> None:
    here, elsewhere = visit("ann"), visit("ann")
    here.go("/account/security/")
    assert len(here.tree.xpath("//section[@aria-labelledby='sessions']//li")) == 2
    here.press("Log out everywhere else")
    assert who(here) == "ann"
    assert who(elsewhere) == ""


def test_what_was_still_to_be_said_to_a_player_is_not_said_to_the_next_one(world: Any) -> None:
    board = world.board()
    browser = Client()
    browser.force_login(world.player("ann"))
    form = {"line": f"druid move {board} a1", "token": "00000000-0000000000000000", "back": "/my/"}
    assert browser.post("/do/", form).status_code == 302  # and its page is never loaded
    assert browser.cookies["messages"].value
    browser.post("/logout/")
    assert not browser.cookies["messages"].value


def test_who_signs_off_is_logged_out(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.type("signoff")
    ann.press("Yes, close my account")
    assert "is closed" in ann.text
    assert who(ann) == ""


def test_who_asks_to_be_deleted_is_asked_once_and_gone_with_a_yes(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8")
    ann = visit("ann")
    ann.go("/account/more/")
    ann.press("Delete all my data …")
    assert f"You would resign on board {board}." in ann.text
    assert "This cannot be undone." in ann.text
    assert Player.objects.filter(key="ann", is_active=True).exists()
    ann.press("No, keep my account")
    ann.go("/account/more/")
    ann.press("Delete all my data …")
    ann.press("Yes, delete all my data")
    assert "Your data is deleted" in ann.text
    assert who(ann) == ""
    assert not Player.objects.filter(userid__iexact="ann").exists()
    assert Match.objects.get(pk=board).ended_at is not None


def test_joining_in_the_browser_ends_logged_in_but_an_old_link_does_not_log_in(
    world: Any, visit: Visit
) -> None:
    nobody = visit()
    nobody.go("/join/")
    nobody.press("Join", userid="dora", address="dora@example.org")
    assert "A mail is on its way to dora@example.org" in nobody.text
    link = f"/welcome/{Signup.objects.get().code}/"
    nobody.go(link)
    token = nobody.tree.xpath("//main//input[@name='csrfmiddlewaretoken']/@value")[0]
    nobody.press("Yes, I am dora")
    assert who(nobody) == "dora"
    thief = visit()
    thief.go("/login/")
    token = thief.tree.xpath("//main//input[@name='csrfmiddlewaretoken']/@value")[0]
    thief.send(link, [("csrfmiddlewaretoken", token)])
    assert who(thief) == ""


def test_cookies_are_kept_from_scripts_and_from_other_sites(world: Any, visit: Visit) -> None:
    player = world.player("ann")
    player.set_password("open-sesame")
    player.save()
    ann = visit()
    ann.go("/login/")
    ann.press("Log in", name="ann", password="open-sesame")
    for name in ("sessionid", "csrftoken"):
        assert ann.client.cookies[name]["httponly"]
        assert ann.client.cookies[name]["samesite"] == "Lax"


@pytest.mark.parametrize("path", ["/my/", "/account/", "/account/deliveries/"])
def test_own_pages_ask_to_log_in_and_are_kept_by_no_cache(
    world: Any, visit: Visit, path: str
) -> None:
    nobody = visit()
    nobody.go(path)
    assert nobody.path == "/login/"
    response = visit("ann").client.get(path)
    assert response.status_code == 200
    assert response["Cache-Control"] == "private, no-store"


def test_cookies_go_over_https_alone_where_the_server_is_reached_so(tmp_path: Path) -> None:
    def cookies(url: str) -> str:
        asked = "from sarsen.server import settings as s; " + (
            "print(getattr(s, 'SESSION_COOKIE_SECURE', 0), getattr(s, 'CSRF_COOKIE_SECURE', 0))"
        )
        spoken = {**os.environ, "SARSEN_URL": url, "SARSEN_DATA": str(tmp_path)}
        ran = subprocess.run([sys.executable, "-c", asked], env=spoken, capture_output=True)
        return ran.stdout.decode().strip()

    assert cookies("https://play.example.org") == "True True"
    assert cookies("http://127.0.0.1:8000") == "0 0"


@pytest.mark.parametrize("changed", [{"is_active": False}, {"is_elsewhere": True}])
def test_a_session_ends_with_its_account(world: Any, visit: Visit, changed: Any) -> None:
    ann = visit("ann")
    ann.go("/my/")
    assert "Log out" in ann.page
    Player.everyone.filter(key="ann").update(**changed)
    ann.go("/my/")
    assert "Log out" not in ann.page
    assert ann.path == "/login/"


def test_a_session_of_an_earlier_release_goes_on(world: Any, browser: Client) -> None:
    browser.force_login(world.player("ann"), "django.contrib.auth.backends.ModelBackend")
    assert browser.get("/my/").status_code == 200


def test_a_session_ends_with_its_time_and_with_its_password(world: Any, browser: Client) -> None:
    player = world.player("ann")
    browser.force_login(player)
    WebSession.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert browser.get("/my/").status_code == 302
    browser.force_login(player)
    assert browser.get("/my/").status_code == 200
    player.set_password("another-1")
    player.save()
    assert browser.get("/my/").status_code == 302
