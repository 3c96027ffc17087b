"""Whatever stands in names, chat and options, it makes no header, no mark-up and no order."""

from __future__ import annotations

import email
import email.policy
import unicodedata
from datetime import UTC, datetime, timedelta
from email.header import decode_header, make_header
from email.message import Message

import pytest

from sarsen.core.errors import UserError
from sarsen.doors.mail.letter import Letter
from sarsen.doors.mail.letters import write_letter
from sarsen.doors.mail.send import sending
from sarsen.doors.mail.send.composing import compose
from sarsen.language.commands import Chat, Decline, MakeChallenge, SendMessage, WriteNote
from sarsen.services.dispatch import perform
from sarsen.services.mail import outgoing
from sarsen.services.request import Actor
from sarsen.storage.models import CaughtMail, Challenge, ChatLine, MatchEvent, Note, OutgoingMail
from web_world import NOW, World

AT = datetime(2026, 11, 3, 12, tzinfo=UTC)
MARKS = [
    *("\r\nBcc: eve@evil.example", "\nBcc: eve@evil.example", "\rBcc: eve@evil.example"),
    *("\r\n\r\n<script>", "\0", "\x0b", "\x0c", "\x1c", "\x85Bcc: eve@evil.example"),
    *("\u2028Bcc: eve@evil.example", "\u2029Bcc: eve@evil.example", "\u202eelpmaxe", "\u2066"),
    *(
        "\x1b[2J\x1b]0;title\x07",
        "\x9b31m",
        "\u200b\ufeff",
        "\ud800",
        "\N{LATIN SMALL LETTER A}\n ",
    ),
    *("=?utf-8?q?=0D=0ABcc:_eve=40evil.example?=", "x" * 2_000, "ü" * 500, "\t\t"),
]
OURS = {
    *("from", "to", "reply-to", "subject", "date", "message-id", "in-reply-to", "references"),
    *("auto-submitted", "x-auto-response-suppress", "x-sarsen", "list-id", "list-unsubscribe"),
    *("list-unsubscribe-post", "content-type", "mime-version", "content-transfer-encoding"),
}


def sent(letter: Letter, *, in_reply_to: str = "", address: str = "ada@example.org") -> Message:
    raw = compose(
        letter, kind="answer", number=1, address=address, in_reply_to=in_reply_to, queued_at=AT
    )
    header = raw.partition(b"\r\n\r\n")[0]
    assert header.isascii()
    assert not {0, 11, 12, 27} & set(header)
    assert all(len(line) <= 998 for line in header.split(b"\r\n"))
    assert b"\r" not in header.replace(b"\r\n", b"")
    assert b"\n" not in header.replace(b"\r\n", b"")
    return email.message_from_bytes(raw)


@pytest.mark.parametrize("mark", MARKS)
def test_f48_marks_in_any_field_of_a_letter_make_no_header(mark: str) -> None:
    letter = Letter(
        subject=f"Druid{mark} Board",
        text="Hello",
        reply_to=f"a{mark}@sarsen.test",
        thread=f"board.1{mark}",
        is_answer=True,
        unsubscribe=f"http://sarsen.test/{mark}",
    )
    message = sent(letter, in_reply_to=f"<x{mark}@example.org>", address=f"ada{mark}@example.org")
    names = [name.lower() for name in message.keys()]  # noqa: SIM118 (a field may come twice)
    assert len(names) == len(set(names))
    assert set(names) <= OURS
    assert message["List-Id"] == "sarsen <games.sarsen.test>"
    assert not message.is_multipart()


@pytest.mark.parametrize("mark", MARKS)
def test_f49_what_a_mail_program_decodes_from_a_subject_is_one_line(mark: str) -> None:
    subject = sent(Letter(f"Re: chat {mark}", "Hello"))["Subject"]
    shown = str(make_header(decode_header(subject)))
    odd = {unicodedata.category(character) for character in shown}
    assert not odd & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_m43_words_that_are_not_ascii_are_encoded_in_headers() -> None:
    message = sent(Letter("Grüße von Jörg 你好", "Hello"))
    assert str(make_header(decode_header(message["Subject"]))) == "Grüße von Jörg 你好"
    assert message["Subject"].isascii()


