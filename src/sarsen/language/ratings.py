"""Strength: tables and past games, ratings, and the levels of programs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated, Self

from sarsen.core.phrases import Phrase
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.grammar.typography import WIDTH
from sarsen.language.schema.fields import (
    MAX_COMPARED_PLAYERS,
    GameName,
    GameOptions,
    MaxItems,
    Terms,
)
from sarsen.language.translating import N_, _, translated

MAX_RATED = 20  # players in one table: each is looked up
INDENT = "  "
GAP = "  "
Row = Sequence[str]


@dataclass(frozen=True)
class Standings(Command):
    """Show how many games players have won.

    Attributes:
        userids: None for all players; one for each opponent of that player; two head to head.
    """

    words = ("standings", "score")
    usage = "GAME standings [USERID [USERID]]"
    summary = N_("Wins, losses and draws; with two names, head to head.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    game: GameName
    userids: Annotated[tuple[str, ...], MaxItems(MAX_COMPARED_PLAYERS)] = ()

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read userids."""
        return cls(tokens.game, tokens.rest_words())


@dataclass(frozen=True)
class Ratings(Command):
    """Show the ratings of players."""

    words = ("ratings", "rating")
    usage = "GAME ratings [USERID …]"
    summary = N_("Glicko-2 ratings with their uncertainty; `?` marks provisional ones.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    game: GameName
    userids: Annotated[tuple[str, ...], MaxItems(MAX_RATED)] = ()

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read userids."""
        return cls(tokens.game, tokens.rest_words())


HISTORY_TERMS = {
    "result": "--result=won|lost|drawn",
    "plies": "--plies=20-40",
    "from": "--from=2026-01-31",
    "until": "--until=2026-12-31",
    "opening": "--opening=b4,c5",
}


@dataclass(frozen=True)
class History(Command):
    """Ask for finished games, newest first.

    Attributes:
        options: Only games with these options of the game; "" for any.
        terms: Search terms: words of `HISTORY_TERMS`.
    """

    words = ("history",)
    usage = "GAME history [USERID [USERID]] [--WHAT=…]"
    summary = N_(
        "Finished games with dates, results and ratings. Search with `--result=won|lost|drawn`, "
        "`--plies=20-40`, `--from=DATE`, `--until=DATE`, `--opening=b4,c5`, or options of the game."
    )
    scope = Scope.READ
    is_query = True
    for_guests = True

    game: GameName
    userids: Annotated[tuple[str, ...], MaxItems(MAX_COMPARED_PLAYERS)] = ()
    options: GameOptions = ""
    terms: Terms = ()

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read userids, options and terms in any order."""
        words = tokens.rest_words()
        return cls(
            tokens.game,
            tuple(word for word in words if not word.startswith("-")),
            " ".join(word for word in words if word.startswith("-") and word[1:2] != "-"),
            tuple(word for word in words if word.startswith("--")),
        )


def translated_table(table: Table) -> Table:
    """Return a table in the active language: its title, its headings and its cells of ours."""
    return Table(
        translated(table.title),
        tuple(heading_words(name) for name in table.columns),
        tuple(tuple(map(cell_words, table.columns, row)) for row in table.rows),
    )


def heading_words(name: str) -> str:
    """Return the heading of a column in the active language."""
    return translated(name) if isinstance(name, Phrase) else _(name)


def cell_words(column: str, text: str) -> str:
    """Return a cell in the active language: a phrase, a reason, or what a line is about."""
    if isinstance(text, Phrase):
        return translated(text)
    if column == "what":
        return _(text)
    text = text.replace(MARK, f" {_(MARK.strip())}")
    return text.replace(" v ", _(" v ")) if column == "players" else text


def table_text(table: Table) -> str:
    """Return a table with its title in the active language, in lines no longer than `WIDTH`."""
    table = translated_table(table)
    if not table.rows:
        return f"{table.title}\n\n  {_('none')}"
    fitted = columns_text(table.columns, table.rows, WIDTH - len(INDENT))
    title = textwrap.fill(table.title, WIDTH, break_long_words=False)
    return f"{title}\n\n{textwrap.indent(fitted, INDENT)}"


def columns_text(head: Row, rows: Sequence[Row], width: int) -> str:
    """Return rows in columns as wide as they need; cells that are too wide are wrapped.

    Rows whose longest words do not fit side by side become one line a cell.

    Args:
        head: What stands above the columns; empty for nothing.
    """
    widths = _widths([head, *rows] if head else rows, width)
    if widths is None:
        return "\n\n".join(_listed(head or [""] * len(row), row, width) for row in rows)
    lines = [head, ["-" * width for width in widths], *rows] if head else rows
    return "\n".join(line for row in lines for line in _wrapped(row, widths))


def fits(head: Row, rows: Sequence[Row]) -> bool:
    """Return whether a table stands in lines no longer than `WIDTH` without wrapping a cell."""
    natural = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return sum(natural) + len(GAP) * (len(natural) - 1) <= WIDTH - len(INDENT)


def _widths(rows: Sequence[Row], width: int) -> list[int] | None:
    """Return the width of each column; None where they do not fit."""
    count = len(rows[0])
    room = width - len(GAP) * (count - 1)
    natural = [max(len(row[at]) for row in rows) for at in range(count)]
    least = [max(_longest_word(row[at]) for row in rows) for at in range(count)]
    if sum(least) > room:
        return None
    widths = natural
    while sum(widths) > room:
        shrinkable = [at for at in range(count) if widths[at] > least[at]]
        widths[max(shrinkable, key=lambda at: widths[at])] -= 1
    return widths


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _wrapped(row: Row, widths: Sequence[int]) -> Iterator[str]:
    """Yield the lines of one row."""
    cells = (
        textwrap.wrap(cell, width, break_long_words=False, break_on_hyphens=False) or [""]
        if len(cell) > width
        else [cell]
        for cell, width in zip(row, widths, strict=True)
    )
    for line in zip_longest(*cells, fillvalue=""):
        yield GAP.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _listed(head: Row, row: Row, width: int) -> str:
    """Return one row as lines such as `board: 12`, without its empty cells."""
    lines = []
    for column, cell in zip(head, row, strict=True):
        if cell:
            line = f"{column}: {cell}" if column else cell
            lines.append(
                textwrap.fill(
                    line,
                    width,
                    subsequent_indent=INDENT,
                    break_long_words=False,
                    break_on_hyphens=False,
                )
            )
    return "\n".join(lines)


@dataclass(frozen=True)
class Table:
    """A table of texts."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Tables:
    """Several tables, one below the other."""

    tables: tuple[Table, ...]


TableReply = Table | Tables


@dataclass(frozen=True)
class RatingChange:
    """The change of a player's rating by one game, or the rating without one.

    Attributes:
        before: None while the game waits to be rated, and where no game is told of.
        was_provisional, is_provisional: Whether it was, or is, too uncertain to say much.
        after: None while the game waits to be rated.
    """

    userid: str
    is_bot: bool
    before: float | None
    was_provisional: bool
    after: float | None
    is_provisional: bool


@dataclass(frozen=True)
class FinishedGame:
    """A finished game, without its moves: its record is made by `services.records.recording`.

    Attributes:
        winner: The userid that won alone; "" for a draw.
        reason: One sentence without names of players.
        unrated: Why it is not rated; "" if it is, or if that is not known any more.
        changes: By seat; empty when it is not rated.
        rematch: The board of the rematch, or None.
    """

    board: int
    winner: str
    reason: str
    unrated: str
    changes: tuple[RatingChange, ...]
    rematch: int | None


# Why a game does not count; see `services.ratings.counting`.
_UNRATED = (
    *(N_("played elsewhere and imported"), N_("agreed unrated")),
    *(N_("more than two seats"), N_("one player had both seats"), N_("a guest played")),
    N_("the bot's strength at this game is not known yet"),
)


def rating_sentence(change: RatingChange) -> str:
    """Return what a game did to one rating: `ann: rating 1500? → 1662? (+162)`."""
    name, figures = marked(change.userid, is_program=change.is_bot), change_words(change)
    if not figures:
        return _("{name}: the new rating is on its way.").format(name=name)
    return _("{name}: rating {figures}").format(name=name, figures=figures)


def ratings_text(game: FinishedGame) -> str:
    """Return what a game did to the ratings, a line for each player."""
    if game.unrated:
        return _("The game is not rated: {why}.").format(why=_reason_unrated(game.unrated))
    if not game.changes:
        return _("The game is not rated.")
    return "\n".join(map(rating_sentence, game.changes))


def _reason_unrated(unrated: str) -> str:
    under = re.fullmatch(r"under (\d+) plies", unrated)
    return _("under {plies} moves").format(plies=under[1]) if under else _(unrated)


def points(rating: float, *, is_provisional: bool) -> str:
    """Write a rating as people read it: `1662?`, the mark for one too uncertain to say much."""
    return f"{rating:.0f}{'?' if is_provisional else ''}"


def rating_range(rating: float, deviation: float) -> str:
    """Write the range in which, with 95 % certainty, a player's strength lies: `1462-1862`."""
    return f"{rating - 2 * deviation:.0f}-{rating + 2 * deviation:.0f}"


def rating_difference(before: float, after: float) -> str:
    """Write by how much a rating moved, as its rounded figures say: `+162`, `−162`."""
    return f"{round(after) - round(before):+d}".replace("-", "−")


def present_words(change: RatingChange | None) -> str:
    """Write the rating that stands beside a name: `1662?`, or after a game `1662? (+162)`."""
    if change is None or change.after is None:
        return ""
    figures = points(change.after, is_provisional=change.is_provisional)
    return (
        figures
        if change.before is None
        else f"{figures} ({rating_difference(change.before, change.after)})"
    )


def change_words(change: RatingChange) -> str:
    """Write what a game did: `1500? → 1662? (+162)`; "" while it is not rated."""
    if change.before is None or change.after is None:
        return ""
    before = points(change.before, is_provisional=change.was_provisional)
    after = points(change.after, is_provisional=change.is_provisional)
    return f"{before} → {after} ({rating_difference(change.before, change.after)})"


_KNOWN = (
    *(N_("{side} resigned."), N_("{side} ran out of time.")),
    *(N_("Agreed a draw."), N_("Both sides passed.")),
    *(N_("{side} wins by proof."), N_("Drawn by proof.")),
)


def reason_words(reason: str) -> str:
    """Return why a game is over, in the active language."""
    return translated(Phrase(reason))


# By level, from 1 on.
LEVEL_WORDS = (
    N_("beginner"),
    N_("novice"),
    N_("casual player"),
    N_("fair player"),
    N_("good player"),
    N_("strong player"),
    N_("expert"),
    N_("strongest"),
)
LEVELS = range(1, len(LEVEL_WORDS) + 1)


def level_words(level: int) -> str:
    """Return the words for a level."""
    return _(LEVEL_WORDS[level - 1])


MARK = " (program)"


def marked(userid: str, *, is_program: bool) -> str:
    """Return a userid as everybody is shown it: `bot5 (program)`."""
    return f"{userid}{MARK}" if is_program else userid


def marked_words(name: str) -> str:
    """Return what `marked` made of a userid, in the language in force."""
    userid = name.removesuffix(MARK)
    return name if userid == name else f"{userid} {_('(program)')}"
