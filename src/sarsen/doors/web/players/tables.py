"""Pages of tables: texts become links to boards, players, challenges, games and commands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import slugify

from sarsen.core.phrases import Phrase
from sarsen.games import find, names
from sarsen.language.ratings import MARK, cell_words, heading_words
from sarsen.language.replies import Table
from sarsen.language.translating import N_, _, translated
from sarsen.services.events.statistics import DAYS, figures
from sarsen.services.players import named_like
from sarsen.services.ratings.pages import best_people

_NUMBER = re.compile("[0-9]{1,9}")
_USERID = re.compile("[A-Za-z][A-Za-z0-9_-]{1,19}")
_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
PLAYERS = ("player", "players", "opponent", "userid", "against", "who", "winner", "name")
MAX_BESIDE = 5  # columns on a phone
MAX_FOUND = 20
MAX_BEST = 5
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
)
ACCOUNT = (
    *(N_("place"), N_("about"), N_("joined"), N_("userid"), N_("addresses")),
    *(N_("password"), N_("time zone"), N_("language"), N_("weekends")),
    *(N_("refused"), N_("start at once"), N_("most games"), N_("reviews")),
    N_("notices"),
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
        day = _short(date.fromisoformat(text), has_year=True)
        return format_html('<time datetime="{}" class="whole">{}</time>', text, day)
    if column == "board" and _NUMBER.fullmatch(text):
        return _link("board", text, text)
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


WIDTH, HEIGHT = 350, 90
FOOT = 16  # for the words below
LEAST_SPAN = 60.0  # rating points: less is not stretched to look like a change


def bar_chart(days: Sequence[tuple[date, int]], title: str) -> SafeString:
    """Draw a number for each day."""
    most = max((count for _day, count in days), default=0)
    step = WIDTH / max(len(days), 1)
    rows = (
        (f"{at * step:.1f}", f"{HEIGHT - tall:.1f}", f"{step * 0.8:.1f}", f"{tall:.1f}", day, count)
        for at, (day, count) in enumerate(days)
        if count and (tall := HEIGHT * count / most)
    )
    return format_html(
        '<svg class="chart" role="img" viewBox="0 -12 {} {}"><title>{}</title>'
        '<path class="axis" d="M0 {}H{}"/>{}'
        '<text x="0" y="{}">{}</text><text class="end" x="{}" y="{}">{}</text>'
        '<text class="end" x="{}" y="-3">{}</text></svg>',
        *(WIDTH, HEIGHT + FOOT + 12, title, HEIGHT, WIDTH),
        format_html_join(
            "",
            '<rect x="{}" y="{}" width="{}" height="{}"><title>{}: {}</title></rect>',
            ((x, y, wide, tall, _short(day), count) for x, y, wide, tall, day, count in rows),
        ),
        *(HEIGHT + 12, _short(days[0][0]) if days else ""),
        *(WIDTH, HEIGHT + 12, _short(days[-1][0]) if days else ""),
        *(WIDTH, _("most on a day: {count}").format(count=most)),
    )


def line_chart(points: Sequence[tuple[datetime, float]], title: str) -> SafeString:
    """Draw how a number moved, the oldest first, with a step of the same width to each point."""
    begins, ends = points[0][0], points[-1][0]
    low, high = min(value for _, value in points), max(value for _, value in points)
    span = max(high - low, LEAST_SPAN)
    low = (high + low - span) / 2
    places = [
        (
            WIDTH * step / (len(points) - 1) if len(points) > 1 else WIDTH / 2,
            HEIGHT * (1 - (value - low) / span),
        )
        for step, (_, value) in enumerate(points)
    ]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return format_html(
        '<svg class="chart" role="img" viewBox="-6 -14 {} {}"><title>{}</title>'
        '<path class="axis" d="M0 {}H{}"/><path class="course" d="M{}"/>{}'
        '<text x="0" y="{}">{}</text><text class="end" x="{}" y="{}">{}</text></svg>',
        *(WIDTH + 12, HEIGHT + FOOT + 14, title, HEIGHT, WIDTH, path),
        format_html_join(
            "",
            '<circle cx="{}" cy="{}" r="3"><title>{}: {}</title></circle>',
            (
                (f"{x:.1f}", f"{y:.1f}", _short(at, has_year=True), f"{value:.0f}")
                for (x, y), (at, value) in zip(places, points, strict=True)
            ),
        ),
        *(HEIGHT + 12, _short(begins, has_year=True)),
        *(WIDTH, HEIGHT + 12, _short(ends, has_year=True) if len(points) > 1 else ""),
    )


def _short(day: date, *, has_year: bool = False) -> str:
    """Return a day as charts show it: `24 Nov`, `24 Nov 2026`."""
    return date_format(day, _("j M Y") if has_year else _("j M"))


def show_figures(request: HttpRequest) -> HttpResponse:
    """Show what everybody may know of this server."""
    statistics = figures(timezone.now())
    title = _("Moves on each of the last {days} days, {moves} in all").format(
        days=DAYS, moves=statistics.moved
    )
    return render(
        request,
        "web/players/figures.html",
        {"figures": statistics, "chart": bar_chart(statistics.moves, title)},
    )


def show_players(request: HttpRequest) -> HttpResponse:
    """Show the strongest people of each game; with a name, the players named like it."""
    query = request.GET.get("name", "").strip()
    now = timezone.now()
    best = [(game.info, best_people(name, now, most=MAX_BEST)) for name, game in find().items()]
    facts = {
        "query": query,
        "matching_players": named_like(query, most=MAX_FOUND) if query else (),
        "best": [
            (game, [(player.userid, player.strength.figures) for player in people])
            for game, people in best
            if people
        ],
    }
    return render(request, "web/players/list.html", facts)
