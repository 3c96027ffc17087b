"""A challenge from a player's own address without proof: From can be forged."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from doors.mail.conftest import PostOffice, words_of
from sarsen.services.admin.cleanup import ASKED_KEPT, tidy_up
from sarsen.services.limits.mail_answers import AnswerKind
from sarsen.storage.models import Challenge, Match

ANN, BOB = "ann@ann.example", "bob@bob.example"


@pytest.fixture
def players(post: PostOffice) -> PostOffice:
    """Let ann and bob join; nothing in their boxes is unread."""
    for userid in ("ann", "bob"):
        post.join(userid)
    return post


@pytest.mark.parametrize("names", ["ann bob", "me bob", "ANN bob"])
def test_one_letter_asks_the_player_and_nobody_else_hears_of_it(
    players: PostOffice, names: str
) -> None:
    players.send(ANN, subject=f"druid challenge -size=5 {names}")
    (letter,) = players.box(ANN)
    said = words_of(letter)
    assert "asks for a game of Druid -size=5: ann v bob" in said
    assert "Somebody" not in said
    assert " yes " in said
    assert str(letter["Reply-To"]).startswith("invited-")
    assert players.box(BOB) == []


def test_yes_sends_the_challenge_in_the_name_of_its_player(players: PostOffice) -> None:
    players.send(ANN, subject="druid challenge -size=5 ann bob")
    players.answer(players.last(ANN), "yes")
    assert "It starts when bob accepts" in words_of(players.last(ANN))
    invitation = players.last(BOB)
    assert words_of(invitation).startswith("ann would like to play Druid -size=5: ann v bob")
    players.answer(invitation, "accept")
    assert Match.objects.count() == 1


def test_no_forgets_the_challenge_in_silence(players: PostOffice) -> None:
    players.send(ANN, subject="druid challenge ann bob")
    players.answer(players.last(ANN), "no")
    assert "is withdrawn" in words_of(players.last(ANN))
    assert players.box(BOB) == []
    assert Challenge.objects.get().state == Challenge.State.WITHDRAWN


def test_each_yes_sends_the_challenge_of_its_own_letter(players: PostOffice) -> None:
    players.send(ANN, subject="druid challenge -size=5 ann bob")
    players.send(ANN, subject="druid challenge -size=6 ann bob")
    first, second = players.box(ANN)
    players.answer(first, "yes")
    assert "-size=5" in words_of(players.last(BOB))
    players.answer(second, "yes")
    assert "-size=6" in words_of(players.last(BOB))


def test_nobody_else_can_send_or_see_a_challenge_that_waits_for_its_players_yes(
    players: PostOffice,
) -> None:
    players.send(ANN, subject="druid challenge ann bob")
    number = Challenge.objects.get().pk
    players.join("carl")
    for line in (f"accept {number}", f"decline {number}", f"withdraw {number}"):
        players.send("bob@bob.example", subject="list")
        welcome = players.join(f"dora{line[0]}")
        players.answer(welcome, line)
        assert "[unknown-challenge]" in words_of(players.last(str(welcome["To"])))
    assert Challenge.objects.get().state == Challenge.State.ASKED


def test_forged_mails_cause_a_bounded_number_of_letters_a_day(players: PostOffice) -> None:
    for number in range(AnswerKind.CHALLENGE.value + 3):
        players.send(ANN, body=f"{number}", subject="druid challenge ann bob")
    assert len(players.box(ANN)) == AnswerKind.CHALLENGE.value
    assert Challenge.objects.count() == AnswerKind.CHALLENGE.value
    assert players.box(BOB) == []


def test_challenge_that_nobody_confirms_is_deleted(players: PostOffice) -> None:
    players.send(ANN, subject="druid challenge ann bob")
    with time_machine.travel(timezone.now() + ASKED_KEPT + timedelta(hours=1)):
        tidy_up(timezone.now())
    assert not Challenge.objects.exists()


def test_mail_from_an_unknown_address_invites_as_before(players: PostOffice) -> None:
    players.send("eve@eve.example", subject="druid challenge ann bob")
    for address in (ANN, BOB):
        assert "Somebody would like to play" in words_of(players.last(address))
