"""The letter that answers a mail."""

from __future__ import annotations

import re
from dataclasses import replace
from textwrap import shorten

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.doors.mail.letter import Attachment, Letter
from sarsen.doors.mail.letters.board_text import board_text, wants_coordinates
from sarsen.doors.mail.letters.boards import board_letter, board_news, draw, letter_view
from sarsen.doors.mail.letters.html import document, help_page, preformatted, prose, table
from sarsen.doors.mail.letters.lessons import draw_step, lesson_letter
from sarsen.doors.mail.letters.mistakes import draw_mistake, mistake_letter
from sarsen.doors.mail.letters.puzzles import draw_puzzle, puzzle_letter
from sarsen.help.rendering import page_text
from sarsen.language.accounts import Exported
from sarsen.language.grammar.typography import one_line, wrap
from sarsen.language.learning.analysis import AnalysisShown
from sarsen.language.learning.lessons import LessonShown, news_words, task_words
from sarsen.language.learning.mistakes import MistakeShown, mistake_news
from sarsen.language.learning.puzzles import PuzzleShown
from sarsen.language.learning.puzzles import news_words as puzzle_news
from sarsen.language.replies import (
    Answer,
    BroadcastAsked,
    ChatSaid,
    HelpPage,
    MessageSent,
    Refusal,
    Reply,
    Several,
    Table,
    Tables,
    decode,
    sentence_to_type,
    table_text,
)
from sarsen.language.translating import _, translated
from sarsen.learning.analysis import read_question
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.quoting import NO_MOVE

EXAMPLE = "For example: "  # what a game's hint of a move begins with
# Lines that say nothing by themselves: the subject of their answer says what was done.
_BARE_ANSWERS = ("yes", "no", "ok", "accept", "decline", "reject", "confirm", "play")
_MAX_SUBJECT = 70
RULE = "\n\n" + "-" * 60 + "\n\n"


def answer(due: DueLetter) -> Letter:
    """Return the letter with what came of a mail's command or commands.

    The fact `then` is what has happened at the board before the letter went; see `letters.join`.
    """
    decoded: Answer = decode(due.facts["answer"])
    notes = "\n".join(translated(decode(note)) for note in due.facts["notes"])
    view = _only_board(decoded.reply, due)
    matter = getattr(decoded.reply, "matter", "")
    if view is not None:
        sentence = sentence_to_type(decoded.reply)
        if then := due.facts.get("then"):
            later = replace(due, facts=then)
            view = letter_view(later, personal=True)
            sentence = f"{sentence} {board_news(view, later)}"
        news = "\n\n".join(filter(None, (f"> {decoded.line}", sentence, notes)))
        return board_letter(view, due, news, matter)
    if (step := _step_of(decoded.reply, due)) is not None:
        said = _refused(decoded.reply) if isinstance(decoded.reply, Refusal) else news_words(step)
        above = f"> {decoded.line}" if decoded.line else ""
        return lesson_letter(step, due, "\n\n".join(filter(None, (above, said, notes))))
    if (puzzle := _puzzle_of(decoded.reply, due)) is not None:
        refused = decoded.reply if isinstance(decoded.reply, Refusal) else None
        said = _refused_move(refused) if refused else puzzle_news(puzzle)
        above = f"> {decoded.line}" if decoded.line else ""
        return puzzle_letter(puzzle, due, "\n\n".join(filter(None, (above, said, notes))))
    if (mistake := _mistake_of(decoded.reply, due)) is not None:
        refused = decoded.reply if isinstance(decoded.reply, Refusal) else None
        said = _refused_move(refused) if refused else mistake_news(mistake)
        above = f"> {decoded.line}" if decoded.line else ""
        return mistake_letter(mistake, due, "\n\n".join(filter(None, (above, said, notes))))
    text, html = _answer_words(decoded, due)
    subject = _board_title(due) or _subject(decoded)
    board = getattr(decoded.reply, "board", None) or due.facts["board"]
    return Letter(
        subject,
        "\n\n".join(filter(None, (text, wrap(notes)))),
        html=document(subject, html + (prose(notes) if notes else "")),
        reply_to=_board_address(due, board, matter) or _address_answered(due),
        thread=f"board.{board}" if board else "",
        is_answer=True,
        attachment=_export(decoded.reply, due),
        repeats=_own_text(decoded),
    )


