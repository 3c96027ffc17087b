"""The HTML of letters: prose, tables, help pages, and the page of one board.

Written piece by piece: a template took ten times as long, at every letter. What comes from
people is escaped where it is put in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape, unescape
from itertools import groupby, starmap
from textwrap import dedent

from django.conf import settings

from sarsen.doors.mail.letter import Letter
from sarsen.help.rendering import to_html
from sarsen.language.facts import PlayedMove
from sarsen.language.grammar.kept_text import is_drawn, paragraphs
from sarsen.language.ratings import translated_table
from sarsen.language.replies import HelpPage, Table
from sarsen.language.translating import _, current_language
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.notices import Event

# The colours and the type of the pages, as far as they suit light and dark mail programs alike:
# neither text nor background has a colour of its own, except on the button.
LINK = "#3d7fb8"
MARK = "#d99a1c"
GO = "#4a762a"
LINE = "rgba(139,122,88,.4)"
SANS = "font-family:Inter,-apple-system,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif"
BUTTON = (
    f"display:inline-block;padding:11px 19px;border-radius:10px;background:{GO};color:#fff;"
    "font-weight:600;text-decoration:none"
)
MONOSPACE = "font-family:Menlo,Consolas,'Courier New',monospace"
_HEAD = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{title}</title>
</head>
<body style="margin:0;padding:12px;{sans};font-size:15px;line-height:1.45">
<div style="max-width:600px;margin:0 auto;padding:8px 20px 12px;border:1px solid {rule};\
border-radius:12px">
<p style="margin:8px 0 16px;padding-bottom:10px;border-bottom:1px solid {rule};font-weight:700">\
<span style="color:#c2452d">&#9698;</span> sarsen</p>
"""
_FOOT = "</div>\n</body>\n</html>\n"
_TYPED = re.compile(r"`([^`\n]+)`")  # what to type, as all our texts mark it
_ADDRESS = re.compile(r"https?://[^\s<>&]+")  # ends at a blank, or where escaped HTML begins
_PRE = f"{MONOSPACE};font-size:13px;line-height:1.3;overflow-x:auto;white-space:pre"
_CELL = "padding:3px 16px 3px 0;text-align:left;vertical-align:top"
_STYLES = {
    "pre": _PRE,
    "code": f"{MONOSPACE};font-size:14px",
    "th": f"{_CELL};border-bottom:1px solid {LINE}",
    "td": _CELL,
    "table": "border-collapse:collapse;font-size:14px",
}
# Tags without attributes, as our own texts have them.
_TAG = re.compile(rf"<({'|'.join(_STYLES)})>")
_WIDE = '<div style="overflow-x:auto">{}</div>'
_LINE_END = re.compile(r"\r\n|\r|\n")  # of texts from anywhere
# Programs that show no pictures show these words.
_IMAGE = re.compile(r'<img [^>]*alt="([^"]*)"[^>]*>')
# As programs that make text of HTML end rows.
_ROW_END = re.compile(r"<(?:br|/p|/div|/tr|/pre|/h\d|hr|/li)\b[^>]*>")
_ANY_TAG = re.compile(r"<[^>]*>")  # of our own pages alone: no `>` in an attribute
_PICTURE = """<img src="cid:{name}" alt="{words}" width="{width}" \
style="display:block;width:100%;max-width:{width}px;height:auto;border-radius:8px">"""
_CHAT = f'<div style="border-left:4px solid {LINK};padding-left:12px">{{}}</div>'
_WAYS = f'<p style="border-left:4px solid {MARK};padding-left:12px">{{}}</p>'
_TABLE = """<table role="presentation" \
style="border-collapse:collapse;font-family:Menlo,Consolas,monospace;font-size:13px">
<tr>{heads}</tr>
{rows}</table>"""
_MOVE = '<td style="padding:2px 24px 2px 0"><span style="opacity:.6">{}</span>&nbsp;{}</td>'
_NO_MOVE = '<td style="padding:2px 24px 2px 0"></td>'
_STOP = """<p style="font-size:13px;opacity:.75"><a href="{}" style="color:inherit">{}</a></p>"""


