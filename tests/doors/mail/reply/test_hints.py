"""What a refusal proposes works when it is sent back, and what is said is heard where it stands."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from doors.mail import conftest
from doors.mail.conftest import PostOffice, words_of
from sarsen.services.challenges.bounds import MAX_TO_ONE
from sarsen.storage.models import Challenge, ChatLine, Player

ANN, BOB = "ann@ann.example", "bob@bob.example"


def text_of(letter: EmailMessage) -> str:
    return conftest.text_of(letter).replace("\r\n", "\n")


def hint_of(letter: EmailMessage) -> str:
    """Return the line that a refusal proposes."""
    text = text_of(letter)
    assert "Nothing was changed" in text
    return text.partition("\n\n    ")[2].partition("\n")[0]


def compose(post: PostOffice, letter: EmailMessage, subject: str, body: str = "") -> None:
    """Write a new mail, no answer, to the address a letter came with."""
    post.send(str(letter["To"]), body, to=str(letter["Reply-To"]), subject=subject)


@pytest.mark.parametrize(
    "line",
    [
        "weekends maybe",
        "coordinates maybe",
        "limit",
        "vacation today",
        "vacation 2027-01-10 2027-01-01",
        "change",
        "notices invitation foo",
        "standings ann ann ann",
    ],
)
def test_the_hint_of_a_refusal_is_performed_when_a_known_player_sends_it_back(
    post: PostOffice, line: str
) -> None:
    welcome = post.join("ann", "secret-ann")
    post.answer(welcome, line)
    refused = post.last(ANN)
    post.answer(refused, hint_of(refused))
    assert "Nothing was changed" not in text_of(post.last(ANN))


def test_the_hint_for_a_stranger_names_no_word_game_that_must_be_replaced(post: PostOffice) -> None:
    post.board()
    post.send("any@any.example", subject="draw 1")
    hint = hint_of(post.last("any@any.example"))
    assert hint == "draw 1 USERID PASSWORD"
    post.send(ANN, subject=hint.replace("USERID PASSWORD", "ann secret-ann"))
    assert "You have offered a draw on board 1" in text_of(post.last(ANN))


def test_the_hint_for_a_stranger_who_writes_a_message_works_with_their_own_words(
    post: PostOffice,
) -> None:
    post.board()
    post.send("any@any.example", subject="message bob: Hi")
    hint = hint_of(post.last("any@any.example"))
    post.send(ANN, subject=hint.replace("USERID PASSWORD", "ann secret-ann"))
    assert "on its way to bob" in text_of(post.last(ANN))


def test_the_example_of_a_move_stands_on_a_line_by_itself(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "zz9")
    refused = post.last(ANN)
    assert "For example:\n\n    " in text_of(refused)
    post.answer(refused, hint_of(refused))
    assert "(move 1)." in text_of(post.last(ANN))


def test_the_example_of_a_plan_names_the_board(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "queue a1; if b2")
    assert hint_of(post.last(ANN)).startswith("queue 1 d3; if")


def test_an_unknown_game_is_called_one(post: PostOffice) -> None:
    post.answer(post.join("ann"), "chess challenge ann bob")
    assert "There is no game called" in text_of(post.last(ANN))


def test_a_multiple_with_nothing_below_it_is_answered(post: PostOffice) -> None:
    compose(post, post.join("ann"), "multiple")
    assert "[lines-missing]" in text_of(post.last(ANN))


def test_accept_without_a_number_is_asked_in_english(post: PostOffice) -> None:
    post.answer(post.join("ann"), "accept")
    assert "Which invitation? Its number is missing." in text_of(post.last(ANN))


# A new mail to one's own address


def test_a_new_mail_may_say_message_in_its_subject_and_the_words_below(post: PostOffice) -> None:
    letters = post.board()
    compose(post, letters["ann"], "message bob", "Dear Bob,\n\nhow are you?")
    assert "on its way to bob" in text_of(post.last(ANN))
    assert "how are you?" in text_of(post.last(BOB))


def test_a_new_mail_may_say_chat_in_its_subject_and_the_words_below(post: PostOffice) -> None:
    letters = post.board()
    compose(post, letters["ann"], "druid chat 1", "Hello there")
    assert ChatLine.objects.get().text == "Hello there"


def test_an_answer_is_read_from_its_first_line_whatever_its_subject(post: PostOffice) -> None:
    letters = post.board()
    compose(post, letters["ann"], "Re: druid chat 1", "a1")
    assert "(move 1)." in text_of(post.last(ANN))
    assert not ChatLine.objects.exists()


def test_a_paragraph_of_chat_may_be_one_long_line(post: PostOffice) -> None:
    letters = post.board()
    # As mail programs send it: soft line breaks, which are no breaks of the text.
    said = " ".join(["word"] * 300)
    post.answer(letters["ann"], f"chat {said}")
    assert ChatLine.objects.get().text == said


def test_other_commands_stay_short(post: PostOffice) -> None:
    post.answer(post.join("ann"), "show " + " ".join(["nobody"] * 300))
    assert "[line-too-long]" in text_of(post.last(ANN))


def test_a_move_below_a_greeting_may_end_with_a_full_stop(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "Hi Bob,\n\na1 .\n\nregards")
    assert "(move 1)." in text_of(post.last(ANN))


def test_a_refusal_keeps_the_subject_of_the_board(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "zz9")
    assert post.last(ANN)["Subject"] == "Re: Druid Board 1"


def test_games_next_are_those_of_who_asks(post: PostOffice) -> None:
    letters = post.board()
    compose(post, letters["ann"], "games next")
    assert "ann v bob" in text_of(post.last(ANN))


@pytest.mark.parametrize("line", ["signoff", "broadcast Hello all"])
def test_a_yes_to_another_letter_closes_no_account_and_sends_no_broadcast(
    post: PostOffice, line: str
) -> None:
    post.join("bob")
    welcome = post.join("ann")
    post.answer(welcome, line)
    asked = post.last(ANN)
    post.answer(welcome, "yes")
    assert "[number-missing]" in text_of(post.last(ANN))
    assert Player.objects.get(key="ann").is_active
    assert not post.box(BOB)[1:]
    post.answer(asked, "yes")
    assert "Nothing was changed" not in text_of(post.last(ANN))


# Challenges


def test_an_invitation_says_what_its_terms_mean(post: PostOffice) -> None:
    post.join("bob")
    post.answer(post.join("ann"), "druid challenge ann bob --unrated --forfeittime=0.5")
    text = text_of(post.last(BOB))
    assert "    --unrated: the result does not count for ratings\n" in text
    assert "    --forfeittime=0.5: the game is lost after this many days without a move\n" in text


def test_a_player_is_not_flooded_by_the_challenges_of_one_other(post: PostOffice) -> None:
    post.join("bob")
    post.join("eve")
    welcome = post.join("ann")
    # Challenges that are alike are made once.
    lines = [f"druid challenge --forfeittime={10 + day} ann bob" for day in range(MAX_TO_ONE + 1)]
    compose(post, welcome, "multiple", "\n".join(lines))
    letter = post.last(ANN)
    text = words_of(letter)
    assert f"bob has not answered {MAX_TO_ONE} challenges of yours yet. [challenge-flood]" in text
    assert Challenge.objects.count() == MAX_TO_ONE
    number = Challenge.objects.earliest("made_at").pk
    assert f"    withdraw {number}" in text_of(letter)
    post.answer(welcome, "druid challenge ann eve")
    assert Challenge.objects.count() == MAX_TO_ONE + 1


def test_a_bad_new_address_is_answered_with_a_line_of_the_same_command(post: PostOffice) -> None:
    welcome = post.join("ann", "secret-ann")
    post.answer(welcome, "change address no-address")
    assert hint_of(post.last(ANN)) == "change address ann PASSWORD ann@example.org"


# A name nobody has


@pytest.fixture
def with_roberta(post: PostOffice) -> EmailMessage:
    """Let roberta join, then ann without a password; return ann's letter of welcome."""
    post.join("roberta", "secret-roberta")
    return post.join("ann")


