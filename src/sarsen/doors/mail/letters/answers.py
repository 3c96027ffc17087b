"""The letter that answers a mail."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.doors.mail.letters.boards import board_letter, board_news
from sarsen.doors.mail.reply import wording
from sarsen.doors.mail.reply.wording import answer_html, answer_text, boards_of
from sarsen.doors.mail.send.composing import Attachment, Letter
from sarsen.language.account_replies import Exported
from sarsen.language.grammar.typography import wrap
from sarsen.language.replies import Answer, decode, sentence
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter


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
    html = answer_html(said, due.player, due.boards) + (wording.prose(notes) if notes else "")
    subject = _board_title(due) or (f"Re: {said.line}" if said.line else "Your mail")
    board = getattr(said.reply, "board", None) or due.facts["board"]
    reply_to = _reply_to(due, board, matter)
    thread = f"board.{board}" if board else ""
    return Letter(
        subject,
        text,
        html=wording.document(subject, html),
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
