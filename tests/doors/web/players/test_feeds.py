"""Feeds by secret address, as feed readers and calendars read them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from icalendar import Calendar
from lxml import etree

from sarsen.core.errors import UserError
from sarsen.language.commands import ChangeNotices, PlayMove, Resign
from sarsen.language.replies import NoticesStand
from sarsen.services.dispatch import perform
from sarsen.services.events.feeds import boards_feed
from sarsen.services.request import Actor
from sarsen.storage.models import Match, Player
from web_world import NOW

ATOM = {"a": "http://www.w3.org/2005/Atom"}


def addresses(world: Any, userid: str = "ann", word: str = "") -> list[str]:
    stand = perform(ChangeNotices("feeds", word), Actor(world.player(userid)), "", NOW)
    assert isinstance(stand, NoticesStand)
    return [address.removeprefix("http://sarsen.test") for address in stand.feeds]


def titles(body: bytes) -> list[str]:
    found = etree.fromstring(body).xpath("//a:entry/a:title/text()", namespaces=ATOM)
    return [str(title) for title in found]


def test_the_atom_feed_shows_boards_and_invitations_of_its_owner_alone(
    world: Any, browser: Client
) -> None:
    mine = world.board(options="-size=4", moves="a1")
    world.board(players=("carla", "dora"))
    asked = world.challenge("gyges", "bob", "ann")
    boards, *_ = addresses(world)
    response = browser.get(boards)
    assert response["Content-Type"].startswith("application/atom+xml")
    assert sorted(titles(response.content)) == [
        f"Druid Board {mine} v bob: bob to move",
        "Gyges: bob challenges you",
    ]
    text = response.content.decode()
    assert f"http://sarsen.test/challenges/{asked.number}/" in text
    assert f"http://sarsen.test/boards/{mine}/" in text
    assert "@example.org" not in text


def test_each_event_is_a_new_entry_and_unwanted_ones_are_left_out(
    world: Any, browser: Client
) -> None:
    mine = world.board(options="-size=4")
    boards, *_ = addresses(world)

    def ids() -> set[str]:
        root = etree.fromstring(browser.get(boards).content)
        return set(map(str, root.xpath("//a:entry/a:id/text()", namespaces=ATOM)))

    before = ids()
    perform(PlayMove("druid", mine, "a1"), Actor(world.player("ann")), "", NOW)
    perform(PlayMove("druid", mine, "b1"), Actor(world.player("bob")), "", NOW)
    assert len(ids()) == 1
    assert not before & ids()
    assert titles(browser.get(boards).content) == [f"Druid Board {mine} v bob: your move"]
    perform(ChangeNotices("turn", "none"), Actor(world.player("ann")), "", NOW)
    assert titles(browser.get(boards).content) == []


def test_what_has_not_changed_is_not_sent_again(world: Any, browser: Client) -> None:
    board = world.board(options="-size=4")
    for address in addresses(world):
        first = browser.get(address)
        assert first["Cache-Control"] == "private, no-cache"
        again = browser.get(address, HTTP_IF_NONE_MATCH=first["ETag"])
        assert (again.status_code, again.content) == (304, b"")
    boards, deadlines, _ = addresses(world)
    dated = browser.get(boards)
    since = {"HTTP_IF_MODIFIED_SINCE": dated["Last-Modified"]}
    assert browser.get(boards, **since).status_code == 304
    # A vacation moves a deadline, although nothing happens at the board.
    first = browser.get(deadlines)
    Match.objects.filter(pk=board).update(due_at=NOW + timedelta(days=3))
    assert browser.get(deadlines, HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 200
    assert "Last-Modified" not in first


def test_the_calendar_holds_my_deadlines(world: Any, browser: Client) -> None:
    mine = world.board(options="-size=4")
    world.board(options="-size=4", moves="a1")  # bob's turn
    due = NOW + timedelta(days=5)
    Match.objects.update(due_at=due)
    _, deadlines, *_ = addresses(world)
    response = browser.get(deadlines)
    assert response["Content-Type"].startswith("text/calendar")
    (event,) = Calendar.from_ical(response.content).walk("VEVENT")
    assert event["DTEND"].dt == due
    assert event["UID"] == f"board-{mine}-1@sarsen.test"
    assert str(event["SUMMARY"]) == f"Move due: Druid Board {mine} v bob"


def test_feeds_and_calendars_say_how_often_to_ask(world: Any, browser: Client) -> None:
    boards, deadlines, _ = addresses(world)
    feed = etree.fromstring(browser.get(boards).content)
    hints = {"sy": "http://purl.org/rss/1.0/modules/syndication/"}
    assert feed.xpath("string(sy:updatePeriod)", namespaces=hints) == "hourly"
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n" in browser.get(deadlines).content
    assert b"X-PUBLISHED-TTL:PT1H\r\n" in browser.get(deadlines).content


@pytest.mark.parametrize("end", ["", "boards.atom", "deadlines.ics"])
def test_a_revoked_or_guessed_address_shows_nothing(world: Any, browser: Client, end: str) -> None:
    world.player("bob")  # has no feeds: the empty key is nobody's
    old = addresses(world)
    addresses(world, word="new")
    for address in (*old, f"/feeds/{'0' * 20}/{end}", f"/feeds//{end}", f"/feeds/x/{end}"):
        assert browser.get(address).status_code == 404
    new = addresses(world)
    assert browser.get(new[0]).status_code == 200
    assert browser.post(new[0]).status_code == 405
    Player.objects.filter(key="ann").update(is_active=False)
    assert browser.get(new[0]).status_code == 404


def test_players_who_have_asked_for_no_feed_have_none(world: Any) -> None:
    world.player("bob")
    with pytest.raises(UserError):
        boards_feed("")


def test_a_board_has_a_feed_of_its_moves_and_a_calendar_of_its_deadline(
    world: Any, browser: Client
) -> None:
    board = world.board(options="-size=4", moves="a1 b1")
    moves = browser.get(f"/boards/{board}/moves.atom")
    assert titles(moves.content) == [
        f"Druid Board {board}: bob played b1 (move 2)",
        f"Druid Board {board}: ann played a1 (move 1)",
    ]
    assert b"<author><name>sarsen</name></author>" in moves.content
    again = browser.get(f"/boards/{board}/moves.atom", HTTP_IF_NONE_MATCH=moves["ETag"])
    assert again.status_code == 304
    calendar = Calendar.from_ical(browser.get(f"/boards/{board}/deadline.ics").content)
    (event,) = calendar.walk("VEVENT")
    assert event["summary"] == f"Druid Board {board}: ann's move is due"
    assert event["dtend"].dt == Match.objects.get(pk=board).due_at.replace(microsecond=0)
    page = etree.HTML(browser.get(f"/boards/{board}/").content)
    address = f"/boards/{board}/moves.atom?language=en"
    assert address in page.xpath("//link[@rel='alternate']/@href")
    perform(Resign("", board, confirmed=True), Actor(world.player("ann")), "", NOW)
    ended = browser.get(f"/boards/{board}/moves.atom").content
    assert titles(ended)[0] == f"Druid Board {board} is over: V resigned."
    calendar = Calendar.from_ical(browser.get(f"/boards/{board}/deadline.ics").content)
    assert not calendar.walk("VEVENT")


def test_feeds_are_in_the_language_of_their_owner_or_of_the_page_that_names_them(
    world: Any, browser: Client
) -> None:
    board = world.board(options="-size=4", moves="a1 b1")
    boards, deadlines, _ = addresses(world)
    Player.objects.filter(key="ann").update(language="de")
    assert titles(browser.get(boards).content) == [f"Druid Brett {board} gegen bob: du bist am Zug"]
    (event,) = Calendar.from_ical(browser.get(deadlines).content).walk("VEVENT")
    assert event["summary"] == f"Zug fällig: Druid Brett {board} gegen bob"
    browser.cookies["language"] = "de"
    page = etree.HTML(browser.get(f"/boards/{board}/").content)
    (address,) = page.xpath("//link[@rel='alternate']/@href")
    del browser.cookies["language"]  # a reader of feeds has none
    feed = browser.get(address).content
    assert titles(feed) == [
        f"Druid Brett {board}: bob hat b1 gespielt (Zug 2)",
        f"Druid Brett {board}: ann hat a1 gespielt (Zug 1)",
    ]
    root = etree.fromstring(feed)
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "de"
    assert root.xpath("string(//a:link[@rel='self']/@href)", namespaces=ATOM).endswith(address)
    perform(Resign("", board, confirmed=True), Actor(world.player("ann")), "", NOW)
    over = titles(browser.get(address).content)[0]
    assert over == f"Druid Brett {board} ist zu Ende: V hat aufgegeben."


@pytest.mark.parametrize("name", ["moves.atom", "deadline.ics"])
def test_a_private_board_has_no_feed_not_even_for_its_players(
    world: Any, browser: Client, name: str
) -> None:
    board = world.board(terms=("--private",))
    browser.force_login(world.player("ann"))
    assert browser.get(f"/boards/{board}/{name}").status_code == 404
