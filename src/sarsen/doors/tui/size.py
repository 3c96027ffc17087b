"""What a screen says when the terminal is too small for it."""

from __future__ import annotations

from textual.events import Resize
from textual.geometry import Size
from textual.widgets import Static


class TooSmall(Static):
    """Covers the screen as long as it is too small, and says what is missing."""

    DEFAULT_CSS = """
    TooSmall { display: none; layer: cover; width: 100%; height: 100%; background: $background; }
    TooSmall.is-shown { display: block; }
    """

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__()
        self._columns, self._rows = columns, rows
        self._seen = Size()

    def on_mount(self) -> None:
        """Look at the size now, and whenever it changes."""
        self.look()
        self.screen.screen_layout_refresh_signal.subscribe(self, lambda _: self.look())

    def on_resize(self, _: Resize) -> None:
        """Look at the size."""
        self.look()

    def look(self) -> None:
        """Cover the screen, or uncover it, when the terminal has another size than before."""
        # New words lay the screen out, which has this called again: without end, if every
        # call brought new words.
        if self.app.size == self._seen:
            return
        self._seen = self.app.size
        columns, rows = self._seen
        self.set_class(columns < self._columns or rows < self._rows, "is-shown")
        self.update(
            f"This terminal has {columns} x {rows} characters; "
            f"{self._columns} x {self._rows} are needed. Make it larger, or the letters smaller."
        )
