"""Programs by mail: the game starts with the answer, and they get no mail themselves."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from django.utils import timezone

from doors.mail.conftest import PostOffice, text_of
from sarsen.search.thought import Thought
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.bots.duty import boards_due
from sarsen.services.bots.playing import carry_out, take_up
from sarsen.storage.models import Match, OutgoingMail

ANN = "ann@ann.example"


def said_in(letter: EmailMessage) -> str:
    return text_of(letter).partition("Said at the board")[0]


@pytest.fixture(autouse=True)
def _programs(db: None) -> None:
    make_accounts(timezone.now())


def think(post: PostOffice) -> None:
    (due,) = boards_due(1, 8, but=(), limit=9)
    duty = take_up(due)
    assert duty is not None
    carry_out(duty, Thought(duty.position.legal_moves()[0], 0.5), timezone.now())


def test_answered_welcome_starts_a_game_and_the_programs_move_comes_by_mail(
    post: PostOffice,
) -> None:
    welcome = post.join("ann")
    post.answer(welcome, "druid challenge -size=4 me bot5")
    started = post.last(ANN)
    assert "the game has started as board" in text_of(started)
    assert "V: ann    H: bot5 (a program)" in text_of(started)
    post.answer(started, "a1")
    assert "Your move a1 is played, as ply 1." in text_of(post.last(ANN))
    think(post)
    post.work()
    letter = post.last(ANN)
    assert "bot5 played " in text_of(letter)
    assert "It is your turn." in text_of(letter)
    assert {letter.address for letter in OutgoingMail.objects.all()} == {ANN}


def test_userid_and_password_start_a_game_too(post: PostOffice) -> None:
    post.join("ann", "secret-ann")
    post.send(ANN, subject="visavis challenge ann secret-ann me bot1")
    assert "the game has started as board" in text_of(post.last(ANN))
    assert Match.objects.get().bots == [None, 1]


def test_words_to_a_program_are_answered_once(post: PostOffice) -> None:
    welcome = post.join("ann")
    post.answer(welcome, "druid challenge -size=4 me bot5")
    started = post.last(ANN)
    said = []
    for words in ("Good luck!", "Are you there?"):
        post.answer(started, f"chat {words}")
        said += [
            str(letter["Subject"]) for letter in post.box(ANN) if "cannot talk" in said_in(letter)
        ]
    assert len(said) == 1


def test_help_tells_of_the_programs(post: PostOffice) -> None:
    for subject in ("bots", "programs", "bot3"):
        post.send(ANN, subject=f"help {subject}")
        assert "bot8: strongest" in text_of(post.last(ANN)).replace("`", "")
