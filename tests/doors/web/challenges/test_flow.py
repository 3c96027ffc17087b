"""One address for the whole life of a challenge, for everybody whom it concerns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sarsen.storage.models import Challenge, Match, Signup
from visitor import Visitor

Visit = Callable[..., Visitor]
ENDED = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"


def linked(ann: Visitor) -> str:
    """Let ann make a link; give its path."""
    ann.go("/games/druid/")
    ann.press("Play a friend by link")
    address = str(ann.tree.xpath("string(//input[@id='link']/@value)"))
    return "/" + address.split("/", 3)[3]


def test_a_stranger_with_a_link_plays_with_one_press_and_then_joins(
    world: Any, visit: Visit
) -> None:
    path = linked(visit("ann"))
    stranger = visit()
    stranger.go(path)
    assert "ann proposes a game of Druid" in stranger.text
    stranger.press("Accept and play")
    match = Match.objects.get()
    assert stranger.path == f"/boards/{match.pk}/"
    stranger.go("/join/")
    stranger.press("Join", userid="cleo", address="cleo@cleo.example")
    stranger.go(f"/welcome/{Signup.objects.get().code}/")
    stranger.press("Yes, I am cleo")
    assert [seat.player.userid for seat in match.seats.all()] == ["ann", "cleo"]
    stranger.go(path)
    assert "The game has started" in stranger.text


def test_a_stranger_joins_for_an_open_challenge_and_plays_with_one_press(
    world: Any, visit: Visit
) -> None:
    number = world.challenge("druid", "ann", "anyone").number
    stranger = visit()
    stranger.go(f"/challenges/{number}/")
    stranger.press("Accept and play")
    assert "Log in or create an account" in stranger.text
    stranger.go("/join/")
    stranger.press("Join", userid="cleo", address="cleo@cleo.example")
    stranger.go(f"/welcome/{Signup.objects.get().code}/")
    stranger.press("Yes, I am cleo")
    stranger.press("Run it now")
    match = Match.objects.get()
    assert stranger.path == f"/boards/{match.pk}/"


def test_a_link_is_found_by_nobody_who_was_not_given_it(world: Any, visit: Visit) -> None:
    ann, eve = visit("ann"), visit("eve")
    path = linked(ann)
    number = Challenge.objects.get().pk
    other = linked(visit("bob")).split("/")[3]
    for page in ("/", "/challenges/", "/games/druid/"):
        assert f"/challenges/{number}/" not in eve.go(page)
        assert f'"accept {number}' not in eve.page
    for wrong in (f"/challenges/{number}/", f"/challenges/{number}/{other}/", f"{path[:-2]}x/"):
        eve.go(wrong)
        assert eve.status == 404, wrong
    for line in (f"accept {number}", f"accept {number}-{other}", f"decline {number}"):
        assert f"There is no challenge {number}" in eve.type(line)
    assert str(number) not in eve.type("list druid")
    assert Challenge.objects.filter(state="open").count() == 2
    assert path.split("/")[3] not in "".join(eve.go(page) for page in ("/", "/players/ann/"))


def test_the_line_of_a_link_takes_the_seat_from_a_mail_too(world: Any, visit: Visit) -> None:
    number, key = linked(visit("ann")).split("/")[2:4]
    assert "has started as board" in visit("bob").type(f"accept {number}-{key.upper()}")


def test_a_link_needs_a_free_seat_and_a_maker(world: Any, visit: Visit) -> None:
    world.player("bob")
    ann = visit("ann")
    assert "every seat has its player" in ann.type("druid challenge --link me bob")
    assert not Challenge.objects.exists()
    nobody = visit()
    nobody.type("druid challenge --link ann anyone")
    assert nobody.status == 422
    assert not Challenge.objects.exists()


def test_a_double_click_and_a_second_tab_accept_once(world: Any, visit: Visit) -> None:
    number = world.challenge("druid", "ann", "bob").number
    first, second = visit("bob"), visit("bob")
    first.go(f"/challenges/{number}/")
    second.go(f"/challenges/{number}/")
    first.press("Accept")
    first.send(*first.last)
    board = Match.objects.get().pk
    assert first.path == f"/boards/{board}/"
    second.press("Accept")
    assert second.path == f"/challenges/{number}/"
    assert f"has started as druid board {board}" in second.text
    assert second.tree.xpath(f"//main//a[@href='/boards/{board}/']")
    other = [field for field in second.last[1] if field[0] not in ("command", "key")]
    second.send("/do/", [*other, ("command", "decline"), ("reason", "x")])
    assert Match.objects.count() == 1


def test_a_reason_is_told_to_the_challenger_as_plain_words(world: Any, visit: Visit) -> None:
    number = world.challenge("druid", "ann", "bob").number
    bob = visit("bob")
    bob.go(f"/challenges/{number}/")
    bob.press("Decline", reason="<script>alert(1)</script> & later")
    ann = visit("ann")
    ann.go(f"/challenges/{number}/")
    assert "<script>alert(1)</script> & later" in ann.text
    assert "<script>alert" not in ann.page
    assert not ann.tree.xpath("//main//form//button[.='Withdraw']")


def test_a_challenge_is_changed_and_the_old_one_goes(world: Any, visit: Visit) -> None:
    world.player("bob")
    old = world.challenge("druid", "bob", "ann", options="-size=7", terms=("--unrated",), by="ann")
    ann = visit("ann")
    ann.go(f"/challenges/{old.number}/")
    ann.go(ann.tree.xpath("//a[normalize-space()='Change']/@href")[0])
    assert ann.tree.xpath("//input[@id='seat1']/@value") == ["bob"]
    assert ann.tree.xpath("//input[@name='first'][@checked]/@value") == ["them"]
    ann.press("Propose this instead", option_size="5")
    new = Challenge.objects.get(state="open")
    assert (new.options, new.terms["unrated"]) == ("-size=5", True)
    assert ann.path == f"/challenges/{new.pk}/"
    assert Challenge.objects.get(pk=old.number).state == "withdrawn"
    ann.send(*ann.last)
    assert Challenge.objects.count() == 2


def test_a_change_that_is_refused_leaves_the_old_one(world: Any, visit: Visit) -> None:
    old = world.challenge("druid", "ann", "anyone").number
    ann = visit("ann")
    ann.go(f"/games/druid/challenge/?change={old}")
    ann.press("Propose this instead", option__forfeittime="0")
    assert ann.status == 422
    assert ann.tree.xpath("//input[@name='instead']/@value") == [str(old)]
    assert Challenge.objects.get().state == "open"
    eve = visit("eve")
    eve.go(f"/games/druid/challenge/?change={old}")
    eve.send("/games/druid/challenge/", [("instead", str(old)), ("kind", "open")])
    assert Challenge.objects.get(pk=old).state == "open"


def test_lobby_is_filtered_by_game_and_speed_and_says_what_is_agreed(
    world: Any, visit: Visit
) -> None:
    slow, other = ("--nagtime=30", "--forfeittime=120"), ("--private", "--forfeittime=9")
    world.challenge("druid", "bob", "anyone", terms=slow)
    world.challenge("vasco", "anyone", "bob", terms=("--unrated",))
    world.challenge("druid", "cleo", "anyone", options="-size=6", terms=other)
    nobody = visit()

    def shown() -> list[str]:
        rows = nobody.tree.xpath("//ul[@class='offers']/li/div")
        return [" ".join(row.text_content().split()) for row in rows]

    nobody.go("/challenges/")
    assert shown() == [
        "cleo Druid size 6 · private: only the players see it · 9 days per move"
        " · rated · cleo begins",
        "bob Vasco size 54 · A move every few days · unrated · you begin",
        "bob Druid size 8 · No hurry · rated · bob begins",
    ]
    links = nobody.tree.xpath("//nav[@class='filter']/a")
    assert [one.text for one in links] == [
        *("All games", "Druid", "Vasco"),
        *("Any speed", "A move every few days", "No hurry"),
    ]
    nobody.go("/challenges/" + links[1].get("href"))
    assert [row[:4] for row in shown()] == ["cleo", "bob "]
    nobody.go("/challenges/" + nobody.tree.xpath("//a[.='No hurry']/@href")[0])
    assert len(shown()) == 1
    nobody.go("/challenges/?game=gyges&speed=daily")
    assert shown() == []
    assert "All games" in nobody.text
    nobody.go("/challenges/?game=gyges&speed=<b>")
    assert nobody.status == 422
    assert "<b>" not in nobody.page


def test_own_challenges_are_withdrawn_and_invitations_accepted_in_the_lobby(
    world: Any, visit: Visit
) -> None:
    world.challenge("druid", "ann", "anyone")
    world.challenge("druid", "ann", "bob")
    world.challenge("druid", "bob", "ann")
    ann = visit("ann")
    ann.go("/challenges/")
    headings = ("invitations", "own")
    cards = [ann.tree.xpath(f"//section[h2/@id='{one}']//li//strong/text()") for one in headings]
    assert cards == [["bob"], ["bob", "Anybody"]]
    ann.press("Withdraw 2")
    assert ann.path == "/challenges/"
    assert Challenge.objects.get(pk=2).state == "withdrawn"
    ann.press("Accept 3")
    assert ann.path.startswith("/boards/")


def test_private_challenges_and_boards_of_others_have_no_page(world: Any, visit: Visit) -> None:
    board = world.board(terms=("--private",))
    number = Match.objects.get(pk=board).challenge.pk
    for userid, status in (("ann", 200), ("eve", 404), ("", 404)):
        one = visit(userid)
        one.go(f"/challenges/{number}/")
        assert one.status == status, userid
    public = Match.objects.get(pk=world.board()).challenge.pk
    nobody = visit()
    nobody.go(f"/challenges/{public}/")
    assert "The game has started" in nobody.text


def test_a_rematch_is_one_press_for_each_and_joins_the_story(world: Any, visit: Visit) -> None:
    board = world.board(moves=ENDED)
    number = Match.objects.get().challenge.pk
    ann, bob = visit("ann"), visit("bob")
    ann.go(f"/boards/{board}/")
    ann.press("Rematch")
    assert f"as a rematch of board {board}" in ann.text
    assert ann.path != f"/challenges/{number}/"
    bob.go(f"/challenges/{number}/")
    assert bob.tree.xpath(f"//a[@href='{ann.path}']")
    bob.go(f"/boards/{board}/")
    bob.press("Accept")
    again = Match.objects.latest("pk")
    assert bob.path == f"/boards/{again.pk}/"
    ann.go(f"/boards/{board}/")
    assert ann.tree.xpath(f"//a[@href='/boards/{again.pk}/']")


def test_the_same_line_makes_the_same_challenge_with_another_link(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.type("druid challenge -size=5 --unrated --link me anyone")
    ann.type("druid challenge -size=5 --unrated --link ann anyone")
    one, other = Challenge.objects.order_by("pk")
    assert (one.options, one.terms) == (other.options, other.terms)
    assert one.link_key != other.link_key
    assert len(one.link_key) == 20
