"""Every command of the language works at the API door: as JSON of its own, and as typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from command_lines import LINES, as_json
from program import Program
from sarsen.doors.api.commands import name_of
from sarsen.language.commands import COMMANDS


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_command_of_the_language_works_at_the_api_door(
    words: dict[str, Any], program: Callable[..., Program], command: type
) -> None:
    line = LINES[command]
    for userid, before in (("ann", line.needs), ("bob", line.of_bob)):
        for text in before:
            one = program(userid)
            one.line(text.format(**words))
            assert one.status == 200, one.body
    ann = program("ann")
    asked = as_json(line.text.format(**words), line.body)
    found = ann.post(f"commands/{name_of(command)}", asked)
    assert ann.status == 200, ann.body
    assert found["reply"]["kind"]
    said = " ".join(found["text"].split())
    assert line.answer.format(**words).lower() in said.lower()
    assert words["password"] not in ann.body.decode()


def test_a_board_is_drawn_for_those_alone_who_read_it(
    world: Any, program: Callable[..., Program]
) -> None:
    ann, drawn = program("ann"), "  +-----+"
    for path, headers, is_drawn in (
        ("commands/move", {}, False),
        ("commands/move?text=true", {}, True),
        ("commands/move?text=false", {}, False),
        ("commands/move", {"User_Agent": "sarsen-client/1"}, True),
        ("commands/move", {"User_Agent": "sarsen-client/2"}, False),
    ):
        board = world.board("druid", "b8 b5")
        found = ann.post(path, {"board": board, "text": "b4"}, **headers)
        assert found["text"].startswith("You played b4 (move 3).")
        assert (drawn in found["text"]) is is_drawn
        assert ("?text=true" in found["text"]) is not is_drawn
    # A question is about the board; a typed line is answered as at every door.
    assert drawn in ann.post("commands/show", {"game": "druid", "boards": [[board, None]]})["text"]
    assert drawn in ann.line(f"show {board}")["text"]
    ann.post("commands/move?text=perhaps", {"board": board, "text": "b4"})
    assert ann.status == 422
