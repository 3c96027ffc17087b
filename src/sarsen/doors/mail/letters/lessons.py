"""Letters of lessons: a step with its board, what came of a try, and the ways to answer."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings

from sarsen.doors.mail.letter import Letter
from sarsen.doors.mail.letters.boards import DrawnBoard, draw
from sarsen.doors.mail.letters.live_boards import NO_BOARD, LiveBoard, live_board_letter
from sarsen.drawing.png import png
from sarsen.drawing.pointing import marked, pointing_at
from sarsen.language.learning.lessons import LessonShown, pointed_words, task_words
from sarsen.language.translating import _
from sarsen.learning.puzzles.shelf import has_puzzles
from sarsen.services.board_cache import position_after
from sarsen.services.learning.letters import reply_address
from sarsen.services.mail.outgoing import DueLetter


def lesson_subject(shown: LessonShown, *, holds_place: bool = False) -> str:
    """Return the subject of a step; a reply is known by it, in each language (`reply/lessons.py`).

    Args:
        holds_place: The own moves of the step are named, too, and the number of the next try, for
            a reader whose reply has no address that knows them.
    """
    title = _("Lesson {game} {at}/{count}").format(game=shown.game, at=shown.at, count=shown.count)
    if holds_place and shown.own:
        title += f" ({' '.join(shown.own)})"
    if holds_place and shown.tries:
        return _("{title}, try {number}").format(title=title, number=shown.tries + 1)
    return title


def lesson_letter(shown: LessonShown, due: DueLetter, news: str) -> Letter:
    """Write a letter that shows a step: text, HTML and picture.

    Args:
        news: What stands above the task, the line that is answered included.
    """
    task = task_words(shown)
    pointed = pointed_words(shown) if task else ""
    drawn = draw_step(shown, due) if task else NO_BOARD
    url = f"{settings.SARSEN_URL}/learn/{shown.game}/{f'{shown.step}/' if task else ''}"
    goes_on = not (shown.is_finished or shown.is_stopped)
    told = LiveBoard(
        lesson_subject(shown, holds_place=due.player is None and goes_on),
        news,
        task,
        drawn,
        pointed,
        _ways(shown, due),
        url,
        _("The lesson on the web"),
    )
    return live_board_letter(
        told,
        thread=f"lesson.{shown.game}",
        reply_to=reply_address(due.player, shown) if due.player else None,
    )


def draw_step(shown: LessonShown, due: DueLetter) -> DrawnBoard:
    """Draw the position of a step, with what the task points out and the move that is shown."""
    position = position_after(shown.game, shown.options, shown.moves)
    drawn = draw(position, due)
    marks, arrows = pointing_at(position, shown.shown) if shown.shown else ((), ())
    pointed = ((*shown.marks, *marks), (*shown.arrows, *arrows))
    if drawn.picture is None or pointed == ((), ()):
        return drawn
    picture = due.boards.get_or_make(
        ("pointed", id(position), pointed), lambda: (position, png(marked(position, *pointed)))
    )
    return replace(drawn, picture=picture[1])


def _ways(shown: LessonShown, due: DueLetter) -> str:
    """Return what can be answered, a line each; what to type between backquotes."""
    is_known = due.player is not None
    if shown.is_stopped:
        line = f"lesson {shown.game}" if is_known else f"lesson {shown.game} {shown.at}"
        return _("To go on, send `{line}`.").format(line=line)
    if shown.is_finished:
        play = _("To play a game against bot1 now, reply with `play`, or send `{line}`.")
        after = [play.format(line=shown.play) if is_known else _to_join(shown, due)]
        if has_puzzles(shown.game):
            puzzle = _("To try a puzzle, send `{line}`.")
            after.append(puzzle.format(line=f"puzzle {shown.game}"))
        return "\n".join(after)
    ways = [
        _("To try a move, reply with it on one line."),
        _("You can also reply: `hint`, `show`, `skip`, `back` or `stop`."),
    ]
    if not is_known:
        ways += [_("No account is needed for this, here or on the web."), _to_join(shown, due)]
    return "\n".join(ways)


def _to_join(shown: LessonShown, due: DueLetter) -> str:
    """Return what nobody in particular may do to be known, and so keep their place and play."""
    if due.facts.get("is_known"):
        known = _("To keep your place, send `{line}` as a reply to another mail from here.")
        return known.format(line=f"lesson {shown.game}")
    return _("To play games with others, join with `signup USERID`.")
