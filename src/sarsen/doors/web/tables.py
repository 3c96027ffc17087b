"""Tables of texts become tables with links: boards, players, challenges, games, commands."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import slugify

from sarsen.games import names
from sarsen.language.marks import MARK
from sarsen.language.replies import Table
from sarsen.language.translating import _, later

_NUMBER = re.compile("[0-9]{1,9}")
_USERID = re.compile("[A-Za-z][A-Za-z0-9_-]{1,19}")
PLAYERS = ("player", "players", "opponent", "userid", "against", "who", "winner", "name")
MOST_BESIDE = 5  # columns on a phone
NUMBERS = ("move", "rating", "change", "games", "won", "lost", "drawn", "points", "plies", "moves")


# What tables of answers are headed with, and some of what stands in the account's.
HEADINGS = (
    *(later("board"), later("game"), later("players"), later("move"), later("turn or result")),
    *(later("number"), later("to take it"), later("what it is"), later("made by"), later("rules")),
    *(
        later("rank"),
        later("player"),
        later("rating"),
        later("change"),
        later("between"),
        later("games"),
    ),
    *(later("remarks"), later("ended"), later("plies"), later("winner"), later("result")),
    *(later("queued"), later("what"), later("to"), later("sent"), later("tries")),
    *(later("how it went"), later("is"), later("to change it")),
)
SETTINGS = (
    *(later("userid"), later("addresses"), later("password"), later("time zone")),
    *(later("language"), later("weekends"), later("refused"), later("start at once")),
    *(later("most games"), later("reviews"), later("set"), later("none is taken")),
    *(later("count"), later("do not count where both want that"), later("nobody")),
    *(later("any number"), later("as your browser"), later("when you ask: review BOARD")),
    later("of every game that ends"),
)


@dataclass(frozen=True)
class Column:
    """A heading; `is_number` when its cells stand at the right."""

    name: str
    title: str
    is_number: bool


@dataclass(frozen=True)
class Cell:
    """What stands in a row, below which heading."""

    text: SafeString
    column: Column


@dataclass(frozen=True)
class LinkedTable:
    """A table as a page shows it; `key` names it within the page."""

    title: str
    key: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def is_wide(self) -> bool:
        """Return whether its columns do not fit beside each other on a phone."""
        return len(self.columns) > MOST_BESIDE


def linked(table: Table, *, key: str = "") -> LinkedTable:
    """Lay a table out, with links where a cell names something that has a page."""
    columns = tuple(Column(name, _(name), name in NUMBERS) for name in table.columns)
    rows = tuple(
        tuple(
            Cell(_cell(column.name, text), column)
            for column, text in zip(columns, row, strict=True)
        )
        for row in table.rows
    )
    return LinkedTable(table.title, key or f"table-{slugify(table.title)}", columns, rows)


def _cell(column: str, text: str) -> SafeString:
    if column == "board" and _NUMBER.fullmatch(text):
        return _link("board", text, text)
    if column == "number" and _NUMBER.fullmatch(text):
        return _link("challenge", text, text)
    if column in PLAYERS:
        return format_html_join(" v ", "{}", ((_player(name),) for name in text.split(" v ")))
    if column == "game" and text.split(" ")[0] in names():
        name, _, options = text.partition(" ")
        return format_html("{} {}", _link("game", name, name), options)
    if column in ("to take it", "to change it", "rules") and text:
        return format_html("<code>{}</code>", text)
    return format_html("{}", text)


def _player(text: str) -> SafeString:
    if text.endswith(MARK):
        return format_html("{}{}", _player(text.removesuffix(MARK)), MARK)
    if not _USERID.fullmatch(text) or text == "anyone":
        return format_html("{}", text)
    return _link("player", text, text)


def _link(page: str, key: str, text: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', reverse(page, args=[key]), text)
