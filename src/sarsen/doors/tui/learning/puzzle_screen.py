"""Puzzles, full screen: one after another."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from sarsen.doors.tui.learning.task_screen import NEXT, STOP, TaskScreen
from sarsen.language.commands import Command, TakePuzzle, VotePuzzle
from sarsen.language.learning.puzzle_choices import Opinion
from sarsen.language.learning.puzzles import (
    LEVELS,
    PuzzleShown,
    PuzzleWord,
    news_words,
    task_words,
)
from sarsen.language.translating import N_

PUZZLE = N_("""\
arrows      move the cursor
Enter       tap the spot below the cursor; the last tap plays the move
Tab         next target
Esc         undo the last tap; then back
letters     type a move, or show, next, easier, harder, stop
/           choose one of these words
+ -         once it is over: a good puzzle, a bad puzzle
!           after a move that was refused: it should be right
Ctrl+Q      quit

The first try is rated; then try as often as you like.
""")


class PuzzleScreen(TaskScreen):
    """Puzzles of a game near the player's rating; the server judges, and rates the first tries."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("plus", "vote('good')", N_("Good puzzle"), key_display="+"),
        Binding("minus", "vote('bad')", N_("Bad puzzle"), key_display="-"),
        Binding("exclamation_mark", "vote('refused')", N_("It is right"), key_display="!"),
    ]
    words = (PuzzleWord.SHOW.value, NEXT, *LEVELS, STOP)
    help = (N_("Keys at a puzzle"), PUZZLE)
    reply: PuzzleShown | None

    def __init__(self, game: str, number: int = 0) -> None:
        """Show a puzzle of a game.

        Args:
            number: Of the first one; 0 for any that fits.
        """
        super().__init__()
        self.game, self.number = game, number

    def first_command(self) -> Command:
        """Return what asks for the first puzzle."""
        return TakePuzzle(self.game, self.number)

    def command_for(self, text: str) -> Command | None:
        """Return what tries a move or says a word."""
        if text == STOP:
            self.terminal.leave(self)
            return None
        if text == NEXT:
            return TakePuzzle(self.game)
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

    def votes(self) -> tuple[Opinion, ...]:
        """Return what may be said of the puzzle now."""
        if self.reply is None:
            return ()
        if self.reply.is_finished:
            return (Opinion.GOOD, Opinion.BAD)
        return (Opinion.REFUSED,) if self.reply.result == "not-proved" else ()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Have the keys of votes only where there is something to vote on."""
        if action == "vote":
            return parameters[0] in self.votes()
        return super().check_action(action, parameters)

    def action_vote(self, opinion: str) -> None:
        """Vote on the puzzle, or report that a right move was refused."""
        reply = self.reply
        if reply is not None:
            is_refused = opinion == Opinion.REFUSED
            moves = (*reply.own, reply.tried) if is_refused else ()
            self.ask(VotePuzzle(reply.game, reply.puzzle, opinion, moves))
