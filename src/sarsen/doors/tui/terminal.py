"""What screens ask of the program that shows them; `app.TerminalApp` is it."""

from __future__ import annotations

from typing import Protocol

from textual.screen import Screen

from sarsen.doors.tui.board_widget import BoardWidget
from sarsen.doors.tui.server import ServerConnection
from sarsen.language.commands import ShowReview


class Terminal(Protocol):
    """The program, as its screens know it.

    Attributes:
        userid: The player who is logged in.
        url: The address of the server.
    """

    server: ServerConnection
    userid: str
    url: str

    def open_board(self, number: int) -> None:
        """Show a board."""

    def open_lesson(self, game: str) -> None:
        """Show the lesson of a game."""

    def open_puzzle(self, game: str, number: int = 0) -> None:
        """Show a puzzle of a game, one that fits or the one of a number."""

    def open_days(self) -> None:
        """Show which puzzles of the last days are solved."""

    def open_mistakes(self, first: ShowReview) -> None:
        """Show turning points of a review, beginning with the one that a command asks for."""

    def leave(self, screen: Screen[None]) -> None:
        """Go back to what was shown before a screen."""

    def go_home(self) -> None:
        """Leave a board."""

    def paint(self, picture: BoardWidget) -> None:
        """Paint a board in the colours of the terminal."""

    def action_theme(self) -> None:
        """Turn light into dark, and back."""