@dataclass(frozen=True)
class LetterHtml:
    """The parts of the HTML of a board letter, in their order; "" for none.

    Attributes:
        words: The position in words, beside its picture.
        width: Of the picture, in pixels; None where none is sent.
        chat: Who said what.
        ways: Lines in which what to type stands between backquotes.
        table: The moves, as `move_table` writes them.
        record: Where the record of the game is.
    """

    title: str
    news: str
    headline: str
    seats: str
    clock: str
    words: str
    width: int | None
    effects: Sequence[str]
    ratings: str
    chat: Sequence[tuple[str, str]]
    ways: str
    url: str
    table: str
    board: str
    record: str
    unsubscribe: str


def write_page(page: LetterHtml) -> str:
    """Return the page in the language in force."""
    clock = f"<br>{escape(page.clock)}" if page.clock else ""
    effects = f"<p>{'<br>'.join(map(escape, page.effects))}</p>" if page.effects else ""
    stop = _STOP.format(escape(page.unsubscribe), _("Stop these mails")) if page.unsubscribe else ""
    parts = "\n".join(
        [
            f'<p style="font-size:19px;font-weight:700;margin:0 0 4px">{_lines(page.news)}</p>',
            f'<p style="margin:0 0 16px;opacity:.75">{escape(page.headline)}<br>'
            f"{_lines(page.seats)}{clock}</p>",
            board_picture(page.words, page.width),
            effects,
            f"<p>{_lines(page.ratings)}</p>" if page.ratings else "",
            _CHAT.format("\n".join(starmap(_said, page.chat))) if page.chat else "",
            ways_to_answer(page.ways),
            button(page.url, _("The board on the web")),
            page.table,
            text_board(page.board),
            f"<p>{escape(page.record)}</p>" if page.record else "",
            stop,
        ]
    )
    return document(page.title, parts)


def board_picture(words: str, width: int | None, name: str = "board") -> str:
    """Return the picture of a board, with its description as text; "" without one."""
    return _PICTURE.format(words=escape(words), width=width, name=name) if width else ""


def ways_to_answer(ways: str) -> str:
    """Return lines in which what to type stands between backquotes; "" for none."""
    return _WAYS.format(_marked(ways).replace("\n", "<br>")) if ways else ""


def button(url: str, words: str) -> str:
    """Return a link to a page as a button."""
    return f'<p><a href="{escape(url)}" style="{BUTTON}">{escape(words)}</a></p>'


def text_board(board: str) -> str:
    """Return the drawing of a board in letters, small."""
    return (
        f'<pre style="{MONOSPACE};font-size:12px;line-height:1.15;overflow-x:auto;'
        f'white-space:pre">{escape(board)}</pre>'
    )


def move_table(players: Sequence[str], rows: Sequence[Sequence[PlayedMove | None]]) -> str:
    """Write the moves in rows with one cell a seat; "" without any."""
    heads = "".join(
        f'<th align="left" style="padding:2px 24px 2px 0">{escape(player)}</th>'
        for player in players
    )
    written = "".join(f"<tr>{''.join(map(_cell, row))}</tr>\n" for row in rows)
    return _TABLE.format(heads=heads, rows=written) if rows else ""


def _cell(move: PlayedMove | None) -> str:
    return _MOVE.format(move.ply, escape(move.text)) if move else _NO_MOVE


def _lines(text: str) -> str:
    return escape(_LINE_END.sub("\n", text)).replace("\n", "<br>")


def _marked(text: str) -> str:
    """Return text with what to type, between backquotes, in bold."""
    return _TYPED.sub(r"<b>\1</b>", escape(text))


def document(title: str, body: str) -> str:
    """Return a whole HTML document in the language in force."""
    return (
        _HEAD.format(language=current_language(), title=escape(title), sans=SANS, rule=LINE)
        + body
        + _FOOT
    )


def prose(text: str) -> str:
    """Return paragraphs; indented lines are shown as typed, backquotes mark what to type."""
    paragraphs = re.split(r"\n\s*\n", text.replace("\r\n", "\n").strip("\n"))
    return "\n".join(map(_paragraph, paragraphs))


