"""A program that answers From in place of Reply-To: the letter that it names says who is meant."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from doors.mail.conftest import ANN, BOB, PostOffice, text_of, words_of
from sarsen.storage.models import Challenge, Match, Player, SentLetter

EVE = "eve@eve.example"


def answer_from(
    post: PostOffice, letter: EmailMessage, body: str, sender: str = "", **headers: str
) -> str:
    """Answer a letter to From, as s-nail does; return the last words to its reader."""
    sender = sender or str(letter["To"])
    words = {"In_Reply_To": str(letter["Message-ID"]), **headers}
    post.send(sender, body, subject=f"Re: {letter['Subject']}", **words)
    found = post.box(sender)
    return words_of(found[-1]) if found else ""


def quoted(letter: EmailMessage) -> str:
    return "sarsen wrote:\n" + "".join(f" |{row}\n" for row in text_of(letter).splitlines())


def signup_letter(post: PostOffice) -> EmailMessage:
    post.send(ANN, subject="signup ann")
    return post.last(ANN)


def test_sign_up_is_confirmed(post: PostOffice) -> None:
    letter = signup_letter(post)
    assert "ready" in answer_from(post, letter, f"Yes, please!\n\n{quoted(letter)}")
    assert Player.objects.get().userid == "ann"


def test_sign_up_is_confirmed_by_the_quoted_link_alone(post: PostOffice) -> None:
    letter = signup_letter(post)
    body = f"Yes, please!\n\n{quoted(letter)}"
    assert "ready" in answer_from(post, letter, body, In_Reply_To="<other@ann.example>")
    assert Player.objects.get().userid == "ann"


@pytest.mark.parametrize(("line", "state"), [("accept", "started"), ("decline", "declined")])
def test_invitation_is_answered(post: PostOffice, line: str, state: str) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "druid challenge -size=4 ann bob")
    letter = post.last(BOB)
    answer_from(post, letter, f"{line}\n\n{quoted(letter)}")
    assert Challenge.objects.get().state == state


def test_board_plays_the_move(post: PostOffice) -> None:
    letter = post.board()["ann"]
    answer_from(post, letter, f"a1\n\n{quoted(letter)}")
    assert Match.objects.get().ply == 1


def test_letter_names_nobody_else_than_its_reader(post: PostOffice) -> None:
    letter = post.board()["ann"]
    # It was forwarded, and its Message-ID with it.
    answer_from(post, letter, "a1", sender=EVE)
    answer_from(post, letter, "a1", sender=BOB)
    assert Match.objects.get().ply == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda number, at, tag: (number, at, "a" * 16),
        lambda number, at, tag: (str(int(number) + 1), at, tag),
    ],
)
def test_guessed_message_id_proves_nothing(post: PostOffice, change) -> None:  # type: ignore[no-untyped-def]
    letter = post.board()["ann"]
    name, _, domain = str(letter["Message-ID"]).strip("<>").partition("@")
    _, number, at, tag = name.split(".")
    guessed = ".".join(("letter", *change(number, at, tag)))
    answer_from(post, letter, "a1", In_Reply_To=f"<{guessed}@{domain}>")
    assert Match.objects.get().ply == 0


def test_revoked_address_takes_the_message_id_with_it(post: PostOffice) -> None:
    letter = post.board()["ann"]
    for seat in Match.objects.get().seats.all():
        seat.letter_key = "another"
        seat.save()
    answer_from(post, letter, "a1")
    assert Match.objects.get().ply == 0


def test_command_in_the_subject_is_a_new_mail(post: PostOffice) -> None:
    letter = post.board()["ann"]
    line = "druid move 1 ann secret-ann a1"
    post.send(ANN, "Thanks!", subject=line, In_Reply_To=str(letter["Message-ID"]))
    assert Match.objects.get().ply == 1


def test_letter_that_is_gone_is_asked_for_by_its_number(post: PostOffice) -> None:
    ann, _ = post.join("ann"), post.join("bob", "secret-bob")
    post.answer(ann, "druid challenge -size=4 ann bob")
    letter = post.last(BOB)
    SentLetter.objects.all().delete()
    assert "accept 1 USERID PASSWORD" in answer_from(post, letter, "accept")
    assert Challenge.objects.get().state == Challenge.State.OPEN
