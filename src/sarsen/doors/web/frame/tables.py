"""Tables of a page: texts become links to boards, players, challenges, games and commands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import slugify

from sarsen.core.phrases import Phrase
from sarsen.doors.web.frame.charts import short_day
from sarsen.games import names
from sarsen.language.ratings import MARK, cell_words, heading_words
from sarsen.language.replies import Table
from sarsen.language.translating import N_, _, translated

_NUMBER = re.compile("[0-9]{1,9}")
_USERID = re.compile("[A-Za-z][A-Za-z0-9_-]{1,19}")
_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
PLAYERS = ("player", "players", "opponent", "userid", "against", "who", "winner", "name")
MAX_BESIDE = 5  # columns on a phone, as wide as words and numbers are
NUMBERS = ("move", "rating", "change", "games", "won", "lost", "drawn", "points", "moves")
# What tables of answers are headed with, and the lines of an account.
HEADINGS = (
    *(N_("board"), N_("game"), N_("players"), N_("move"), N_("turn or result")),
    *(N_("number"), N_("to take it"), N_("what it is"), N_("made by"), N_("rules")),
    *(
        N_("rank"),
        N_("player"),
        N_("rating"),
        N_("change"),
        N_("between"),
        N_("games"),
    ),
    *(N_("remarks"), N_("ended"), N_("moves"), N_("winner"), N_("result")),
    *(N_("planned"), N_("what"), N_("to"), N_("sent"), N_("tries")),
    *(N_("how it went"), N_("is"), N_("to change it"), N_("against"), N_("queued")),
    *(N_("news"), N_("title")),
    *(N_("wish"), N_("votes")),
    *(N_("no."), N_("when")),
    *(N_("tier"), N_("points"), N_("SB"), N_("can end"), N_("among people")),
    N_("on time"),
    *(N_("opponent"), N_("moves first")),
    *(N_("address"), N_("law"), N_("event"), N_("due"), N_("kind"), N_("subject")),
    *(N_("running"), N_("climb")),
)
ACCOUNT = (
    *(N_("place"), N_("about"), N_("joined"), N_("userid"), N_("addresses")),
    *(N_("password"), N_("time zone"), N_("language"), N_("weekends"), N_("coordinates")),
    *(N_("refused"), N_("start at once"), N_("most games"), N_("reviews")),
    *(N_("notices"), N_("away"), N_("reliability")),
)


@dataclass(frozen=True)
class Column:
    """A heading; `is_number` when its cells stand at the right."""

    name: str
    title: str
    is_number: bool


@dataclass(frozen=True)
class TableCell:
    """The content of a cell, and its heading."""

    text: SafeString
    column: Column


@dataclass(frozen=True)
class LinkedTable:
    """A table as a page shows it; `key` names it within the page."""

    title: str
    key: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[TableCell, ...], ...]

    @property
    def is_wide(self) -> bool:
        """Return whether its columns do not fit beside each other on a phone."""
        return len(self.columns) > MAX_BESIDE


def linked_table(table: Table, *, key: str = "") -> LinkedTable:
    """Lay a table out, with links where a cell names something that has a page."""
    columns = tuple(Column(name, heading_words(name), name in NUMBERS) for name in table.columns)
    rows = tuple(
        tuple(
            TableCell(_cell(column.name, text), column)
            for column, text in zip(columns, row, strict=True)
        )
        for row in table.rows
    )
    return LinkedTable(
        translated(table.title), key or f"table-{slugify(table.title)}", columns, rows
    )


def _cell(column: str, text: str) -> SafeString:
    if isinstance(text, Phrase):
        return format_html("{}", translated(text))
    if column == "ended" and _DAY.fullmatch(text):
        day = short_day(date.fromisoformat(text), has_year=True)
        return format_html('<time datetime="{}" class="whole">{}</time>', text, day)
    if column == "board" and _NUMBER.fullmatch(text):
        return _link("board", text, text)
    if column == "news" and _NUMBER.fullmatch(text):
        return _link("news-item", text, text)
    if column == "no." and _NUMBER.fullmatch(text):
        return _link("contest", text, text)
    if column == "number" and _NUMBER.fullmatch(text):
        return _link("challenge", text, text)
    if column in PLAYERS:
        return format_html_join(_(" v "), "{}", ((_player(name),) for name in text.split(" v ")))
    if column == "game" and text.split(" ")[0] in names():
        name, *options = text.split(" ", 1)
        return format_html("{} {}", _link("game", name, name), "".join(options))
    if column in ("to take it", "to change it", "rules") and text:
        return format_html("<code>{}</code>", text)
    return format_html("{}", cell_words(column, text))


def _player(text: str) -> SafeString:
    if text.endswith(MARK):
        return format_html("{} {}", _player(text.removesuffix(MARK)), _("(program)"))
    if not _USERID.fullmatch(text) or text == "anyone":
        return format_html("{}", text)
    return _link("player", text, text)


def _link(page: str, key: str, text: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', reverse(page, args=[key]), text)
