"""Playing a program from the pages: one tap, and its move appears by itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from sarsen.search.thought import Thought
from sarsen.services.accounts import attempts
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.bots.due_boards import boards_due
from sarsen.services.ratings import measurements
from sarsen.storage.models import Match, Signup
from sarsen.workers.thinking.playing import carry_out, take_up
from visitor import Visitor
from web_world import NOW

Visit = Callable[..., Visitor]


@pytest.fixture(autouse=True)
def _programs(db: None) -> None:
    make_accounts(NOW)


def think() -> None:
    (due,) = boards_due(1, 8, but=(), limit=9)
    turn = take_up(due)
    assert turn is not None
    carry_out(turn, Thought(turn.position.legal_moves()[0], 0.5), timezone.now())


def test_the_page_of_programs_says_how_far_apart_they_have_proved_to_be(visit: Visit) -> None:
    found = Path("docs/strength.md").read_text(encoding="utf-8")
    games = [part.splitlines() for part in found.split("\n## ")[1:]]
    elo = [
        [line.split("|")[2].strip() for line in lines if re.match(r"\| [1-8] \|", line)]
        for lines in games
    ]
    visitor = visit()
    visitor.go("/programs/")
    shown = visitor.tree.xpath("//section[@class='prose']//table")[0]
    titles = [one.text_content() for one in shown.xpath(".//th")[1:]]
    columns = [shown.xpath(f".//td[{at}]") for at in range(2, 2 + len(titles))]
    assert titles == [lines[0] for lines in games]
    assert [[one.text_content() for one in column] for column in columns] == [
        column + [""] * (8 - len(column)) for column in elo
    ]


def test_page_of_a_game_says_how_strong_programs_were_measured(visit: Visit) -> None:
    visitor = visit()
    measurements.begin("vasco", "1-1.0", played=120, games=400)
    assert "they have played 120 of 400 games against each other" in visitor.go("/games/vasco/")
    measurements.finish("vasco", (1000.0, 1234.4))
    shown = visitor.go("/games/vasco/")
    assert "against each other" not in shown
    assert "bot1 beginner 1000 bot2 novice 1234 A ?" in shown


def is_refreshed(page: Visitor) -> bool:
    return bool(page.tree.xpath("//meta[@http-equiv='refresh']"))


@pytest.mark.parametrize("path", ["/games/druid/", "/programs/"])
def test_one_tap_starts_a_game_in_which_the_person_begins(
    world: Any, visit: Visit, path: str
) -> None:
    ann = visit("ann")
    ann.go(path)
    ann.press("Druid, level 4, fair player")
    match = Match.objects.get()
    assert ann.path == f"/boards/{match.pk}/"
    assert match.bots == [None, 4]
    assert "bot4 H, a program" in ann.text
    assert not is_refreshed(ann)


def test_page_waits_for_a_programs_move_and_shows_it(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/games/druid/")
    ann.press("Druid, level 4, fair player")
    ann.press("Play", move="a1")
    assert "bot4 is thinking; its move will appear here" in ann.text
    assert is_refreshed(ann)
    think()
    ann.go(ann.path)
    assert not is_refreshed(ann)
    assert "Your turn" in ann.text


def test_page_does_not_wait_for_ever(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.type("druid challenge bot4 me")
    Match.objects.update(moved_at=timezone.now() - timedelta(hours=1))
    ann.go(f"/boards/{Match.objects.get().pk}/")
    assert "bot4 is thinking" in ann.text
    assert not is_refreshed(ann)


def test_program_begins_or_nothing_is_rated_where_that_is_chosen(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/games/druid/")
    forms = ann.tree.xpath("//form[.//button[@value='bot2 me']]")
    assert len(forms) == 1
    unrated = ann.tree.xpath("//form[.//input[@value='--unrated'] and .//button[@value='me bot2']]")
    assert len(unrated) == 1
    fields = [(one.get("name"), one.get("value")) for one in unrated[0].xpath(".//input")]
    ann.send("/do/", [*fields, ("names", "me bot2")])
    assert Match.objects.get().terms["unrated"] is True


@pytest.fixture
def without_guests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no place have guests."""
    monkeypatch.setitem(attempts.MAX_A_DAY, "guest", 0)


@pytest.mark.usefixtures("without_guests")
def test_who_is_not_logged_in_is_asked_to_and_loses_nothing(world: Any, visit: Visit) -> None:
    player = world.player("ann")
    player.set_password("open-sesame")
    player.save()
    nobody = visit()
    nobody.go("/games/druid/")
    nobody.press("Druid, level 4, fair player")
    assert nobody.status == 422
    assert "A game of Druid with bot4" in nobody.text
    nobody.go("/login/")
    nobody.press("Log in", name="ann", password="open-sesame")
    assert "A game of Druid with bot4" in nobody.text
    nobody.press("Run it now")
    assert Match.objects.get().bots == [None, 4]


def test_programs_are_marked_in_every_list(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.type("druid challenge me bot4")
    board = Match.objects.get().pk
    assert "ann v bot4 (program)" in ann.go("/games/druid/")
    assert "v bot4 (program)" in ann.go("/my/")
    assert "v bot4 (program)" in ann.go("/")
    Match.objects.filter(pk=board).update(ply=4)
    assert "ann v bot4 (program)" in ann.go("/watch/")
    Match.objects.filter(pk=board).update(ply=0)
    assert "ann v bot4 (program)" in ann.go("/players/ann/")
    assert "bot4 (program)" in ann.type("druid games ann")
    assert ann.tree.xpath("//main//a[text()='bot4']/@href") == ["/players/bot4/"]
    ann.type(f"druid move {board} a1")
    think()
    ann.type(f"druid move {board} h8")
    think()
    ann.type(f"resign {board}")
    ann.type(f"confirm {board}")
    assert "bot4 (program)" in ann.go("/games/druid/standings/")
    assert "bot4 (program)" in ann.go("/games/druid/history/")
    assert "(program)" in ann.go("/games/druid/ratings/")


def test_page_of_a_program_says_what_it_is_and_takes_no_messages(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/players/bot4/")
    assert "bot4 a program" in ann.text
    assert ", level 4: fair player" in ann.text
    assert not ann.tree.xpath("//textarea")
    assert "1450" not in ann.text  # no game, no rating
    ann.press("Gyges")
    assert Match.objects.get().game == "gyges"


def test_server_without_programs_offers_none(world: Any, visit: Visit, settings: Settings) -> None:
    settings.SARSEN_BOTS = False
    ann = visit("ann")
    for path in ("/", "/games/druid/", "/challenges/"):
        ann.go(path)
        assert not ann.tree.xpath("//form//*[contains(@value, 'me bot')]"), path
    assert "There are none on this server right now." in ann.go("/programs/")


@pytest.mark.usefixtures("without_guests")
def test_stranger_who_presses_a_level_joins_and_then_plays_with_one_press(
    world: Any, visit: Visit
) -> None:
    nobody = visit()
    nobody.go("/games/visavis/")
    said = nobody.press("Visavis, level 3, casual player")
    assert "Log in or create an account" in said
    assert "PASSWORD" not in said
    nobody.go("/join/")
    nobody.press("Join", userid="cleo", address="cleo@cleo.example")
    nobody.go(f"/welcome/{Signup.objects.get().code}/")
    nobody.press("Yes, I am cleo")
    assert "A game of Visavis with bot3" in nobody.text
    nobody.press("Run it now")
    match = Match.objects.get()
    assert nobody.path == f"/boards/{match.pk}/"
    assert (match.game, match.bots) == ("visavis", [None, 3])