def _step_of(reply: Reply | Refusal, due: DueLetter) -> LessonShown | None:
    """Return the step of a lesson that an answer shows: also below the refusal of a try."""
    if isinstance(reply, LessonShown):
        return reply
    return decode(tried) if (tried := due.facts.get("lesson")) else None


def _puzzle_of(reply: Reply | Refusal, due: DueLetter) -> PuzzleShown | None:
    """Return the puzzle that an answer shows: also below the refusal of a try."""
    if isinstance(reply, PuzzleShown):
        return reply
    return decode(tried) if (tried := due.facts.get("puzzle")) else None


def _mistake_of(reply: Reply | Refusal, due: DueLetter) -> MistakeShown | None:
    """Return the turning point that an answer shows: also below the refusal of a try."""
    if isinstance(reply, MistakeShown):
        return reply
    return decode(tried) if (tried := due.facts.get("mistake")) else None


def _subject(answer: Answer) -> str:
    """Return the line that is answered, or what was done where that line is a bare yes or no."""
    if not answer.line:
        return _("Your mail")
    reply = answer.reply
    if answer.line.lower().strip(" .!") in _BARE_ANSWERS:
        words = translated(reply.text) if isinstance(reply, Refusal) else sentence_to_type(reply)
        first = re.split(r"(?<=[.!?;])\s|\n", words, maxsplit=1)[0]
        if subject := shorten(one_line(first), _MAX_SUBJECT, placeholder=" …").rstrip(".;"):
            return subject
    return f"Re: {answer.line}"


def _board_title(due: DueLetter) -> str:
    """Return the title of the board whose letter was answered: its thread keeps one subject."""
    if due.player is None or not due.facts["board"]:
        return ""
    try:
        view = view_board(due.facts["board"], viewer=due.player, boards=due.boards)
        return f"Re: {translated(view.title)}"
    except UserError:  # no board of theirs
        return ""


def _export(reply: object, due: DueLetter) -> Attachment | None:
    """Return the file that `export` asks for; it goes to its owner alone."""
    if not isinstance(reply, Exported) or due.player is None:
        return None
    lines = "\n".join(export_lines(due.player)) + "\n"
    return Attachment(f"sarsen-{due.player.key}.jsonl", lines.encode(), "jsonl")


def _only_board(reply: Reply | Refusal, due: DueLetter) -> BoardView | None:
    """Return the one board an answer shows; None for none, several, or one of others."""
    try:
        views = _boards_of(reply, due)
    except UserError:  # private, and the letter goes to somebody else than who spoke
        return None
    return views[0] if len(views) == 1 else None


def _board_address(due: DueLetter, board: int | None, matter: str) -> str | None:
    """Return the address that speaks for the reader's seat; None for the reader's own address."""
    if due.player is None or board is None:
        return None
    try:
        view = view_board(board, viewer=due.player, boards=due.boards)
    except UserError:  # no board of theirs; the answer itself says so
        return None
    address = reply_addresses.board_address(
        due.player, board, view.last_ply + 1, matter=matter, boards=due.boards
    )
    return address or None


def _address_answered(due: DueLetter) -> str | None:
    """Return the address of the invitation or exercise that a refused line answered, or None."""
    answered = due.facts.get("answered")
    return f"{answered}@{settings.SARSEN_DOMAIN}" if answered else None


def fallback(due: DueLetter) -> Letter:
    """Write where the news is to be seen, without reading any of its facts but the board."""
    board = due.facts.get("board")
    place = f"boards/{board}/" if isinstance(board, int) else ""
    text = (
        "Something has happened here, but this mail could not be written. The people who run the "
        "server are told, and nothing is lost. To see it:\n\n"
        f"    {settings.SARSEN_URL}/{place}"
    )
    about = f" of board {board}" if place else ""
    return Letter(f"News{about}", text, is_answer=due.kind == "answer")


def _answer_words(answer: Answer, due: DueLetter) -> tuple[str, str]:
    """Return one answer as text and as HTML, with the command it belongs to above it."""
    text, html = _reply_words(answer.reply, due)
    told = _told(answer)
    text, html = f"{text}{told}", f"{html}{prose(told) if told else ''}"
    if not answer.line:
        return text, html
    above = f"> {answer.line}"
    return f"{wrap(above)}\n\n{text}", f"{prose(above)}\n{html}"


