"""Shapes of real replies, brought to ann's address of a board: what arrives, and what is said."""

from __future__ import annotations

from email.message import EmailMessage
from html import escape

import pytest

from doors.mail.conftest import ANN, BOB, PostOffice, text_of, words_of
from sarsen.storage.models import ChatLine, Match, SentLetter

UNREAD = "was not read"


@pytest.fixture(params=["letter known", "letter gone"])
def letter(request: pytest.FixtureRequest, post: PostOffice) -> EmailMessage:
    """A letter of a board at which it is ann's turn."""
    letter = post.board()["ann"]
    if request.param == "letter gone":
        SentLetter.objects.all().delete()
    return letter


def quoted(letter: EmailMessage, mark: str = "> ") -> str:
    return "".join(f"{mark}{row}".rstrip() + "\n" for row in text_of(letter).splitlines())


def send(post: PostOffice, letter: EmailMessage, body: str) -> str:
    """Answer a letter as it stands, without In-Reply-To; return what is answered."""
    post.send(ANN, body, to=str(letter["Reply-To"]), subject=f"Re: {letter['Subject']}")
    return words_of(post.last(ANN))


def heard_by_bob(post: PostOffice) -> str:
    """Return the words of the only message to bob."""
    words = text_of(post.last(BOB)).replace("\r", "").partition("writes to you:\n\n")[2]
    return words.partition("\n\nJust reply to write back")[0]


CHATS = {
    "1 without marks": (
        "chat Well played!\n\n---- On Thu, 26 Nov 2026 11:19:22 +0000 sarsen <{server}> wrote ---"
        "\n\n{bare}",
        "Well played!",
    ),
    "2 labels in Hungarian": (
        "chat Well played!\n\nFeladó: sarsen <{server}>\nElküldve: 2026. november 26.\n"
        "Címzett: {ann}\nTárgy: {subject}\n\n{bare}",
        "Well played!",
    ),
    "3 own line like a heading": (
        "chat Well played!\nOn Friday I travel.\n\n"
        "On Thu, 26 Nov 2026 at 11:19, sarsen <{server}> wrote:\n{quoted}",
        "Well played!\nOn Friday I travel.",
    ),
    "5 own line like a German heading": (
        "chat Danke!\nAm Freitag bin ich weg.\n\nAm 26.11.26 um 11:19 schrieb sarsen:\n{quoted}",
        "Danke!\nAm Freitag bin ich weg.",
    ),
    "11 greeting above the heading": (
        "chat Well played!\n\nHello sarsen,\n\n"
        "Thursday, November 26, 2026, 11:19:22 AM, you wrote:\n{quoted}",
        "Well played!",
    ),
    "12 bars": (
        "chat Well played!\n\n| sarsen wrote on 26 Nov:\n{bars}",
        "Well played!",
    ),
    "heading without a date": ("chat Hi\n\nOn Thu, sarsen wrote:\n{quoted}", "Hi"),
    "command above what is talked about": (
        "chat You wrote\n> Shall we meet?\nand I agree",
        "You wrote",
    ),
    "own labels": (
        "chat Shall we meet?\nDate: 3 December\nFrom: 10:00\nSubject: chess\nBring a board.",
        "Shall we meet?\nDate: 3 December\nFrom: 10:00\nSubject: chess\nBring a board.",
    ),
    "own list": (
        "chat The results:\n| ann | 1 |\n| bob | 2 |",
        "The results:\n| ann | 1 |\n| bob | 2 |",
    ),
}


def body_of(form: str, letter: EmailMessage) -> str:
    return form.format(
        server="sarsen@sarsen.test",
        ann=ANN,
        subject=letter["Subject"],
        bare=quoted(letter, ""),
        quoted=quoted(letter),
        bars=quoted(letter, "| "),
    )


@pytest.mark.parametrize("shape", CHATS)
def test_chat_arrives_whole_and_alone(post: PostOffice, letter: EmailMessage, shape: str) -> None:
    form, expected = CHATS[shape]
    send(post, letter, body_of(form, letter))
    assert ChatLine.objects.get().text == expected


