"""Boards and words that a letter shows, too, are the sender's where nothing quotes them."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from doors.mail.conftest import ANN, BOB, PostOffice, text_of, words_of
from sarsen.drawing.view import text as drawn
from sarsen.games import load, names
from sarsen.storage.models import ChatLine, Note, OutgoingMail, Player

OPTIONS = {"druid": "-size=5", "gyges": "", "vasco": "", "visavis": "-size=9"}


def begun(post: PostOffice, game: str) -> EmailMessage:
    """Return ann's letter of a board with a few moves."""
    return post.board(OPTIONS[game], game)["ann"]


def board_of(game: str, options: str = "") -> str:
    """Return the text of a board, as somebody may paste it, without empty rows at its ends."""
    info = load(game)
    given = dict(word.removeprefix("-").split("=") for word in (options or OPTIONS[game]).split())
    position = info.start({name: int(value) for name, value in given.items()})
    for _ in range(6):
        moves = position.legal_moves()
        position = position.play(moves[len(moves) // 2])
    return drawn(position).strip("\n")


def messages() -> int:
    return OutgoingMail.objects.filter(kind="message").count()


def without_blanks_at_ends(text: str) -> list[str]:
    return [row.rstrip() for row in text.strip("\n").split("\n")]


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("is_quoting", [False, True], ids=["plain", "quoting"])
def test_a_pasted_board_arrives_whole_in_a_chat(
    post: PostOffice, game: str, is_quoting: bool
) -> None:
    letter = begun(post, game)
    text = f"What about\n\n{board_of(game)}\n\nthis?"
    if is_quoting:
        post.answer(letter, f"chat {text}")
    else:
        to, subject = str(letter["Reply-To"]), f"Re: {letter['Subject']}"
        post.send(ANN, f"chat {text}", to=to, subject=subject)
    line = ChatLine.objects.latest("pk").text
    assert without_blanks_at_ends(line) == without_blanks_at_ends(text)
    assert "was not read" not in words_of(post.last(ANN))


def test_a_board_of_another_size_arrives_whole(post: PostOffice) -> None:
    letter = begun(post, "druid")
    text = f"My idea:\n\n{board_of('druid', '-size=10')}\n\nWhat do you think?"
    post.answer(letter, f"notes {text}")
    note = Note.objects.latest("pk").text
    assert without_blanks_at_ends(note) == without_blanks_at_ends(text)


@pytest.mark.parametrize("game", names())
def test_a_board_may_be_sent_twice_and_passed_on(post: PostOffice, game: str) -> None:
    letter = begun(post, game)
    post.join("carla")
    for text in (board_of(game), f"Once more:\n\n{board_of(game)}"):
        post.answer(letter, f"message bob:\n\n{text}")
        post.answer(letter, f"message carla:\n\n{text}")
    assert messages() == 4
    received = post.last("carla@carla.example")
    post.answer(received, f"message bob: carla passes it on\n\n{board_of(game)}")
    assert messages() == 5


@pytest.mark.parametrize("is_marked", [False, True], ids=["unmarked", "marked"])
def test_words_that_the_other_wrote_may_be_said_again(post: PostOffice, is_marked: bool) -> None:
    letter = begun(post, "druid")
    greeting = "Hello!\nGood luck with the game, and have fun."
    post.answer(letter, f"message bob:\n{greeting}")
    received = post.last(BOB)
    reply = f"{greeting}\nSame to you!"
    if is_marked:
        post.answer(received, reply)
    else:
        to, subject = str(received["Reply-To"]), f"Re: {received['Subject']}"
        post.send(BOB, reply, to=to, subject=subject)
    assert reply in text_of(post.last(ANN)).replace("\r", "")


def test_words_that_are_taken_as_quoted_are_told(post: PostOffice) -> None:
    letter = begun(post, "druid")
    said = "I would like to play\nfive more games with you until the end of the year."
    post.answer(letter, f"message bob:\n{said}")
    received = post.last(BOB)
    to, subject = str(received["Reply-To"]), f"Re: {received['Subject']}"
    post.send(BOB, f"So would I!\n\n{said}", to=to, subject=subject)
    assert "The text between the lines of the quoted mail was not read." in words_of(post.last(BOB))


@pytest.mark.parametrize(
    "line", ["message bob:", "chat Hello!", "notes My plan:", "broadcast", "report bob He is rude."]
)
@pytest.mark.parametrize("place", ["{}", "first words\nthen {} and more", '"{}".'])
def test_the_own_password_goes_to_nobody(post: PostOffice, line: str, place: str) -> None:
    letter = begun(post, "druid")
    password = "correct-horse-9"
    ann = Player.objects.get(key="ann")
    ann.set_password(password)
    ann.save()
    post.box(ANN)
    to, subject = str(letter["Reply-To"]), f"Re: {letter['Subject']}"
    post.send(ANN, f"{line}\n{place.format(password)}", to=to, subject=subject)
    answer = text_of(post.last(ANN))
    assert "your password" in answer
    assert password not in answer
    assert messages() == ChatLine.objects.count() == 0
    assert not post.box(BOB)