@pytest.mark.parametrize(
    "line",
    ["druid challenge -size=5 ann robert", "show robert", "standings ann robertta"],
)
@pytest.mark.parametrize("way", ["signed", "from the address", "from elsewhere"])
def test_mistyped_name_is_named_beside_the_one_that_is_meant(
    post: PostOffice, with_roberta: EmailMessage, line: str, way: str
) -> None:
    if way == "signed":
        post.answer(with_roberta, line)
    else:
        post.send(ANN if way == "from the address" else "eve@eve.example", subject=line)
    letter = post.last("eve@eve.example" if way == "from elsewhere" else ANN)
    refused, typed = text_of(letter), line.split()[-1]
    assert f"Nobody here is called '{typed}'; did you mean 'roberta'?" in words_of(letter)
    assert f"> {line}\n" in refused
    if len(line.split()) > 2:
        assert f"\n    {line.replace(typed, 'roberta')}\n" in refused


def test_the_hint_for_an_unknown_opponent_invites_nobody_else(post: PostOffice) -> None:
    post.join("roberta")
    welcome = post.join("ann")
    for line in ("druid challenge me xavier", "autoaccept xavier", "refuse xavier"):
        post.answer(welcome, line)
        refused = post.last(ANN)
        assert "Nobody here is called 'xavier'." in text_of(refused)
        post.answer(refused, hint_of(refused))
        assert "Nothing was changed" not in text_of(post.last(ANN))
    assert not Challenge.objects.exists()
    assert Player.objects.get(key="ann").accepts == []


