"""Replies to letters of lessons: which step they answer, and the game that `play` begins."""

from __future__ import annotations

import re

from sarsen.core.phrases import Phrase
from sarsen.games import known_names, load
from sarsen.language.grammar.tokens import LessonContext
from sarsen.language.learning.lessons import PLAY
from sarsen.learning.lessons import first_game
from sarsen.services.learning.letters import answered_step
from sarsen.services.learning.offers import running_first_game
from sarsen.services.limits.mail_answers import is_known_address
from sarsen.services.mail.reply_addresses import SignedAddress
from sarsen.services.request import Player

# In English or German; own moves of the step, and which try comes next, stand behind it where the
# reader is unknown.
_TITLE = re.compile(
    r"(?:lesson|lektion) ([\w-]{1,40}) (\d{1,3})/\d{1,3}(?: \(([^()]{1,200})\))?"
    r"(?:, (?:try|versuch) ([1-9]\d?))?",
    re.IGNORECASE,
)

STILL_RUNS = Phrase("Your first game is still running: here is its board again.")


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
    line, tries = tuple((titled[3] or "").split()), int(titled[4] or 1) - 1
    return LessonContext(titled[1].lower(), titled[2], line, tries)


def game_after(lesson: LessonContext, player: Player) -> str:
    """Return the line that `play` means in a reply of a player to a letter of a lesson.

    It shows the board of a game with the weakest program that is still running.
    """
    board = running_first_game(player, lesson.game)
    return f"show {board}" if board else first_game(load(lesson.game).info)


def game_of_stranger(lesson: LessonContext, sender: str) -> str:
    """Return the line that it means in a mail that proves nobody; it is refused, with a way on."""
    if is_known_address(sender):
        return first_game(load(lesson.game).info)
    return f"lesson {lesson.game} {PLAY}"
