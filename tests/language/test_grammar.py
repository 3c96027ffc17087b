"""Lines as people type them, and the commands they become."""

from __future__ import annotations

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import (
    Accept,
    AllShow,
    Command,
    Confirm,
    Decline,
    Games,
    Help,
    ListBoards,
    MakeChallenge,
    PlayMove,
    Preview,
    Resign,
    Show,
    SignUp,
    Withdraw,
)
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context, Credentials

GAMES = ("druid", "gyges", "vasco", "visavis")
ANYWHERE = Context(games=GAMES, sender="ann@example.org")
AS_ANN = Context(games=GAMES, speaker="Ann", sender="ann@example.org")
ON_BOARD = Context(games=GAMES, speaker="Ann", board=123, ply=14)
INVITED = Context(games=GAMES, speaker="Ann", challenge=5)
ANN = Credentials("ann", "secret")


@pytest.mark.parametrize(
    ("line", "command", "credentials"),
    [
        # The forms of the old help pages, to the letter.
        (
            "druid challenge -size=6 -nogaps U1 U2",
            MakeChallenge("druid", "-size=6 -nogaps", (), ("U1", "U2")),
            None,
        ),
        ("vasco challenge you camb", MakeChallenge("vasco", "", (), ("you", "camb")), None),
        ("druid move 123 ann secret b2-b4", PlayMove("druid", 123, "b2-b4"), ANN),
        ("visavis move 123 ann secret F4", PlayMove("visavis", 123, "F4"), ANN),
        # Options before or after the names, and those of the server.
        (
            "Druid CHALL ann bob -size=6 --unrated",
            MakeChallenge("druid", "-size=6", ("--unrated",), ("ann", "bob")),
            None,
        ),
        ("gyges challenge ann secret ann bob", MakeChallenge("gyges", "", (), ("ann", "bob")), ANN),
        # Aliases and slips of the fingers.
        ("druid mvoe 123 ann secret c3", PlayMove("druid", 123, "c3"), ANN),
        ("druid board 123 ann secret c3", PlayMove("druid", 123, "c3"), ANN),
        ("druid move 123 ann secret c3#14", PlayMove("druid", 123, "c3", 14), ANN),
        ("move 123#14 ann secret c3", PlayMove("", 123, "c3", 14), ANN),
        ("druid move 123 ann secret pass", PlayMove("druid", 123, "pass"), ANN),
        ("druid pass 123 ann secret", PlayMove("druid", 123, "pass"), ANN),
        ("druid move 123 ann secret resign", Resign("druid", 123), ANN),
        ("druid resign 123 ann secret", Resign("druid", 123), ANN),
        ("druid confirm 123 ann secret", Confirm("druid", 123), ANN),
        (
            "gyges move 9 ann secret 34-44-43; 43-53-N",
            PlayMove("gyges", 9, "34-44-43; 43-53-N"),
            ANN,
        ),
        # Typography of mail programs.
        ("druid move 123 ann secret b2–b4", PlayMove("druid", 123, "b2-b4"), ANN),
        (
            "druid challenge —unrated ann bob",
            MakeChallenge("druid", "", ("--unrated",), ("ann", "bob")),
            None,
        ),
        (
            "druid challenge –size=4 ann bob",
            MakeChallenge("druid", "-size=4", (), ("ann", "bob")),
            None,
        ),
        ("accept 5 ann secret", Accept(5), ANN),
        ("decline #5 ann secret no time", Decline(5, "no time"), ANN),
        ("withdraw 5 ann secret", Withdraw(5), ANN),
        ("signup ann secret", SignUp("ann", "secret", ("ann@example.org",)), None),
        ("add ann", SignUp("ann", "", ("ann@example.org",)), None),
        (
            "signup ann a@b.org secret c@d.org",
            SignUp("ann", "secret", ("a@b.org", "c@d.org")),
            None,
        ),
        ("help", Help(), None),
        ("help Druid", Help(("druid",)), None),
        ("druid help move", Help(("druid", "move")), None),
        ("list", ListBoards(), None),
        ("druid list", ListBoards(("druid",)), None),
        ("all show ann next", AllShow("ann", "next"), None),
        ("druid show 123 124#14", Show("druid", ((123, None), (124, 14))), None),
        ("druid show ann bob inactive", Show("druid", (), ("ann", "bob"), "inactive"), None),
        ("games", Games(""), None),
        ("druid games ann all", Games("druid", ("ann",), "all"), None),
        ("druid preview 123 c3 d4", Preview("druid", 123, ("c3", "d4")), None),
    ],
)
def test_line_from_anywhere(line: str, command: Command, credentials: Credentials | None) -> None:
    parsed = read_line(line, ANYWHERE)
    assert parsed.command == command
    assert parsed.credentials == credentials


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("druid move 123 c3", PlayMove("druid", 123, "c3")),
        ("move 123 c3", PlayMove("", 123, "c3")),
        ("move 123 b2 - b4", PlayMove("", 123, "b2 - b4")),
        ("accept 5", Accept(5)),
        ("decline 5 too many games", Decline(5, "too many games")),
        ("resign 123", Resign("", 123)),
        ("all show", AllShow("Ann")),
    ],
)
def test_known_speaker_leaves_userid_and_password_out(line: str, command: Command) -> None:
    parsed = read_line(line, AS_ANN)
    assert parsed.command == command
    assert parsed.credentials is None


