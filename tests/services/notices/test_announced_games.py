"""A game is announced with its rules, and the announcement is answered by playing."""

from __future__ import annotations

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import Announce, ConfirmAccount
from sarsen.language.replies import BroadcastAsked, BroadcastSent, sentence_to_type
from sarsen.services.dispatch import perform
from sarsen.services.notices import news
from sarsen.services.notices.announcements import sweep_announcements
from sarsen.services.request import Actor
from sarsen.storage.models import News, OutgoingMail, Player
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def world() -> World:
    world = World()
    for userid in ("ann", "bob"):
        world.player(userid)
    return world


def ask(world: World, game: str = "druid", options: str = "-size=5", text: str = "") -> str:
    asked = perform(Announce(game, options, text), Actor(world.player("ann")), "", NOW)
    assert isinstance(asked, BroadcastAsked)
    return asked.text


def confirm(world: World) -> int:
    sent = perform(ConfirmAccount("broadcast"), Actor(world.player("ann")), "", NOW)
    assert isinstance(sent, BroadcastSent)
    assert "autoaccept druid" in sentence_to_type(sent)
    return sent.number


def test_the_letter_has_the_authors_words_the_lines_and_the_rules(world: World) -> None:
    text = ask(world, text="It needs some testing.\n> a quotation")
    lines = text.split("\n")
    assert lines[0] == "New game: Druid, by Cameron Browne (2004)"
    assert "It needs some testing." in lines
    assert "    druid challenge -size=5 me ann" in lines
    assert "    druid challenge -size=5 ann me" in lines
    assert "quotation" not in text
    assert "/games/druid/" in text
    assert lines.index("ann") < lines.index("~" * 72) < lines.index("Druid")
    assert not News.objects.exists()


def test_without_words_of_the_author_it_says_that_they_would_like_to_play(world: World) -> None:
    assert "I would like to play Vasco with you." in ask(world, "vasco", "")


@pytest.mark.parametrize(
    ("game", "options", "code"), [("chess", "", "unknown-game"), ("druid", "-size=99", "")]
)
def test_only_what_can_be_played_here_is_announced(
    world: World, game: str, options: str, code: str
) -> None:
    with pytest.raises(UserError) as refusal:
        ask(world, game, options)
    assert refusal.value.code == code or not code


def test_it_is_a_notice_and_news_of_its_own_kind(world: World) -> None:
    world.player("carla")
    Player.objects.filter(key="bob").update(channels={"newgame": "none"})
    ask(world)
    number = confirm(world)
    while sweep_announcements(NOW):
        pass
    (letter,) = OutgoingMail.objects.filter(kind="broadcast")
    assert (letter.player, letter.event) == (world.player("carla"), "newgame")
    item = news.view_page(number).item
    assert (item.news_kind, item.game, item.options) == ("game", "druid", "-size=5")
    assert news.announced_challenge(number) == "druid challenge -size=5 me ann"


def test_what_is_withdrawn_or_announces_nothing_begins_no_game(world: World) -> None:
    ask(world)
    number = confirm(world)
    news.hide(news.find(number), "a mistake")
    assert news.announced_challenge(number) == ""
    assert news.announced_challenge(world.news("ann", "Hello.")) == ""
    assert news.announced_challenge(999) == ""
