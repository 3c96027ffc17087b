"""What a person writes above, below and beside a quotation arrives whole and alone.

With the headings, marks and line ends of some 160 mail programs, most of them in other languages.
"""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from html import escape

import pytest
from django.utils import timezone

from doors.mail.conftest import ANN, BOB, PostOffice, text_of, words_of
from doors.mail.reply.mail_programs import MailProgram, programs, rewrapped, uses
from sarsen.doors.mail.letters.html import words_of_html
from sarsen.doors.mail.parse.headings import Known
from sarsen.doors.mail.parse.html_to_text import page_text
from sarsen.doors.mail.parse.own_words import AMONG_NOTE, own_words
from sarsen.services.mail import outgoing
from sarsen.services.mail.fingerprints import (
    NO_FINGERPRINTS,
    Fingerprints,
    decode,
    encode,
)
from sarsen.storage.models import ChatLine, Match, Player, SentLetter

KNOWN = Known("sarsen.test", ANN, "Druid Board 1")
ALL = programs()
SOME = ALL[::5]


def html_of(letter: EmailMessage) -> str:
    part = letter.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def words_of_letter(letter: EmailMessage) -> Fingerprints:
    return decode(encode((text_of(letter), words_of_html(html_of(letter)))))


@pytest.fixture
def letter(post: PostOffice) -> EmailMessage:
    """A letter of a board, in it ann's plan and the address that stops such letters."""
    letters = post.board("-size=5")
    post.answer(letters["ann"], "queue a1; if e4 then d4")
    facts = {"board": 1, "ply": 1, "is_over": False}
    ann = Player.objects.get(userid="ann")
    match = Match.objects.get()
    outgoing.queue(
        outgoing.NewLetter(ANN, "board", facts, player=ann, match=match, event="turn"),
        timezone.now(),
    )
    post.work()
    letter = post.last(ANN)
    assert "Planned: if e4 then d4." in text_of(letter)
    assert "/unsubscribe/" in text_of(letter)
    return letter


def misread(
    letter: EmailMessage, quoted: str, fingerprints: Fingerprints, among: list[MailProgram]
) -> Iterator[str]:
    """Yield the uses in which own words are lost, or others are read with them."""
    for program in among:
        for use in uses(program, "c3"):
            body = use.body(program.quote(letter, quoted))
            rows, _ = own_words(body, lambda: fingerprints, KNOWN)
            if tuple(filter(None, rows)) != use.own:
                yield f"{program.program}, {use.name}: {rows[:4]}"


def test_own_words_arrive_whole_and_alone_with_every_mail_program(letter: EmailMessage) -> None:
    assert list(misread(letter, text_of(letter), words_of_letter(letter), ALL)) == []


def test_headings_decide_where_the_letter_is_not_known_any_more(letter: EmailMessage) -> None:
    assert list(misread(letter, text_of(letter), NO_FINGERPRINTS, ALL)) == []


@pytest.mark.parametrize("width", [60, 72, 76])
def test_quotation_with_other_line_ends_is_known(letter: EmailMessage, width: int) -> None:
    quoted = rewrapped(text_of(letter), width)
    assert list(misread(letter, quoted, words_of_letter(letter), SOME)) == []


def test_quotation_of_the_html_as_text_is_known(letter: EmailMessage) -> None:
    quoted = page_text(html_of(letter))
    assert list(misread(letter, quoted, words_of_letter(letter), SOME)) == []


def test_quotation_without_any_heading_is_known(letter: EmailMessage) -> None:
    for mark in ("", " ", "| ", "sarsen> ", "> > "):
        quoted = "\n".join(f"{mark}{row}".rstrip() for row in text_of(letter).splitlines())
        rows, note = own_words(
            f"chat Well played!\nOn Friday\n\n{quoted}", lambda: words_of_letter(letter)
        )
        assert (rows, note) == (["chat Well played!", "On Friday"], "")


# Of languages and programs that no list has: without a colon, with half a date, or none.
INVENTED = (
    "sarsen ghItlhpu' (26/11)",
    "sarsen@sarsen.test ghItlhpu'",
    "*** sarsen kirjutas neljapäeval ***",
    "<<sarsen>> 11h19",
    "Pe 26.11. klo 11.19 sarsen sanoi",
    "2026-11-26 11:19 ghItlhpu'",
    "jaj 26/11/2026 11:19 -0500",
    "ghItlhpu' :",
)


