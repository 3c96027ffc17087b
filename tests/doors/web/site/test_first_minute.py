"""What somebody sees who was never here: the home page, and a game at once without account."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from sarsen.games import find
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.events.statistics import count, sweep_figures
from sarsen.storage.models import Challenge, Match, Player, Rating
from visitor import Visitor
from web_world import NOW

Visit = Callable[..., Visitor]
ENDED = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"
TRY = "/games/druid/try/?options=-size%3D3&partner=on"


def test_home_page_begins_a_game_with_a_program_in_one_press(world: Any, visit: Visit) -> None:
    make_accounts(NOW)
    nobody = visit()
    nobody.go("/")
    nobody.press("Play now")
    match = Match.objects.get()
    assert (match.game, match.bots) == ("druid", [None, 1])
    assert nobody.path == f"/boards/{match.pk}/"


@pytest.mark.parametrize(("words", "level"), [("Easy", 1), ("Medium", 3), ("Hard", 6)])
@pytest.mark.parametrize("game", find())
def test_home_page_has_each_game_at_three_levels(
    world: Any, visit: Visit, game: str, words: str, level: int
) -> None:
    make_accounts(NOW)
    nobody = visit()
    nobody.go("/")
    tree = nobody.tree
    fields = [
        (one.get("name"), one.get("value", ""))
        for one in tree.xpath("//form[@class='quick']//input[@type='hidden']")
    ]
    labels = tree.xpath(f"//form[@class='quick']//label[.='{words}' or @for='game-{game}']/@for")
    for label in labels:
        fields += [(one.get("name"), one.get("value")) for one in tree.xpath(f"//*[@id='{label}']")]
    (button,) = tree.xpath("//form[@class='quick']//button[@name='quick'][contains(., 'Play now')]")
    nobody.send("/do/", [*fields, ("quick", button.get("value"))])
    match = Match.objects.get()
    assert (match.game, match.bots) == (game, [None, level])
    assert ("-size=9" in match.options) == (game == "visavis" and level == 1)


@pytest.mark.parametrize("has_programs", [True, False])
@pytest.mark.parametrize("userid", ["", "ann"])
def test_play_a_friend_makes_a_link_at_once_for_the_chosen_game(
    world: Any, visit: Visit, userid: str, has_programs: bool
) -> None:
    if has_programs:
        make_accounts(NOW)
    visitor = visit(*filter(None, [userid]))
    visitor.go("/")
    visitor.press("Play a friend", game_druid="gyges")
    (challenge,) = Challenge.objects.all()
    assert (challenge.game, bool(challenge.link_key)) == ("gyges", True)
    assert visitor.path == f"/challenges/{challenge.pk}/"
    assert challenge.link_key in visitor.tree.xpath("//input[@id='link']/@value")[0]


def test_home_page_shows_players_the_boards_and_invitations_that_wait_for_them(
    world: Any, visit: Visit
) -> None:
    board = world.board(moves="c1 c2")
    world.challenge("gyges", "bob", "ann", terms=("--unrated",))
    ann, bob, cleo = visit("ann"), visit("bob"), visit("cleo")
    ann.go("/")
    assert ann.tree.xpath("//h1/text()")[0].strip() == "Your turn"
    assert f"/boards/{board}/" in ann.tree.xpath("//ul[contains(@class, 'own')]//a/@href")
    (card,) = ann.tree.xpath("//section[h2[contains(., 'Invitations')]]//li")
    words = " ".join(card.text_content().split())
    assert "bob Gyges A move every few days · unrated · bob begins" in words
    assert card.xpath(".//svg[@class='face']")
    assert card.xpath(".//button[contains(., 'Accept')]")
    assert "Nothing waits" not in ann.text
    for other in (bob, cleo):
        other.go("/")
        assert "No board is waiting for you" in other.text
        assert not other.tree.xpath("//section[h2[contains(., 'Invitations')]]")


def test_somebody_with_an_invitation_alone_is_not_told_that_nothing_waits(
    world: Any, visit: Visit
) -> None:
    world.board(moves=ENDED)
    world.challenge("druid", "bob", "ann", options="-size=6")
    ann = visit("ann")
    assert "Somebody wants to play you" in ann.go("/")
    assert "bob 1338? Druid size 6" in ann.text
    assert "No game yet" not in ann.go("/my/")
    ann.press("Accept 2")
    assert ann.path.startswith("/boards/")


def test_home_page_says_what_goes_on(world: Any, visit: Visit) -> None:
    nobody = visit()
    nobody.go("/")
    assert not nobody.tree.xpath("//p[contains(@class, 'lively')]")
    world.board(moves=ENDED)
    world.board("vasco")
    for _ in range(2):
        world.challenge("druid", "ann", "anyone")
    sweep_figures(NOW + timedelta(minutes=5))
    nobody.go("/")
    assert "2 games active in the last hour 1 person looking for a game" in nobody.text
    (best,) = nobody.tree.xpath("//ol[contains(@class, 'best')]/li")
    assert " ".join(best.text_content().split()) == "ann ▲ +162"
    assert count(NOW + timedelta(hours=2)).moved_lately == 0
    assert count(NOW + timedelta(days=31)).best == ()
    Player.objects.filter(userid="ann").update(is_active=False)
    nobody.go("/")
    assert not nobody.tree.xpath("//ol[contains(@class, 'best')]/li")


def test_game_in_play_is_shown_before_one_that_is_over(world: Any, visit: Visit) -> None:
    world.board(moves=ENDED)
    shown = world.board(moves="c1 c2 d1 d2 e1 e2")
    world.board(moves="c1 c2 d1 d2 e1 e2", terms=("--private",))
    nobody = visit()
    nobody.go("/")
    address = nobody.tree.xpath("//figure[@data-ply='6']//img/@src")[0]
    assert address.startswith(f"/boards/{shown}/6-")


def test_newest_finished_game_with_something_to_see_plays_on_the_home_page(
    world: Any, visit: Visit
) -> None:
    nobody = visit()
    nobody.go("/")
    # Where nobody has played, the picture's own game does, move by move.
    (figure,) = nobody.tree.xpath("//figure[@data-ply='24']")
    (address,) = figure.xpath(".//img/@src")
    assert address.startswith("/games/druid/classic/24-")
    for ply in (0, 24, 99):
        response = nobody.client.get(address.replace("/24-", f"/{ply}-"))
        assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
    shown = world.board(moves="c1 c2 d1 d2 e1 e2")
    short = world.board(moves="c1 c2")
    ann = visit("ann")
    for board in (shown, short):
        ann.type(f"resign {board}")
        ann.type(f"confirm {board}")
    nobody.go("/")
    assert nobody.tree.xpath("//figure/@data-ply") == ["6"]
    address = nobody.tree.xpath("//figure//img/@src")[0]
    assert address.startswith(f"/boards/{shown}/6-")
    # The script puts other plies in its place.
    assert nobody.client.get(address.replace("/6-", "/0-")).status_code == 200


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
    assert nobody.tree.xpath("//a[.='Start over']")


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


def test_where_nobody_looks_for_a_game_a_program_of_ones_strength_is_offered(
    world: Any, visit: Visit
) -> None:
    make_accounts(NOW)
    nobody, ann = visit(), visit("ann")
    nobody.go("/")
    assert "bot1 (beginner) always has time" in nobody.text
    for level, points in ((1, 1000), (3, 1400), (5, 1800)):
        Rating.objects.create(
            player=Player.objects.get(level=level),
            **{"game": "gyges", "rating": points, "deviation": 50, "volatility": 0.06},
            **{"matches": 9, "rated_at": timezone.now()},
        )
    Rating.objects.create(
        player=world.player("ann"),
        **{"game": "gyges", "rating": 1350, "deviation": 90, "volatility": 0.06},
        **{"matches": 9, "rated_at": timezone.now()},
    )
    ann.go("/challenges/")
    assert "At Gyges, bot3 is about as strong as you" in ann.text
    ann.press("Play bot3")
    match = Match.objects.get()
    assert (match.game, match.bots, match.options) == ("gyges", [None, 3], "")
    world.challenge("druid", "bob", "anyone")
    assert "Nobody is looking" not in ann.go("/challenges/")


def test_home_shows_members_what_those_they_follow_play(world: Any, visit: Visit) -> None:
    board = world.board(moves="c1 c2", players=("bob", "carla"))
    private = world.board(moves="c1 c2", players=("bob", "carla"), terms=("--private",))
    ann = visit("ann")
    assert "Played by those you follow" not in ann.go("/")
    ann.type("subscribe bob")
    ann.go("/")
    links = ann.tree.xpath("//section[h2/@id='followed']//a/@href")
    assert f"/boards/{board}/" in links
    assert f"/boards/{private}/" not in links
