"""What people write in words of their own, read as the command they mean."""

from __future__ import annotations

import pytest

from doors.mail.conftest import PostOffice, text_of
from sarsen.storage.models import Challenge, Match, MatchSeat, Player

ANN, BOB, EVE = "ann@ann.example", "bob@bob.example", "eve@eve.example"


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
    [
        ("no, thanks", "thanks"),
        ("Nein, ich verreise.", "ich verreise."),
        ("Leider nein, ich verreise.", "ich verreise."),
        (
            "Nein danke, ich verreise leider bis Sonntag und habe auch\ndanach viel zu tun.",
            "viel zu",
        ),
        ("Nein.\n\nIch verreise bis Sonntag.\n\nViele Grüße\nBob", "Ich verreise bis Sonntag."),
        ("decline I travel\nuntil Sunday", "I travel until Sunday"),
        ("nein, ich verreise, danke, bis bald", "ich verreise, danke, bis bald"),
        ("Nein, " + "ich gebe nie auf, " * 15, "ich gebe nie auf, ich gebe"),
    ],
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


@pytest.mark.parametrize("line", ["Ja?", "yes?", "Ja, bitte?", "ok, danke", "OK thanks"])
def test_question_or_thanks_agree_to_nothing(post: PostOffice, line: str) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "druid challenge -size=4 ann bob")
    invited = post.last(BOB)
    post.answer(invited, line)
    refused = post.last(BOB)
    assert Challenge.objects.get().state == Challenge.State.OPEN
    assert refused["Reply-To"] == invited["Reply-To"]
    post.answer(refused, "accept")
    post.answer(post.last(ANN), "resign")
    post.answer(post.last(ANN), line)
    assert Match.objects.get().ended_at is None
    post.answer(ann, "signoff")
    post.answer(post.last(ANN), line)
    assert Player.objects.get(key="ann").is_active


@pytest.mark.parametrize("line", ["Ich nehme das Remis an.", "Einverstanden, danke für das Spiel"])
def test_offered_draw_is_taken_in_own_words(post: PostOffice, line: str) -> None:
    first = post.board()
    post.answer(first["ann"], "Remis?")
    post.answer(post.last(BOB), line)
    assert Match.objects.get().scores == [0.5, 0.5]


@pytest.mark.parametrize("line", ["Ich lehne das Remis ab.", "nein danke", "Ablehnen"])
def test_offered_draw_is_refused_in_own_words(post: PostOffice, line: str) -> None:
    first = post.board()
    post.answer(first["ann"], "Remis?")
    post.answer(post.last(BOB), line)
    match = Match.objects.get()
    assert match.offer is not None
    assert not match.offer["is_open"]
    assert match.ended_at is None


@pytest.mark.parametrize("line", ["Ich gebe auf", "remis?", "Ja", "zurücknehmen"])
def test_words_of_a_reply_to_a_person_are_for_that_person(post: PostOffice, line: str) -> None:
    first = post.board()
    post.answer(first["bob"], "chat Shall we go on?")
    post.answer(post.last(ANN), line)
    assert line in text_of(post.last(BOB))
    match = Match.objects.get()
    assert (match.offer, match.ended_at) == (None, None)


@pytest.mark.parametrize("line", ["Nein, das war ich nicht! Bitte löschen.", "no", "Nein danke"])
def test_no_to_a_sign_up_makes_no_account(post: PostOffice, line: str) -> None:
    post.send(EVE, subject="signup eve")
    asked = post.last(EVE)
    post.answer(asked, line)
    assert not Player.objects.filter(key="eve", is_active=True).exists()
    assert "[confirmation-refused]" in text_of(post.last(EVE))
    post.answer(asked, "yes")
    assert Player.objects.filter(key="eve", is_active=True).exists()


@pytest.mark.parametrize(
    ("line", "answer"),
    [("Ich gebe auf.", "Do you really want to resign"), ("remis?", "You have offered a draw")],
)
def test_greeting_above_own_words_is_left_out(post: PostOffice, line: str, answer: str) -> None:
    first = post.board()
    post.answer(first["ann"], f"Hallo Bob,\n\n{line}")
    assert answer in text_of(post.last(ANN))


@pytest.mark.parametrize("exercise", ["lesson druid", "puzzle druid"])
def test_answer_to_a_refused_command_still_belongs_to_the_exercise(
    post: PostOffice, exercise: str
) -> None:
    post.answer(post.join("ann"), exercise)
    letter = post.last(ANN)
    post.answer(letter, "aufgeben")
    refused = post.last(ANN)
    assert "[board-missing]" in text_of(refused)
    post.answer(refused, "show")
    assert post.last(ANN)["Subject"] == letter["Subject"]


def test_words_for_a_person_below_a_move_are_not_dropped_in_silence(post: PostOffice) -> None:
    first = post.board()
    post.answer(first["ann"], "a1\n\nHallo Bob, wie war der Urlaub?\n\nViele Grüße\nAnn")
    assert Match.objects.get().ply == 1
    assert "begin your reply with `chat`" in " ".join(text_of(post.last(ANN)).split())


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
