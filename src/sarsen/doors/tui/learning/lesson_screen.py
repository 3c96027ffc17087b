"""A lesson, full screen: its steps one after another."""

from __future__ import annotations

from sarsen.doors.tui.learning.task_screen import TaskScreen
from sarsen.language.commands import Command, TakeLesson
from sarsen.language.learning.lessons import (
    LessonShown,
    LessonWord,
    news_words,
    pointed_words,
    task_words,
    word_of,
)
from sarsen.language.translating import N_

LESSON = N_("""\
arrows      move the cursor
Enter       tap the spot below the cursor; the last tap plays the move
Tab         next target
Esc         undo the last tap; then back
letters     type a move, or hint, show, skip, back, stop
/           choose one of these words
Ctrl+Q      quit

Nothing is scored: try as often as you like.
""")


class LessonScreen(TaskScreen):
    """The steps of a game's lesson; the server judges, and keeps how far the player is."""

    words = tuple(word.value for word in LessonWord if word is not LessonWord.NO_THANKS)
    help = (N_("Keys in a lesson"), LESSON)
    reply: LessonShown | None

    def __init__(self, game: str) -> None:
        super().__init__()
        self.game = game

    def first_command(self) -> Command:
        """Return what asks for the step at which the player is."""
        return TakeLesson(self.game)

    def command_for(self, text: str) -> Command | None:
        """Return what tries a move or says a word."""
        text = word_of(text) or text
        if text == LessonWord.STOP:
            self.terminal.leave(self)
            return None
        if self.reply is None or self.reply.is_finished:
            return None
        return TakeLesson(self.game, self.reply.step, (*self.reply.own, text))

    def heading(self) -> str:
        """Return the game, and the place of the step."""
        reply = self.reply
        return f"{reply.title} · {reply.at}/{reply.count}" if reply else ""

    def message(self) -> str:
        """Return what came of the last try, the task, and what it points out."""
        if self.reply is None:
            return ""
        parts = (news_words(self.reply), task_words(self.reply), pointed_words(self.reply))
        return "\n".join(filter(None, parts))
