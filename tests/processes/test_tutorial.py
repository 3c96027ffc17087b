"""The tutorial, performed by mail: each line is sent by the person it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sarsen.help
from processes.conftest import Reader, Server, text_of
from test_taught_lines import is_line

pytestmark = pytest.mark.ci

PAGE = (Path(sarsen.help.__file__).parent / "texts" / "tutorial.md").read_text("utf-8")
WORD = "stone-circle-now"
# All that the tutorial teaches to write, in its order. Another line on the page fails the test.
TAUGHT = [
    "signup ann",
    "lesson druid",
    "hint",
    "skip",
    "druid challenge -size=5 ann bob",
    "accept",
    "decline",
    "anyone",
    "list",
    "c1",
    "My move is c1.",
    "c1 please",
    "c1#1",
    "change password",
    "druid move 123 ann PASSWORD c1",
    "druid show 123",
    "druid show 123#1",
    "druid preview 123 c3 d4",
    "resign",
]


def taught(page: str) -> list[str]:
    """Return what stands in a block, between backticks, or between quotes."""
    found = re.findall(r'^```text\n(.*?)\n```|`([^`\n]+)`|"([^"]+)"', page, re.S | re.M)
    return [" ".join("".join(one).split()) for one in found]


def new_board(ann: Reader, bob: Reader) -> int:
    """Let ann challenge bob and bob accept, and return the number of the board."""
    ann.answer("welcome", "druid challenge -size=5 ann bob")
    bob.wait_for("invitation")
    bob.answer("invitation", "accept")
    return board_of(ann)


def board_of(reader: Reader) -> int:
    letter = reader.wait_for("board", "It is your turn.")
    found = re.search(r"Druid Board (\d+)", str(letter["Subject"]))
    assert found
    return int(found[1])


def shown(reader: Reader, line: str) -> str:
    """Return the reply to a line, which has to be performed."""
    said = text_of(reader.answer("board", line))
    assert "Nothing was changed" not in said, said
    return said


def test_the_page_teaches_what_is_performed_here() -> None:
    assert taught(PAGE) == TAUGHT
    assert all(line in TAUGHT for line in re.findall("`([^`\n]+)`", PAGE) if is_line(line))


def test_tutorial_holds_in_its_order_by_mail(server: Server) -> None:
    ann, bob = Reader(server, "ann"), Reader(server, "bob")
    for one in (ann, bob):
        one.write(f"signup {one.userid}", "signup")
        one.answer("signup", "Any words will do.", "welcome")

    assert "Join bottom and top" in text_of(ann.answer("welcome", "lesson druid", "answer"))
    assert "where does the chain stop?" in text_of(ann.answer("answer", "hint"))
    assert "a2 is H's" in text_of(ann.answer("answer", "skip"))

    ann.answer("welcome", "druid challenge -size=5 ann bob")
    bob.wait_for("invitation")
    assert "the game has started" in text_of(bob.answer("invitation", "accept"))
    board = board_of(ann)
    challenges_end_otherwise_too(ann, bob)

    refused = text_of(ann.answer("board", "c3"))
    assert "Nothing was changed" in refused
    assert "[druid.opening]" in refused
    assert "You played c1 (move 1)." in shown(ann, "c1")
    for text in ("My move is c1.", "c1 please", "c1#1"):
        new_board(ann, bob)
        assert "You played c1 (move 1)." in shown(ann, text)
    late = text_of(ann.answer("board", "c1#1"))
    assert "Nothing was changed" in late, late

    assert "Your password is changed." in text_of(ann.answer("welcome", f"change password {WORD}"))
    other = new_board(ann, bob)
    assert "You played c1" in text_of(ann.write(f"druid move {other} ann {WORD} c1"))

    assert "after 1 move: bob (H) to move." in shown(ann, f"druid show {board}")
    assert "after 0 moves" in shown(ann, f"druid show {board}#1")
    read_by_bob = len(server.relay.letters(bob.address))
    assert "Nothing has been played." in shown(ann, f"druid preview {board} c3 d4")
    assert len(server.relay.letters(bob.address)) == read_by_bob
    assert "after 1 move: bob (H) to move." in shown(ann, f"druid show {board}")

    assert "Do you really want to resign" in shown(ann, "resign")
    assert "You have resigned" in text_of(ann.answer("answer", "yes"))


def challenges_end_otherwise_too(ann: Reader, bob: Reader) -> None:
    ann.answer("welcome", "druid challenge -size=5 ann bob")
    bob.wait_for("invitation")
    bob.answer("invitation", "decline I have too many games right now")
    assert "too many games" in text_of(ann.wait_for("challenge-ended"))
    ann.answer("welcome", "druid challenge -size=5 ann anyone")
    assert "ann v anyone" in text_of(bob.answer("welcome", "list"))
