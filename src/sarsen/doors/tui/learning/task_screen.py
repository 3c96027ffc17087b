"""A live board with a task, full screen: answered by keys, mouse or a typed move."""

from __future__ import annotations

from abc import abstractmethod
from string import ascii_letters, digits
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Input, Static

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import replayed
from sarsen.doors.tui.board_state import Taps, taps_of
from sarsen.doors.tui.board_widget import BoardWidget, Pointers
from sarsen.doors.tui.prompts import (
    POINTING,
    ChoiceScreen,
    LineField,
    MenuEntry,
    PlayScreen,
    TextScreen,
    TooSmall,
)
from sarsen.doors.tui.server import in_background
from sarsen.games import load
from sarsen.language.commands import Command
from sarsen.language.grammar.typography import normalise
from sarsen.language.learning.lessons import LessonShown
from sarsen.language.learning.mistakes import MistakeShown
from sarsen.language.learning.puzzles import PuzzleShown
from sarsen.language.translating import N_, _, sentence

COLUMNS, ROWS = 44, 16  # as for a board
NEXT, STOP = "next", "stop"  # words that puzzles and mistakes have beside those of the server
Shown = LessonShown | PuzzleShown | MistakeShown


class TaskScreen(PlayScreen):
    """A position at which a move is tried; the server judges, and keeps what came of it.

    Attributes:
        words: What may be said in place of a move, as the menu lists it.
        help: The title and the text of the keys.
        reply: What is shown; None until the first answer comes.
    """

    CSS = "#message { max-height: 9; }"  # Textual puts the name of each class before it
    BINDINGS: ClassVar[list[BindingType]] = [
        *POINTING,
        Binding("colon", "begin('')", N_("Type"), key_display=":"),
        Binding("slash", "menu", N_("Menu"), key_display="/"),
        Binding("question_mark", "help", N_("Help"), key_display="?"),
        # First of all: what is typed faster than the field opens must not be lost.
        *(
            Binding(sign, f"begin('{sign}')", show=False, priority=True)
            for sign in ascii_letters + digits
        ),
    ]
    takes_lines = False
    words: ClassVar[tuple[str, ...]]
    help: ClassVar[tuple[str, str]]

    def __init__(self) -> None:
        super().__init__()
        self.reply: Shown | None = None
        self.taps: Taps | None = None
        self._position: AnyPosition | None = None

    @abstractmethod
    def first_command(self) -> Command:
        """Return what asks for the position to begin with."""

    @abstractmethod
    def command_for(self, text: str) -> Command | None:
        """Return what a move or a word asks for; None where it leaves the screen, or nothing."""

    @abstractmethod
    def heading(self) -> str:
        """Return the line above the board."""

    @abstractmethod
    def message(self) -> str:
        """Return what came of the last try, and the task."""

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TooSmall(COLUMNS, ROWS)
        yield Static(id="head")
        yield BoardWidget(id="board")
        yield Static(id="message")
        yield LineField(id="field")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Ask for the position to begin with."""
        self.picture.focus()
        self.say("…")
        self.ask(self.first_command())

    @property
    def picture(self) -> BoardWidget:
        """The board as it is shown."""
        return self.query_one(BoardWidget)

    def show(self) -> None:
        """Bring the board, and what is pointed at, up to date."""
        if self._position is None:
            return
        pointers = Pointers()
        if self.taps is not None:
            pointers = Pointers(self.taps.next_spots, self.taps.tapped, True)
        self.terminal.paint(self.picture)
        self.picture.show(self._position, self._position, pointers)

    # Keys.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave letters to a field that has the focus."""
        return action != "begin" or not isinstance(self.focused, Input)

    def action_begin(self, sign: str) -> None:
        """Begin to type with the first letter or digit."""
        self.query_one(LineField).open(sign)

    def action_arrow(self, across: int, down: int) -> None:
        """Move the cursor."""
        self.picture.move_cursor(across, down)

    def action_jump(self, step: int) -> None:
        """Go to the next spot that leads on."""
        self.picture.move_to_next_spot(step)

    def action_enter(self) -> None:
        """Tap the spot below the cursor, or play the move that is meant."""
        self._tap(self.picture.cursor)

    def on_board_widget_tapped(self, event: BoardWidget.Tapped) -> None:
        """Tap what the mouse clicked on."""
        self.picture.cursor = event.spot
        self._tap(event.spot)

    def action_back(self) -> None:
        """Take back the last tap; then leave the screen."""
        if self.taps is not None and self.taps.tapped:
            self.taps = self.taps.without_last_tap()
            self.show()
        else:
            self.terminal.leave(self)

    def action_menu(self) -> None:
        """List what may be said in place of a move."""
        entries = [MenuEntry(word, word) for word in self.words]
        self.app.push_screen(ChoiceScreen(_("What now?"), entries), self._choose)

    def action_help(self) -> None:
        """List the keys."""
        title, text = self.help
        self.app.push_screen(TextScreen(_(title), _(text)))

    def on_line_field_entered(self, event: LineField.Entered) -> None:
        """Try what was typed; the field keeps a move that is refused."""
        text = normalise(event.text).strip()
        self._try(text.lower() if text.lower() in self.words else text)

    # The actions of the keys.

    def _choose(self, word: str | None) -> None:
        if word:
            self._try(word)

    def _tap(self, spot: str) -> None:
        taps = self.taps
        if taps is None:
            return
        if spot in taps.next_spots:
            taps = self.taps = taps.tap(spot)
            self.show()
            if taps.next_spots:
                return
        if taps.chosen_move is not None:
            self._try(taps.position.format(taps.chosen_move.move))
        elif not taps.tapped:
            self.say(_("No move begins at {spot}.").format(spot=spot))

    def _try(self, text: str) -> None:
        command = self.command_for(text)
        if command is not None:
            self.ask(command)

    def ask(self, command: Command) -> None:
        """Have the server perform a command, and show what comes of it."""

        async def ask_server() -> None:
            try:
                answer = await self.terminal.server.ask(lambda client: client.perform(command))
                reply = answer.reply
                if not isinstance(reply, Shown):  # thanks for a vote
                    self.say("\n".join(filter(None, (sentence(reply), self.message()))))
                    return
                position = await in_background(lambda: _position_of(reply))
            except UserError as refusal:
                self.taps = self.taps and Taps(self.taps.position, self.taps.choices)
                self.show()
                self.refuse(refusal)
                return
            await self._receive(reply, position)

        self.run_worker(self.while_shown(ask_server()), exclusive=True, group="task")

    async def _receive(self, reply: Shown, position: AnyPosition) -> None:
        self.reply, self._position, self.taps = reply, position, None
        self.query_one(LineField).close()
        self.picture.focus()
        self.query_one("#head", Static).update(self.heading())
        self.say(self.message())
        self.refresh_bindings()
        self.show()
        if not reply.is_finished:
            taps = await in_background(lambda: taps_of(position))
            if self.reply is reply:
                self.taps = taps
                self.show()
                self.picture.move_to_nearest_spot()


def _position_of(reply: Shown) -> AnyPosition:
    """Return the position shown, by the rules here."""
    return replayed(load(reply.game).start(reply.options), reply.moves)
