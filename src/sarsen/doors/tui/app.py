"""The program: a list of boards, and boards; colours; the news of the server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen

from sarsen.doors.tui.board_screen import BoardScreen
from sarsen.doors.tui.board_widget import BoardWidget
from sarsen.doors.tui.colours import Colours
from sarsen.doors.tui.home_screen import HomeScreen
from sarsen.doors.tui.learning.days_screen import DaysScreen
from sarsen.doors.tui.learning.lesson_screen import LessonScreen
from sarsen.doors.tui.learning.mistake_screen import MistakeScreen
from sarsen.doors.tui.learning.puzzle_screen import PuzzleScreen
from sarsen.doors.tui.learning.task_screen import TaskScreen
from sarsen.doors.tui.server import ServerConnection
from sarsen.language.commands import ShowReview
from sarsen.language.facts import StreamEvent

LIGHT_BACKGROUNDS = ("7", "15")  # as terminals say it in COLORFGBG


class TerminalApp(App[None]):
    """Play at a server, full screen."""

    class News(Message):
        """An item of the stream."""

        def __init__(self, event: StreamEvent) -> None:
            super().__init__()
            self.event = event

    TITLE = "sarsen"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layers: default cover; }
    #head { height: 1; width: 100%; background: $panel; color: $foreground; padding: 0 1;
            text-style: bold; text-wrap: nowrap; text-overflow: ellipsis; }
    #message { height: auto; max-height: 4; padding: 0 1; }
    #message.refusal { color: $text-error; text-style: bold; }
    #middle { height: 1fr; }
    #boards { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", show=False),
        Binding("ctrl+t", "theme", "Light/dark", show=False),
    ]

    def __init__(
        self,
        server: ServerConnection,
        userid: str,
        url: str,
        *,
        board: int | None = None,
        is_dark: bool = True,
        colours: Colours | None = None,
    ) -> None:
        """Show the boards of a player.

        Args:
            board: One to open at once.
            colours: How many the terminal has; None asks it.
        """
        super().__init__()
        self.server, self.userid, self.url = server, userid, url
        self.is_dark = is_dark
        self._first_board = board
        self._colours = colours
        self._was_greeted = False

    @property
    def colours(self) -> Colours:
        """How many colours the terminal has."""
        if self._colours is not None:
            return self._colours
        if self.no_color:
            return Colours.NONE
        system = self.console.color_system
        return Colours.SIXTEEN if system in (None, "standard", "windows") else Colours.MANY

    def on_mount(self) -> None:
        """Show the boards, and listen to the server."""
        self._set_theme()
        self.push_screen(HomeScreen())
        if self._first_board is not None:
            self.open_board(self._first_board)
        self.listener = self.server.listen(self._post_news)

    def on_terminal_app_news(self, message: News) -> None:
        """Pass news to the screens.

        Every connection begins with `hello`; only the first has news, for what comes after a
        lost one is told item by item.
        """
        event = message.event
        if event.kind == "hello":
            if self._was_greeted:
                return
            self._was_greeted = True
        for screen in self.screen_stack:
            if isinstance(screen, HomeScreen | BoardScreen):
                screen.receive(event)

    def open_board(self, number: int) -> None:
        """Show a board."""
        self.push_screen(BoardScreen(number))

    def open_lesson(self, game: str) -> None:
        """Show the lesson of a game."""
        self.push_screen(LessonScreen(game))

    def open_puzzle(self, game: str, number: int = 0) -> None:
        """Show a puzzle of a game, one that fits or the one of a number."""
        self.push_screen(PuzzleScreen(game, number))

    def open_days(self) -> None:
        """Show which puzzles of the last days are solved."""
        self.push_screen(DaysScreen())

    def open_mistakes(self, first: ShowReview) -> None:
        """Show turning points of a review, beginning with the one that a command asks for."""
        self.push_screen(MistakeScreen(first))

    def leave(self, screen: Screen[None]) -> None:
        """Go back to what was shown before a screen."""
        while screen in self.screen_stack:
            self.pop_screen()

    def go_home(self) -> None:
        """Leave a board."""
        while len(self.screen_stack) > 1 and not isinstance(self.screen, HomeScreen):
            self.pop_screen()

    def paint(self, picture: BoardWidget) -> None:
        """Paint a board in the colours of the terminal."""
        picture.colours, picture.is_dark = self.colours, self.is_dark

    def action_theme(self) -> None:
        """Turn light into dark, and back."""
        self.is_dark = not self.is_dark
        self._set_theme()

    def _post_news(self, event: StreamEvent) -> None:
        """Hand on an item from the listening thread; at the end of the program, end that thread."""
        if not self.is_running:
            raise RuntimeError("the program has ended")
        # Not called from here: its words would be in the language of this thread.
        self.post_message(self.News(event))

    def _set_theme(self) -> None:
        kind = "textual" if self.colours is Colours.MANY else "ansi"
        self.theme = f"{kind}-{'dark' if self.is_dark else 'light'}"
        for screen in self.screen_stack:
            if isinstance(screen, BoardScreen | TaskScreen):
                screen.show()


def looks_dark(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a terminal's background is dark, as far as it says so."""
    value = environment.get("COLORFGBG", "")
    return value.rpartition(";")[2] not in LIGHT_BACKGROUNDS
