"""Lines typed where nobody needs a password, and on screens, come back as they are."""

from __future__ import annotations

import pytest
from django.contrib.auth.hashers import make_password
from django.utils import timezone

from password_lines import ordinary_lines, password_lines
from sarsen.language.replies import Refusal
from sarsen.language.translating import translated, use_language
from sarsen.services.command_lines import read_and_perform
from sarsen.services.quoting import MASK
from sarsen.services.request import NOBODY, Actor
from sarsen.storage.models import Player
from web_world import World

# Their own arguments are secrets: what follows is hidden on every screen.
_SECRET = ("signup", "welcome", "invited", "change password", "signoff", "confirm")


def test_no_word_of_a_player_who_is_logged_in_is_hidden(db: None) -> None:
    world = World()
    ann, _ = world.player("ann"), world.board()
    wrong = []
    for line in ordinary_lines():
        if line.startswith(_SECRET) or " ann " in line:
            continue
        result = read_and_perform(line, "", Actor(ann), "", timezone.now())
        shown = result.line
        if isinstance(result.reply, Refusal):
            shown += f" {result.reply.text} {result.reply.hint}"
        if result.line != line or MASK in shown or "'…'" in shown:
            wrong.append((line, shown))
    assert not wrong


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_password_of_a_visitor_is_said_on_a_screen(db: None, language: str) -> None:
    World().board()
    Player.objects.filter(key="ann").update(password=make_password("geheim-ann-27"))
    wrong = []
    for line in password_lines("Hunter-27!x"):
        result = read_and_perform(line, "", NOBODY, "", timezone.now())
        words = (result.line,)
        if result.refused is not None:
            with use_language(language):
                words += (translated(result.refused.text), translated(result.refused.hint))
                words += (translated(result.reply.text), translated(result.reply.hint))
        if "unter-27" in " ".join(words).lower():
            wrong.append((line, words))
    assert not wrong
