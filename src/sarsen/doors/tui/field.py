"""The line one types into: closed until it is wanted, and never emptied by a refusal."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Input


class Field(Input):
    """A line for a move, or after a slash for a command."""

    DEFAULT_CSS = """
    Field { padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave", "Close")]

    class Entered(Message):
        """A line was finished."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's name)
        super().__init__(
            id=id,
            placeholder="a move, or / and a command",
            select_on_focus=False,
            compact=True,
        )

    def on_mount(self) -> None:
        """Stay closed at first."""
        self.display = False

    def open(self, text: str) -> None:
        """Show the field; what was typed before stands there still, if nothing new does."""
        if text:
            self.value = self.value + text if self.display else text
        self.display = True
        # At once: the next key may have been pressed already.
        self.screen.set_focus(self)
        self.cursor_position = len(self.value)

    def close(self) -> None:
        """Hide the field and forget what stood in it."""
        self.value = ""
        self.action_leave()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand the line on."""
        event.stop()
        if self.value.strip():
            self.post_message(self.Entered(self.value.strip()))
        else:
            self.close()

    def action_leave(self) -> None:
        """Hide the field; what stands in it stays."""
        self.display = False
        for widget in self.screen.query("Picture, DataTable"):
            self.screen.set_focus(widget)