def _own_text(answer: Answer) -> str:
    """Return what an answer repeats of its reader, or teaches to type: both may well be sent."""
    reply = answer.reply
    if isinstance(reply, Refusal):
        return f"{translated(reply.hint)}\n{answer.line if reply.code == NO_MOVE else ''}"
    return reply.text if isinstance(reply, ChatSaid | MessageSent | BroadcastAsked) else ""


def _told(answer: Answer) -> str:
    """Return what others read of a chat or message, where the quoted line does not show it all."""
    reply = answer.reply
    if not isinstance(reply, ChatSaid | MessageSent) or reply.text in answer.line:
        return ""
    return "\n\n" + "\n".join(f"    {row}".rstrip() for row in reply.text.split("\n"))


def _reply_words(reply: Reply | Refusal, due: DueLetter) -> tuple[str, str]:
    """Return a reply as text, whose prose and tables fit in 72 columns, and as HTML."""
    match reply:
        case Refusal():
            refusal = _refused(reply)
            return wrap(refusal), prose(refusal)
        case HelpPage():
            return page_text(reply), help_page(reply)
        case Table():
            return table_text(reply), table(reply)
        case Tables(tables=()):
            nothing = _("Nothing yet.")
            return nothing, f"<p>{nothing}</p>"
        case Tables():
            return "\n\n".join(map(table_text, reply.tables)), "\n".join(map(table, reply.tables))
        case Several():
            answers = [_answer_words(answer, due) for answer in reply.answers]
            texts, pages = (words[0] for words in answers), (words[1] for words in answers)
            return RULE.join(texts), "\n<hr>\n".join(pages)
        case _:
            sentence, boards = _parts(reply, due)
            text = "\n\n".join(filter(None, (wrap(sentence), RULE.join(boards))))
            return text, "\n".join([prose(sentence), *map(preformatted, boards)])


def _refused(reply: Refusal) -> str:
    nothing = _("Nothing was changed:")
    return f"{nothing} {translated(reply.text)} [{reply.code}]{_hint(reply.hint)}"


def _refused_move(reply: Refusal) -> str:
    """Return the refusal of a try at a puzzle; the first word of one by the rules never changes."""
    if reply.code == "puzzle-flood":
        return _refused(reply)
    said = f"{translated(reply.text)} [{reply.code}]{_hint(reply.hint)}"
    return f"{_('Refused.')} {said}"


def _hint(hint: str) -> str:
    """Return what would have worked as a line by itself, ready to be sent."""
    if not hint:
        return ""
    if hint.startswith(EXAMPLE):
        return f"\n\n{_('For example:')}\n\n    {hint.removeprefix(EXAMPLE)}"
    return f"\n\n    {translated(hint)}"


def _parts(reply: Reply, due: DueLetter) -> tuple[str, list[str]]:
    """Return what is said of a reply, and the boards it shows, in letters."""
    sentence = sentence_to_type(reply)
    if isinstance(reply, LessonShown):
        return sentence, [draw_step(reply, due).text] if task_words(reply) else []
    if isinstance(reply, PuzzleShown):
        return sentence, [draw_puzzle(reply, due).text]
    if isinstance(reply, AnalysisShown):
        line = read_question(reply.game, reply.options, reply.moves, setup=reply.position)
        return sentence, [draw(line.position, due).text]
    if isinstance(reply, MistakeShown):
        return sentence, [draw_mistake(reply, due).text]
    with_coordinates = wants_coordinates(due.player)
    try:
        boards = _boards_of(reply, due)
        return sentence, [
            board_text(view, due.player, with_coordinates=with_coordinates) for view in boards
        ]
    except UserError as refusal:
        # What was done is said all the same: a board may be hidden from this reader only.
        return sentence or translated(refusal.text), []


def _boards_of(reply: Reply | Refusal, due: DueLetter) -> list[BoardView]:
    """Return the boards that a reply shows."""
    return [
        view_board(
            shown.board,
            shown.ply,
            viewer=due.player,
            tried=shown.tried,
            event=shown.event,
            personal=True,
            boards=due.boards,
        )
        for shown in getattr(reply, "shown_boards", ())
    ]
