"""What letters look like on the wire."""

from __future__ import annotations

import email
import re
from email.message import EmailMessage

import pytest
from django.utils import timezone

from doors.mail.conftest import PostOffice, text_of
from sarsen import drawing
from sarsen.drawing.png import width_of
from sarsen.games import load
from sarsen.storage.models import CaughtMail, InboundMail, Match, OutgoingMail, Player

ANN, BOB = "ann@ann.example", "bob@bob.example"


@pytest.fixture
def letters(post: PostOffice) -> dict[str, EmailMessage]:
    """Return the answer to ann's first move and what bob is told about it."""
    first = post.board()
    post.answer(first["ann"], "a1")
    return {"ann": post.last(ANN), "bob": post.last(BOB)}


def test_case_27_letters_say_that_a_machine_wrote_them(letters: dict[str, EmailMessage]) -> None:
    assert letters["ann"]["Auto-Submitted"] == "auto-replied"
    assert letters["bob"]["Auto-Submitted"] == "auto-generated"


def test_case_27_board_letters_are_one_thread(
    letters: dict[str, EmailMessage], post: PostOffice
) -> None:
    post.answer(letters["bob"], "b2")
    newer = post.last(ANN)
    assert letters["ann"]["Subject"] == newer["Subject"] == "Druid Board 1"
    roots = {str(letter["References"]).split()[0] for letter in (*letters.values(), newer)}
    assert roots == {"<board.1@sarsen.test>"}


def test_case_27_board_letters_unsubscribe_with_one_click(
    letters: dict[str, EmailMessage],
) -> None:
    assert letters["bob"]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letters["bob"]["List-Unsubscribe"].startswith("<http://sarsen.test/unsubscribe/")
    assert letters["ann"]["List-Unsubscribe"] is None


def test_case_36_second_copy_has_the_same_message_id(
    letters: dict[str, EmailMessage], post: PostOffice
) -> None:
    # As if the sender had died between the relay's 250 and noting it.
    OutgoingMail.objects.update(state=OutgoingMail.State.WAITING, due_at=timezone.now())
    first = {bytes(caught.raw) for caught in CaughtMail.objects.all()}
    CaughtMail.objects.all().delete()
    post.work()
    ids = {email.message_from_bytes(raw)["Message-ID"] for raw in first}
    again = {
        email.message_from_bytes(bytes(caught.raw))["Message-ID"]
        for caught in CaughtMail.objects.all()
    }
    assert again == ids


def test_case_42_board_is_plain_text_unwrapped(letters: dict[str, EmailMessage]) -> None:
    board = drawing.text(load("druid").start("-size=4").play(first_stone()))
    for letter in letters.values():
        part = letter.get_body(("plain",))
        assert part is not None
        assert "format" not in part["Content-Type"].params
        assert part["Content-Transfer-Encoding"] == "7bit"
        assert board in text_of(letter).replace("\r\n", "\n")
        assert all(len(line) < 998 for line in letter.as_bytes().split(b"\n"))
        html = letter.get_body(("html",))
        assert html is not None
        assert "<pre" in html.get_content()


def first_stone() -> object:
    return load("druid").start("-size=4").parse("a1")


def test_case_48_picture_is_inline_and_said_in_words(letters: dict[str, EmailMessage]) -> None:
    for letter in letters.values():
        pictures = [part for part in letter.walk() if part.get_content_type() == "image/png"]
        assert len(pictures) == 1
        assert pictures[0]["Content-ID"] == "<board>"
        assert pictures[0].get_content().startswith(b"\x89PNG")
        html = letter.get_body(("html",))
        assert html is not None
        assert 'src="cid:board"' in html.get_content()
        # Larger than it is, it would be blurred.
        width = width_of(pictures[0].get_content())
        assert f' width="{width}"' in html.get_content()
        assert 'alt="' in html.get_content()


def test_case_41_line_break_in_a_reason_makes_no_header(post: PostOffice) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "druid challenge ann bob")
    invitation = post.last(BOB)
    to = str(invitation["Reply-To"])
    raw = post.write(BOB, to=to, subject="SUBJECT").as_bytes()
    injected = b"=?utf-8?Q?decline_no=0D=0ABcc:_eve=40eve.example_<script>?="
    post.deliver(raw.replace(b"SUBJECT", injected), BOB, to)
    letter = post.last(ANN)
    assert letter["Bcc"] is None
    assert "<script>" in text_of(letter)


