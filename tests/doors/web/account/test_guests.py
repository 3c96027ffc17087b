"""Guests: one press on the home page begins a game with a program, without an account."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from click.testing import CliRunner
from django.utils import timezone

from sarsen.doors.mail import jobs
from sarsen.server.command import main
from sarsen.services.accounts import attempts, guests
from sarsen.services.admin.cleanup import tidy_up
from sarsen.services.bots.accounts import make_accounts
from sarsen.storage.models import CaughtMail, Challenge, Match, OutgoingMail, Player
from visitor import Visitor
from web_world import NOW

Visit = Callable[..., Visitor]


@pytest.fixture(autouse=True)
def _programs(db: None) -> None:
    make_accounts(NOW)


@pytest.fixture
def guest(visit: Visit) -> Visitor:
    """Return a browser in which a guest has just begun a game of Druid with level 4."""
    visitor = visit()
    visitor.go("/games/druid/")
    visitor.press("Druid, level 4, fair player")
    return visitor


def join(visitor: Visitor, userid: str) -> None:
    visitor.go("/join/")
    visitor.press("Join", userid=userid, address=f"{userid}@example.org", zone="Europe/Berlin")
    jobs.send_mail.call()
    letter = bytes(CaughtMail.objects.filter(letter__kind="signup").latest("pk").raw)
    found = re.search(rb"asked for them: (\d{6})\b", letter)
    assert found
    visitor.press("Continue", digits=found[1].decode())


def test_one_press_begins_an_unrated_game_that_is_played(guest: Visitor) -> None:
    player = Player.objects.get(is_guest=True)
    match = Match.objects.get()
    assert guest.path == f"/boards/{match.pk}/"
    assert match.bots == [None, 4]
    assert match.terms["unrated"] is True
    assert re.fullmatch(r"guest-\d{6}", player.userid)
    guest.press("Play", move="a1")
    assert Match.objects.get().ply == 1
    assert "bot4 is thinking" in guest.text
    assert not OutgoingMail.objects.exists()


@pytest.mark.parametrize("path", ["/games/gyges/", "/programs/", "/games/druid/try/?partner=on"])
def test_every_button_of_a_program_serves_guests(visit: Visit, path: str) -> None:
    visitor = visit()
    visitor.go(path)
    found = visitor.tree.xpath("//p[contains(@class, 'levels')]//button")
    levels = [" ".join(one.text_content().split()) for one in found]
    visitor.press(levels[0] if levels else "Play a beginner")
    assert visitor.path == f"/boards/{Match.objects.get().pk}/"


def test_a_guest_that_joins_keeps_its_game_under_the_new_name(guest: Visitor) -> None:
    before = Player.objects.get(is_guest=True)
    guest.press("Play", move="a1")
    join(guest, "cleo")
    assert "Welcome, cleo" in guest.text
    cleo = Player.objects.get(key="cleo")
    assert (cleo.pk, cleo.is_guest, cleo.refuses) == (before.pk, False, [])
    assert [one.address for one in cleo.addresses.all()] == ["cleo@example.org"]
    guest.go("/my/")
    assert "bot4" in guest.text
    guest.go(f"/boards/{Match.objects.get().pk}/")
    assert "cleo" in guest.text
    assert before.userid not in guest.page
    assert not Player.objects.filter(is_guest=True).exists()
    guest.go("/account/")
    assert guest.path == "/account/"


def test_after_joining_a_guest_goes_back_to_the_board_it_came_from(guest: Visitor) -> None:
    board = guest.path
    guest.press("Play", move="a1")
    guest.go(board)
    guest.go(guest.tree.xpath("//main//a[normalize-space()='Create account']/@href")[0])
    guest.press("Join", userid="cleo", address="cleo@example.org", zone="Europe/Berlin")
    jobs.send_mail.call()
    letter = bytes(CaughtMail.objects.filter(letter__kind="signup").latest("pk").raw)
    found = re.search(rb"asked for them: (\d{6})\b", letter)
    assert found
    guest.press("Continue", digits=found[1].decode())
    assert guest.tree.xpath("//a[normalize-space()='Back to the board']/@href") == [board]
    guest.go("/join/?next=https://evil.example/")
    assert not guest.tree.xpath("//input[@name='next']")


def test_after_a_win_the_next_stronger_program_is_offered(guest: Visitor) -> None:
    board = Match.objects.get()
    for level, winner, words in (
        (4, 0, "Now try Hard"),
        (6, 0, ""),
        (1, 1, ""),
        (1, 0, "Now try Medium"),
    ):
        program = Player.objects.get(level=level)
        board.seats.filter(seat=1).update(player=program)
        scores = [1.0 - winner, float(winner)]
        Match.objects.filter(pk=board.pk).update(
            ended_at=NOW, scores=scores, reason="Somebody resigned.", bots=[None, level]
        )
        guest.go(f"/boards/{board.pk}/")
        assert ("Now try" in guest.text) == bool(words), words
        assert words in guest.text
    guest.press("Now try Medium")
    assert Match.objects.latest("pk").bots == [None, 3]


def test_the_link_of_the_letter_in_another_browser_turns_the_same_guest_into_the_account(
    guest: Visitor, visit: Visit
) -> None:
    guest.go("/join/")
    guest.press("Join", userid="cleo", address="cleo@example.org", zone="UTC")
    jobs.send_mail.call()
    letter = bytes(CaughtMail.objects.filter(letter__kind="signup").latest("pk").raw)
    found = re.search(rb"/welcome/([0-9a-f]+)/", letter)
    assert found
    other = visit()
    other.go(f"/welcome/{found[1].decode()}/")
    other.press("Yes, I am cleo")
    assert Match.objects.get().seats.get(seat=0).player.userid == "cleo"
    guest.go("/my/")
    assert guest.path == "/login/"  # the guest's own cookie opens no account


@pytest.mark.parametrize(
    ("line", "body"),
    [
        ("druid challenge me bob", ""),
        ("druid challenge me anyone", ""),
        ("druid challenge --link --private me anyone", ""),
        ("druid challenge --link me bot1", ""),
        ("decline {challenge} Because", ""),
        ("druid challenge bob bot3", ""),
        ("druid challenge bot1 bot3", ""),
        ("message bob", "Hello"),
        ("broadcast", "Hello"),
        ("chat {board}", "Hello"),
        ("accept {challenge}", ""),
        ("address ann@example.org", ""),
        ("notices webhook https://example.org/", ""),
    ],
)
def test_a_guest_reaches_nobody_and_is_told_what_an_account_is_for(
    guest: Visitor, world: Any, line: str, body: str
) -> None:
    challenge = world.challenge("druid", "bob", "anyone").number
    world.player("bob")
    OutgoingMail.objects.all().delete()
    guest.type(line.format(board=Match.objects.get().pk, challenge=challenge), body)
    assert guest.status == 422
    assert "Guests play programs" in guest.text or "Not for guests" in guest.text
    assert not OutgoingMail.objects.exists()
    assert Match.objects.count() == 1


@pytest.mark.parametrize("path", ["/account/", "/account/tokens/", "/account/devices/"])
def test_the_pages_of_an_account_lead_a_guest_to_joining(guest: Visitor, path: str) -> None:
    guest.go(path)
    assert guest.path == "/join/"
    assert "You are playing as a guest" in guest.text


def test_nobody_can_challenge_a_guest(guest: Visitor, visit: Visit, world: Any) -> None:
    userid = Player.objects.get(is_guest=True).userid
    ann = visit("ann")
    ann.type(f"druid challenge me {userid}")
    assert "does not want to be challenged to this" in ann.text
    assert Challenge.objects.filter(state="open").count() == 0


def test_one_place_makes_so_many_guests_and_then_joining_is_offered(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(attempts.MAX_A_DAY, "guest", 2)
    for _ in range(3):
        visitor = visit()
        visitor.go("/games/druid/")
        visitor.press("Druid, level 4, fair player")
    assert Player.objects.filter(is_guest=True).count() == 2
    assert "Log in or create an account" in visitor.text
    assert "A game of Druid with bot4" in visitor.text


def test_all_places_together_make_so_many_guests(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "MAX_A_DAY", 1)
    for place in ("192.0.2.1", "192.0.2.2"):
        visitor = visit()
        visitor.client.defaults["REMOTE_ADDR"] = place
        visitor.go("/games/druid/")
        visitor.press("Druid, level 4, fair player")
    assert Player.objects.filter(is_guest=True).count() == 1
    assert "Log in or create an account" in visitor.text


def test_one_guest_has_so_many_games_at_once(guest: Visitor) -> None:
    for _ in range(3):
        guest.go("/games/druid/")
        guest.press("Druid, level 4, fair player")
    assert Match.objects.count() == guests.MAX_GAMES
    assert "at most 3 games" in guest.text


def test_a_refused_challenge_makes_no_guest(visit: Visit, settings: Any) -> None:
    visitor = visit()
    visitor.go("/games/druid/")
    settings.SARSEN_BOTS = False
    visitor.press("Druid, level 4, fair player")
    assert "no programs on this server" in visitor.text
    assert not Player.objects.filter(is_guest=True).exists()


def test_guests_expire_with_their_unfinished_games_and_the_server_stays_sound(
    visit: Visit, world: Any
) -> None:
    began = timezone.now()
    played, unplayed, finished = visit(), visit(), visit()
    for visitor in (played, unplayed, finished):
        visitor.go("/games/druid/")
        visitor.press("Druid, level 4, fair player")
    boards = list(Match.objects.order_by("pk").values_list("pk", flat=True))
    played.press("Play", move="a1")
    finished.press("Play", move="a1")
    finished.type(f"confirm resign {boards[2]}")
    finished.type(f"resign {boards[2]}")
    finished.type(f"confirm {boards[2]}")
    assert Match.objects.filter(ended_at=None).count() == 2
    tidy_up(began + guests.LASTS_UNPLAYED + timedelta(hours=1))
    assert set(Match.objects.values_list("pk", flat=True)) == {boards[0], boards[2]}
    tidy_up(began + guests.LASTS + timedelta(hours=1))
    assert list(Match.objects.values_list("pk", flat=True)) == [boards[2]]
    assert not Player.objects.filter(is_guest=True).exists()
    left = Match.objects.get().seats.get(seat=0).player
    assert (left.is_active, left.left_at is not None) == (False, True)
    with time_machine.travel(began + guests.LASTS + timedelta(hours=2)):
        played.go("/")
        assert "Create account" not in played.page  # its cookie is nobody's
        checked = CliRunner().invoke(main, ["verify"], catch_exceptions=False)
    assert "nothing differs" in checked.output, checked.output


def friends(visit: Visit) -> tuple[Visitor, Visitor]:
    """Return the browsers of two guests, of whom the second has taken the first one's link."""
    one, other = visit(), visit()
    one.go("/")
    one.press("Play a friend", game_druid="gyges")
    other.go(one.tree.xpath("//input[@id='link']/@value")[0].removeprefix("https://sarsen.test"))
    other.press("Accept and play")
    return one, other


