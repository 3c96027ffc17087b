"""The letter for one that could not be worded: a defect of ours keeps no news from a player."""

from __future__ import annotations

from django.conf import settings

from sarsen.doors.mail.composing import Letter
from sarsen.services.outbox import DueLetter


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
