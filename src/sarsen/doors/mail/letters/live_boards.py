"""Letters that show a position with a task: of a lesson's step, or a puzzle."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from sarsen.doors.mail.letter import Letter
from sarsen.doors.mail.letters.boards import DrawnBoard
from sarsen.doors.mail.letters.html import (
    board_picture,
    button,
    document,
    prose,
    text_board,
    ways_to_answer,
)
from sarsen.drawing.png import width_of
from sarsen.language.grammar.typography import wrap


@dataclass(frozen=True)
class LiveBoard:
    """What such a letter says.

    Attributes:
        subject: The same in all languages: a reply is known by it.
        news: What stands above the task, the line that is answered included.
        task: "" where nothing is asked any more.
        drawn: The position.
        pointed: Places that the task points out, in words.
        ways: What can be answered, a line each; what to type between backquotes.
        url, label: The page with the same, and the words on its button.
    """

    subject: str
    news: str
    task: str
    drawn: DrawnBoard
    pointed: str
    ways: str
    url: str
    label: str


NO_BOARD = DrawnBoard("", "", None)


def live_board_letter(told: LiveBoard, *, thread: str, reply_to: str | None) -> Letter:
    """Write the letter: text, HTML and picture."""
    drawn = told.drawn
    parts = (
        wrap(told.news),
        wrap(told.task),
        drawn.text,
        told.pointed,
        f"{wrap(told.ways)}\n{told.url}",
    )
    width = None if drawn.picture is None else width_of(drawn.picture)
    task = f'<p style="font-size:17px;font-weight:600">{escape(told.task)}</p>'
    pages = (
        prose(told.news) if told.news else "",
        task if told.task else "",
        board_picture(drawn.words, width),
        prose(told.pointed) if told.pointed else "",
        ways_to_answer(told.ways),
        button(told.url, told.label),
        text_board(drawn.text) if drawn.text else "",
    )
    return Letter(
        told.subject,
        "\n\n".join(filter(None, parts)),
        html=document(told.subject, "\n".join(filter(None, pages))),
        reply_to=reply_to,
        thread=thread,
        pictures=() if drawn.picture is None else (("board", drawn.picture),),
        is_answer=True,
    )
