"""What screens ask of the program that shows them; `app.TerminalApp` is it."""

from __future__ import annotations

from typing import Protocol

from sarsen.doors.tui.board_widget import BoardWidget
from sarsen.doors.tui.server import ServerConnection


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

    def open_puzzle(self, game: str) -> None:
        """Show a puzzle of a game."""

    def go_home(self) -> None:
        """Leave a board."""

    def paint(self, picture: BoardWidget) -> None:
        """Paint a board in the colours of the terminal."""

    def action_theme(self) -> None:
        """Turn light into dark, and back."""
