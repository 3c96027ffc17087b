"""The pages of the news, and their feed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from sarsen.services.notices import news
from sarsen.storage.models import Challenge, News
from visitor import Visitor
from web_world import NOW, World

Visit = Callable[..., Visitor]
Read = Callable[..., str]
BOARD = "The board:\n\n    a  b  c\n 1  .  x  .\n\n<b>Have fun.</b>"
ATOM = "{http://www.w3.org/2005/Atom}"


LISTED = "//ol[contains(@class, 'news')]//a/@href"


def test_news_are_listed_searched_and_leafed_through(world: World, visit: Visit) -> None:
    first, second = world.news("ann", "A tournament."), world.news("bob", "A new game.")
    somebody = visit()
    somebody.go("/news/")
    assert somebody.tree.xpath(LISTED) == [f"/news/{second}/", f"/news/{first}/"]
    somebody.press("Search", q="tournament")
    assert somebody.tree.xpath(LISTED) == [f"/news/{first}/"]
    assert "Nothing was found with “<b>”" in somebody.go("/news/?q=%3Cb%3E")
    somebody.go(f"/news/{first}/")
    assert somebody.tree.xpath("//a[@rel='next']/@href") == [f"/news/{second}/"]
    somebody.go(f"/news/{second}/")
    assert somebody.tree.xpath("//a[@rel='prev']/@href") == [f"/news/{first}/"]


def test_a_thread_is_followed_on_the_page_of_each_of_its_parts(world: World, visit: Visit) -> None:
    first = world.news("ann", "Who comes?")
    world.news("ann", "Something else.")
    second = world.news("bob", "I do.", thread=first)
    thread = "//section[@aria-labelledby='thread']//a/@href"
    somebody = visit()
    for shown, other in ((first, second), (second, first)):
        somebody.go(f"/news/{shown}/")
        assert somebody.tree.xpath(thread) == [f"/news/{other}/"]


def test_longer_lists_have_a_page_of_older_ones(
    world: World, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.doors.web.site.news.MAX_LISTED", 2)
    numbers = [world.news("ann", f"News {at}.") for at in range(3)]
    somebody = visit()
    somebody.go("/news/")
    (older,) = somebody.tree.xpath("//a[@rel='next']/@href")
    somebody.go(f"/news/{older}")
    assert somebody.tree.xpath(LISTED) == [f"/news/{numbers[0]}/"]


def test_pages_of_news_need_as_many_queries_however_many_there_are(
    world: World, read: Read, django_assert_num_queries: Any
) -> None:
    first = world.news("ann", "One.")
    for at in range(5):
        world.news("bob", f"Reply {at}.", thread=first)
    for path, count in (("/news/", 1), (f"/news/{first}/", 4), ("/news/feed.atom", 1)):
        read(path)
        with django_assert_num_queries(count):
            read(path)


def test_what_is_withdrawn_or_hidden_says_so_and_nothing_more(world: World, read: Read) -> None:
    number = world.news("ann", "Buy my pills.")
    news.hide(news.find(number), "an advertisement")
    for path in ("/news/", f"/news/{number}/", "/news/feed.atom", "/news/?q=pills"):
        assert "Buy my" not in read(path)
    assert "an advertisement" in read(f"/news/{number}/")
    read("/news/999/", 404)


def test_an_author_withdraws_from_the_page_for_an_hour(world: World, visit: Visit) -> None:
    number = world.news("ann", "A mistake.")
    assert "Withdraw" not in visit("bob").go(f"/news/{number}/")
    author = visit("ann")
    assert "Reply to ann" not in author.go(f"/news/{number}/")
    assert "is withdrawn" in author.press("Withdraw")
    assert "A mistake" not in author.go(f"/news/{number}/")
    old = world.news("ann", "An old mistake.")
    News.objects.filter(pk=old).update(at=NOW - timedelta(hours=1))
    assert "Withdraw" not in author.go(f"/news/{old}/")


def test_the_feed_keeps_lines_and_blanks_and_shows_marks_as_they_were_typed(
    world: World, browser: Client
) -> None:
    number = world.news("ann", BOARD)
    response = browser.get("/news/feed.atom")
    assert response["Content-Type"].startswith("application/atom+xml")
    (entry,) = ElementTree.fromstring(response.content).findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "ann: The board:"
    assert entry.find(f"{ATOM}link").attrib["href"].endswith(f"/news/{number}/")
    words = entry.findtext(f"{ATOM}summary")
    assert words == "<pre>" + BOARD.replace("<", "&lt;").replace(">", "&gt;") + "</pre>"
    again = browser.get("/news/feed.atom", headers={"if-none-match": response["ETag"]})
    assert again.status_code == 304


def test_every_page_leads_to_the_news(world: World, read: Read) -> None:
    assert 'href="/news/"' in read("/")


def test_a_game_that_is_announced_begins_by_a_button_on_its_page(
    world: World, visit: Visit
) -> None:
    number = world.news("ann", "New game: Druid")
    News.objects.filter(pk=number).update(game="druid", options="-size=5", kind="game")
    bob = visit("bob")
    assert "New game" in bob.go("/news/")
    bob.go(f"/news/{number}/")
    bob.press("Play it with ann")
    made = Challenge.objects.get()
    assert (made.game, made.options, made.challenger) == ("druid", "-size=5", world.player("bob"))
    assert "Play it with" not in visit("ann").go(f"/news/{number}/")
