"""The puzzles of the last days, full screen: which are solved, and those that still may be."""

from __future__ import annotations

from typing import ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.coordinate import Coordinate
from textual.widgets import DataTable, Footer, Static

from sarsen.core.errors import UserError
from sarsen.doors.tui.prompts import PlayScreen, TextScreen, TooSmall
from sarsen.language.commands import ChangePuzzles
from sarsen.language.learning.puzzle_choices import GameDays, PuzzleDays
from sarsen.language.translating import N_, _, sentence

COLUMNS, ROWS = 40, 10  # as for the list of boards
DAYS = N_("""\
arrows      move the cursor
Enter       open the puzzle below it
Esc         back to my boards
Ctrl+Q      quit

A missed day can be solved at any time.
""")


class DaysScreen(PlayScreen):
    """A row for each of the last days, and a column for each game with a puzzle of the day."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", N_("Back")),
        Binding("question_mark", "help", N_("Help"), key_display="?"),
    ]
    takes_lines = False

    def __init__(self) -> None:
        super().__init__()
        self.games: tuple[GameDays, ...] = ()

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TooSmall(COLUMNS, ROWS)
        yield Static(_("My puzzle days"), id="head")
        yield DataTable(id="boards", cursor_type="cell", zebra_stripes=False)
        yield Static(id="message")
        yield Footer(compact=True, show_command_palette=False)

    def on_screen_resume(self) -> None:
        """Ask for the days, also after a puzzle was left."""
        self.run_worker(self.while_shown(self._load()), exclusive=True)

    @property
    def table(self) -> DataTable[Text]:
        """The days as they are shown."""
        return cast("DataTable[Text]", self.query_one(DataTable))

    def on_data_table_cell_selected(self) -> None:
        """Open the puzzle that was clicked on, or chosen by Enter."""
        row, column = self.table.cursor_coordinate
        if self.games and column:
            game = self.games[column - 1]
            self.terminal.open_puzzle(game.game, game.days[row].puzzle)

    def action_back(self) -> None:
        """Leave the screen."""
        self.terminal.leave(self)

    def action_help(self) -> None:
        """List the keys."""
        self.app.push_screen(TextScreen(_("Keys among the days"), _(DAYS)))

    async def _load(self) -> None:
        try:
            answer = await self.terminal.server.ask(
                lambda client: client.perform(ChangePuzzles("days"))
            )
        except UserError as refusal:
            self.refuse(refusal)
            return
        reply = answer.reply
        assert isinstance(reply, PuzzleDays)  # its handler gives no other
        self.games = reply.games
        self._show()
        text = _("A missed day can be solved at any time. Only you see this page.")
        self.say(text if reply.is_shown else sentence(reply))

    def _show(self) -> None:
        """Show the days, today first; the cursor stays where it was."""
        table, at = self.table, self.table.cursor_coordinate
        table.clear(columns=True)
        table.add_column(_("Day"))
        for game in self.games:
            table.add_column(f"{game.title} {game.solved}/{len(game.days)}")
        for days in zip(*(game.days for game in self.games), strict=True):
            cells = (
                f"{day.puzzle} {_('solved')}" if day.is_solved else f"{day.puzzle}" for day in days
            )
            table.add_row(Text(days[0].day), *map(Text, cells))
        table.cursor_coordinate = Coordinate(at.row, max(at.column, 1))
        table.focus()
