"""Replies as plain text: sentences, tables, and boards drawn in letters."""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.doors.mail.boards import board_text
from sarsen.language.replies import Answer, HelpPage, Refusal, Reply, Several, Table, Tables
from sarsen.language.translating import _
from sarsen.language.wording import sentence, table_text
from sarsen.language.wording.pages import page_text
from sarsen.language.wording.refusals import reworded
from sarsen.services.call import Player
from sarsen.services.viewing import BoardView, view_board

EXAMPLE = "For example: "  # what a game's hint of a move begins with
RULE = "\n\n" + "-" * 60 + "\n\n"


def answer_text(answer: Answer, viewer: Player | None) -> str:
    """Word one answer, with the command it belongs to above it."""
    said = reply_text(answer.reply, viewer)
    return f"> {answer.line}\n\n{said}" if answer.line else said


def reply_text(reply: Reply | Refusal, viewer: Player | None) -> str:
    """Word a reply."""
    match reply:
        case Refusal():
            nothing = _("Nothing was changed:")
            return f"{nothing} {reworded(reply.text)} [{reply.code}]{_hint(reply.hint)}"
        case HelpPage():
            return page_text(reply)
        case Table():
            return table_text(reply)
        case Tables():
            return "\n\n".join(table_text(table) for table in reply.tables) or "Nothing yet."
        case Several():
            return RULE.join(answer_text(answer, viewer) for answer in reply.answers)
        case _:
            return _with_boards(reply, viewer)


def _hint(hint: str) -> str:
    """Give what would have worked as a line by itself, ready to be sent."""
    if not hint:
        return ""
    if hint.startswith(EXAMPLE):
        return f" {_('For example:')}\n\n    {hint.removeprefix(EXAMPLE)}"
    return f"\n\n    {reworded(hint)}"


def boards_of(reply: object, viewer: Player | None) -> list[BoardView]:
    """Give the boards that a reply shows."""
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


def _with_boards(reply: Reply, viewer: Player | None) -> str:
    said = sentence(reply)
    try:
        boards = RULE.join(board_text(view, viewer) for view in boards_of(reply, viewer))
    except UserError as gone:
        # What was done is said all the same: a board may be hidden from this reader only.
        boards = "" if said else reworded(gone.text)
    return "\n\n".join(filter(None, (said, boards)))