def test_challenge_with_unknown_player_names_the_nearest(post: PostOffice) -> None:
    ann = post.join("ann")
    post.join("camb")
    post.answer(ann, "druid challenge ann cambr")
    assert "\n    druid challenge ann camb\n" in text_of(post.last(ANN)).replace("\r", "")


def test_hint_repeats_no_second_unknown_word_which_may_be_a_password(post: PostOffice) -> None:
    post.join("ann")
    post.send("eve@eve.example", subject="druid challenge anm hunter2")
    said = text_of(post.last("eve@eve.example"))
    assert "did you mean 'ann'?" in said
    assert "hunter2" not in said


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("druid challenge -size=99 ann bob", "[option-range]", "-size=12"),
        ("druid challenge -sise=4 ann bob", "[unknown-option]", "-size=N"),
        ("visavis challenge -size=6 ann bob", "[option-step]", "-size=5"),
        ("druid challenge --casual ann bob", "[unknown-option]", "--unrated"),
        ("druid challenge ann bob carl", "[seat-count]", "druid challenge USERID1 USERID2"),
        ("druid challenge anyone anyone", "[nobody-named]", "anyone"),
        ("chess challenge ann bob", "[unknown-game]", ""),
        ("druid move 77 c3", "[unknown-board]", "list"),
        ("gyges move 1 16-35", "[other-game]", "druid show 1"),
        ("accept 99", "[unknown-challenge]", "list"),
        ("accept 1", "[challenge-started]", "show 1"),
    ],
)
def test_bad_input_names_the_right_form_and_changes_nothing(
    post: PostOffice, line: str, code: str, hint: str
) -> None:
    post.board_by_mail()
    before = list(Match.objects.values())
    post.answer(post_welcome(post), line)
    text = text_of(post.last(ANN))
    assert "Nothing was changed" in text
    assert code in text
    assert hint in text
    assert list(Match.objects.values()) == before


def post_welcome(post: PostOffice) -> EmailMessage:
    """Return a letter to ann that is about no board."""
    post.send(ANN, subject="help")
    letter = post.last(ANN)
    caught = CaughtMail.objects.filter(address=ANN, subject="Welcome, ann").get()
    letter.replace_header("Reply-To", email.message_from_bytes(bytes(caught.raw))["Reply-To"])
    return letter


@pytest.mark.parametrize(
    "userid", ["a", "Ann Lee Jr", "ann:b", "añn", "аnn", "anyone", "druid", "help"]
)
def test_case_21_bad_userid_is_refused_with_a_suggestion(post: PostOffice, userid: str) -> None:
    post.join("known")
    post.send("known@known.example", subject=f"signup {userid}")
    text = text_of(post.last("known@known.example"))
    assert "[userid-" in text or "[signup-words]" in text
    assert "signup " in text


def test_case_21_second_signup_of_a_name_is_refused(post: PostOffice) -> None:
    post.join("ann")
    post.send(ANN, subject="signup ANN")
    text = text_of(post.last(ANN))
    assert "[userid-taken]" in text
    assert "signup ANN2" in text


def test_every_letter_names_the_server_as_its_list(post: PostOffice) -> None:
    welcome = post.join("ann")
    assert welcome["List-Id"] == "sarsen <games.sarsen.test>"


def test_letter_of_ours_is_known_by_its_list_when_other_fields_are_lost(post: PostOffice) -> None:
    letter = post.join("ann")
    del letter["X-Sarsen"], letter["Auto-Submitted"], letter["X-Auto-Response-Suppress"]
    post.deliver(letter.as_bytes(), "ann@ann.example")
    assert InboundMail.objects.latest("pk").note == "own-mail"
    assert not post.box("ann@ann.example")


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "for example {move}, or swap"), ("de", "zum Beispiel {move} oder swap")],
)
def test_letter_names_a_swap_beside_a_move_that_can_be_tried(
    post: PostOffice, language: str, told: str
) -> None:
    first = post.board("-size=4 -swap")
    Player.objects.filter(key="bob").update(language=language)
    post.answer(first["ann"], "a1")
    text = " ".join(text_of(post.last(BOB)).split())
    [move] = re.findall(r"preview ([a-d][1-4])\.", text)
    assert told.format(move=move) in text
