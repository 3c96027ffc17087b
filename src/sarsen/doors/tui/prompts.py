"""Small screens over another one: a question, a list to choose from, a page to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

MOST_LISTED = 500


@dataclass(frozen=True)
class Entry:
    """Something to choose: a name for the program, words for people."""

    name: str
    words: str


class Question(ModalScreen[bool]):
    """Ask before something that cannot be taken back."""

    DEFAULT_CSS = """
    Question { align: center middle; }
    Question > Vertical { width: 50; max-width: 90%; height: auto; border: round $warning;
                          padding: 0 1; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("y", "answer(True)", "Yes"),
        ("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """Show the question, and the keys that answer it."""
        with Vertical():
            yield Static(Text(self._question))
            yield Static(Text("\ny: yes    n: no", "bold"))

    def action_answer(self, is_yes: bool) -> None:
        """Close with an answer."""
        self.dismiss(is_yes)


class Choosing(ModalScreen[str]):
    """Choose one entry of a list, by arrows or by typing a part of it; "" for none."""

    DEFAULT_CSS = """
    Choosing { align: center middle; }
    Choosing > Vertical { width: 56; max-width: 95%; height: auto; max-height: 95%;
                          border: round $primary; background: $surface; }
    Choosing OptionList { height: auto; max-height: 16; border: none; padding: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "give_up", "Back"),
        ("down", "step(1)", "Down"),
        ("up", "step(-1)", "Up"),
    ]

    def __init__(self, heading: str, entries: Sequence[Entry]) -> None:
        super().__init__()
        self._heading, self._entries = heading, tuple(entries)

    def compose(self) -> ComposeResult:
        """Show the list below a field that narrows it."""
        with Vertical():
            yield Static(Text(self._heading, "bold"))
            yield Input(placeholder="type a part of it", compact=True)
            yield OptionList()

    def on_mount(self) -> None:
        """List everything at first."""
        self._list("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """List what has the typed part."""
        self._list(event.value)

    def on_input_submitted(self) -> None:
        """Choose what is highlighted."""
        self.query_one(OptionList).action_select()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with what was chosen."""
        self.dismiss(event.option_id or "")

    def action_give_up(self) -> None:
        """Close without a choice."""
        self.dismiss("")

    def action_step(self, step: int) -> None:
        """Highlight the entry above or below."""
        options = self.query_one(OptionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    def _list(self, part: str) -> None:
        options = self.query_one(OptionList)
        options.clear_options()
        wanted = part.strip().lower()
        # What begins with the typed part stands first.
        found = [one for one in self._entries if wanted in one.words.lower()]
        found.sort(key=lambda one: not one.words.lower().startswith(wanted))
        options.add_options(Option(Text(one.words), one.name) for one in found[:MOST_LISTED])
        options.highlighted = 0 if found else None


class Reading(ModalScreen[None]):
    """Show a text; any of the keys for leaving closes it."""

    DEFAULT_CSS = """
    Reading { align: center middle; }
    Reading > VerticalScroll { width: 100%; max-width: 84; height: auto; max-height: 95%;
                               border: round $primary; padding: 0 1; background: $surface;
                               scrollbar-size-vertical: 1; }
    Reading Static { width: 100%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape,enter,q", "close", "Back")]

    def __init__(self, heading: str, text: str) -> None:
        super().__init__()
        self._heading, self._text = heading, text

    def compose(self) -> ComposeResult:
        """Show the text, to scroll in."""
        with VerticalScroll():
            yield Static(Text(self._heading, "bold"))
            yield Static(Text(self._text))
            yield Static(Text("\nEsc closes this.", "dim"))

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)
