"""Puzzles, full screen: one after another."""

from __future__ import annotations

from sarsen.doors.tui.learning.task_screen import TaskScreen
from sarsen.language.commands import Command, TakePuzzle
from sarsen.language.learning.puzzles import (
    LEVELS,
    PuzzleShown,
    PuzzleWord,
    news_words,
    task_words,
)
from sarsen.language.translating import N_

NEXT, STOP = "next", "stop"
PUZZLE = N_("""\
arrows      move the cursor
Enter       tap the spot below the cursor; the last tap plays the move
Tab         next target
Esc         undo the last tap; then back to my boards
letters     type a move, or show, next, easier, harder, stop
/           choose one of these words
Ctrl+Q      quit

The first try is rated; then try as often as you like.
""")


class PuzzleScreen(TaskScreen):
    """Puzzles of a game near the player's rating; the server judges, and rates the first tries."""

    words = (PuzzleWord.SHOW.value, NEXT, *LEVELS, STOP)
    help = (N_("Keys at a puzzle"), PUZZLE)
    reply: PuzzleShown | None

    def first_command(self) -> Command:
        """Return what asks for a puzzle."""
        return TakePuzzle(self.game)

    def command_for(self, text: str) -> Command | None:
        """Return what tries a move or says a word."""
        if text == STOP:
            self.terminal.go_home()
            return None
        if text == NEXT:
            return self.first_command()
        if text in LEVELS:
            return TakePuzzle(self.game, level=text)
        if self.reply is None or self.reply.is_finished:
            return None
        return TakePuzzle(self.game, self.reply.puzzle, (*self.reply.own, text))

    def heading(self) -> str:
        """Return the game, and the number of the puzzle."""
        return f"{self.reply.title} · {self.reply.puzzle}" if self.reply else ""

    def message(self) -> str:
        """Return what came of the last try, and the task."""
        if self.reply is None:
            return ""
        return "\n".join(filter(None, (news_words(self.reply), task_words(self.reply))))
