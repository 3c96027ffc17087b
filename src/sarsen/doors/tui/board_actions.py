"""Actions at a board: moves sent or tried, the menu, every command."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from textual.app import App
from textual.widget import Widget

from sarsen import drawing
from sarsen.client import Client
from sarsen.core.errors import UserError
from sarsen.doors.tui.board_state import ScreenState
from sarsen.doors.tui.board_widget import BoardWidget
from sarsen.doors.tui.prompts import ConfirmScreen, LineField, MenuEntry, TextScreen
from sarsen.doors.tui.terminal import Terminal
from sarsen.doors.tui.words import retry_words
from sarsen.games import help_text
from sarsen.language.commands import Preview
from sarsen.language.facts import Words
from sarsen.language.grammar.kept_text import is_drawn, named
from sarsen.language.replies import Previewed, Reply
from sarsen.language.reviews import TurningPoint
from sarsen.language.translating import N_, _, sentence, translated

# Commands that are about a board: the game and the number are put in.
AT_BOARD = frozenset(
    {"move", "submit", "confirm", "preview", "queue", "plan", "draw", "undo", "accept", "reject"}
    | {"resign", "claim", "chat", "say", "notes", "note", "show", "review"}
)
NO_EXPLORATION = "exploration=off"
QUESTIONS = {
    "resign": N_("Resign this game?"),
    "draw": N_("Offer a draw?"),
    "claim": N_("Claim the result? You have three claims a game, and your opponent is told."),
    "undo": N_("Ask to take your last move back?"),
    "accept": N_("Accept the offer?"),
    "reject": N_("Decline the offer?"),
}


Part = TypeVar("Part", bound=Widget)


class ActionScreen(Protocol):
    """The screen of a board, as its actions know it.

    Attributes:
        number: Of the board.
        state: None until the server has answered.
        turns: The turning points of its review.
    """

    number: int
    state: ScreenState | None
    turns: tuple[TurningPoint, ...]

    @property
    def app(self) -> App[Any]:
        """The running program of Textual."""

    @property
    def terminal(self) -> Terminal:
        """The program this screen belongs to."""

    def query_one(self, selector: type[Part], /) -> Part:
        """Return the widget of a class."""

    def run_worker(self, work: Coroutine[Any, Any, None], /, *, group: str) -> object:
        """Do something beside the screen."""

    async def while_shown(self, work: Coroutine[Any, Any, None]) -> None:
        """Do what waits for the server, unless the screen is taken down meanwhile."""

    def set_state(self, state: ScreenState) -> None:
        """Show another state."""

    def show(self) -> None:
        """Show the state again."""

    def reload(self) -> None:
        """Ask the server how the board stands."""

    def list_moves(self) -> None:
        """Show the legal moves to choose from."""

    def action_back(self) -> None:
        """Take the last step back."""

    def action_retry(self) -> None:
        """Try turning points of the review again."""

    def say(self, text: str, *, is_refusal: bool = False) -> None:
        """Show a message."""

    def refuse(self, refusal: UserError) -> None:
        """Show why something is not done."""

    def show_answer(self, text: str) -> None:
        """Show what the server answered to a line."""


class BoardActions:
    """Do things at the board of a screen."""

    def __init__(self, screen: ActionScreen) -> None:
        self._screen = screen

    def send(self, state: ScreenState) -> None:
        """Send the move that is meant; on a tried line, make it there."""
        draft = state.draft
        if draft is None:
            return
        if state.cursor.is_exploring:
            self._screen.set_state(state.with_draft_tried())
            return
        facts, text = state.facts, draft.text
        self._screen.say(_("{move} is being sent …").format(move=text))
        self._ask(lambda client: client.answer(facts, text).reply, self._sent)

    def perform_typed(self, line: str) -> None:
        """Do a typed line: a move, or after a slash a command."""
        if line.startswith("/"):
            self._command(line[1:].strip())
            return
        state = self._screen.state
        if state is None:
            return
        if not state.may_point:
            self._screen.say(
                _(
                    "No move can be made here. Ctrl+E tries moves without sending them; a command "
                    "begins with a slash, such as /chat hello."
                ),
                is_refusal=True,
            )
            return
        try:
            new_state = state.with_typed_move(line)
        except UserError as refusal:
            self._screen.refuse(refusal)
            return
        self._field.close()
        self._screen.set_state(new_state)

    def entries(self, state: ScreenState) -> list[MenuEntry]:
        """List what can be done here now."""
        facts, walk = state.facts, state.cursor
        playing = facts.own is not None and bool(facts.own.seats)
        running = playing and not facts.is_over
        may_claim = facts.own is not None and facts.own.may_claim
        turns, userid = self._screen.turns, self._screen.terminal.userid
        retry = retry_words(is_own=any(turn.player == userid for turn in turns))
        offered = facts.offer is not None and facts.offer.by != self._screen.terminal.userid
        items = [
            (offered and running, "accept", _("Accept the offer")),
            (offered and running, "reject", _("Decline the offer")),
            (state.may_point, "moves", _("List of legal moves")),
            (not walk.is_exploring, "explore", _("Explore: try moves without sending them")),
            (walk.is_exploring, "leave", _("Stop exploring")),
            (
                walk.is_exploring and running,
                "plan",
                _("Plan these moves, to be played by the server"),
            ),
            (running, "plans", _("Show my plan")),
            (playing, "chat", _("Say something at the board")),
            (playing, "notes", _("Write a note that only I see")),
            (playing, "read", _("Read chat and notes")),
            (running, "draw", _("Offer a draw")),
            (running, "undo", _("Ask to take my last move back")),
            (may_claim, "claim", _("Claim a win")),
            (may_claim, "claim draw", _("Claim a draw")),
            (running, "resign", _("Resign")),
            (playing and facts.is_over, "rematch", _("Rematch")),
            (bool(turns), "retry", retry),
            (True, "words", _("Say the position in words")),
            (True, "text", _("Draw with plain characters, or in colours")),
            (True, "theme", _("Light or dark")),
            (True, "rules", _("Rules of the game")),
            (True, "home", _("Back to my boards")),
        ]
        return [MenuEntry(name, words) for is_possible, name, words in items if is_possible]

    def choose(self, name: str | None) -> None:
        """Do what was chosen from the menu."""
        screen, state = self._screen, self._screen.state
        if not name or state is None:
            return
        plain: dict[str, Callable[[], object]] = {
            "moves": screen.list_moves,
            "explore": self.explore,
            "leave": screen.action_back,
            "retry": screen.action_retry,
            "plan": lambda: self._plan(state),
            "plans": lambda: self._command("queue"),
            "chat": lambda: self._field.open("/chat "),
            "notes": lambda: self._field.open("/notes "),
            "read": lambda: self._read(state),
            "words": lambda: self._show(_("In words"), translated(drawing.describe(state.shown))),
            "text": self._turn_text,
            "theme": screen.terminal.action_theme,
            "rules": lambda: self._show(_("Rules"), help_text(state.facts.game)),
            "home": screen.terminal.go_home,
        }
        plain.get(name, lambda: self._command(name))()

    def explore(self) -> None:
        """Begin to try moves from the position that is shown."""
        state = self._screen.state
        if state is None or state.cursor.is_exploring:
            return
        if NO_EXPLORATION in state.facts.terms and not state.facts.is_over:
            self._screen.say(
                _("Exploring is not allowed on this board: its players agreed on that.")
                + " [no-exploration]\n--exploration=off",
                is_refusal=True,
            )
            return
        self._screen.set_state(replace(state, cursor=state.cursor.explore(), taps=None))

    @property
    def _field(self) -> LineField:
        return self._screen.query_one(LineField)

    def _sent(self, text: str) -> None:
        state = self._screen.state
        if state is not None:
            self._screen.set_state(replace(state, taps=None))
        self._screen.say(text.partition("\n")[0])
        self._screen.reload()

    def _command(self, line: str) -> None:
        """Perform a command line, asking first where it cannot be taken back."""
        word, *rest_of_line = line.split(" ", 1)
        rest = "".join(rest_of_line)
        word = word.lower()
        question = QUESTIONS.get(word)
        if question is None:
            self._perform(word, line, rest)
            return

        def on_answer(is_yes: bool | None) -> None:
            if is_yes:
                self._perform(word, line, rest)

        self._screen.app.push_screen(ConfirmScreen(_(question)), on_answer)

    def _perform(self, word: str, line: str, rest: str) -> None:
        number = self._screen.number
        state = self._screen.state
        game = state.facts.game if state else ""
        if word == "resign":
            self._ask(lambda client: client.resign(number).reply, self._done)
        elif word in ("chat", "say"):
            self._ask(lambda client: client.chat(number, rest.strip()).reply, self._done)
        else:
            at_board = f"{game} {word} {number} {rest}".strip()
            full = at_board if word in AT_BOARD else line
            if word == "rematch":
                full = f"rematch {number}"
            self._ask(lambda client: client.line(full).text, self._done)

    def _done(self, text: str) -> None:
        self._screen.show_answer(text)
        self._screen.reload()

    def _plan(self, state: ScreenState) -> None:
        """Ask the server how the tried line reads as a plan, and then whether to keep it."""
        facts, moves = state.facts, state.cursor.tried_texts
        ply = state.cursor.left_at + 1

        def preview(client: Client) -> str:
            reply = client.perform(Preview(facts.game, facts.number, moves, ply)).reply
            return reply.plan if isinstance(reply, Previewed) else ""

        def offer(plan: str) -> None:
            if not plan:
                self._screen.say(
                    _(
                        "These moves are not a plan: a plan starts from the current position, "
                        "alternates sides and ends with a move of yours."
                    ),
                    is_refusal=True,
                )
                return

            def on_answer(is_yes: bool | None) -> None:
                if is_yes:
                    self._perform("queue", "", plan)

            self._screen.app.push_screen(ConfirmScreen(f"{_('Plan this?')}\n{plan}"), on_answer)

        self._ask(preview, offer)

    def _read(self, state: ScreenState) -> None:
        own = state.facts.own
        chat = [_chat_line(line) for line in state.facts.chat]
        notes = [_chat_line(note) for note in own.notes] if own else []
        parts = [
            _("Chat"),
            *(chat or [_("Nothing yet.")]),
            "",
            _("Notes"),
            *(notes or [_("None yet.")]),
        ]
        self._show("", "\n".join(parts), is_written=True)

    def _turn_text(self) -> None:
        picture = self._screen.query_one(BoardWidget)
        picture.is_text = not picture.is_text
        self._screen.show()

    def _show(self, heading: str, text: str, *, is_written: bool = False) -> None:
        text = text or _("Nothing is written about it.")
        self._screen.app.push_screen(TextScreen(heading, text, is_written=is_written))

    def _ask(self, question: Callable[[Client], Reply | str], then: Callable[[str], None]) -> None:
        """Ask the server; facts are put into words here, in the player's language."""

        async def ask_server() -> None:
            try:
                answer = await self._screen.terminal.server.ask(question)
            except UserError as refusal:
                self._screen.refuse(refusal)
            else:
                then(answer if isinstance(answer, str) else sentence(answer))

        self._screen.run_worker(self._screen.while_shown(ask_server()), group="actions")


def _chat_line(words: Words) -> str:
    line = named(f"{words.by} ({words.ply})", words.text)
    return f"\n{line}\n" if is_drawn(words.text) else line