def test_known_speaker_may_still_give_userid_and_password() -> None:
    parsed = read_line("druid move 123 ann secret c3", AS_ANN)
    assert parsed.command == PlayMove("druid", 123, "c3")
    assert parsed.credentials == ANN


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("b2-b4", PlayMove("", 123, "b2-b4", 14)),
        ("c3#15", PlayMove("", 123, "c3", 15)),
        ("34-44-43; 43-53-N", PlayMove("", 123, "34-44-43; 43-53-N", 14)),
        ("move c3", PlayMove("", 123, "c3", 14)),
        ("pass", PlayMove("", 123, "pass", 14)),
        ("c3.", PlayMove("", 123, "c3", 14)),
        ("c3#14!", PlayMove("", 123, "c3", 14)),
        ("resign", Resign("", 123)),
        ("yes", Confirm("", 123)),
        ("confirm", Confirm("", 123)),
        ("accept 7", Accept(7)),
        ("show", Show("", ((123, None),))),
        ("preview c3 d4", Preview("", 123, ("c3", "d4"))),
        ("druid move 124 c3", PlayMove("druid", 124, "c3")),
    ],
)
def test_answer_to_a_board_letter(line: str, command: Command) -> None:
    assert read_line(line, ON_BOARD).command == command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("accept", Accept(5)),
        ("Yes.", Accept(5)),
        ("decline", Decline(5)),
        ("no thank you", Decline(5, "thank you")),
        ("withdraw", Withdraw(5)),
        ("accept 6", Accept(6)),
    ],
)
def test_answer_to_an_invitation(line: str, command: Command) -> None:
    assert read_line(line, INVITED).command == command


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("", "empty-line", "help"),
        ("druid", "command-missing", "help druid"),
        ("druid mve 123 c3", "unknown-command", "GAME move"),
        ("chalenge ann bob", "unknown-command", "GAME challenge"),
        ("hello world", "unknown-command", "help commands"),
        ("challenge ann bob", "game-missing", "GAME challenge"),
        ("druid challenge ann", "names-missing", "druid challenge"),
        ("druid move", "board-missing", "druid move 123"),
        ("druid move c3", "board-missing", "druid move 123"),
        ("accept", "number-missing", "help accept"),
        ("signup", "userid-missing", "signup USERID"),
        ("signup ann my secret", "signup-words", "signup USERID"),
        ("show", "board-missing", "druid show 123"),
        ("multiple", "lines-missing", "multiple"),
        ("x" * 2000, "line-too-long", "help"),
    ],
)
def test_unreadable_line_is_refused_with_the_nearest_form(line: str, code: str, hint: str) -> None:
    with pytest.raises(UserError) as refusal:
        read_line(line, ANYWHERE)
    assert refusal.value.code == code
    assert hint in refusal.value.hint


def test_passwords_do_not_show_in_representations() -> None:
    parsed = read_line("druid move 123 ann secret c3", ANYWHERE)
    assert "secret" not in repr(parsed)
    assert "secret" not in repr(read_line("signup ann secret", ANYWHERE))
