"""Every command of the language works at the web door."""

from __future__ import annotations

from typing import Any

import pytest

from command_lines import LINES, as_form
from sarsen.language.commands import COMMANDS, Multiple
from sarsen.storage.models import Player
from visitor import Visitor


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_command_of_the_language_works_at_the_web_door(
    words: dict[str, Any], db: None, command: type
) -> None:
    line = LINES[command]
    ann = prepared(words, command)
    ann.type(line.text.format(**words), line.body)
    assert_done(ann, words, command)


@pytest.mark.parametrize(
    "command", [one for one in COMMANDS if one is not Multiple], ids=lambda one: one.__name__
)
def test_every_command_works_by_the_fields_of_a_form(
    words: dict[str, Any], db: None, command: type
) -> None:
    line = LINES[command]
    ann = prepared(words, command)
    ann.go("/do/")
    of_page = ("csrfmiddlewaretoken", "token", "as")
    _, fields = ann.filled("Run")
    form = as_form(line.text.format(**words), line.body)
    sent = [(name, text) for name, texts in form.items() for text in texts]
    named = ("command", command.words[0])  # type: ignore[attr-defined]
    ann.send("/do/", [*(field for field in fields if field[0] in of_page), named, *sent])
    assert_done(ann, words, command)


def prepared(words: dict[str, Any], command: type) -> Visitor:
    """Return ann's browser, when all is done that a command needs."""
    line = LINES[command]
    for userid, before in (("ann", line.needs), ("bob", line.of_bob)):
        for text in before:
            one = Visitor(Player.objects.get(key=userid))
            one.type(text.format(**words))
            assert one.status == 200, one.text
    return Visitor(Player.objects.get(key="ann"))


def assert_done(ann: Visitor, words: dict[str, Any], command: type) -> None:
    assert ann.status == 200, ann.text
    said = " ".join(ann.tree.xpath("string(//div[@role='status'])").split())
    assert LINES[command].answer.format(**words).lower() in said.lower()
    assert words["password"] not in ann.page