def test_bare_rows_behind_the_mark_of_a_quotation_are_quoted(post: PostOffice) -> None:
    letter = post.board()["ann"]
    rows = quoted(letter, "% ")
    send(post, letter, f"chat Hi\n\nsarsen ghItlh 26/11/2026\n% > show\n%\n% yes\n{rows}")
    assert ChatLine.objects.get().text == "Hi"


def test_answer_shows_what_was_sent(post: PostOffice, letter: EmailMessage) -> None:
    for body in ("chat Hi,\nOn Friday I travel.", "message bob\nHi,\n\nOn Friday I travel."):
        assert "Hi, On Friday I travel." in send(post, letter, body)
    assert send(post, letter, "chat Hello!").count("Hello!") == 1


def test_html_without_marks_arrives_alone(post: PostOffice, letter: EmailMessage) -> None:
    body = body_of(CHATS["2 labels in Hungarian"][0], letter)
    page = "".join(f"<p>{escape(row)}</p>" for row in body.splitlines())
    message = post.write(ANN, to=str(letter["Reply-To"]), subject=f"Re: {letter['Subject']}")
    message.set_content(f"<html><body>{page}</body></html>", subtype="html")
    post.deliver(message.as_bytes(), ANN, str(letter["Reply-To"]))
    assert ChatLine.objects.get().text == "Well played!"


MOVES = {
    "6 no date": "sarsen wrote:\n{quoted}\na2",
    "7 a greeting above": "Hi,\n\nOn Thu, 26 Nov 2026 at 11:19, sarsen wrote:\n{quoted}\na2",
    "8 a heading on two rows": (
        "sarsen <sarsen@a-long-domain-name.example> schrieb am Do., 26.\nNov. 2026, 11:19:\n"
        "{quoted}\na2"
    ),
    "a greeting to the server": "Hello sarsen!\n\n{quoted}\na2",
}


@pytest.mark.parametrize("shape", MOVES)
def test_move_below_the_quotation_is_played(
    post: PostOffice, letter: EmailMessage, shape: str
) -> None:
    send(post, letter, body_of(MOVES[shape], letter))
    assert Match.objects.get().events.get(kind="move").text == "a2"


MESSAGES = {
    "4 own line like a heading": (
        "On Friday I travel.\n\nOn Thu, 26 Nov 2026 at 11:19, sarsen <{server}> wrote:\n{quoted}",
        "On Friday I travel.",
    ),
    "9 own separator": (
        "The results so far:\n\n------ Round 2 ------\nann beat bob",
        "The results so far:\n\n------ Round 2 ------\nann beat bob",
    ),
    "10 own labels": (
        "Shall we meet?\nDate: 3 December\nFrom: 10:00\nBring a board.",
        "Shall we meet?\nDate: 3 December\nFrom: 10:00\nBring a board.",
    ),
    "own rules": (
        "First:\n\n__________\n\nSecond:\n--------------------\nThird",
        "First:\n\n__________\n\nSecond:\n--------------------\nThird",
    ),
}


@pytest.mark.parametrize("shape", MESSAGES)
def test_message_arrives_whole_and_alone(
    post: PostOffice, letter: EmailMessage, shape: str
) -> None:
    form, expected = MESSAGES[shape]
    answer = send(post, letter, "message bob\n" + body_of(form, letter))
    assert heard_by_bob(post) == expected
    assert UNREAD not in answer


@pytest.mark.parametrize(
    "below",
    [
        "-----Original Message-----\nsomething else",
        "From: carl@example.org\nSent: Friday\nTo: ann\nSubject: Hello\n\nsomething else",
        "Sent from my telephone\nsomething else",
        "> quoted\n\nsomething else",
    ],
)
def test_unread_text_is_said(post: PostOffice, letter: EmailMessage, below: str) -> None:
    assert UNREAD in send(post, letter, f"chat Well played!\n\n{below}")
    assert ChatLine.objects.get().text == "Well played!"
