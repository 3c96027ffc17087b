"""Challenges, players, tables and the account: every form of those pages is a command."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sarsen.doors.web.frame.templatetags.markup import identicon
from sarsen.services.matches.openings import store_some
from sarsen.storage.models import Challenge, Match, OutgoingMail, Player, Subscription
from visitor import Visitor
from web_world import NOW

Visit = Callable[..., Visitor]
ENDED = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"


def test_a_challenge_is_made_with_a_form_and_accepted_with_a_button(
    world: Any, visit: Visit
) -> None:
    world.player("bob")
    ann = visit("ann")
    ann.go("/games/druid/challenge/?with=bob")
    ann.press("Challenge", option_size="5", option__unrated="on", option__forfeittime="3.5")
    assert ann.path.startswith("/challenges/")
    made = Challenge.objects.get()
    assert made.options == "-size=5"
    assert made.terms["unrated"] is True
    assert made.terms["forfeittime"] == 3.5
    assert "3.5" in ann.text
    bob = visit("bob")
    bob.go(ann.path)
    bob.press("Accept")
    assert bob.path.startswith("/boards/")


def test_a_refused_challenge_keeps_all_that_was_filled_in(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/games/druid/challenge/?kind=player&first=them")
    ann.press("Challenge", seat1="nobody-here", option_size="7", option__nagtime="2")
    assert ann.status == 422
    assert ann.tree.xpath("//input[@id='seat1']/@value") == ["nobody-here"]
    assert ann.tree.xpath("//input[@id='seat1']/@aria-invalid") == ["true"]
    assert ann.tree.xpath("//select[@id='option-size']/option[@selected]/text()") == ["7"]
    assert ann.tree.xpath("//input[@id='option--nagtime']/@value") == ["2"]
    assert ann.tree.xpath("//input[@checked]/@value") == ["", "player", "usual", "them"]
    assert "Nobody" in ann.text
    assert not Challenge.objects.exists()


def test_an_invitation_is_declined_with_a_reason(world: Any, visit: Visit) -> None:
    number = world.challenge("druid", "bob", "ann").number
    ann, bob = visit("ann"), visit("bob")
    for one, kind, other in ((ann, "invitations", "asked"), (bob, "asked", "invitations")):
        one.go("/my/")
        assert one.tree.xpath(
            f"//section[@aria-labelledby='{kind}']//a[@href='/challenges/{number}/']"
        )
        assert not one.tree.xpath(f"//section[@aria-labelledby='{other}']")
    ann.go(f"/challenges/{number}/")
    ann.press("Decline", reason="Too many games just now.")
    assert Challenge.objects.get().state == "declined"
    assert "Too many games just now." in ann.text


def test_a_challenge_without_a_free_seat_is_seen_by_those_it_names(
    world: Any, visit: Visit
) -> None:
    closed = world.challenge("druid", "ann", "bob").number
    free = world.challenge("druid", "ann", "anyone").number
    for userid, status in (("ann", 200), ("bob", 200), ("eve", 404), ("", 404)):
        one = visit(userid)
        one.go(f"/challenges/{closed}/")
        assert one.status == status, userid
        one.go(f"/challenges/{free}/")
        assert one.status == 200
    eve = visit("eve")
    eve.go("/challenges/")
    eve.press(f"Accept {free}")
    assert eve.path.startswith("/boards/")


def test_a_players_page_writes_and_watches(world: Any, visit: Visit) -> None:
    world.player("bob")
    ann = visit("ann")
    ann.go("/players/bob/")
    ann.press("Send", message="Shall we play?\nI begin.")
    assert OutgoingMail.objects.filter(kind="message", address="bob@example.org").exists()
    ann.press("Follow")
    assert Subscription.objects.filter(watched__key="bob").exists()
    ann.press("Unfollow")
    assert not Subscription.objects.exists()
    assert "bob@example.org" not in ann.page


def test_people_whom_one_follows_stand_among_my_boards(world: Any, visit: Visit) -> None:
    seen = world.board(players=("bob", "cora"))
    hidden = world.board(players=("bob", "cora"), terms=("--private",))
    ann = visit("ann")
    assert "People you follow" not in ann.go("/my/")
    ann.go("/players/bob/")
    ann.press("Follow")
    ann.go("/my/")
    (section,) = ann.tree.xpath("//section[@aria-labelledby='favourites']")
    assert "bob 1 in play" in " ".join(section.text_content().split())
    links = section.xpath(".//a/@href")
    assert {"/players/bob/", f"/boards/{seen}/"} <= set(links)
    assert f"/boards/{hidden}/" not in links


def test_ones_own_words_at_a_board_are_marked(world: Any, visit: Visit) -> None:
    board = world.board()
    ann, bob = visit("ann"), visit("bob")
    for one, text in ((ann, "Good luck!"), (bob, "You too."), (bob, "Have fun.")):
        one.type(f"chat {board}", text)
    ann.go(f"/boards/{board}/")
    said = ann.tree.xpath("//div[@class='talk']/ol/li")
    assert [one.get("class") for one in said] == ["own", None, None]
    assert [len(one.xpath("p[@class='by']")) for one in said] == [1, 1, 0]


def test_a_player_is_blocked_from_the_page_and_no_more(world: Any, visit: Visit) -> None:
    world.player("bob")
    ann, bob = visit("ann"), visit("bob")
    ann.go("/players/bob/")
    ann.press("Block")
    assert Player.objects.get(key="ann").refuses == ["bob"]
    ann.go("/players/bob/")
    bob.go("/players/ann/")
    bob.press("Send", message="Are you there?")
    assert not OutgoingMail.objects.filter(kind="message").exists()
    ann.press("Unblock")
    assert Player.objects.get(key="ann").refuses == []
    assert "Block" not in visit().go("/players/bob/")
    assert "Block" not in ann.go("/players/ann/")


def test_the_picture_of_a_player_is_made_from_the_userid(world: Any, visit: Visit) -> None:
    world.player("bob")
    faces = {identicon(f"player{number}") for number in range(100)}
    assert len(faces) > 90
    nobody = visit()
    nobody.go("/players/bob/")
    assert identicon("Bob") == identicon("bob")
    assert identicon("bob") in nobody.page
    assert "<b>" not in identicon("<b>")


def test_ratings_standings_and_history_are_pages_with_links(world: Any, visit: Visit) -> None:
    board = world.board(moves=ENDED)
    nobody = visit()
    nobody.go("/games/druid/standings/")
    assert "/players/ann/" in nobody.tree.xpath("//table//a/@href")
    for path in ("/games/druid/history/", "/players/ann/history/"):
        nobody.go(path)
        assert f"/boards/{board}/" in nobody.tree.xpath("//table//a/@href"), path
    ended = nobody.tree.xpath("//td[@data-label='Ended']/time")[0]
    day = Match.objects.get(pk=board).ended_at.date()
    assert (ended.get("datetime"), ended.text) == (f"{day}", f"{day:%-d %b %Y}")
    nobody.client.cookies["language"] = "de"
    nobody.go("/players/ann/history/")
    ended = nobody.tree.xpath("//td[@data-label='Beendet']/time")[0]
    assert ended.text.startswith(f"{day.day}. ")
    nobody.client.cookies["language"] = "en"
    assert nobody.go("/games/druid/ratings/")
    nobody.go("/games/chess/ratings/")
    assert nobody.status == 404


def test_past_games_of_a_player_have_a_tab_for_each_game(world: Any, visit: Visit) -> None:
    board = world.board(moves=ENDED)
    nobody = visit()
    nobody.go("/players/ann/history/")
    tabs = dict(
        zip(nobody.tree.xpath("//nav/a/text()"), nobody.tree.xpath("//nav/a/@href"), strict=True)
    )
    for tab, is_there in (("Druid", True), ("Gyges", False), ("All games", True)):
        nobody.go(f"/players/ann/history/{tabs[tab]}")
        assert (f"/boards/{board}/" in nobody.page) == is_there
        assert nobody.tree.xpath("//nav/a[@aria-current]/text()") == [tab]
        assert not nobody.tree.xpath("//details[@open]")
    assert nobody.go("/games/druid/history/")
    assert not nobody.tree.xpath("//nav/a[@aria-current]")


def test_games_are_searched_for_and_their_openings_walked_by_links(
    world: Any, visit: Visit
) -> None:
    board = world.board(moves=ENDED)
    store_some()
    nobody = visit()
    nobody.go("/games/druid/history/")
    nobody.press("Search", player="bob", result="won", opening="b8 b5")
    assert (nobody.status, nobody.path) == (200, "/search/")
    assert f"/boards/{board}/" not in nobody.page
    nobody.press("Search", result="lost")
    assert f"/boards/{board}/" in nobody.tree.xpath("//table//a/@href")
    nobody.press("Search", options="-size=5")
    assert f"/boards/{board}/" not in nobody.page
    nobody.press("Search", options="-size=8")
    assert f"/boards/{board}/" in nobody.page
    nobody.press("Search", opening="z99")
    assert nobody.status == 422
    assert nobody.tree.xpath("//input[@id='player']/@value") == ["bob"]
    nobody.go("/games/druid/openings/")
    for text in ("b8", "b5"):
        (where,) = nobody.tree.xpath(f"//table[contains(@class, 'played')]//a[.='{text}']/@href")
        nobody.go(where)
    assert f"/boards/{board}/" in nobody.page
    nobody.go(nobody.tree.xpath("//a[.='One move back']/@href")[0])
    assert nobody.tree.xpath("//table[contains(@class, 'played')]//td[1]//a/text()") == ["b5"]
    nobody.go("/games/druid/openings/?moves=z99")
    assert nobody.status == 422
    assert nobody.tree.xpath("//h1/text()") == ["That does not work"]


def test_everything_kept_of_a_player_is_a_file_for_that_player(world: Any, visit: Visit) -> None:
    world.board(moves="b8")
    ann = visit("ann")
    ann.go("/account/more/")
    form = ann.tree.xpath("//form[@action='/account/export/']")[0]
    token = form.xpath(".//input[@name='csrfmiddlewaretoken']/@value")[0]
    response = ann.client.post("/account/export/", {"csrfmiddlewaretoken": token})
    kinds = [json.loads(line)["kind"] for line in response.getvalue().decode().splitlines()]
    assert kinds[0] == "account"
    assert "board" in kinds
    assert "sarsen-ann.jsonl" in response["Content-Disposition"]


def test_a_broadcast_is_shown_to_its_author_and_sent_by_a_second_button(
    world: Any, visit: Visit
) -> None:
    world.player("bob")
    ann = visit("ann")
    ann.go("/account/more/")
    ann.press("Preview", words="The tournament begins on Monday.")
    assert "The tournament begins on Monday." in ann.text
    ann.press("Send to everyone")
    assert ann.status == 200, ann.text


def test_what_was_sent_is_listed_for_its_receiver(world: Any, visit: Visit) -> None:
    world.board(moves="b8")
    assert "ann@example.org" in visit("ann").go("/account/deliveries/")


def test_a_player_tells_a_few_words_which_are_hidden_where_they_are_unwelcome(
    world: Any, visit: Visit
) -> None:
    world.player("bob")
    Player.objects.filter(key="bob").update(place="Lund", about="I <i>like</i> http://a.example")
    ann = visit("ann")
    page = ann.go("/players/bob/")
    assert "Lund" in ann.text
    assert "I <i>like</i> http://a.example" in ann.text
    assert "a.example</a>" not in page
    ann.press("Block")
    ann.go("/players/bob/")
    assert "Lund" not in ann.text
    assert "like" not in ann.text
    Player.objects.filter(key="bob").update(banned_at=NOW)
    assert "Lund" not in visit().go("/players/bob/")


def test_a_profile_says_which_games_start_at_once(world: Any, visit: Visit) -> None:
    world.player("ann")
    Player.objects.filter(pk=world.player("bob").pk).update(accepts=["druid", "ann"])
    page = visit().go("/players/bob/")
    assert "Starts at once: Druid, with anyone" in page
    assert "ann" not in page
