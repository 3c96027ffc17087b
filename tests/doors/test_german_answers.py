"""Answers to a German reader are German: sentences, headings of tables, and names of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from command_lines import LINES
from sarsen.games import names
from sarsen.language.commands import COMMANDS, ChangeLanguage
from sarsen.language.ratings import cell_words, heading_words
from sarsen.language.replies import Table
from sarsen.language.translating import sentence, use_language
from sarsen.services.command_lines import read_and_perform
from sarsen.services.request import Actor
from sarsen.storage.models import Player

pytestmark = pytest.mark.django_db
# Words that are the same in both languages.
SAME = {"SB", "name", "code", *names()}


@pytest.fixture
def perform(words: dict[str, Any], db: None) -> Callable[[str, str], Any]:
    """Return what performs a line of ann's."""

    def performed(text: str, body: str = "") -> Any:
        ann = Actor(Player.objects.get(key="ann"))
        return read_and_perform(text.format(**words), body, ann, "", timezone.now()).reply

    return performed


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_each_word_of_a_table_has_a_german_one(
    perform: Callable[[str, str], Any], command: type
) -> None:
    perform("vacation {first_day} {last_day}", "")
    reply = perform(LINES[command].text, LINES[command].body)
    tables = (reply,) if isinstance(reply, Table) else getattr(reply, "tables", ())
    with use_language("de"):
        for table in tables:
            same = {name for name in table.columns if heading_words(name) == name}
            if table.columns[0] == "what":
                named = {row[0] for row in table.rows}
                same |= {name for name in named if cell_words("what", name) == name}
            assert same <= SAME


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_each_sentence_has_a_german_one(perform: Callable[[str, str], Any], command: type) -> None:
    reply = perform(LINES[command].text, LINES[command].body)
    english = sentence(reply)
    with use_language("de"):
        # Of a changed language it is said in the new one.
        assert sentence(reply) != english or not english or command is ChangeLanguage
