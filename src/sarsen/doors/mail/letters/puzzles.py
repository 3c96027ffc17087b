"""Letters of puzzles: the position with its task, what came of a try, and the ways to answer."""

from __future__ import annotations

from datetime import date, timedelta

from django.conf import settings

from sarsen.doors.mail.letter import Letter
from sarsen.doors.mail.letters.boards import DrawnBoard, draw
from sarsen.doors.mail.letters.live_boards import (
    MAX_PICTURES,
    BoardBefore,
    LiveBoard,
    live_board_letter,
)
from sarsen.language.learning.puzzles import PuzzleShown, long_task, short_task, task_words
from sarsen.language.translating import _
from sarsen.learning.puzzles.answers import answer
from sarsen.learning.puzzles.shelf import puzzle_numbered, puzzle_of_day
from sarsen.learning.puzzles.tries import judge_tries, solution
from sarsen.services.board_cache import position_after
from sarsen.services.learning.letters import puzzle_address
from sarsen.services.mail.outgoing import DueLetter


def puzzle_subject(shown: PuzzleShown, *, holds_line: bool = False) -> str:
    """Return the subject of a puzzle; a reply is known by it, in each language.

    Args:
        holds_line: The own moves are named, too, for a reader whose reply has no address that
            knows them.
    """
    task = short_task(shown.task, shown.within)
    title = _("Puzzle {name}: {task}").format(name=shown.name, task=task)
    return f"{title} ({' '.join(shown.own)})" if holds_line and shown.own else title


def puzzle_letter(shown: PuzzleShown, due: DueLetter, news: str) -> Letter:
    """Write a letter that shows a puzzle.

    Args:
        news: What stands above the task, the line that is answered included.
    """
    goes_on = not shown.is_finished
    told = LiveBoard(
        puzzle_subject(shown, holds_line=due.player is None and goes_on),
        news,
        task_words(shown),
        draw_puzzle(shown, due),
        "",
        _ways(shown, due),
        f"{settings.SARSEN_URL}/puzzles/{shown.game}/{shown.puzzle}/",
        _("The puzzle on the web"),
    )
    reply_to = puzzle_address(due.player, shown) if due.player else None
    return live_board_letter(told, thread=f"puzzle.{shown.name}", reply_to=reply_to)


def daily(due: DueLetter) -> Letter:
    """Write the letter with the puzzle of the day, which begins with the proof of yesterday's."""
    game, day = due.facts["game"], date.fromisoformat(due.facts["day"])
    puzzle = puzzle_numbered(game, due.facts["puzzle"])
    told = answer(game, puzzle, ())
    before = puzzle_of_day(game, day - timedelta(days=1))
    solved = answer(game, before, (*solution(judge_tries(game, before, ()))[::2],))
    line = _("Yesterday's puzzle, {name}: {task} A solution: {line}.").format(
        name=solved.name,
        task=long_task(solved.task, solved.within),
        line=" ".join(solved.solution),
    )
    letter = LiveBoard(
        puzzle_subject(told),
        "",
        task_words(told),
        draw_puzzle(told, due),
        "",
        "\n".join((_ways(told, due), _to_stop(told))),
        f"{settings.SARSEN_URL}/puzzles/{game}/{puzzle.id}/",
        _("The puzzle on the web"),
        BoardBefore(line, draw_puzzle(solved, due)),
    )
    reply_to = puzzle_address(due.player, told) if due.player else None
    thread = f"puzzle.{told.name}"
    return live_board_letter(letter, thread=thread, reply_to=reply_to, is_answer=False)


def _to_stop(shown: PuzzleShown) -> str:
    stop = _("To stop these mails, reply with `{line}`.")
    return stop.format(line=f"puzzle daily {shown.game} off")


def draw_puzzle(shown: PuzzleShown, due: DueLetter) -> DrawnBoard:
    """Draw the position that a line has reached."""
    position = position_after(shown.game, shown.options, shown.moves)
    return draw(position, due, most=MAX_PICTURES)


def _ways(shown: PuzzleShown, due: DueLetter) -> str:
    """Return what can be answered, a line each; what to type between backquotes."""
    if shown.is_finished:
        ways = [_("To get another puzzle, send `{line}`.").format(line=f"puzzle {shown.game}")]
    else:
        ways = [
            _("To try a move, reply with it on one line."),
            _("To see a solution, reply with `show`."),
        ]
    if due.player is None and not shown.is_finished:
        ways.append(_("No account is needed for this, here or on the web."))
    return "\n".join(ways)
