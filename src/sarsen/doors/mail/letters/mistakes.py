"""The letter that shows a turning point of a review to be tried again, and what came of a try."""

from __future__ import annotations

from django.conf import settings

from sarsen.doors.mail.letter import Letter
from sarsen.doors.mail.letters.boards import DrawnBoard, draw
from sarsen.doors.mail.letters.live_boards import LiveBoard, live_board_letter
from sarsen.language.learning.mistakes import MistakeShown, mistake_task
from sarsen.language.reviews import AGAIN
from sarsen.language.translating import _
from sarsen.services.board_cache import position_after
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter


def mistake_letter(shown: MistakeShown, due: DueLetter, news: str) -> Letter:
    """Write the letter.

    Args:
        news: What stands above the task, the line that is answered included.
    """
    told = LiveBoard(
        # A reply is known by it, in each language.
        _("Review {board}, again {number}/{count}").format(
            board=shown.board, number=shown.number, count=shown.count
        ),
        news,
        mistake_task(shown),
        draw_mistake(shown, due),
        "",
        _ways(shown),
        f"{settings.SARSEN_URL}/boards/{shown.board}/review/{AGAIN}/{shown.number}/",
        _("The same on the web"),
    )
    return live_board_letter(told, thread=f"board.{shown.board}", reply_to=_reply_to(shown, due))


def draw_mistake(shown: MistakeShown, due: DueLetter) -> DrawnBoard:
    """Draw the position before the move."""
    return draw(position_after(shown.game, shown.options, shown.moves), due)


def _ways(shown: MistakeShown) -> str:
    """Return what can be answered, a line each; what to type between backquotes."""
    if not shown.is_finished:
        return "\n".join(
            (
                _("To try a move, reply with it on one line."),
                _("To see what was better, reply with `show`."),
            )
        )
    if shown.number < shown.count:
        line = f"review {shown.board} {AGAIN} {shown.number + 1}"
        return _("For the next one, send `{line}`.").format(line=line)
    return ""


def _reply_to(shown: MistakeShown, due: DueLetter) -> str | None:
    """Return the address of the reader's seat, or of a reader without one; None for a stranger."""
    if due.player is None:
        return None
    ply = len(shown.moves) + 2  # any but the one that is due: no move is played
    return reply_addresses.board_address(
        due.player, shown.board, ply, boards=due.boards
    ) or reply_addresses.watching_address(due.player, shown.board)
