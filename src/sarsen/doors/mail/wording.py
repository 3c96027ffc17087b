"""Replies in words, as plain text and as HTML: sentences, tables, pages, boards in letters."""

from __future__ import annotations

from html import escape

from sarsen.core.errors import UserError
from sarsen.doors.mail import markup
from sarsen.doors.mail.boards import board_text
from sarsen.help.rendering import page_text
from sarsen.language.replies import Answer, HelpPage, Refusal, Reply, Several, Table, Tables
from sarsen.language.translating import _
from sarsen.language.typography import wrap
from sarsen.language.wording import sentence, table_text
from sarsen.language.wording.refusals import reworded
from sarsen.services.call import Player
from sarsen.services.viewing import BoardView, view_board

EXAMPLE = "For example: "  # what a game's hint of a move begins with
_NOTHING = "Nothing yet."
RULE = "\n\n" + "-" * 60 + "\n\n"


def answer_text(answer: Answer, viewer: Player | None) -> str:
    """Return one answer as text, with the command it belongs to above it."""
    said = reply_text(answer.reply, viewer)
    return f"{wrap(f'> {answer.line}')}\n\n{said}" if answer.line else said


def reply_text(reply: Reply | Refusal, viewer: Player | None) -> str:
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
            return RULE.join(answer_text(answer, viewer) for answer in reply.answers)
        case _:
            return _with_boards(reply, viewer)


def answer_html(answer: Answer, viewer: Player | None) -> str:
    """Return the HTML of one answer; see `answer_text`."""
    said = _reply_html(answer.reply, viewer)
    return f"{markup.prose(f'> {answer.line}')}\n{said}" if answer.line else said


def _reply_html(reply: Reply | Refusal, viewer: Player | None) -> str:
    match reply:
        case Refusal():
            return markup.prose(_refused(reply))
        case HelpPage():
            return markup.help_page(reply)
        case Table():
            return markup.table(reply)
        case Tables():
            return "\n".join(map(markup.table, reply.tables)) or f"<p>{escape(_NOTHING)}</p>"
        case Several():
            return "\n<hr>\n".join(answer_html(answer, viewer) for answer in reply.answers)
        case _:
            said, boards = _parts(reply, viewer)
            return "\n".join([markup.prose(said), *map(markup.fixed, boards)])


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


def boards_of(reply: object, viewer: Player | None) -> list[BoardView]:
    """Return the boards that a reply shows."""
    return [
        view_board(
            shown.board,
            shown.ply,
            viewer=viewer,
            tried=shown.tried,
            event=shown.event,
            personal=True,
        )
        for shown in getattr(reply, "shows", ())
    ]


def _parts(reply: Reply, viewer: Player | None) -> tuple[str, list[str]]:
    """Return what is said of a reply, and the boards it shows, in letters."""
    said = sentence(reply)
    try:
        return said, [board_text(view, viewer) for view in boards_of(reply, viewer)]
    except UserError as gone:
        # What was done is said all the same: a board may be hidden from this reader only.
        return said or reworded(gone.text), []


def _with_boards(reply: Reply, viewer: Player | None) -> str:
    said, boards = _parts(reply, viewer)
    return "\n\n".join(filter(None, (wrap(said), RULE.join(boards))))