@pytest.mark.parametrize("mark", ["", "% ", "> "])
def test_unknown_heading_right_above_a_known_quotation_goes_no_further(
    letter: EmailMessage, mark: str
) -> None:
    quoted = "\n".join(f"{mark}{row}".rstrip() for row in text_of(letter).splitlines())
    leaked = []
    for heading in INVENTED:
        for own in ("c3", "chat Well played!\nOn Friday I travel"):
            body = f"{own}\n\n{heading}\n{quoted}"
            rows, _ = own_words(body, lambda: words_of_letter(letter), KNOWN)
            if rows != own.split("\n"):
                leaked.append((heading, rows))
    assert leaked == []


@pytest.mark.parametrize("mark", ["", "% ", "> "])
def test_own_words_right_above_a_quotation_without_a_heading_are_read(
    letter: EmailMessage, mark: str
) -> None:
    quoted = "\n".join(f"{mark}{row}".rstrip() for row in text_of(letter).splitlines())
    lost = []
    for own in (
        *(
            "13-23",
            "14-13-12-23",
            "1.5",
            "ok then: 13-23",
            "chat I like sarsen",
            "chat Until 10:30",
        ),
        *(
            "chat Well played!\nThanks to sarsen",
            "chat Hi\nsarsen is great.",
            "chat Hi\nBack on 12/3",
        ),
        *("chat See you\nat 11:19", "chat Hi\n\nsarsen is a fine server.", "message sarsen: 26/11"),
    ):
        for between in ("\n", "\n\n"):
            rows, _ = own_words(f"{own}{between}{quoted}", lambda: words_of_letter(letter), KNOWN)
            if rows != own.split("\n"):
                lost.append((own, rows))
    assert lost == []


def test_single_row_of_a_letter_behind_any_mark_is_known(letter: EmailMessage) -> None:
    for mark in ("| ", "sarsen> ", ": ", "--> ", "% "):
        text = f"chat Well played!\n\n{mark}Planned: if e4 then d4.\n"
        rows, _ = own_words(text, lambda: words_of_letter(letter))
        assert rows == ["chat Well played!"], mark


def test_rows_that_a_program_broke_without_a_mark_are_known(letter: EmailMessage) -> None:
    rows: list[str] = []
    for row in text_of(letter).splitlines():
        rows += rewrapped(f"> {row}", 60).splitlines()
    quoted = "\n".join(rows)
    own, note = own_words(f"chat Hi\n\nsarsen wrote:\n{quoted}", lambda: words_of_letter(letter))
    assert (own, note) == (["chat Hi"], "")
    own, _ = own_words(f"sarsen wrote:\n{quoted}\n\nc3\n", lambda: words_of_letter(letter))
    assert own == ["c3"]


def test_move_at_the_end_of_one_broken_row_is_not_played() -> None:
    planned = "If the other side does not answer at once in the corner, my next move here is 14-24"
    letter = decode(encode([planned]))
    above, below = planned.rsplit(" ", 1)
    for own in ("chat thanks", "13-23"):
        rows, _ = own_words(f"> {above}\n{below}\n\n{own}\n", lambda: letter)
        assert rows == [own]


def test_unmarked_quotation_above_the_answer_is_known(letter: EmailMessage) -> None:
    for heading in ("", "sarsen wrote:\n\n"):
        body = f"{heading}{text_of(letter)}\nchat Hello\nOn Friday I travel.\n"
        rows, _ = own_words(body, lambda: words_of_letter(letter))
        assert rows == ["chat Hello", "On Friday I travel."]


def test_half_of_a_quotation_is_known(letter: EmailMessage) -> None:
    rows = text_of(letter).splitlines()
    for begin, end in ((0, 30), (20, len(rows)), (len(rows) - 8, len(rows))):
        quoted = "\n".join(rows[begin:end])
        own, _ = own_words(f"chat Well played!\n\n{quoted}", lambda: words_of_letter(letter))
        assert own == ["chat Well played!"]


ARROWED = (
    "chat Hello\nMy plan is this:\n-> the corner\n-> then the centre",
    "chat Hello\nMy plan is this:\n=> the corner",
    "chat Hello\nNote> I am away on Monday",
    "chat Fine\nOK> so be it",
    "chat They talk:\nbob> it is late\nann> it is not",
    "chat Two things\n\nTo do:\n| rest\n| sleep",
)


@pytest.mark.parametrize("own", ARROWED)
def test_own_rows_behind_arrows_and_names_are_read(letter: EmailMessage, own: str) -> None:
    quoted = "\n".join(f"> {row}" for row in text_of(letter).splitlines())
    letters = {"": NO_FINGERPRINTS, f"\n\nOn Thu, sarsen wrote:\n{quoted}": words_of_letter(letter)}
    for below, known in letters.items():
        rows, note = own_words(own + below, lambda known=known: known, KNOWN)  # type: ignore[misc]
        assert (rows, note) == (own.split("\n"), "")


