"""One's own turning points of a reviewed game, full screen: tried again one after another."""

from __future__ import annotations

from dataclasses import replace

from sarsen.doors.tui.learning.task_screen import NEXT, STOP, TaskScreen
from sarsen.doors.tui.words import retry_words
from sarsen.language.commands import Command, ShowReview
from sarsen.language.learning.mistakes import MistakeShown, mistake_news, mistake_task
from sarsen.language.learning.puzzles import PuzzleWord
from sarsen.language.translating import N_, _

MISTAKE = N_("""\
arrows      move the cursor
Enter       tap the spot below the cursor; the last tap plays the move;
            once it is over: the next one
Tab         next target
Esc         undo the last tap; then back
letters     type a move, or show, next, stop
/           choose one of these words
Ctrl+Q      quit

Try as often as you like. Where nothing is proven, nothing is right or wrong.
""")


class MistakeScreen(TaskScreen):
    """The turning points of a review; the server judges, by what the review has proved."""

    words = (PuzzleWord.SHOW.value, NEXT, STOP)
    help = (N_("Keys at a turning point"), MISTAKE)
    reply: MistakeShown | None

    def __init__(self, first: ShowReview) -> None:
        """Show turning points, beginning with the one that a command asks for."""
        super().__init__()
        self.first = first

    def first_command(self) -> Command:
        """Return what asks for the turning point to begin with."""
        return self.first

    def command_for(self, text: str) -> Command | None:
        """Return what tries a move or says a word."""
        reply = self.reply
        is_last = reply is not None and reply.number == reply.count
        if text == STOP or (text == NEXT and is_last):
            self.terminal.leave(self)
            return None
        if reply is None:
            return None
        if text == NEXT:
            return replace(self.first, again=reply.number + 1)
        return None if reply.is_finished else replace(self.first, again=reply.number, move=text)

    def action_enter(self) -> None:
        """Play on the board; once nothing more is asked, go on."""
        if self.reply is not None and self.reply.is_finished:
            self._try(NEXT)
        else:
            super().action_enter()

    def heading(self) -> str:
        """Return the board, what is tried, and the place of the turning point."""
        reply = self.reply
        if reply is None:
            return ""
        what = retry_words(is_own=reply.is_own)
        return f"{reply.game.title()} {reply.board} · {what} · {reply.number}/{reply.count}"

    def message(self) -> str:
        """Return what came of the last try, the task, and how to go on."""
        reply = self.reply
        if reply is None:
            return ""
        following = ""
        if reply.is_finished:
            is_last = reply.number == reply.count
            following = _("Enter: back") if is_last else _("Enter: the next one")
        return "\n".join(filter(None, (mistake_news(reply), mistake_task(reply), following)))