def test_two_guests_play_each_other_by_a_link(visit: Visit) -> None:
    one, other = friends(visit)
    match = Match.objects.get()
    assert (match.game, match.bots, match.terms["unrated"]) == ("gyges", [], True)
    assert [seat.player.is_guest for seat in match.seats.all()] == [True, True]
    assert other.path == f"/boards/{match.pk}/"
    one.go(f"/boards/{match.pk}/")
    one.press("Play", move="123123")
    assert Match.objects.get().ply == 1
    one.type(f"chat {match.pk}", "Hello")
    assert "for this you need an account" in one.text
    join(other, "cleo")
    assert Match.objects.get().seats.get(seat=1).player.userid == "cleo"
    assert not OutgoingMail.objects.filter(kind__in=("turn", "started")).exists()


def test_two_guests_play_again_and_decline_without_words(visit: Visit) -> None:
    one, other = friends(visit)
    board = Match.objects.get().pk
    one.type(f"resign {board}")
    one.type(f"confirm {board}")
    one.go(f"/boards/{board}/")
    one.press("Rematch")
    other.go(f"/boards/{board}/")
    other.press("Accept")
    again = Match.objects.latest("pk")
    assert (again.pk != board, again.terms["unrated"]) == (True, True)
    other.type(f"resign {again.pk}")
    other.type(f"confirm {again.pk}")
    other.go(f"/boards/{again.pk}/")
    other.press("Rematch")
    one.type(f"decline {Challenge.objects.latest('pk').pk} You are rude")
    assert "for this you need an account" in one.text
    one.go(f"/boards/{again.pk}/")
    one.press("Decline")
    assert Challenge.objects.latest("pk").state == "declined"


