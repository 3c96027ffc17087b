"""Every command of the language works at the web door."""

from __future__ import annotations

from typing import Any

import pytest

from command_lines import LINES
from sarsen.language.commands import COMMANDS
from sarsen.storage.models import Player
from visitor import Visitor


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_command_of_the_language_works_at_the_web_door(
    words: dict[str, Any], db: None, command: type
) -> None:
    line = LINES[command]
    for userid, before in (("ann", line.needs), ("bob", line.of_bob)):
        for text in before:
            one = Visitor(Player.objects.get(key=userid))
            one.type(text.format(**words))
            assert one.status == 200, one.text
    ann = Visitor(Player.objects.get(key="ann"))
    ann.type(line.text.format(**words), line.body)
    assert ann.status == 200, ann.text
    said = " ".join(ann.tree.xpath("string(//div[@role='status'])").split())
    assert line.answer.format(**words).lower() in said.lower()
    assert words["password"] not in ann.page
