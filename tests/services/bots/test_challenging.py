"""Challenging programs: they agree to everything at once, within bounds."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pytest_django.fixtures import Settings

from sarsen.core.errors import UserError
from sarsen.language.commands import Accept, MakeChallenge, Rematch, Resign, SendMessage
from sarsen.language.replies import ChallengeStands
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.bots.accounts import check_room, make_accounts
from sarsen.services.dispatch import perform
from sarsen.services.limits import daily
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import Match, OutgoingMail
from web_world import NOW, World

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    make_accounts(NOW)
    return World()


def challenge(
    world: World, *names: str, by: str = "ann", terms: tuple[str, ...] = ()
) -> ChallengeStands:
    actor = Actor(world.player(by)) if by else NOBODY
    if "bob" in names:
        world.player("bob")
    reply = perform(MakeChallenge("druid", "-size=4", terms, names), actor, "", NOW)
    assert isinstance(reply, ChallengeStands)
    return reply


def refusal(world: World, *names: str, by: str = "ann") -> UserError:
    with pytest.raises(UserError) as refused:
        challenge(world, *names, by=by)
    return refused.value


def test_game_with_a_program_starts_at_once_and_me_is_who_speaks(world: World) -> None:
    started = challenge(world, "me", "bot5")
    assert started.names == ("ann", "bot5")
    match = Match.objects.get(pk=started.board)
    assert (match.bots, match.bot_level) == ([None, 5], None)
    assert not OutgoingMail.objects.exists()  # the answer shows the board; a program has no mail


def test_board_waits_for_the_program_that_is_named_first(world: World) -> None:
    started = challenge(world, "Bot3", "ME")
    assert Match.objects.get(pk=started.board).bot_level == 3


def test_me_needs_somebody_who_speaks_and_the_hint_says_how(world: World) -> None:
    refused = refusal(world, "me", "bot5", by="")
    assert refused.code == "who-speaks"
    assert refused.hint == "druid challenge USERID PASSWORD me bot5"


def test_mail_that_proves_nobody_starts_no_game_before_its_person_accepts(world: World) -> None:
    ann = world.player("ann")
    asked = challenge(world, "ann", "bot5", by="")
    assert asked.waiting_for == ("ann",)
    started = perform(Accept(asked.number), Actor(ann), "", NOW)
    assert isinstance(started, ChallengeStands)
    assert started.board is not None


def test_program_takes_no_open_challenge(world: World) -> None:
    asked = challenge(world, "me", "anyone")
    assert asked.waiting_for == ("anyone",)
    assert asked.board is None


def test_rematch_with_a_program_starts_at_once_with_seats_exchanged(world: World) -> None:
    board = challenge(world, "me", "bot2").board
    assert board is not None
    ann = Actor(world.player("ann"))
    perform(Resign("druid", board, confirmed=True), ann, "", NOW)
    again = perform(Rematch("druid", board), ann, "", NOW)
    assert isinstance(again, ChallengeStands)
    assert again.names == ("bot2", "ann")
    assert Match.objects.get(pk=again.board).bot_level == 2


def test_one_person_has_so_many_games_with_programs_and_then_room_when_one_is_over(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.services.bots.accounts.MAX_GAMES", 2)
    board = challenge(world, "me", "bot1").board
    challenge(world, "bot1", "me")
    refused = refusal(world, "me", "bot2")
    assert refused.code == "bot-games"
    assert "You have 2 games against programs" in refused.text
    challenge(world, "me", "bot2", by="bob")  # of somebody else
    assert board is not None
    perform(Resign("druid", board, confirmed=True), Actor(world.player("ann")), "", NOW)
    challenge(world, "me", "bot2")


def test_pair_counts_as_two(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sarsen.services.bots.accounts.MAX_GAMES", 1)
    with pytest.raises(UserError, match="1 at once"):
        challenge(world, "me", "bot1", terms=("--pair",))
    assert not Match.objects.exists()


def test_games_between_programs_may_be_watched_a_few_a_day(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(daily.MAX_A_DAY, "bots", 1)
    started = challenge(world, "bot1", "bot2")
    assert Match.objects.get(pk=started.board).bots == [1, 2]
    refused = refusal(world, "bot3", "bot4")
    assert refused.code == "bots-flood"
    assert "Try again in" in refused.text
    assert refusal(world, "bot3", "bot4", by="").code == "who-speaks"
    challenge(world, "bot3", "bot4", by="bob")
    tomorrow = NOW + timedelta(days=1, minutes=1)
    command = MakeChallenge("druid", "-size=4", (), ("bot3", "bot4"))
    perform(command, Actor(world.player("ann")), "", tomorrow)


def test_server_without_programs_says_so(world: World, settings: Settings) -> None:
    settings.SARSEN_BOTS = False
    assert refusal(world, "me", "bot1").code == "no-bots"
    assert challenge(world, "me", "bob").waiting_for == ("bob",)


def test_programs_take_no_seat_in_a_game_of_three(world: World) -> None:
    players = [world.player(userid) for userid in ("ann", "bob", "bot3")]
    with pytest.raises(UserError) as refused:
        check_room(players, Request(Actor(players[0]), NOW, AFTER_EVENTS), boards=1)
    assert refused.value.code == "bot-seats"
    check_room(
        [*players[:2], world.player("cyd")], Request(Actor(players[0]), NOW, AFTER_EVENTS), boards=1
    )


def test_program_reads_no_messages(world: World) -> None:
    with pytest.raises(UserError) as refused:
        perform(SendMessage(("bot1",), "Hello!"), Actor(world.player("ann")), "", NOW)
    assert refused.value.code == "message-to-program"


@pytest.mark.parametrize(
    ("typed", "meant"), [("bot9", "bot8"), ("bot0", "bot1"), ("bott5", "bot5")]
)
def test_program_that_there_is_not_is_refused_with_the_line_of_the_nearest(
    world: World, typed: str, meant: str
) -> None:
    refused = refusal(world, "me", typed)
    assert refused.code == "unknown-player"
    assert refused.hint == f"druid challenge -size=4 me {meant}"


def test_level_that_stands_apart_is_understood_in_the_hint(world: World) -> None:
    refused = refusal(world, "me", "Bot", "5")
    assert refused.code == "seat-count"
    assert refused.hint == "druid challenge -size=4 me Bot5"
