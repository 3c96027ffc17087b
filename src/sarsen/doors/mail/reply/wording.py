"""Replies in words, as plain text and as HTML: sentences, tables, pages, boards in letters."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

from sarsen.core.errors import UserError
from sarsen.doors.mail.reply.boards import board_text
from sarsen.help.rendering import page_text, to_html
from sarsen.language.commands import Command
from sarsen.language.grammar.sentence import Context
from sarsen.language.grammar.typography import wrap
from sarsen.language.refusals import reworded
from sarsen.language.replies import (
    Answer,
    HelpPage,
    Refusal,
    Reply,
    Several,
    Table,
    Tables,
    sentence,
    table_text,
)
from sarsen.language.translating import _, spoken
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.request import Player

EXAMPLE = "For example: "  # what a game's hint of a move begins with
_NOTHING = "Nothing yet."
RULE = "\n\n" + "-" * 60 + "\n\n"


def answer_text(answer: Answer, viewer: Player | None, boards: BoardCache) -> str:
    """Return one answer as text, with the command it belongs to above it."""
    said = reply_text(answer.reply, viewer, boards)
    return f"{wrap(f'> {answer.line}')}\n\n{said}" if answer.line else said


def reply_text(reply: Reply | Refusal, viewer: Player | None, boards: BoardCache) -> str:
    """Return a reply as text; its prose and tables fit in 72 columns."""
    match reply:
        case Refusal():
            return wrap(_refused(reply))
        case HelpPage():
            return page_text(reply)
        case Table():
            return table_text(reply)
        case Tables():
            return "\n\n".join(table_text(table) for table in reply.tables) or _NOTHING
        case Several():
            return RULE.join(answer_text(answer, viewer, boards) for answer in reply.answers)
        case _:
            return _with_boards(reply, viewer, boards)


def answer_html(answer: Answer, viewer: Player | None, boards: BoardCache) -> str:
    """Return the HTML of one answer; see `answer_text`."""
    said = _reply_html(answer.reply, viewer, boards)
    return f"{prose(f'> {answer.line}')}\n{said}" if answer.line else said


def _reply_html(reply: Reply | Refusal, viewer: Player | None, boards: BoardCache) -> str:
    match reply:
        case Refusal():
            return prose(_refused(reply))
        case HelpPage():
            return help_page(reply)
        case Table():
            return table(reply)
        case Tables():
            return "\n".join(map(table, reply.tables)) or f"<p>{escape(_NOTHING)}</p>"
        case Several():
            return "\n<hr>\n".join(answer_html(answer, viewer, boards) for answer in reply.answers)
        case _:
            said, shown = _parts(reply, viewer, boards)
            return "\n".join([prose(said), *map(fixed, shown)])


def _refused(reply: Refusal) -> str:
    nothing = _("Nothing was changed:")
    return f"{nothing} {reworded(reply.text)} [{reply.code}]{_hint(reply.hint)}"


def _hint(hint: str) -> str:
    """Return what would have worked as a line by itself, ready to be sent."""
    if not hint:
        return ""
    if hint.startswith(EXAMPLE):
        return f"\n\n{_('For example:')}\n\n    {hint.removeprefix(EXAMPLE)}"
    return f"\n\n    {reworded(hint)}"


def boards_of(reply: object, viewer: Player | None, boards: BoardCache) -> list[BoardView]:
    """Return the boards that a reply shows."""
    return [
        view_board(
            shown.board,
            shown.ply,
            viewer=viewer,
            tried=shown.tried,
            event=shown.event,
            personal=True,
            boards=boards,
        )
        for shown in getattr(reply, "shows", ())
    ]


def _parts(reply: Reply, viewer: Player | None, boards: BoardCache) -> tuple[str, list[str]]:
    """Return what is said of a reply, and the boards it shows, in letters."""
    said = sentence(reply)
    try:
        return said, [board_text(view, viewer) for view in boards_of(reply, viewer, boards)]
    except UserError as gone:
        # What was done is said all the same: a board may be hidden from this reader only.
        return said or reworded(gone.text), []


def _with_boards(reply: Reply, viewer: Player | None, boards: BoardCache) -> str:
    said, shown = _parts(reply, viewer, boards)
    return "\n\n".join(filter(None, (wrap(said), RULE.join(shown))))


_SPEAKER = " USERID PASSWORD"


def with_working_hint(refusal: Refusal, context: Context, command: Command | None) -> Refusal:
    """Leave out who speaks where the address says it, and put in the board that was meant."""
    hint = refusal.hint
    if context.speaker and not hint.startswith("signup"):
        hint = hint.replace(_SPEAKER, "")
    board = getattr(command, "board", None) or context.board
    if board is not None:
        hint = hint.replace(" BOARD ", f" {board} ")
    return replace(refusal, hint=hint)


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
<body style="margin:0;padding:16px;font-family:Georgia,'Times New Roman',serif;\
font-size:16px;line-height:1.45">
<div style="max-width:640px;margin:0 auto">
"""
_FOOT = "</div>\n</body>\n</html>\n"
_TYPED = re.compile(r"`([^`\n]+)`")
_ADDRESS = re.compile(r"https?://[^\s<>&]+")
_PRE = f"{MONOSPACE};font-size:13px;line-height:1.3;overflow-x:auto;white-space:pre"
_CELL = "padding:3px 16px 3px 0;text-align:left;vertical-align:top"
_STYLES = {
    "pre": _PRE,
    "code": f"{MONOSPACE};font-size:14px",
    "th": f"{_CELL};border-bottom:1px solid #b9822f",
    "td": _CELL,
    "table": "border-collapse:collapse;font-size:14px",
}
_TAG = re.compile(rf"<({'|'.join(_STYLES)})>")
_WIDE = '<div style="overflow-x:auto">{}</div>'