def test_answer_among_rows_of_a_letter_that_nothing_marks_is_said_to_be_left_out(
    letter: EmailMessage,
) -> None:
    quoted = text_of(letter).splitlines()
    at = next(number for number, row in enumerate(quoted) if row.startswith("Planned:"))
    quoted.insert(at, "c3 is my move")
    rows, note = own_words("\n".join(quoted), lambda: words_of_letter(letter), KNOWN)
    assert (rows, note) == ([], AMONG_NOTE)
    quoted[at] = "<https://sarsen.test/boards/1/>"
    assert own_words("\n".join(quoted), lambda: words_of_letter(letter), KNOWN) == ([], "")


@pytest.mark.parametrize(
    "text",
    [
        "d3",
        "preview d3",
        "It is your turn.",
        "chat It is your turn. Or is it?",
        "submit d3",
        "message bob\nYou can also reply: draw.\nMy plan is another one.",
    ],
)
def test_own_words_that_the_letter_has_too_are_read(letter: EmailMessage, text: str) -> None:
    quoted = "\n".join(f"> {row}" for row in text_of(letter).splitlines())
    rows, _ = own_words(
        f"{text}\n\nOn Thu, sarsen wrote:\n{quoted}", lambda: words_of_letter(letter)
    )
    assert rows == text.split("\n")


def test_line_that_a_letter_teaches_is_read_as_often_as_it_is_sent() -> None:
    taught = "    druid challenge -size=6 ann anyone\n    druid challenge me bot1 -size=4\n"
    letter = decode(encode((f"Reply with one of these lines:\n\n{taught}\nHave fun here.\n",)))
    rows, _ = own_words(f"multiple\n{taught}", lambda: letter)
    assert len(rows) == 3


def test_chat_by_mail_reaches_the_other_side_without_the_letter(
    post: PostOffice, letter: EmailMessage
) -> None:
    for number, program in enumerate(program for program in ALL if ">" not in program.mark):
        quotation = program.quote(letter, text_of(letter))
        text = f"F{number} Well played!\n{program.last}"
        post.send(
            ANN, f"chat {text}\n\n{quotation}", to=str(letter["Reply-To"]), subject="Re: Druid"
        )
        assert ChatLine.objects.latest("pk").text == text, program.program
        if number == 7:
            break


def test_html_reply_whose_quotation_nothing_marks_carries_nothing_of_the_letter(
    post: PostOffice, letter: EmailMessage
) -> None:
    inner = html_of(letter).partition("<body")[2].partition(">")[2].partition("</body>")[0]
    heading = f"Feladó: {letter['From']}", "Elküldve: 2026. november 26.", f"Címzett: {ANN}"
    rows = "".join(f"<div>{escape(row)}</div>" for row in heading)
    message = post.write(ANN, to=str(letter["Reply-To"]), subject="Re: Druid Board 1")
    page = f"<body><div>chat Well played!</div><br>{rows}<div>{inner}</div></body>"
    message.set_content(page, subtype="html")
    post.deliver(message.as_bytes(), ANN, str(letter["Reply-To"]))
    assert ChatLine.objects.get().text == "Well played!"
    assert "not read" not in words_of(post.last(ANN))


def test_letter_is_kept_as_numbers_and_goes_with_its_row(
    post: PostOffice, letter: EmailMessage
) -> None:
    sent = SentLetter.objects.latest("pk")
    assert b"Planned" not in bytes(sent.fingerprints)
    assert len(bytes(sent.fingerprints)) < 4_000
    assert sent.reply_stem.startswith("board-1-")
    assert sent.reply_stem in str(letter["Reply-To"])
    assert str(letter["Reply-To"]).partition("@")[0] != sent.reply_stem
    sent.letter.delete()
    assert not SentLetter.objects.filter(pk=sent.pk).exists()


def test_other_players_learn_nothing_of_a_letter_by_its_message_id(
    post: PostOffice, letter: EmailMessage
) -> None:
    # bob guesses at ann's plan: only a letter of his own is left out of his mail.
    guess = "\n".join(text_of(letter).splitlines()[:3] + text_of(letter).splitlines()[-8:])
    bobs = post.last(BOB)
    SentLetter.objects.filter(letter__player__userid="bob").delete()
    for headers in ({"In_Reply_To": str(letter["Message-ID"])}, {}):
        post.send(
            BOB, f"chat Well\n\n{guess}", to=str(bobs["Reply-To"]), subject="Re: Druid", **headers
        )
    assert not ChatLine.objects.filter(text="Well").exists()