def test_a_guest_takes_the_link_of_a_member_and_the_game_is_unrated(
    visit: Visit, world: Any
) -> None:
    ann, nobody = visit("ann"), visit()
    ann.type("druid challenge --link --rated me anyone")
    (challenge,) = Challenge.objects.all()
    nobody.go(f"/challenges/{challenge.pk}/")
    assert nobody.status == 404
    nobody.go(f"/challenges/{challenge.pk}/{challenge.link_key}/")
    nobody.press("Accept and play")
    match = Match.objects.get()
    assert match.terms["unrated"] is True
    assert nobody.path == f"/boards/{match.pk}/"
    # A visitor without a link reaches nobody, and becomes no guest.
    open_to_all = world.challenge("druid", "bob", "anyone").number
    other = visit()
    other.go(f"/challenges/{open_to_all}/")
    other.press("Accept and play")
    assert "Log in or create an account" in other.text
    assert Player.objects.filter(is_guest=True).count() == 1


def test_one_guest_gives_away_so_many_links(visit: Visit) -> None:
    visitor = visit()
    for _ in range(4):
        visitor.go("/")
        visitor.press("Play a friend", game_druid="druid")
    assert Challenge.objects.count() == guests.MAX_GAMES
    assert "at most 3 games" in visitor.text
    assert Player.objects.filter(is_guest=True).count() == 1


def test_links_and_games_of_guests_last_as_long_as_somebody_plays(visit: Visit) -> None:
    began = timezone.now()
    waiting = visit()
    waiting.go("/")
    waiting.press("Play a friend", game_druid="druid")
    friends(visit)
    board = Match.objects.get().pk
    tidy_up(began + guests.LASTS_UNPLAYED + timedelta(hours=1))
    assert Player.objects.filter(is_guest=True).count() == 3
    tidy_up(began + guests.LASTS + timedelta(hours=1))
    assert not Player.objects.filter(is_guest=True).exists()
    assert not Challenge.objects.filter(state="open").exists()
    match = Match.objects.get(pk=board)
    assert (match.ended_at is not None, sorted(match.scores or ())) == (True, [0.0, 1.0])
