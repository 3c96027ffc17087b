"""Programs by mail: the game starts with the answer, and they get no mail themselves."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
import time_machine
from django.utils import timezone
from pytest_django.fixtures import Settings

from doors.mail.conftest import PostOffice, text_of, words_of
from sarsen.language.commands import Resign
from sarsen.search.thought import Thought
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.bots.due_boards import boards_due
from sarsen.services.dispatch import perform
from sarsen.services.mail.outgoing import HELD, claim_due
from sarsen.services.request import Actor
from sarsen.storage.models import Match, OutgoingMail, Player
from sarsen.workers.thinking.playing import carry_out, take_up

ANN = "ann@ann.example"


def said_in(letter: EmailMessage) -> str:
    return text_of(letter).partition("Chat:")[0]


@pytest.fixture(autouse=True)
def _programs(db: None) -> None:
    make_accounts(timezone.now())


def think(post: PostOffice) -> None:
    (due,) = boards_due(1, 8, but=(), limit=9)
    turn = take_up(due)
    assert turn is not None
    carry_out(turn, Thought(turn.position.legal_moves()[0], 0.5), timezone.now())


def test_answered_welcome_starts_a_game_and_the_programs_move_comes_by_mail(
    post: PostOffice,
) -> None:
    welcome = post.join("ann")
    post.answer(welcome, "druid challenge -size=4 me bot5")
    started = post.last(ANN)
    assert "the game has started as board" in text_of(started)
    assert "V: ann    H: bot5 (a program)" in text_of(started)
    post.answer(started, "a1")
    think(post)
    post.work()
    letter = post.last(ANN)
    assert "bot5 played " in text_of(letter)
    assert "It is your turn." in text_of(letter)
    assert {letter.address for letter in OutgoingMail.objects.all()} == {ANN}


def test_move_and_the_answer_of_a_program_come_in_one_letter(post: PostOffice) -> None:
    post.answer(post.join("ann"), "druid challenge -size=4 me bot5")
    post.answer(post.last(ANN), "a1")
    assert post.box(ANN) == []  # the answer is held for the program's
    think(post)
    post.work()
    (letter,) = post.box(ANN)
    text = words_of(letter)
    assert text.startswith("> a1 You played a1 (move 1). bot5 played ")
    assert "It is your turn." in text
    assert text.index("bot5 played") < text.index("1 a1 2 ")  # the board, then the moves
    assert letter["Auto-Submitted"] == "auto-replied"
    post.answer(letter, "d1")
    assert Match.objects.get().ply == 3


def test_confirmation_goes_by_itself_when_the_program_takes_long(post: PostOffice) -> None:
    post.answer(post.join("ann"), "druid challenge -size=4 me bot5")
    post.answer(post.last(ANN), "a1")
    (held,) = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING)
    assert held.due_at - held.queued_at == HELD
    with time_machine.travel(held.due_at, tick=False):
        post.work()
        (letter,) = post.box(ANN)
        assert "You played a1" in text_of(letter)
        think(post)
        post.work()
        (letter,) = post.box(ANN)
    assert "You played" not in text_of(letter)
    assert "bot5 played " in text_of(letter)


def test_letter_that_a_sender_has_claimed_is_not_changed(post: PostOffice) -> None:
    post.answer(post.join("ann"), "druid challenge -size=4 me bot5")
    post.answer(post.last(ANN), "a1")
    (held,) = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING)
    assert claim_due(held.due_at, 9)
    think(post)
    first, second = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING).order_by("pk")
    assert "then" not in first.facts
    assert second.kind == "board"
    # The program's letter waits behind the one that is being sent.
    assert claim_due(timezone.now(), 9) == []


def test_program_that_ends_the_game_says_so_in_the_one_letter(post: PostOffice) -> None:
    post.answer(post.join("ann"), "druid challenge -size=4 me bot5")
    post.answer(post.last(ANN), "a1")
    bot = Player.objects.get(level=5)
    perform(Resign("", 1, confirmed=True), Actor(bot), "", timezone.now())
    post.work()
    (letter,) = post.box(ANN)
    assert "You played a1" in text_of(letter)
    assert "The game is over: ann wins. H resigned." in words_of(letter)
    assert [file.get_filename() for file in letter.iter_attachments()] == ["druid-1.txt"]


def test_answer_is_not_held_for_a_player_to_whom_turns_are_not_mailed(post: PostOffice) -> None:
    welcome = post.join("ann")
    post.answer(welcome, "notices turn none")
    post.answer(welcome, "druid challenge -size=4 me bot5")
    post.answer(post.last(ANN), "a1")
    assert "You played a1" in text_of(post.last(ANN))


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
            str(letter["Subject"]) for letter in post.box(ANN) if "cannot chat" in said_in(letter)
        ]
    assert len(said) == 1


def test_help_tells_of_the_programs(post: PostOffice) -> None:
    for subject in ("bots", "programs", "bot3"):
        post.send(ANN, subject=f"help {subject}")
        assert "bot8: strongest" in text_of(post.last(ANN)).replace("`", "")


def test_welcome_names_a_program_and_its_line_works(post: PostOffice) -> None:
    welcome = post.join("ann")
    assert "    druid challenge me bot1\r\n" in text_of(welcome).replace("\r", "").replace(
        "\n", "\r\n"
    )
    assert "bot1 is a\nbeginner, bot8 the strongest" in text_of(welcome).replace("\r", "")
    post.answer(welcome, "druid challenge me bot1")
    assert Match.objects.get().bots == [None, 1]


def test_welcome_names_no_program_where_none_plays(post: PostOffice, settings: Settings) -> None:
    settings.SARSEN_BOTS = False
    assert "challenge me" not in text_of(post.join("ann"))


def test_game_of_two_programs_is_offered_to_watch_not_to_move_in(post: PostOffice) -> None:
    welcome = post.join("ann")
    post.answer(welcome, "druid challenge -size=4 bot3 bot7")
    started = post.last(ANN)
    assert "To move" not in text_of(started)
    assert "reply with `subscribe 1`" in text_of(started)
    post.answer(started, "subscribe 1")
    assert "Nothing was changed" not in text_of(post.last(ANN))


def test_last_letter_offers_a_review(post: PostOffice) -> None:
    welcome = post.join("ann")
    post.answer(welcome, "druid challenge -size=4 me bot5")
    started = post.last(ANN)
    post.answer(started, "a1")
    post.answer(started, "resign")
    post.answer(post.last(ANN), "yes")
    final = post.last(ANN)
    assert "reply with `review`" in text_of(final)
    post.answer(final, "review")
    assert "is being reviewed" in text_of(post.last(ANN))


@pytest.mark.parametrize("word", ["bots", "bot", "Programs", "computer"])
def test_word_that_asks_for_a_program_is_answered_with_its_help(
    post: PostOffice, word: str
) -> None:
    post.answer(post.join("ann"), word)
    assert "    help bots" in text_of(post.last(ANN))


def test_game_in_the_place_of_a_player_is_put_before_the_command(post: PostOffice) -> None:
    post.answer(post.join("ann"), "ratings druid")
    assert "    druid ratings" in text_of(post.last(ANN))
