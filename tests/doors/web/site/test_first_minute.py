"""What somebody sees who was never here: the home page, and a game at once without account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from sarsen.services.bots.accounts import make_accounts
from visitor import Visitor
from web_world import NOW

Visit = Callable[..., Visitor]
TRY = "/games/druid/try/?options=-size%3D3&partner=on"


def test_home_offers_a_game_at_once_a_friend_and_to_join(world: Any, visit: Visit) -> None:
    nobody = visit()
    nobody.go("/")
    tries = nobody.tree.xpath("//a[starts-with(normalize-space(), 'Try ')]/@href")
    assert len(tries) == 4
    for address in tries:
        nobody.go(address)
        assert nobody.status == 200
        assert "and to move." in nobody.text
    nobody.go("/")
    nobody.press("Gyges with a friend")
    assert "gyges challenge --link me anyone" in nobody.text
    ann = visit("ann")
    ann.go("/")
    assert "To my boards" in ann.text


def test_a_game_is_tried_to_its_end_without_an_account(db: None, visit: Visit) -> None:
    nobody = visit()
    nobody.go(TRY)
    for _ in range(40):
        buttons = nobody.tree.xpath("//form[@class='legal']//button")
        if not buttons:
            break
        nobody.press(str(buttons[0].get("value")))
        assert nobody.status == 200
    assert "won" in nobody.text or "draw" in nobody.text.lower()
    assert not nobody.tree.xpath("//input[@name='move']")
    assert nobody.tree.xpath("//a[.='From the start']")


def test_a_refused_move_is_told_and_stays_in_its_field(db: None, visit: Visit) -> None:
    nobody = visit()
    nobody.go(f"{TRY}&moves=a1+a2")
    nobody.press("Play", try_move="a1-a3 <b>")
    assert nobody.status == 422
    assert nobody.tree.xpath("//input[@id='try-move']/@value") == ["a1-a3 <b>"]
    assert nobody.tree.xpath("string(//*[@role='alert'])").strip()
    assert "2 / 2" in nobody.text
    assert "<b>" not in nobody.page


def test_a_move_at_an_earlier_step_forgets_the_later_ones(db: None, browser: Client) -> None:
    response = browser.get("/games/druid/try/?options=-size%3D3&moves=a1+a2+a3&at=2&move=b1")
    said = parse_qs(urlsplit(response["Location"]).query)
    assert response.status_code == 302
    assert said == {"options": ["-size=3"], "moves": ["a1 a2 b1"]}


def test_a_script_learns_the_taps_and_why_one_makes_no_move(db: None, browser: Client) -> None:
    asked = "options=-size%3D3&moves=a1+a2"
    taps = browser.get(f"/games/druid/try/moves.json?{asked}").json()["moves"]
    assert "b1" in taps
    assert "a2" not in taps
    reason = browser.get(f"/games/druid/try/reason.json?{asked}&try=a2").json()
    assert reason["code"] == "druid.sarsen-on-enemy"
    assert browser.get(f"/games/druid/try/reason.json?{asked}&try=b1").json() == {}


@pytest.mark.parametrize(
    "query",
    [
        "moves=" + "a1+" * 900,
        "moves=z9",
        "options=-size%3D999",
        "options=<script>",
        "moves=%00%ff&at=-1",
        "at=" + "9" * 50,
        "move=" + "x" * 9000,
        "moves=a1&at=%C2%B2",
    ],
)
def test_strange_addresses_are_refused_or_shown_and_harm_nothing(
    db: None, browser: Client, query: str
) -> None:
    for page in ("", "moves.json", "reason.json"):
        response = browser.get(f"/games/druid/try/{page}?{query}")
        assert response.status_code in (200, 404, 422), page
        assert b"<script>" not in response.content or "json" in response["Content-Type"]
    assert browser.get("/games/chess/try/").status_code == 404
    assert browser.post("/games/druid/try/").status_code == 405


def test_tries_are_not_for_search_engines_and_begin_no_session(db: None, browser: Client) -> None:
    response = browser.get(TRY)
    assert response["X-Robots-Tag"] == "noindex, nofollow"
    assert "sessionid" not in response.cookies


def test_a_try_goes_over_into_a_real_game(world: Any, visit: Visit) -> None:
    make_accounts(NOW)
    ann = visit("ann")
    ann.go(TRY)
    ann.press("Play a beginner")
    assert "ann V" in ann.text
    assert "bot1" in ann.text
