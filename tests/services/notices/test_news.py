"""The public news: what broadcasts become, and how they are taken back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from sarsen.core.errors import UserError
from sarsen.language.chat import indented
from sarsen.language.commands import Broadcast, ConfirmAccount, ShowNews, WithdrawNews
from sarsen.language.ratings import Table
from sarsen.language.replies import BroadcastSent, Reply, decode, encode, sentence, sentence_to_type
from sarsen.services import questions
from sarsen.services.admin.actions import announce
from sarsen.services.dispatch import perform
from sarsen.services.notices import news
from sarsen.services.notices.announcements import sweep_announcements
from sarsen.services.request import NOBODY, Actor
from sarsen.storage.models import Announcement, DigestItem, News, OutgoingMail, Player, WebhookCall
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
BOARD = "The new board:\n\n    a  b  c\n 1  .  x  .\n\nHave fun."


@pytest.fixture
def world() -> World:
    world = World()
    for userid in ("ann", "bob"):
        world.player(userid)
    return world


def send(world: World, text: str, userid: str = "ann", *, thread: int = 0) -> int:
    actor = Actor(world.player(userid))
    perform(Broadcast(text, thread), actor, "", NOW)
    sent = perform(ConfirmAccount("broadcast", agrees=True), actor, "", NOW)
    assert isinstance(sent, BroadcastSent)
    return sent.number


def ask(number: int = 0, search: str = "") -> Reply:
    return perform(ShowNews(number, search), NOBODY, "", NOW)


def told(reply: Reply) -> str:
    return sentence_to_type(decode(encode(reply)))


def titles(search: str = "") -> list[str]:
    table = ask(search=search)
    assert isinstance(table, Table)
    return [row[-1] for row in table.rows]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "[Date Prev][Date Next][Thread Index]\n\n[pbmserv] New game: Visavis",
            "New game: Visavis",
        ),
        ("~~~~~~\nHelp For the Game Of Druid", "Help For the Game Of Druid"),
        ("[1] and [2] are open", "[1] and [2] are open"),
    ],
)
def test_the_title_is_the_first_line_with_words(text: str, title: str) -> None:
    assert news.title_of(text) == title


def test_a_confirmed_broadcast_is_news_that_anybody_can_read(world: World) -> None:
    number = send(world, "The server moves.\n\nOn Sunday.")
    assert titles() == ["The server moves."]
    shown = told(ask(number))
    assert indented("The server moves.\n\nOn Sunday.") in shown
    assert "from ann" in shown


def test_a_board_stays_as_it_was_written(world: World) -> None:
    assert indented(BOARD) in told(ask(world.news("ann", BOARD)))


def test_the_author_is_told_before_that_the_text_becomes_public(world: World) -> None:
    asked = perform(Broadcast("Hello."), Actor(world.player("ann")), "", NOW)
    assert "public news" in told(asked)
    assert not News.objects.exists()


def test_a_question_of_an_earlier_release_publishes_nothing(world: World) -> None:
    ann = world.player("ann")
    questions.ask(ann, "broadcast", {"text": "Hello."}, NOW)
    sent = perform(ConfirmAccount("broadcast", agrees=True), Actor(ann), "", NOW)
    assert sent == BroadcastSent("ann", 0)
    assert Announcement.objects.exists()
    assert not News.objects.exists()


def test_news_are_listed_newest_first_and_found_by_their_words(world: World) -> None:
    send(world, "A tournament in Vasco.")
    send(world, "Vasco has a new author.", "bob")
    assert titles() == ["Vasco has a new author.", "A tournament in Vasco."]
    assert titles("vasco TOURNAMENT") == ["A tournament in Vasco."]
    assert titles("100%") == []


def test_a_search_may_hold_what_no_text_has(world: World) -> None:
    send(world, BOARD)
    assert titles("\0board\x07") == ["The new board:"]


def test_neighbours_are_known_by_date_and_by_thread(world: World) -> None:
    first = send(world, "Who comes to Bern?")
    between = world.news("ann", "Something else.")
    second = send(world, "I do.", "bob", thread=first)
    page = news.view_page(second)
    assert (page.previous, page.next) == (between, None)
    assert page.previous_in_thread == news.view_page(first).item
    assert page.next_in_thread is None
    third = world.news("ann", "Then we are two.", thread=first)
    assert [item.number for item in news.view_page(third).thread] == [first, second, third]
    assert f"news {first}" in told(ask(second))


def test_a_reply_needs_something_to_reply_to(world: World) -> None:
    with pytest.raises(UserError) as refusal:
        send(world, "Yes.", thread=99)
    assert refusal.value.code == "unknown-news"
    with pytest.raises(UserError):
        ask(99)


def test_an_author_withdraws_a_broadcast_and_what_of_it_waits(world: World) -> None:
    Player.objects.filter(key="bob").update(webhook="https://example.org/x")
    world.player("carla")
    Player.objects.filter(key="carla").update(channels={"broadcast": "digest"})
    other = send(world, "It stays.", "bob")
    number = send(world, "A mistake.")
    while sweep_announcements(NOW):
        pass
    later = NOW + timedelta(minutes=59)
    reply = perform(WithdrawNews(number), Actor(world.player("ann")), "", later)
    assert str(number) in sentence(reply)
    for rows in (OutgoingMail, WebhookCall):
        assert not rows.objects.filter(facts__text="A mistake.").exists()
    assert [one.facts["facts"]["news"] for one in DigestItem.objects.all()] == [other]
    assert OutgoingMail.objects.filter(facts__text="It stays.").exists()
    assert "A mistake" not in told(ask(number))
    assert "withdrawn" in told(ask(number))
    assert titles("mistake") == []


def test_a_broadcast_that_is_withdrawn_reaches_nobody_after_that(world: World) -> None:
    number = send(world, "A mistake.")
    perform(WithdrawNews(number), Actor(world.player("ann")), "", NOW)
    sweep_announcements(NOW)
    assert not OutgoingMail.objects.filter(kind="broadcast").exists()


@pytest.mark.parametrize(
    ("userid", "minutes", "code"),
    [("bob", 1, "not-your-news"), ("ann", 60, "too-late-to-withdraw")],
)
def test_only_its_author_withdraws_a_broadcast_and_only_within_an_hour(
    world: World, userid: str, minutes: int, code: str
) -> None:
    number = send(world, "It stays.")
    later = NOW + timedelta(minutes=minutes)
    with pytest.raises(UserError) as refusal:
        perform(WithdrawNews(number), Actor(world.player(userid)), "", later)
    assert refusal.value.code == code
    assert titles() == ["It stays."]


def test_what_is_hidden_is_shown_with_its_reason_alone(world: World) -> None:
    number = send(world, "Buy my pills.")
    news.hide(news.find(number), "an advertisement")
    shown = told(ask(number))
    assert "pills" not in shown
    assert "an advertisement" in shown
    assert titles("pills") == []
    news.unhide(news.find(number))
    assert titles("pills") == ["Buy my pills."]


def test_operators_words_to_everybody_are_news_of_the_server(world: World) -> None:
    announce(world.player("ann"), "The server moves.", NOW)
    assert News.objects.get().kind == News.Kind.SERVER
    assert "From the operators" in told(ask(News.objects.get().pk))


def test_a_long_first_line_is_shortened_for_a_title() -> None:
    assert news.title_of(f"\n  {'x' * 80}\nmore") == "x" * 69 + "…"
    assert news.title_of("  New   game \n\n more") == "New game"
