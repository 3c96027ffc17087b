"""A mail whose words are nobody's name and password is not told that a password is wrong."""

from __future__ import annotations

import pytest

from doors.mail.conftest import PostOffice, text_of
from sarsen.services.mail.reply_addresses import player_address
from sarsen.storage.models import Attempt, Player

EVE, ANN = "eve@eve.example", "ann@ann.example"
SECRET = "secret-ann"  # the password of one who plays on the board
# No name and no password: other words stand where they belong.
UNNAMED = (
    "change place Berlin Germany",
    "chat 1 Hello there all",
    "message bob: Hello there",
    "resign 1 I give up",
    "move 1 b4 thanks a lot",
    "draw 1 and thanks",
    "druid queue 1 c3; d4",
)


@pytest.mark.parametrize("line", UNNAMED)
def test_stranger_is_told_that_the_address_is_not_known_and_how_to_sign_up(
    post: PostOffice, line: str
) -> None:
    post.board()
    post.send(EVE, subject=line)
    said = " ".join(text_of(post.last(EVE)).split())
    assert "[who-speaks]" in said
    assert "does not know the address that you write from" in said
    assert "help signup" in said
    assert "password is wrong" not in said


@pytest.mark.parametrize("line", UNNAMED)
def test_player_without_proof_is_told_that_nobody_is_named(post: PostOffice, line: str) -> None:
    post.board()
    post.send(ANN, subject=line)
    said = " ".join(text_of(post.last(ANN)).split())
    assert "[who-speaks]" in said
    assert "no player is named in your command" in said
    assert "does not know the address" not in said


@pytest.mark.parametrize("sender", [EVE, ANN])
def test_name_of_a_player_with_a_wrong_password_is_told_as_before(
    post: PostOffice, sender: str
) -> None:
    post.board()
    post.send(sender, subject="druid move 1 bob wrong-word b4")
    assert "[wrong-password]" in text_of(post.last(sender))


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("druid move 1 ann wrong-word a1", "druid move 1 a1"),
        ("move 1 Ann wrong-word a1", "move 1 a1"),
        ("chat 1 ann wrong-word Hello there", "chat 1 Hello there"),
        ("change place ann wrong-word Ulm", "change place Ulm"),
    ],
)
def test_reply_with_a_wrong_password_is_told_the_line_that_needs_none(
    post: PostOffice, line: str, hint: str
) -> None:
    post.board()
    # It proves the account, too, as no letter of a board does.
    address = player_address(Player.objects.get(key="ann"))
    post.send(ANN, line, to=address)
    told = post.last(ANN)
    assert f"    {hint}" in text_of(told).splitlines()
    assert "wrong-word" not in text_of(told)
    post.send(ANN, hint, to=address)
    assert "Nothing was changed" not in text_of(post.last(ANN))


def test_words_in_place_of_a_password_are_counted_as_before(post: PostOffice) -> None:
    post.board()
    before = Attempt.objects.count()
    post.send(EVE, subject="druid move 1 nobody-here wrong-word b4")
    assert Attempt.objects.count() > before
    assert "wrong-word" not in text_of(post.last(EVE))


@pytest.mark.parametrize("sender", [EVE, ANN])
@pytest.mark.parametrize(
    "line",
    [
        "change place {password} ann",
        "druid move 1 {password} ann b4",
        "chat 1 {password} ann hello",
        "message {password} ann bob: hello",
        "druid challenge {password} ann bob me",
    ],
)
def test_a_password_in_place_of_a_name_is_not_said_again(
    post: PostOffice, line: str, sender: str
) -> None:
    post.board()
    post.send(sender, subject=line.format(password=SECRET))
    # Above stands the line itself, as far as it may be said again; see test_written_words.
    _, _, said = text_of(post.last(sender)).partition("Nothing was changed")
    assert "[who-speaks]" in said
    assert SECRET not in said