def test_f48_half_a_surrogate_pair_in_a_text_is_sent_as_a_question_mark() -> None:
    # Found by the fuzzer: such a letter could not be written at all.
    assert sent(Letter("Hello", "one \ud8ad two")).get_payload(decode=True).split() == [
        b"one",
        b"?",
        b"two",
    ]


@pytest.fixture
def world(db: None) -> World:
    return World()


@pytest.mark.parametrize("mark", [mark for mark in MARKS if len(mark) < 100])
def test_f67_what_players_write_is_kept_and_told_without_marks(world: World, mark: str) -> None:
    board = world.board()
    ann = Actor(world.player("ann"))
    words = f"Hello{mark} there"
    perform(Chat("druid", board, words), ann, "", NOW)
    perform(WriteNote("druid", board, words), ann, "", NOW)
    perform(SendMessage(("bob",), words), ann, "", NOW)
    asked = world.challenge("druid", "ann", "bob")
    perform(Decline(asked.number, words), Actor(world.player("bob")), "", NOW)
    kept = [
        *(line.text for line in ChatLine.objects.all()),
        *(note.text for note in Note.objects.all()),
        *Challenge.objects.filter(pk=asked.number).values_list("reason", flat=True),
        *texts([letter.facts for letter in OutgoingMail.objects.all()]),
    ]
    for text in kept:
        odd = {unicodedata.category(character) for character in text.replace("\n", "")}
        assert not odd & {"Cc", "Cf", "Cs", "Zl", "Zp"}, text


@pytest.mark.parametrize("mark", [mark for mark in MARKS if len(mark) < 100])
def test_f48_marks_in_options_and_terms_are_refused(world: World, mark: str) -> None:
    for player in ("ann", "bob"):
        world.player(player)
    for options, terms in ((f"-size=6{mark}", ()), ("", (f"--nagtime=6{mark}",))):
        command = MakeChallenge("druid", options, terms, ("ann", "bob"))
        try:
            perform(command, Actor(world.player("ann")), "", NOW)
        except UserError:
            continue
        # Blanks around an option are no part of it.
        assert not mark.strip()


def texts(value: object) -> list[str]:
    if isinstance(value, dict | list | tuple):
        inside = value.values() if isinstance(value, dict) else value
        return [text for inner in inside for text in texts(inner)]
    return [value] if isinstance(value, str) else []


def test_f66_mark_up_in_chat_is_escaped_in_letters(world: World) -> None:
    board = world.board()
    OutgoingMail.objects.all().delete()
    perform(
        Chat("druid", board, "<script>x</script> & `code`"), Actor(world.player("ann")), "", NOW
    )
    worded = [write_letter(letter) for letter in outgoing.claim_due(NOW, 10)]
    assert any("<script>x</script> & `code`" in letter.text for letter in worded)
    assert not any("<script" in letter.html for letter in worded)


def test_f64_a_letter_that_cannot_be_worded_holds_up_no_other_and_is_sent_plain(
    world: World,
) -> None:
    board = world.board(moves="b1")
    OutgoingMail.objects.all().delete()
    outgoing.queue(
        outgoing.NewLetter("ann@example.org", "answer", {"answer": "nonsense", "board": board}), NOW
    )
    outgoing.queue(outgoing.NewLetter("bob@example.org", "sorry", {}), NOW)
    sending.send_due(NOW, 10)
    assert states() == {"ann@example.org": "waiting", "bob@example.org": "sent"}
    for day in range(1, sending.MAX_WORDINGS + 1):
        sending.send_due(NOW + timedelta(days=day), 10)
    assert states() == {"ann@example.org": "sent", "bob@example.org": "sent"}
    tries = OutgoingMail.objects.get(address="ann@example.org").attempts
    assert tries == sending.MAX_WORDINGS
    raw = CaughtMail.objects.get(address="ann@example.org").raw
    assert f"/boards/{board}/".encode() in bytes(raw)
    assert MatchEvent.objects.get(match_id=board).text == "b1"


def states() -> dict[str, str]:
    return dict(OutgoingMail.objects.values_list("address", "state"))
