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
class BoardBefore:
    """Another position, which is shown above the one with the task, and words about it."""

    words: str
    drawn: DrawnBoard


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
        before: What is shown above; None for nothing.
    """

    subject: str
    news: str
    task: str
    drawn: DrawnBoard
    pointed: str
    ways: str
    url: str
    label: str
    before: BoardBefore | None = None


NO_BOARD = DrawnBoard("", "", None)
# Bytes of both pictures of a letter, which is to have 30 kB; else the first one is in letters.
MAX_PICTURES = 14_000


def live_board_letter(
    told: LiveBoard, *, thread: str, reply_to: str | None, is_answer: bool = True
) -> Letter:
    """Write the letter: text, HTML and pictures."""
    drawn, before = told.drawn, told.before or BoardBefore("", NO_BOARD)
    sizes = [len(one.picture or b"") for one in (before.drawn, drawn)]
    above = before.drawn if sum(sizes) <= MAX_PICTURES else NO_BOARD
    parts = (
        wrap(before.words),
        before.drawn.text,
        wrap(told.news),
        wrap(told.task),
        drawn.text,
        told.pointed,
        f"{wrap(told.ways)}\n{told.url}",
    )
    task = f'<p style="font-size:17px;font-weight:600">{escape(told.task)}</p>'
    pages = (
        prose(before.words) if before.words else "",
        _picture(above, "before") or (text_board(before.drawn.text) if told.before else ""),
        prose(told.news) if told.news else "",
        task if told.task else "",
        _picture(drawn, "board"),
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
        pictures=tuple(
            (name, one.picture)
            for name, one in (("before", above), ("board", drawn))
            if one.picture is not None
        ),
        is_answer=is_answer,
    )


def _picture(drawn: DrawnBoard, name: str) -> str:
    width = None if drawn.picture is None else width_of(drawn.picture)
    return board_picture(drawn.words, width, name)
