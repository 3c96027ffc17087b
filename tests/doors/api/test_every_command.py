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
