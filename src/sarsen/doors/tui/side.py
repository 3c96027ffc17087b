"""What stands beside a board: whose turn, what the last move caused, the moves, the talk."""

from __future__ import annotations

from datetime import UTC, datetime

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from sarsen.doors.tui.table import Table
from sarsen.doors.tui.words import chat_words, moves_words, offer_words, outcome_words, state


class Side(Vertical):
    """The column on the right."""

    DEFAULT_CSS = """
    Side { width: 26; height: 1fr; padding: 0 0 0 1; }
    .-narrow Side { display: none; }
    .-wide Side { width: 38; }
    Side Static { width: 1fr; }
    Side #state { text-style: bold; }
    Side #effects { max-height: 6; }
    Side #moves { height: 1fr; min-height: 3; margin: 1 0 0 0; }
    Side #talk { height: auto; max-height: 40%; margin: 1 0 0 0; scrollbar-size: 0 0; }
    """

    def compose(self) -> ComposeResult:
        """Lay the column out."""
        yield Static(id="state")
        yield Static(id="effects")
        yield Static(id="moves")
        with VerticalScroll(id="talk", can_focus=False):
            yield Static(id="chat")

    def show(self, table: Table, userid: str) -> None:
        """Show a board's state."""
        facts, walk = table.facts, table.walk
        lines = [state(facts, datetime.now(UTC)), offer_words(facts, userid)]
        if walk.is_exploring:
            lines.append(f"Trying moves: ply {walk.at}, left the game at {walk.left_at}.")
        elif not walk.is_at_end:
            lines.append(f"Ply {walk.at} of {walk.last} is shown.")
        self.query_one("#state", Static).update(Text("\n".join(filter(None, lines))))
        shown = table.shown
        said = dict.fromkeys((*shown.effects(), outcome_words(shown)))
        for told in ("", *lines):
            said.pop(told, None)
        self.query_one("#effects", Static).update(Text("\n".join(said)))
        moves = self.query_one("#moves", Static)
        moves.update(moves_words(walk, self.size.width - 1 or 25, moves.size.height or 6))
        self.query_one("#chat", Static).update(chat_words(facts.chat))
        talk = self.query_one("#talk", VerticalScroll)
        talk.display = bool(facts.chat)
        talk.scroll_end(animate=False)
