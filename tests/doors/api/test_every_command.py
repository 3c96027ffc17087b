"""Every command of the language works at the API door: as JSON of its own, and as typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from command_lines import LINES
from program import Program
from sarsen.doors.api.commands import name_of
from sarsen.games import names
from sarsen.language.commands import COMMANDS
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.sentence import Context


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


def as_json(line: str, body: str) -> dict[str, Any]:
    """Return the JSON of a line."""
    below = tuple(body.split("\n")) if body else ()
    spoken = read_line(line, Context(names(), speaker="ann", body=below)).command
    return {one.name: getattr(spoken, one.name) for one in fields(spoken)}
