"""One board, full screen: look, point, type, step, try, talk."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from string import ascii_letters, digits
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Footer, Input, Static

from sarsen.core.errors import UserError
from sarsen.doors.tui import prompts
from sarsen.doors.tui.board_actions import BoardActions
from sarsen.doors.tui.board_state import ScreenState, state_of, taps_of
from sarsen.doors.tui.board_widget import BoardWidget
from sarsen.doors.tui.prompts import (
    POINTING,
    ChoiceScreen,
    LineField,
    MenuEntry,
    PlayScreen,
    TextScreen,
    TooSmall,
)
from sarsen.doors.tui.server import Refresher, in_background
from sarsen.doors.tui.words import SideColumn, key_hint, title
from sarsen.language.commands import ShowReview
from sarsen.language.facts import StreamEvent
from sarsen.language.reviews import ReviewShown, TurningPoint
from sarsen.language.translating import N_, _

COLUMNS, ROWS = 44, 16  # the least in which a board can be played


class BoardScreen(PlayScreen):
    """A board; `state` is all that it shows."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (66, "-usual"), (110, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        *POINTING,
        Binding("comma,less_than_sign", "step(-1)", N_("Earlier"), key_display=","),
        Binding("full_stop,greater_than_sign", "step(1)", N_("Later"), key_display="."),
        Binding("home", "step_to(0)", show=False),
        Binding("end", "step_to(999999)", show=False),
        Binding("pageup", "scroll(-8)", show=False),
        Binding("pagedown", "scroll(8)", show=False),
        Binding("colon", "type('')", N_("Type"), key_display=":"),
        Binding("quotation_mark", "talk", N_("Say"), key_display='"'),
        Binding("slash", "menu", N_("Menu"), key_display="/"),
        Binding("ctrl+e", "explore", N_("Try out"), key_display="^e"),
        Binding("ctrl+r", "retry", N_("Mistakes"), key_display="^r"),
        Binding("plus", "zoom(1)", show=False),
        Binding("minus", "zoom(-1)", show=False),
        Binding("question_mark", "help", N_("Help"), key_display="?"),
        # First of all: what is typed faster than the field opens must not be lost.
        *(
            Binding(sign, f"begin('{sign}')", show=False, priority=True)
            for sign in ascii_letters + digits
        ),
    ]

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self.state: ScreenState | None = None
        self.turns: tuple[TurningPoint, ...] = ()
        self.board_actions = BoardActions(self)
        self._refresher = Refresher(lambda: self.while_shown(self._reload()))

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TooSmall(COLUMNS, ROWS)
        yield Static(id="head")
        with Horizontal(id="middle"):
            yield BoardWidget(id="board")
            yield SideColumn(id="side")
        yield Static(id="message")
        yield LineField(id="field")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Ask for the board."""
        self.query_one(BoardWidget).focus()
        self.set_interval(30, self.show_side)
        self.say("…")
        self.reload()

    def receive(self, event: StreamEvent) -> None:
        """Look again when something happened here, or may have."""
        if event.board == self.number or event.kind in ("hello", "gap"):
            self.reload()

    def reload(self) -> None:
        """Ask the server how the board stands."""
        self._refresher.request(self.run_worker)

    def set_state(self, state: ScreenState) -> None:
        """Show a board in another state."""
        self.state = state
        if state.may_point and state.taps is None:
            self.run_worker(
                self.while_shown(self._list_moves(state)), exclusive=True, group="moves"
            )
        self.show()

    def show(self) -> None:
        """Bring everything up to date with the state."""
        if self.state is None:
            return
        picture = self.query_one(BoardWidget)
        self.terminal.paint(picture)
        picture.show(self.state.shown, self.state.cursor.positions[0], self.state.pointers)
        self.query_one("#head", Static).update(title(self.state.facts))
        if self.state.facts.is_over:
            self.refresh_bindings()
        self.show_side()
        self.say(key_hint(self.state, picture.cursor))

    def show_side(self) -> None:
        """Bring what stands beside the board up to date: also the time that is left."""
        if self.state is not None:
            self.query_one(SideColumn).show(self.state, self.terminal.userid)

    # Keys.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave letters to a field that has the focus; have no keys that do nothing at an end."""
        if action == "retry":
            return bool(self.turns)
        if action == "enter" and self.state is not None and self.state.facts.is_over:
            return self.state.may_point
        return action != "begin" or not isinstance(self.focused, Input)

    def action_begin(self, sign: str) -> None:
        """Begin to type with the first letter or digit."""
        self.query_one(LineField).open(sign)

    def action_arrow(self, across: int, down: int) -> None:
        """Move the cursor; or step through the record, where there is nothing to point at."""
        state = self.state
        if state is None:
            return
        picture = self.query_one(BoardWidget)
        if state.draft and not state.pointers.next_spots and state.taps is not None:
            self.set_state(replace(state, taps=state.taps.next_alternative(across or down)))
        elif state.pointers.has_cursor:
            picture.move_cursor(across, down)
            self.say(key_hint(state, picture.cursor))
        elif across:
            self.action_step(across)
        else:
            picture.scroll_board(2 * down)

    def action_jump(self, step: int) -> None:
        """Go to the next spot that leads on, or to the next move beside the one that is meant."""
        state = self.state
        if state is None or state.taps is None:
            return
        if state.pointers.next_spots:
            picture = self.query_one(BoardWidget)
            picture.move_to_next_spot(step)
            self.say(key_hint(state, picture.cursor))
        elif state.draft:
            self.set_state(replace(state, taps=state.taps.next_alternative(step)))

    def action_enter(self) -> None:
        """Tap the spot below the cursor; when a move is meant, send it."""
        state = self.state
        if state is None or not state.may_point:
            return
        cursor = self.query_one(BoardWidget).cursor
        if state.draft and cursor not in state.pointers.next_spots:
            self.board_actions.send(state)
        else:
            self._tap(cursor)

    def on_board_widget_tapped(self, event: BoardWidget.Tapped) -> None:
        """Tap what the mouse clicked on; a move that is meant is sent by its last spot."""
        state = self.state
        if state is None or not state.may_point:
            return
        last = state.taps.tapped[-1:] if state.taps else ()
        if state.draft and event.spot not in state.pointers.next_spots:
            if last == (event.spot,):
                self.board_actions.send(state)
            return
        self.query_one(BoardWidget).cursor = event.spot
        self._tap(event.spot)

    def action_back(self) -> None:
        """Take back: the last tap, the step, the tried line; then leave the board."""
        state = self.state
        if state is None:
            self.terminal.go_home()
        elif state.taps is not None and (state.taps.tapped or state.taps.chosen):
            self.set_state(replace(state, taps=state.taps.without_last_tap()))
        elif state.cursor.is_exploring:
            self.set_state(replace(state, cursor=state.cursor.without_tried_moves(), taps=None))
        elif not state.cursor.is_at_end:
            self.action_step_to(len(state.cursor.texts))
        else:
            self.terminal.go_home()

    def action_step(self, step: int) -> None:
        """Show the position before or after."""
        if self.state is not None:
            self.action_step_to(self.state.cursor.at + step)

    def action_step_to(self, ply: int) -> None:
        """Show the position after so many plies."""
        if self.state is not None:
            self.set_state(self.state.at_ply(ply))

    def action_scroll(self, rows: int) -> None:
        """Look at another part of a large board."""
        self.query_one(BoardWidget).scroll_board(rows)

    def action_zoom(self, step: int) -> None:
        """Draw the board larger or smaller."""
        picture = self.query_one(BoardWidget)
        picture.zoom += step
        picture.redraw()

    def action_type(self, text: str) -> None:
        """Open the field for a move or a command."""
        self.query_one(LineField).open(text)

    def action_talk(self) -> None:
        """Open the field for words to everyone at the board."""
        self.query_one(LineField).open("/chat ")

    def on_line_field_entered(self, event: LineField.Entered) -> None:
        """Do what was typed; the field keeps it until it is done."""
        self.board_actions.perform_typed(event.text)

    def action_explore(self) -> None:
        """Begin to try moves, or leave those that were tried."""
        if self.state is not None and self.state.cursor.is_exploring:
            self.set_state(
                replace(self.state, cursor=self.state.cursor.without_tried_moves(), taps=None)
            )
        else:
            self.board_actions.explore()

    def action_retry(self) -> None:
        """Try one's own turning points of the review again."""
        self.terminal.open_mistakes(ShowReview("", self.number, 1))

    def action_help(self) -> None:
        """List the keys."""
        self.app.push_screen(TextScreen(_("Keys at a board"), _(prompts.BOARD)))

    def action_menu(self) -> None:
        """List everything that can be done at this board."""
        if self.state is not None:
            entries = self.board_actions.entries(self.state)
            self.app.push_screen(ChoiceScreen(_("What now?"), entries), self.board_actions.choose)

    def list_moves(self) -> None:
        """Choose a move from a list of all."""
        taps = self.state.taps if self.state else None
        if taps is None:
            return
        position = taps.position
        entries = [
            MenuEntry(str(at), position.format(choice.move))
            for at, choice in enumerate(taps.alternatives or taps.choices)
        ]

        def choose(name: str | None) -> None:
            if name and self.state is not None and self.state.taps is taps:
                choice = (taps.alternatives or taps.choices)[int(name)]
                self.set_state(replace(self.state, taps=taps.choose(choice.move)))

        self.app.push_screen(
            ChoiceScreen(_("Legal moves: {count}").format(count=len(entries)), entries), choose
        )

    # What the keys do.

    def _tap(self, spot: str) -> None:
        state = self.state
        if state is None or state.taps is None:
            return
        if spot not in state.taps.next_spots:
            sentence = (
                _("No move continues at {spot}.")
                if state.taps.tapped
                else _("No move begins at {spot}.")
            )
            self.say(sentence.format(spot=spot))
            return
        tapped = replace(state, taps=state.taps.tap(spot))
        self.set_state(tapped)
        if tapped.taps and tapped.taps.alternatives:
            self.list_moves()
        elif tapped.draft is None:
            self._seek()

    def _seek(self) -> None:
        """Put the cursor where something can be done."""
        if self.state is not None and self.state.pointers.has_cursor and not self.state.draft:
            picture = self.query_one(BoardWidget)
            picture.move_to_nearest_spot()
            self.say(key_hint(self.state, picture.cursor))

    async def _reload(self) -> None:
        previous = self.state
        try:
            facts = await self.terminal.server.ask(lambda client: client.board(self.number))
            state = await in_background(lambda: state_of(facts, previous))
        except UserError as refusal:
            self.refuse(refusal)
            return
        # What was pointed at meanwhile counts, unless the game went on.
        if previous is not self.state and self.state is not None:
            state = await in_background(lambda: state_of(facts, self.state))
        self.set_state(state)
        if facts.is_reviewed and not self.turns:
            await self._load_review()

    async def _load_review(self) -> None:
        """Ask for the review, which is done: where it is not, asking would have it made."""
        # The board is shown without it.
        with suppress(UserError):
            command = ShowReview("", self.number)
            answer = await self.terminal.server.ask(lambda client: client.perform(command))
            if isinstance(answer.reply, ReviewShown):
                self.turns = answer.reply.review.turns
                self.refresh_bindings()

    async def _list_moves(self, state: ScreenState) -> None:
        position = state.cursor.position
        taps = await in_background(lambda: taps_of(position))
        if self.state is not None and self.state.cursor.position is position:
            old_taps = self.state.taps
            if old_taps is not None and old_taps.chosen:
                taps = replace(taps, chosen=old_taps.chosen)
            self.set_state(replace(self.state, taps=taps))
            self._seek()
