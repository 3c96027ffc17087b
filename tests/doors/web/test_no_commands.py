"""No page shows a line or option to type, but those that teach to play by mail and commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from filled_world import LONG, own_paths, paths
from sarsen.doors.web.frame.hints import advice
from sarsen.games import names
from sarsen.language.commands import BY_WORD
from visitor import Visitor

Visit = Callable[..., Visitor]
FIRST_WORDS = {words.split()[0] for words in BY_WORD}
# Where commands are taught or typed, and letters, which hold them.
TEACHING = ("/help/", "/do/", "/mail/", "/news/", "/styles/")
# Help texts stand on the pages of games and of programs, too.
OUTSIDE = "[not(ancestor::*[@class='rules' or @class='prose' or @name='setup'])]"
SHOWN = f"//main//*[self::code or self::pre]{OUTSIDE}"
TEXTS = f"//main//text(){OUTSIDE}"
OPTION = re.compile(r"(?<!\S)-(?:size=\d|nogaps|exact|swap)")
# A search takes options as they are typed, and a position is written with them.
SEARCH = "For example -size=6. Choose a game first."


def is_command_line(text: str) -> bool:
    words = text.lower().split()
    if words and words[0] in names():
        words = words[1:]
    is_command = len(words) > 1 and words[0] in FIRST_WORDS
    return is_command or "USERID" in text or "PASSWORD" in text


@pytest.mark.parametrize(
    "text", ["druid challenge me anyone", "show 12", "signup ann", "a PASSWORD"]
)
def test_a_line_is_known_as_a_command(text: str) -> None:
    assert is_command_line(text)
    assert not is_command_line("-size=5 -swap")


def test_no_page_shows_a_command_line_or_option(world: Any, visit: Visit) -> None:
    everybodys, own = paths(world), own_paths(world)
    found = {}
    for visitor, addresses in ((visit(), everybodys), (visit(LONG[0]), own)):
        for path in addresses:
            if path.startswith(TEACHING):
                continue
            visitor.go(path)
            texts = [element.text_content() for element in visitor.tree.xpath(SHOWN)]
            lines = [text for text in texts if is_command_line(text)]
            every = set(map(str.strip, visitor.tree.xpath(TEXTS))) - {SEARCH}
            if lines := lines + sorted(text for text in every if OPTION.search(text)):
                found[visitor.path] = lines
    assert found == {}


def test_what_a_visitor_wanted_is_told_in_words(world: Any, visit: Visit) -> None:
    visitor = visit()
    visitor.go("/games/gyges/")
    visitor.press("Post an open challenge")
    assert "You wanted this: A game of Gyges" in visitor.text
    assert "gyges challenge" not in visitor.text


def test_options_are_told_in_words(world: Any, visit: Visit) -> None:
    world.board(options="-size=5 -nogaps -swap")
    visitor = visit()
    visitor.go("/games/druid/")
    assert "size 5, no gaps, with swap" in visitor.text


def test_a_refusal_at_a_board_advises_no_command() -> None:
    assert advice("druid show 12") == advice("limit off") == ""
    assert advice("Try fewer moves, or a smaller board.") == "Try fewer moves, or a smaller board."
    assert advice("For example: a5") == "For example: a5"
