"""My boards: what waits for me first, the least time above; and challenges."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Footer, Static

from sarsen.core.errors import UserError
from sarsen.doors.tui import prompts
from sarsen.doors.tui.listing import Listing, ListRow, listing, rows
from sarsen.doors.tui.prompts import (
    ChoiceScreen,
    LineField,
    MenuEntry,
    PlayScreen,
    TextScreen,
    TooSmall,
)
from sarsen.doors.tui.server import Refresher
from sarsen.games import load, names
from sarsen.language.commands import ChangePuzzles, ShowReview
from sarsen.language.facts import StreamEvent
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.language.learning.puzzle_choices import PuzzleDays, again_words
from sarsen.language.translating import N_, _, _n
from sarsen.learning.lessons import taught
from sarsen.learning.puzzles.shelf import puzzled

COLUMNS, ROWS = 40, 10
DAYS = "puzzle days"  # no game has a blank in its name
HEADINGS = ("", N_("With"), N_("Game"), N_("Move"), N_("Time left"), N_("Number"))
# Of boards that have ended.
ENDED_HEADINGS = tuple(N_("Result") if one == "Time left" else one for one in HEADINGS)


class HomeScreen(PlayScreen):
    """The list of boards and challenges."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", N_("Open"), show=True),
        Binding("a", "answer('accept')", N_("Accept")),
        Binding("d", "answer('decline')", N_("Decline")),
        Binding("w", "answer('withdraw')", N_("Withdraw"), show=False),
        Binding("e", "turn_ended", N_("Ended")),
        Binding("L", "learn", N_("Learn"), key_display="L"),
        Binding("P", "puzzle", N_("Puzzles"), key_display="P"),
        Binding("colon", "type", N_("Command"), key_display=":"),
        Binding("r", "reload", N_("Reload"), show=False),
        Binding("question_mark", "help", N_("Help"), key_display="?"),
        Binding("q", "app.quit", N_("Quit")),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.listing = Listing()
        self.state = "running"
        self._rows: tuple[ListRow, ...] = ()
        self._refresher = Refresher(lambda: self.while_shown(self._reload()))

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TooSmall(COLUMNS, ROWS)
        yield Static(id="head")
        yield DataTable(id="boards", cursor_type="row", zebra_stripes=False)
        yield Static(id="message")
        yield LineField(id="field")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Ask for the boards."""
        self.table.add_columns(*map(_, HEADINGS))
        self.table.focus()
        self.set_interval(30, self.show)
        self.action_reload()

    @property
    def table(self) -> DataTable[str]:
        """The list as it is shown."""
        return cast("DataTable[str]", self.query_one(DataTable))

    def receive(self, event: StreamEvent) -> None:
        """Look again when something happened."""
        self.action_reload()

    def action_reload(self) -> None:
        """Ask the server what there is; several requests at once become one."""
        self._refresher.request(self.run_worker)

    def show(self) -> None:
        """Show the list; the cursor stays on its board."""
        selected = self._row()
        self._rows = rows(self.listing, self.terminal.userid, datetime.now(UTC))
        table = self.table
        table.clear()
        headings = HEADINGS if self.state == "running" else ENDED_HEADINGS
        for column, heading in zip(table.ordered_columns, headings, strict=True):
            column.label = Text(_(heading) if heading else "")
        for row in self._rows:
            table.add_row(*row.cells)
        if selected is not None:
            keys = [row.key for row in self._rows]
            table.move_cursor(row=keys.index(selected.key) if selected.key in keys else 0)
        what = _("My boards") if self.state == "running" else _("My finished boards")
        waiting = sum(row.is_waiting for row in self._rows)
        waits = _n("{count} waiting for you", "{count} waiting for you", waiting)
        self.query_one("#head", Static).update(
            f"{what} · {self.terminal.userid} @ {self.terminal.url}"
            + (f" · {waits.format(count=waiting)}" if waiting else "")
        )
        if not self._rows:
            self.say(_("No games yet. Type : and a command, such as druid challenge me anyone"))

    def action_open(self) -> None:
        """Open what the cursor is on."""
        row = self._row()
        if row is None:
            return
        if row.board is not None:
            self.terminal.open_board(row.board)
            return
        challenge = row.challenge
        if challenge is None:
            return
        entries = [
            MenuEntry(name, words)
            for is_possible, name, words in (
                (challenge.may_accept, "accept", _("Accept")),
                (challenge.may_decline, "decline", _("Decline")),
                (challenge.may_withdraw, "withdraw", _("Withdraw")),
            )
            if is_possible
        ]

        def on_choice(name: str | None) -> None:
            if name:
                self.action_answer(name)

        self.app.push_screen(ChoiceScreen(row.words, entries), on_choice)

    def on_data_table_row_selected(self) -> None:
        """Open what was clicked on, or chosen by Enter."""
        self.action_open()

    def action_answer(self, word: str) -> None:
        """Answer the challenge below the cursor."""
        row = self._row()
        if row is None or row.challenge is None:
            self.say(_("That is not a challenge."))
            return
        self._perform(f"{word} {row.challenge.number}")

    def action_turn_ended(self) -> None:
        """List the boards that have ended, or those that run."""
        self.state = "ended" if self.state == "running" else "running"
        self.action_reload()

    def action_learn(self) -> None:
        """Choose a game, and open its lesson."""
        entries = [MenuEntry(game, load(game).info.title) for game in taught()]

        def on_choice(game: str | None) -> None:
            if game:
                self.terminal.open_lesson(game)

        self.app.push_screen(ChoiceScreen(_("Learn which game?"), entries), on_choice)

    def action_puzzle(self) -> None:
        """Choose a game, and open a puzzle of it; or the days, or an own puzzle that is due."""
        self.run_worker(self.while_shown(self._choose_puzzle()), exclusive=True, group="puzzle")

    def action_type(self) -> None:
        """Open the field for a command."""
        self.query_one(LineField).open("")

    def on_line_field_entered(self, event: LineField.Entered) -> None:
        """Perform a typed command."""
        self._perform(event.text.removeprefix("/"))

    def action_help(self) -> None:
        """List the keys."""
        self.app.push_screen(TextScreen(_("Keys"), _(prompts.HOME)))

    def _row(self) -> ListRow | None:
        at = self.table.cursor_row
        return self._rows[at] if 0 <= at < len(self._rows) else None

    def _perform(self, line: str) -> None:
        async def ask_server() -> None:
            try:
                answer = await self.terminal.server.ask(lambda client: client.line(line))
            except UserError as refusal:
                self.refuse(refusal)
                return
            self.show_answer(answer.text)
            self.action_reload()

        self.run_worker(self.while_shown(ask_server()), group="actions")

    async def _choose_puzzle(self) -> None:
        entries = [MenuEntry(game, load(game).info.title) for game in puzzled()]
        # Without an answer the games are offered alone: a token may be for playing only.
        with suppress(UserError):
            answer = await self.terminal.server.ask(
                lambda client: client.perform(ChangePuzzles("days"))
            )
            reply = answer.reply
            if isinstance(reply, PuzzleDays) and reply.is_shown:
                entries.append(MenuEntry(DAYS, _("My puzzle days")))
                entries += [MenuEntry(line, again_words((line,))) for line in reply.again]

        def on_choice(name: str | None) -> None:
            if name == DAYS:
                self.terminal.open_days()
            elif name in puzzled():
                self.terminal.open_puzzle(name)
            elif name:
                first = read_line(name, Context(names())).command
                assert isinstance(first, ShowReview)  # the other entries are such lines
                self.terminal.open_mistakes(first)

        self.app.push_screen(ChoiceScreen(_("Puzzles of which game?"), entries), on_choice)

    async def _reload(self) -> None:
        userid, state = self.terminal.userid, self.state
        try:
            self.listing = await self.terminal.server.ask(
                lambda client: listing(client, userid, state)
            )
        except UserError as refusal:
            self.refuse(refusal)
            return
        self.show()
