"""Small screens over another one: a question, a list to choose from, a page to read."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import HorizontalScroll, Vertical, VerticalScroll
from textual.css.query import NoMatches
from textual.events import Resize
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from sarsen.core.errors import UserError
from sarsen.doors.tui.terminal import Terminal
from sarsen.doors.tui.words import refusal_words
from sarsen.language.grammar.kept_text import Paragraph, paragraphs
from sarsen.language.translating import N_, _

MAX_LISTED = 500  # a list beyond is narrowed by typing


# Of a screen with a live board.
POINTING = (
    Binding("enter", "enter", N_("Tap/send"), priority=False),
    Binding("escape", "back", N_("Back")),
    Binding("tab", "jump(1)", N_("Next"), show=False),
    Binding("shift+tab", "jump(-1)", N_("Next"), show=False),
    Binding("up", "arrow(0,-1)", show=False),
    Binding("down", "arrow(0,1)", show=False),
    Binding("left", "arrow(-1,0)", show=False),
    Binding("right", "arrow(1,0)", show=False),
)


class PlayScreen(Screen[None]):
    """A whole screen: its message, and its keys in the language in force.

    Attributes:
        takes_lines: Whether lines of the language can be typed here.
    """

    takes_lines: ClassVar[bool] = True

    @property
    def terminal(self) -> Terminal:
        """The program this screen belongs to."""
        return cast("Terminal", self.app)

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys that do something now, with their words."""
        return {
            key: active._replace(
                binding=replace(active.binding, description=_(active.binding.description))
            )
            for key, active in super().active_bindings.items()
        }

    async def while_shown(self, work: Coroutine[Any, Any, None]) -> None:
        """Do what waits for the server, unless the screen is taken down meanwhile.

        Its parts are gone before its workers are: an answer that comes then is for nobody.
        """
        try:
            await work
        except NoMatches:
            if self.app.is_running and self.is_attached:
                raise

    def say(self, text: str, *, is_refusal: bool = False) -> None:
        """Show a message."""
        message = self.query_one("#message", Static)
        message.set_class(is_refusal, "refusal")
        message.update(text)

    def refuse(self, refusal: UserError) -> None:
        """Show why something is not done."""
        self.say(refusal_words(refusal, takes_lines=self.takes_lines), is_refusal=True)

    def show_answer(self, text: str) -> None:
        """Show what the server answered to a line, which is done with."""
        self.query_one(LineField).close()
        first, *more = text.split("\n", 1)
        self.say(first)
        if "".join(more).strip():
            self.app.push_screen(TextScreen(_("The server answers"), text))


@dataclass(frozen=True)
class MenuEntry:
    """Something to choose: a name for the program, words for people."""

    name: str
    words: str


class ConfirmScreen(ModalScreen[bool]):
    """Ask before something that cannot be taken back."""

    DEFAULT_CSS = """
    ConfirmScreen { align: center middle; }
    ConfirmScreen > Vertical { width: 50; max-width: 90%; height: auto; border: round $warning;
                          padding: 0 1; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("y,j", "answer(True)", "Yes"),
        ("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """Show the question, and the keys that answer it."""
        with Vertical():
            yield Static(Text(self._question))
            yield Static(Text("\n" + _("y: yes    n: no"), "bold"))

    def action_answer(self, is_yes: bool) -> None:
        """Close with an answer."""
        self.dismiss(is_yes)


class ChoiceScreen(ModalScreen[str]):
    """Choose one entry of a list, by arrows or by typing a part of it; "" for none."""

    DEFAULT_CSS = """
    ChoiceScreen { align: center middle; }
    ChoiceScreen > Vertical { width: 56; max-width: 95%; height: auto; max-height: 95%;
                          border: round $primary; background: $surface; }
    ChoiceScreen OptionList { height: auto; max-height: 16; border: none; padding: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "give_up", "Back"),
        ("down", "step(1)", "Down"),
        ("up", "step(-1)", "Up"),
    ]

    def __init__(self, heading: str, entries: Sequence[MenuEntry]) -> None:
        super().__init__()
        self._heading, self._entries = heading, tuple(entries)

    def compose(self) -> ComposeResult:
        """Show the list below a field that narrows it."""
        with Vertical():
            yield Static(Text(self._heading, "bold"))
            yield Input(placeholder=_("type part of a name"), compact=True)
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
        typed = part.strip().lower()
        # What begins with the typed part stands first.
        matches = [entry for entry in self._entries if typed in entry.words.lower()]
        matches.sort(key=lambda entry: not entry.words.lower().startswith(typed))
        options.add_options(Option(Text(entry.words), entry.name) for entry in matches[:MAX_LISTED])
        options.highlighted = 0 if matches else None


