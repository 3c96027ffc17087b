"""Replies to letters of lessons: which step they answer, and the game that `play` begins."""

from __future__ import annotations

import re

from sarsen.games import known_names
from sarsen.language.challenges import ME
from sarsen.language.grammar.tokens import LessonContext
from sarsen.services.learning.letters import answered_step
from sarsen.services.mail.reply_addresses import SignedAddress

# The same in every language; own moves of the step stand behind it where the reader is unknown.
_TITLE = re.compile(
    r"lesson ([\w-]{1,40}) (\d{1,3})/\d{1,3}(?: \(([^()]{1,200})\))?", re.IGNORECASE
)


def lesson_answered(signed: SignedAddress, subject: str) -> LessonContext | None:
    """Return the step that a mail to a signed address answers; None where it is no lesson's.

    The first letter of a lesson may be a refusal, whose address knows its reader and no step.

    Raises:
        UserError: The game has no lesson any more.
    """
    if signed.lesson is not None:
        return answered_step(signed.player, signed.lesson)
    return titled_lesson(subject) if signed.proves_account else None


def titled_lesson(subject: str) -> LessonContext | None:
    """Return the step that a subject names, with its line; None for any other subject."""
    titled = _TITLE.fullmatch(subject)
    if titled is None or titled[1].lower() not in known_names():
        return None
    return LessonContext(titled[1].lower(), titled[2], tuple((titled[3] or "").split()))


def game_after(lesson: LessonContext) -> str:
    """Return the line that `play` means in a reply to a letter of a lesson."""
    return f"{lesson.game} challenge {ME} bot1"