def document(title: str, body: str) -> str:
    """Return a whole HTML document in the language in force."""
    return _HEAD.format(language=spoken(), title=escape(title)) + body + _FOOT


def prose(text: str) -> str:
    """Return paragraphs; indented lines are shown as typed, backquotes mark what to type."""
    paragraphs = re.split(r"\n\s*\n", text.replace("\r\n", "\n").strip("\n"))
    return "\n".join(map(_paragraph, paragraphs))


def fixed(text: str) -> str:
    """Return text that keeps its blanks and lines: a board."""
    return f'<pre style="{_PRE}">{escape(text)}</pre>'


def table(shown: Table) -> str:
    """Return a table with its title."""
    if not shown.rows:
        return prose(f"{shown.title}: -")
    head = "".join(f"<th>{escape(cell)}</th>" for cell in shown.columns)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>\n" for row in shown.rows
    )
    title = f'<h2 style="font-size:18px">{escape(shown.title)}</h2>\n'
    return title + _styled(f"<table><tr>{head}</tr>\n{rows}</table>")


def help_page(page: HelpPage) -> str:
    """Return a help page."""
    return f'<h1 style="font-size:22px">{escape(page.title)}</h1>\n{_styled(to_html(page.text))}'


def _styled(html: str) -> str:
    """Put styles where they are used: many mail programs read no style sheet."""
    wide = re.sub(r"<table>.*?</table>", lambda found: _WIDE.format(found[0]), html, flags=re.S)
    return _TAG.sub(lambda found: f'<{found[1]} style="{_STYLES[found[1]]}">', wide)


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    if all(line.startswith("  ") or not line for line in lines):
        return fixed(text)
    if len(lines) == 1 and text.startswith("> "):
        return f'<p style="opacity:.75;{MONOSPACE};font-size:13px">{escape(text)}</p>'
    if set(text) == {"-"}:
        return "<hr>"
    return f"<p>{'<br>'.join(map(_line, lines))}</p>"


def _line(line: str) -> str:
    if line.startswith("  "):
        return f'<code style="{_STYLES["code"]}">{escape(line).replace("  ", "&nbsp; ")}</code>'
    marked = _TYPED.sub(r"<b>\1</b>", escape(line))
    return _ADDRESS.sub(r'<a href="\g<0>" style="color:#b9822f">\g<0></a>', marked)
