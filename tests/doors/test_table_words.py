"""The words of tables are German for a German reader: headings, and the names of rows."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from command_lines import LINES
from sarsen.games import names
from sarsen.language.commands import COMMANDS
from sarsen.language.ratings import cell_words, heading_words
from sarsen.language.replies import Table
from sarsen.language.translating import use_language
from sarsen.services.command_lines import read_and_perform
from sarsen.services.request import Actor
from sarsen.storage.models import Player

pytestmark = pytest.mark.django_db
# Words that are the same in both languages.
SAME = {"SB", "name", "code", *names()}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_each_word_of_a_table_has_a_german_one(
    words: dict[str, Any], db: None, command: type
) -> None:
    line = LINES[command]

    def perform(text: str, body: str = "") -> object:
        ann = Actor(Player.objects.get(key="ann"))
        return read_and_perform(text.format(**words), body, ann, "", timezone.now()).reply

    perform("vacation {first_day} {last_day}")
    reply = perform(line.text, line.body)
    tables = (reply,) if isinstance(reply, Table) else getattr(reply, "tables", ())
    with use_language("de"):
        for table in tables:
            same = {name for name in table.columns if heading_words(name) == name}
            if table.columns[0] == "what":
                named = {row[0] for row in table.rows}
                same |= {name for name in named if cell_words("what", name) == name}
            assert same <= SAME