def as_written(text: str) -> str:
    """Return what a person wrote: drawings in a fixed-width face, and nothing marked up."""
    return "\n".join(
        preformatted(paragraph.text) if paragraph.is_drawn else f"<p>{_kept(paragraph.text)}</p>"
        for paragraph in paragraphs(text)
    )


def _said(by: str, text: str) -> str:
    if is_drawn(text):
        return f"<p>{escape(by)}:</p>\n{as_written(text)}"
    return f"<p>{escape(by)}: {_kept(text)}</p>"


def _kept(text: str) -> str:
    lines = escape(text).replace("  ", "&nbsp; ").split("\n")
    return "<br>".join(_linked(line) for line in lines)


def _linked(html: str) -> str:
    return _ADDRESS.sub(rf'<a href="\g<0>" style="color:{LINK}">\g<0></a>', html)


def preformatted(text: str) -> str:
    """Return text that keeps its blanks and lines: a board."""
    return f'<pre style="{_PRE}">{escape(text)}</pre>'


def table(content: Table) -> str:
    """Return a table with its title in the active language."""
    content = translated_table(content)
    if not content.rows:
        return prose(f"{content.title}: -")
    head = "".join(f"<th>{escape(cell)}</th>" for cell in content.columns)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>\n" for row in content.rows
    )
    title = f'<h2 style="font-size:18px">{escape(content.title)}</h2>\n'
    return title + _styled(f"<table><tr>{head}</tr>\n{rows}</table>")


def help_page(page: HelpPage) -> str:
    """Return a help page."""
    return f'<h1 style="font-size:22px">{escape(page.title)}</h1>\n{_styled(to_html(page.text))}'


def _styled(html: str) -> str:
    """Put styles where they are used: many mail programs read no style sheet."""
    wide = re.sub(r"<table>.*?</table>", lambda match: _WIDE.format(match[0]), html, flags=re.S)
    return _TAG.sub(lambda match: f'<{match[1]} style="{_STYLES[match[1]]}">', wide)


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    if all(line.startswith("  ") or not line for line in lines):
        return preformatted(text)
    if len(lines) == 1 and text.startswith("> "):
        return f'<p style="opacity:.75;{MONOSPACE};font-size:13px">{escape(text)}</p>'
    if set(text) == {"-"}:
        return "<hr>"
    runs = [list(run) for _is_code, run in groupby(lines, key=_is_indented)]
    if not any(map(_is_drawing, runs)):
        runs = [lines]
    return "\n".join(
        preformatted("\n".join(run))
        if _is_drawing(run)
        else f"<p>{'<br>'.join(map(_line, run))}</p>"
        for run in runs
    )


def _is_drawing(lines: Sequence[str]) -> bool:
    """Return whether indented lines are more than lines to type."""
    return all(map(_is_indented, lines)) and is_drawn(dedent("\n".join(lines)))


def _is_indented(line: str) -> bool:
    return line.startswith("  ")


def _line(line: str) -> str:
    if line.startswith("  "):
        return f'<code style="{_STYLES["code"]}">{escape(line).replace("  ", "&nbsp; ")}</code>'
    return _linked(_marked(line))


def words_of_html(page: str) -> str:
    """Return the words of a letter's HTML in rows, as programs make text of it."""
    body = page.partition("<body")[2]
    rows = _ROW_END.sub("\n", _IMAGE.sub(r" \1 ", body))
    return unescape(_ANY_TAG.sub("", rows))


def unsubscribe_address(due: DueLetter) -> str:
    """Return the address that stops letters like this one; "" for those that always come."""
    if due.player is None or not due.event or due.event == Event.ACCOUNT:
        return ""
    token = reply_addresses.unsubscribe_token(due.player, due.event)
    return f"{settings.SARSEN_URL}/unsubscribe/{token}/"


def with_way_to_stop(letter: Letter, due: DueLetter) -> Letter:
    """Add the address to a notice that has none yet; an answer needs none."""
    if letter.is_answer or letter.unsubscribe:
        return letter
    address = unsubscribe_address(due)
    if not address:
        return letter
    way = f"{_('To stop these mails:')} {address}"
    if letter.parts:
        return replace(letter, parts=(*letter.parts, way), unsubscribe=address)
    return replace(letter, text=f"{letter.text.rstrip()}\n\n{way}", unsubscribe=address)