class TextScreen(ModalScreen[None]):
    """Show a text; any of the keys for leaving closes it.

    Drawings in what people wrote are not wrapped, but scrolled sideways.
    """

    DEFAULT_CSS = """
    TextScreen { align: center middle; }
    TextScreen > VerticalScroll { width: 100%; max-width: 84; height: auto; max-height: 95%;
                               border: round $primary; padding: 0 1; background: $surface;
                               scrollbar-size-vertical: 1; }
    TextScreen Static { width: 100%; }
    TextScreen HorizontalScroll { height: auto; }
    TextScreen HorizontalScroll Static { width: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape,enter,q", "close", "Back")]

    def __init__(self, heading: str, text: str, *, is_written: bool = False) -> None:
        super().__init__()
        self._heading = heading
        self._paragraphs = paragraphs(text) if is_written else [Paragraph(text, is_drawn=False)]

    def compose(self) -> ComposeResult:
        """Show the text, to scroll in."""
        with VerticalScroll():
            yield Static(Text(self._heading, "bold"))
            for at, paragraph in enumerate(self._paragraphs):
                if at:
                    yield Static("")
                if paragraph.is_drawn:
                    with HorizontalScroll(can_focus=True):
                        yield Static(Text(paragraph.text, no_wrap=True))
                else:
                    yield Static(Text(paragraph.text))
            yield Static(Text("\n" + _("Esc closes this."), "dim"))

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)


BOARD = N_("""\
arrows      move the cursor; where there is none, step through the game
Enter       tap the spot below the cursor; once a move is shown, send it
Tab         next target; while a move is shown, the next one like it
Esc         undo the last tap; then back to the current position,
            then to my boards
letters     type a move, as in a mail; : opens the field with your
            last text
, .         step through the game; Home and End jump to its ends
"           chat on this board
Ctrl+E      explore: try moves for both sides, nothing is sent
Ctrl+R      after a game, once it is reviewed: try your mistakes again
/           everything else: draw, undo, resign, plan, notes, rules …
+ -         draw larger or smaller;  PgUp PgDn look further up and down
Ctrl+T      light or dark
Ctrl+Q      quit

Click a spot to choose it; click the last spot of a shown move again
to send it. A typed line that begins with / is a command: /chat hello,
/queue c3; if d4 then e5.
""")

HOME = N_("""\
arrows      up and down the list
Enter       open a board, or answer a challenge
a  d  w     accept, decline, withdraw a challenge
e           switch between finished boards and boards in play
L           learn a game in three minutes
P           solve a puzzle; your puzzle days; own puzzles that are due
:           type any command: druid challenge me bob
r           reload the list
Ctrl+T      light or dark
q, Ctrl+Q   quit

What is waiting for you comes first, most urgent at the top. Changes appear
by themselves.
""")


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
        """Check the size now, and whenever it changes."""
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
            _(
                "This terminal has {size} characters; {needed} are needed. Enlarge the window, or "
                "use a smaller font."
            ).format(size=f"{columns} x {rows}", needed=f"{self._columns} x {self._rows}")
        )


class LineField(Input):
    """A line for a move, or after a slash for a command."""

    DEFAULT_CSS = """
    LineField { padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave", N_("Close"))]

    class Entered(Message):
        """A line was finished."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's name)
        super().__init__(
            id=id,
            placeholder=_("a move, or / and a command"),
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
        for widget in self.screen.query("BoardWidget, DataTable"):
            self.screen.set_focus(widget)
