"""The letter that answers a mail."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.doors.mail.letters.board_text import board_text
from sarsen.doors.mail.letters.boards import board_letter, board_news
from sarsen.doors.mail.letters.html import document, fixed, help_page, prose, table
from sarsen.doors.mail.send.composing import Attachment, Letter
from sarsen.help.rendering import page_text
from sarsen.language.account_replies import Exported
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
    decode,
    sentence,
    table_text,
)
from sarsen.language.translating import _
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.request import Player

EXAMPLE = "For example: "  # what a game's hint of a move begins with
_NOTHING = "Nothing yet."
RULE = "\n\n" + "-" * 60 + "\n\n"


def answer(due: DueLetter) -> Letter:
    """Return the letter with what came of a mail's command or commands.

    The fact `then` is what has happened at the board before the letter went; see `letters.join`.
    """
    said: Answer = decode(due.facts["answer"])
    notes = "\n".join(due.facts["notes"])
    view = _only_board(said.reply, due)
    matter = getattr(said.reply, "matter", "")
    if view is not None:
        told = sentence(said.reply)
        if then := due.facts.get("then"):
            view = view_board(
                then["board"],
                then["ply"],
                viewer=due.player,
                event=then["event"],
                personal=True,
                boards=due.boards,
            )
            told = f"{told} {board_news(view, replace(due, facts=then))}"
        news = "\n\n".join(filter(None, (f"> {said.line}", told, notes)))
        return board_letter(view, due, news=news, matter=matter)
    text = "\n\n".join(filter(None, (answer_text(said, due.player, due.boards), wrap(notes))))
    html = answer_html(said, due.player, due.boards) + (prose(notes) if notes else "")
    subject = _board_title(due) or (f"Re: {said.line}" if said.line else "Your mail")
    board = getattr(said.reply, "board", None) or due.facts["board"]
    reply_to = _reply_to(due, board, matter)
    thread = f"board.{board}" if board else ""
    return Letter(
        subject,
        text,
        html=document(subject, html),
        reply_to=reply_to,
        thread=thread,
        is_answer=True,
        attachment=_export(said.reply, due),
    )


def _board_title(due: DueLetter) -> str:
    """Return the title of the board whose letter was answered: its thread keeps one subject."""
    if due.player is None or not due.facts["board"]:
        return ""
    try:
        view = view_board(due.facts["board"], viewer=due.player, boards=due.boards)
        return f"Re: {view.title}"
    except UserError:  # no board of theirs
        return ""


def _export(reply: object, due: DueLetter) -> Attachment | None:
    """Return the file that `export` asks for; it goes to its owner alone."""
    if not isinstance(reply, Exported) or due.player is None:
        return None
    lines = "\n".join(export_lines(due.player)) + "\n"
    return Attachment(f"sarsen-{due.player.key}.jsonl", lines.encode(), "jsonl")


def _only_board(reply: object, due: DueLetter) -> BoardView | None:
    """Return the one board an answer shows; None for none, several, or one of others."""
    try:
        views = boards_of(reply, due.player, due.boards)
    except UserError:  # private, and the letter goes to somebody else than who spoke
        return None
    return views[0] if len(views) == 1 else None


def _reply_to(due: DueLetter, board: int | None, matter: str) -> str:
    if due.player is None:
        return ""
    if board is not None:
        try:
            view = view_board(board, viewer=due.player, boards=due.boards)
        except UserError:  # no board of theirs; the answer itself says so
            return reply_addresses.player_address(due.player)
        address = reply_addresses.board_address(
            due.player, board, view.last_ply + 1, matter=matter, boards=due.boards
        )
        if address:
            return address
    return reply_addresses.player_address(due.player)


def unworded(due: DueLetter) -> Letter:
    """Write the letter that says where the news is to be seen; nothing of what it says is read
    here.
    """
    board = due.facts.get("board")
    place = f"boards/{board}/" if isinstance(board, int) else ""
    text = (
        "There is news for you here, and the server could not put it into words. Its operator "
        "is told. Whatever was done stands. To see it:\n\n"
        f"    {settings.SARSEN_URL}/{place}"
    )
    about = f" of board {board}" if place else ""
    return Letter(f"News{about} that could not be worded", text, is_answer=due.kind == "answer")


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