def test_word_that_may_be_a_password_is_repeated_only_where_none_is_due(post: PostOffice) -> None:
    post.join("roberta")
    welcome = post.join("ann", "secret-ann")
    for line in ("druid challenge ann secret-word", "games ann roberta12345"):
        word = line.split()[-1]
        post.send("eve@eve.example", subject=line)
        refused = text_of(post.last("eve@eve.example"))
        assert word not in refused
        assert "Nobody here is called '…'" in refused
        post.answer(welcome, line)
        assert f"Nobody here is called '{word}'" in text_of(post.last(ANN))


def test_password_like_its_own_userid_is_not_repeated(post: PostOffice) -> None:
    welcome = post.join("roberta", "roberta1")
    post.answer(welcome, "druid challenge roberta roberta1")
    assert "roberta1" not in text_of(post.last("roberta@roberta.example"))


# The placeholders of help pages


@pytest.mark.parametrize(
    ("line", "named", "hint"),
    [
        ("signup yourname yourpassword", "yourname, PASSWORD", "signup ann PASSWORD"),
        ("signup ann PASSWORD", "PASSWORD", "signup ann PASSWORD"),
        ("signup USERID", "USERID", "signup ann"),
        ("druid challenge U1 U2", "U1, U2", "druid challenge ann bob"),
        ("druid challenge me userid", "userid", "druid challenge me ann"),
        ("show board#", "board#", "show 123"),
        ("druid show BOARD", "BOARD", "druid show 123"),
        (
            "druid move board# ann yourpassword c1",
            "board#, PASSWORD",
            "druid move 123 ann PASSWORD c1",
        ),
        ("druid move 1 U1 password c1", "U1, PASSWORD", "druid move 1 ann PASSWORD c1"),
        ("GAME challenge me bot3", "GAME", "druid challenge me bot3"),
        ("accept NUMBER", "NUMBER", "accept 5"),
        ("move <board#> c1", "<board#>", "move 123 c1"),
        # As the help of the server of 2008 had it.
        (
            "druid move <game#> <userid> <passwd> c3",
            "<game#>, <userid>, PASSWORD",
            "druid move 123 ann PASSWORD c3",
        ),
    ],
)
def test_placeholder_is_explained(post: PostOffice, line: str, named: str, hint: str) -> None:
    post.send("eve@eve.example", subject=line)
    refused = post.last("eve@eve.example")
    assert f"still has placeholders: {named}. Put your own" in " ".join(text_of(refused).split())
    assert "[placeholder]" in text_of(refused)
    assert hint_of(refused) == hint
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    "line", ["chat 1 the password is in the board", "draw BOARD1", "DRUID MOVE 1 Z9"]
)
def test_other_words_are_no_placeholders(post: PostOffice, line: str) -> None:
    post.send("eve@eve.example", subject=line)
    assert "[placeholder]" not in text_of(post.last("eve@eve.example"))


def test_placeholder_that_is_somebodys_userid_stands_for_that_player(post: PostOffice) -> None:
    post.join("u1")
    post.send("eve@eve.example", subject="druid standings u1 nobody-here")
    assert "[unknown-player]" in text_of(post.last("eve@eve.example"))
