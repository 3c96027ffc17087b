"""The wish list: votes for games that are not here."""

from __future__ import annotations

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import ShowWishes, Wish
from sarsen.language.publishing.wishes import MAX_WISH, WishStands
from sarsen.language.ratings import Table
from sarsen.services.dispatch import perform
from sarsen.services.limits import daily
from sarsen.services.limits.daily import Flood
from sarsen.services.notices import wishes
from sarsen.services.request import NOBODY, Actor
from sarsen.storage.models import GameWish, Player
from visitor import Visitor
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def wish(name: str, userid: str = "ann", *, withdraws: bool = False) -> WishStands:
    reply = perform(Wish(name, withdraws), Actor(World().player(userid)), "", NOW)
    assert isinstance(reply, WishStands)
    return reply


def listed() -> list[tuple[str, ...]]:
    table = perform(ShowWishes(), NOBODY, "", NOW)
    assert isinstance(table, Table)
    return list(table.rows)


def test_wishes_are_listed_by_votes_then_age() -> None:
    wish("Twixt")
    wish("Lines of Action", "bob")
    assert wish("HAVANNAH", "bob").votes == 1
    assert wish("lines-of-action", "eve") == WishStands("Lines of Action", 2)
    assert listed() == [("Lines of Action", "2"), ("Twixt", "1"), ("HAVANNAH", "1")]


def test_a_player_has_one_vote_a_game_and_can_take_it_back() -> None:
    assert [wish("Twixt").votes for _ in range(3)] == [1, 1, 1]
    wish("twixt!", "bob")
    assert wish("TWIXT", withdraws=True) == WishStands("Twixt", 1, is_withdrawn=True)
    with pytest.raises(UserError) as refused:
        wish("Twixt", withdraws=True)
    assert refused.value.code == "no-wish"
    wish("twixt", "bob", withdraws=True)
    assert listed() == []


@pytest.mark.parametrize(
    "typed", ['"Lines of Action"', "<Lines of Action>", "„Lines of Action“", "ann Lines of Action"]
)
def test_quotes_and_the_own_userid_are_no_part_of_a_name(typed: str) -> None:
    wish(typed)
    assert listed() == [("Lines of Action", "1")]


def test_who_left_or_is_banned_does_not_count() -> None:
    for userid in ("ann", "bob", "eve"):
        wish("Twixt", userid)
    Player.objects.filter(key="bob").update(is_active=False)
    Player.objects.filter(key="eve").update(banned_at=NOW)
    assert listed() == [("Twixt", "1")]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Druid", "game-is-here"),
        ("  vAsCo ", "game-is-here"),
        ("a" * (MAX_WISH + 1), "wish-too-long"),
        ("4 5 6", "wish-missing"),
        ("<name>", "wish-missing"),
        ("[NAME]", "wish-missing"),
        ("…", "wish-missing"),
    ],
)
def test_what_is_no_wish_is_refused(name: str, code: str) -> None:
    with pytest.raises(UserError) as refused:
        wish(name)
    assert refused.value.code == code
    assert not GameWish.objects.exists()


def test_votes_are_bounded_standing_and_by_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wishes, "MAX_STANDING", 1)
    wish("Twixt")
    with pytest.raises(UserError) as refused:
        wish("Havannah")
    assert (refused.value.code, refused.value.hint) == ("too-many-wishes", "wish Twixt off")
    monkeypatch.setattr(wishes, "MAX_STANDING", 9)
    monkeypatch.setitem(daily.MAX_A_DAY, "wish", 1)
    with pytest.raises(Flood):
        wish("Hex")


def test_the_page_gives_and_takes_back_votes() -> None:
    wish("Twixt", "bob")
    ann = Visitor(World().player("ann"))
    assert "Twixt 1 vote" in ann.go("/wishes/")
    ann.press("Vote", name="Havannah")
    assert "Havannah 1 vote" in ann.go("/wishes/")
    assert "Take back" in ann.text
    assert "Vote" not in Visitor().go("/wishes/")


def test_a_wish_holds_no_password_of_its_writer() -> None:
    ann = World().player("ann")
    ann.set_password("correct-horse-9")
    ann.save()
    with pytest.raises(UserError) as refused:
        perform(Wish("correct-horse-9"), Actor(ann), "", NOW)
    assert refused.value.code == "password-in-line"
    assert listed() == []
