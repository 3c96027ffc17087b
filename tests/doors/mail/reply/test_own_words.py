"""What people write in words of their own, read as the command they mean."""

from __future__ import annotations

import pytest

from doors.mail.conftest import PostOffice, text_of
from sarsen.storage.models import Challenge, Match, MatchSeat

ANN, BOB = "ann@ann.example", "bob@bob.example"


@pytest.mark.parametrize(
    "line",
    [
        *("resign!", "I resign", "resign.", "I resign, thanks for the game", "RESIGN", "*resign*"),
        *("aufgeben", "Ich gebe auf.", "Ich gebe die Partie auf, danke für das schöne Spiel!"),
    ],
)
def test_resignation_in_own_words_is_asked_about(post: PostOffice, line: str) -> None:
    first = post.board()
    post.answer(first["ann"], line)
    assert "Do you really want to resign" in text_of(post.last(ANN))
    assert Match.objects.get().ended_at is None


@pytest.mark.parametrize("line", ["yes!", "Yes, please", "yes.", "Ja!", "ja, bitte"])
def test_yes_in_own_words_confirms(post: PostOffice, line: str) -> None:
    first = post.board()
    post.answer(first["ann"], "resign")
    post.answer(post.last(ANN), line)
    assert Match.objects.get().scores == [0.0, 1.0]


@pytest.mark.parametrize("line", ["no", "No!", "No thanks", "no, thank you", "Nein danke"])
def test_no_to_the_question_about_a_resignation_voids_it(post: PostOffice, line: str) -> None:
    first = post.board()
    post.answer(first["ann"], "resign")
    question = post.last(ANN)
    post.answer(question, line)
    assert not MatchSeat.objects.exclude(resign_asked_at=None).exists()
    post.answer(question, "yes")
    assert Match.objects.get().ended_at is None


@pytest.mark.parametrize(
    "line",
    [
        *("accept, thanks!", "OK", "ok", "yes please", "I accept", "Yes, thank you very much!"),
        *("Sure.", "Ja, gerne!", "Ich nehme an.", "Annehmen", "gern", "Angenommen, danke!"),
    ],
)
def test_invitation_is_accepted_in_own_words(post: PostOffice, line: str) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "druid challenge -size=4 ann bob")
    post.answer(post.last(BOB), line)
    assert Match.objects.exists()


@pytest.mark.parametrize(
    "line",
    [
        "no, thanks",
        "No.",
        "decline",
        "no I travel",
        "Nein, ich verreise",
        "ablehnen",
        "Leider nein",
    ],
)
def test_invitation_is_declined_in_own_words(post: PostOffice, line: str) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "druid challenge -size=4 ann bob")
    post.answer(post.last(BOB), line)
    assert Challenge.objects.get().state == Challenge.State.DECLINED


@pytest.mark.parametrize(
    ("line", "reason"),
    [("no, thanks", "thanks"), ("Nein, ich verreise.", "ich verreise."), ("Leider nein", "nein")],
)
def test_reason_in_own_words_is_passed_on(post: PostOffice, line: str, reason: str) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "druid challenge -size=4 ann bob")
    post.answer(post.last(BOB), line)
    assert reason in text_of(post.last(ANN))


@pytest.mark.parametrize(
    "line", ["thanks", "ok, but not today", "why me?", "ich nehme alles an", "never mind"]
)
def test_invitation_is_not_accepted_by_other_words(post: PostOffice, line: str) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "druid challenge -size=4 ann bob")
    post.answer(post.last(BOB), line)
    assert Challenge.objects.get().state == Challenge.State.OPEN
    assert "Nothing was changed" in text_of(post.last(BOB))


@pytest.mark.parametrize("line", ["draw", "I offer a draw", "Remis?", "Ich biete Remis an."])
def test_draw_is_offered_in_own_words(post: PostOffice, line: str) -> None:
    first = post.board()
    post.answer(first["ann"], line)
    offer = Match.objects.get().offer
    assert offer is not None
    assert offer["kind"] == "draw"


@pytest.mark.parametrize(
    "line",
    [
        "Ich gebe nicht auf",
        "kein Remis",
        "auf",
        "Ich biete an",
        "Ich biete mehr an",
        "ja, aber später",
    ],
)
def test_other_words_on_a_board_are_refused(post: PostOffice, line: str) -> None:
    first = post.board()
    post.answer(first["ann"], line)
    assert "Nothing was changed" in text_of(post.last(ANN))
    assert not MatchSeat.objects.exclude(resign_asked_at=None).exists()
    assert Match.objects.get().offer is None


@pytest.mark.parametrize("greeting", ["Hi,", "Hello ann,", "hi!", "Dear Ann Lee", "Guten Tag,"])
@pytest.mark.parametrize("line", ["a1", "move a1", "druid move 1 a1"])
def test_greeting_above_a_move_is_left_out(post: PostOffice, greeting: str, line: str) -> None:
    first = post.board()
    post.answer(first["ann"], f"{greeting}\n\n{line}")
    assert Match.objects.get().ply == 1


@pytest.mark.parametrize("word", ["resign,", "draw,", "pass,"])
def test_command_with_a_comma_is_no_greeting(post: PostOffice, word: str) -> None:
    first = post.board()
    post.answer(first["ann"], f"{word}\n\na1")
    assert Match.objects.get().ply == 0


def test_greeting_above_other_words_is_not_left_out(post: PostOffice) -> None:
    first = post.board()
    post.answer(first["ann"], "Hi bob,\n\nI shall be away.\n\na1")
    assert Match.objects.get().ply == 0


def test_greeting_above_a_command_with_a_password_is_left_out(post: PostOffice) -> None:
    post.board()
    post.send(ANN, "Hello,\ndruid move 1 ann secret-ann a1", subject="Druid Board 1")
    assert Match.objects.get().ply == 1


@pytest.mark.parametrize("line", ["*a1*", '"a1"', "`a1`", "**a1**", "_a1_", "'a1'"])
def test_move_in_bold_type_or_quotes_is_read(post: PostOffice, line: str) -> None:
    first = post.board()
    post.answer(first["ann"], line)
    assert Match.objects.get().ply == 1


@pytest.mark.parametrize("option", ["-size = 6", "-size= 6", "-size =6", "-SIZE=6"])
def test_option_with_blanks_is_one_word(post: PostOffice, option: str) -> None:
    ann = post.join("ann")
    post.join("bob")
    post.answer(ann, f"druid challenge ann bob {option}")
    assert Challenge.objects.get().options == "-size=6"
