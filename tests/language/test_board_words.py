"""What people say at a board beside moves, and the commands it becomes."""

from __future__ import annotations

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import (
    Accept,
    AnswerOffer,
    AskUndo,
    Chat,
    Command,
    Confirm,
    OfferDraw,
    PlayMove,
    Rematch,
    Resign,
    ShowAs,
    Submit,
    WriteNote,
)
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context, Credentials

GAMES = ("druid", "gyges", "vasco", "visavis")
ANYWHERE = Context(games=GAMES)
ON_BOARD = Context(games=GAMES, speaker="Ann", board=123, ply=14, event=16)
ASKED = Context(games=GAMES, speaker="Ann", board=123, ply=14, event=16, matter="draw")
ANN = Credentials("ann", "secret")


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("druid draw 5 ann secret", OfferDraw("druid", 5)),
        ("druid propose 5 ann secret", OfferDraw("druid", 5)),
        ("druid move 5 ann secret draw", OfferDraw("druid", 5)),
        ("druid move 5 ann secret propose", OfferDraw("druid", 5)),
        ("druid undo 5 ann secret", AskUndo("druid", 5)),
        ("druid move 5 ann secret undo", AskUndo("druid", 5)),
        ("druid accept 5 ann secret", Accept(5, "druid")),
        ("druid move 5 ann secret accept", AnswerOffer("druid", 5, True, "offer")),
        ("druid reject 5 ann secret", AnswerOffer("druid", 5, False, "offer")),
        ("druid move 5 ann secret reject", AnswerOffer("druid", 5, False, "offer")),
        ("druid move 5 ann secret resign", Resign("druid", 5)),
        ("druid confirm 5 ann secret", Confirm("druid", 5)),
        ("druid submit 5 ann secret c3", Submit("druid", 5, "c3")),
        ("druid submit 5 ann secret c3#7", Submit("druid", 5, "c3", 7)),
        ("druid move 5 ann secret c3#7.9", PlayMove("druid", 5, "c3", 7, 9)),
        ("druid move 5#7.9 ann secret c3", PlayMove("druid", 5, "c3", 7, 9)),
        ("druid pass 5#7.9 ann secret", PlayMove("druid", 5, "pass", 7, 9)),
        ("rematch 5 ann secret", Rematch("", 5)),
        ("druid chat 5 ann secret Hello there", Chat("druid", 5, "Hello there")),
        ("druid notes 5 ann secret", WriteNote("druid", 5, "")),
        ("druid showas ann secret 5 6#3", ShowAs("druid", ((5, None), (6, 3)))),
        ("showas ann secret next", ShowAs("", (), "next")),
    ],
)
def test_words_with_userid_and_password(line: str, command: Command) -> None:
    parsed = read_line(line, ANYWHERE)
    assert parsed.command == command
    assert parsed.credentials == ANN


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("c3", PlayMove("", 123, "c3", 14, 16)),
        ("move c3", PlayMove("", 123, "c3", 14, 16)),
        ("c3#14", PlayMove("", 123, "c3", 14, 16)),
        ("druid move 123#14 c3", PlayMove("druid", 123, "c3", 14, 16)),
        # Another ply, or another board, is not what the mail was about.
        ("c3#12", PlayMove("", 123, "c3", 12)),
        ("druid move 9#14 c3", PlayMove("druid", 9, "c3", 14)),
        ("submit c3", Submit("", 123, "c3", 14, 16)),
        ("draw", OfferDraw("", 123)),
        ("undo", AskUndo("", 123)),
        ("yes", Confirm("", 123, "", 16)),
        ("confirm", Confirm("", 123, "", 16)),
        ("accept", AnswerOffer("", 123, True, "", 16)),
        ("reject", AnswerOffer("", 123, False, "offer", 16)),
        ("no", AnswerOffer("", 123, False, "", 16)),
        ("no I play on", AnswerOffer("", 123, False, "", 16)),
        ("accept 5", Accept(5)),
        ("rematch", Rematch("", 123)),
        ("chat Good luck!", Chat("", 123, "Good luck!")),
    ],
)
def test_words_in_an_answer_to_a_board_mail(line: str, command: Command) -> None:
    assert read_line(line, ON_BOARD).command == command


def test_answer_to_an_offer_knows_which_offer() -> None:
    assert read_line("yes", ASKED).command == Confirm("", 123, "draw", 16)
    assert read_line("accept", ASKED).command == AnswerOffer("", 123, True, "draw", 16)
    assert read_line("no", ASKED).command == AnswerOffer("", 123, False, "draw", 16)
    assert read_line("reject", ASKED).command == AnswerOffer("", 123, False, "draw", 16)
    # Of another board the mail asked nothing.
    assert read_line("reject 9", ASKED).command == AnswerOffer("", 9, False, "offer")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("accept but only if you do", "words-after-yes"),
        ("submit resign", "submit-move"),
        ("showas hello", "board-missing"),
        ("analyse 6#x", "board-missing"),
        ("analyse 6#0 c3", "board-missing"),
        ("analyse 6#-1", "board-missing"),
        ("analyse #6.5", "board-missing"),
    ],
)
def test_what_cannot_be_read_teaches(line: str, code: str) -> None:
    with pytest.raises(UserError) as refused:
        read_line(line, ON_BOARD)
    assert refused.value.code == code
    assert refused.value.hint
