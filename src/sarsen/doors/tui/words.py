"""The words beside a board and in the list of boards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from rich.console import Group
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.doors.tui.board_state import RecordCursor, ScreenState
from sarsen.games import known_names
from sarsen.language.facts import BoardFacts, BoardLine, SeatRating, Words
from sarsen.language.grammar.dates import stretch
from sarsen.language.grammar.hint_lines import is_line
from sarsen.language.grammar.kept_text import is_drawn, named
from sarsen.language.learning.claims import DRAW, claim_words, not_proven, waiting_words
from sarsen.language.ratings import points, rating_difference, reason_words
from sarsen.language.translating import _, _n, translated

PAIR = 2


def time_left(due_at: datetime | None, now: datetime) -> str:
    """Return the time until a moment in words: `2 days 4 hours`, `no time left`."""
    if due_at is None:
        return _("no clock")
    left = due_at - now
    if left < timedelta(minutes=1):
        return _("no time left") if left <= timedelta() else _("less than a minute")
    return stretch(left)


def refusal_words(refusal: UserError, *, takes_lines: bool = True) -> str:
    """Return a refusal with its code, and a line that would have worked.

    Args:
        takes_lines: Whether the screen takes lines of the language: after a slash, for what has
            none is a move.
    """
    text = f"{translated(refusal.text)} [{refusal.code}]"
    if not refusal.hint:
        return text
    slash = "/" if takes_lines and is_line(refusal.hint, known_names()) else ""
    return f"{text}\n{slash}{translated(refusal.hint)}"


def opponents(line: BoardLine, userid: str) -> str:
    """Name whom one plays with; oneself, where one plays both sides."""
    others = [player for player in line.players if player != userid]
    return ", ".join(others or line.players[:1])


def title(facts: BoardFacts) -> str:
    """Name a board: `Druid 12 · ann 1662? (V) – bob (H) · -size=8`; ratings where there are any."""
    ratings = facts.ratings or (None,) * len(facts.players)
    players = " – ".join(
        f"{player}{rating_words(rating)} ({side})"
        for player, side, rating in zip(facts.players, facts.sides, ratings, strict=True)
    )
    return " · ".join(
        filter(None, (f"{facts.game.title()} {facts.number}", players, facts.options))
    )


def rating_words(rating: SeatRating | None) -> str:
    """Write the rating that stands behind a name: ` 1662?`, or after a game ` 1662? +162`."""
    if rating is None:
        return ""
    figures = points(rating.rating, is_provisional=rating.is_provisional)
    if rating.change is None:
        return f" {figures}"
    return f" {figures} {rating_difference(rating.rating - rating.change, rating.rating)}"


def turn_words(facts: BoardFacts, now: datetime) -> str:
    """Return whose turn it is and until when in words, or how the game ended."""
    if facts.result:
        return reason_words(facts.result)
    if facts.to_move is None:
        return ""
    mine = facts.own is not None and facts.to_move in facts.own.seats
    mover = (
        _("Your move")
        if mine
        else _("{player} to move").format(player=facts.players[facts.to_move])
    )
    if facts.clock is None:
        return f"{mover}."
    return f"{mover}: {time_left(facts.clock.due_at, now)}."


def offer_words(facts: BoardFacts, userid: str) -> str:
    """Return the offer that stands in words, and how it is answered."""
    if facts.offer is None:
        return ""
    is_draw = facts.offer.kind == "draw"
    if facts.offer.by == userid:
        return _("You offered a draw.") if is_draw else _("You asked to take a move back.")
    sentence = (
        _("{player} offers a draw: press /, then Accept or Decline.")
        if is_draw
        else _("{player} asks to take the last move back: press /, then Accept or Decline.")
    )
    return sentence.format(player=facts.offer.by)


def claims_words(facts: BoardFacts, userid: str) -> str:
    """Return what became of the last claim at a board in words; "" without one."""
    if not facts.claims:
        return ""
    made = facts.claims[-1]
    if made.answer == "":
        return waiting_words()
    if made.answer != "not-proven":
        return ""
    return not_proven() if made.by == userid else claim_words(made.by, draw=made.what == DRAW)


def retry_words(*, is_own: bool) -> str:
    """Return what it is called to try turning points of a review again."""
    return _("Try your mistakes again") if is_own else _("Find the better moves yourself")


def outcome_words(position: AnyPosition) -> str:
    """Return how a position ended the game in words; "" while it runs."""
    outcome = position.outcome()
    return reason_words(outcome.reason) if outcome else ""


def moves_words(walk: RecordCursor, width: int, rows: int) -> Text:
    """Write the moves in columns, those around the shown one, which stands out."""
    texts = (
        [*walk.texts[: walk.left_at], *(ruling.text for ruling in walk.tried)]
        if (walk.is_exploring)
        else list(walk.texts)
    )
    entries = [f"{ply:>3} {text}" for ply, text in enumerate(texts, start=1)]
    widest = max(map(len, entries), default=0) + 1
    columns = PAIR if PAIR * widest <= width else 1
    lines = [
        range(begin, min(begin + columns, len(entries)))
        for begin in range(0, len(entries), columns)
    ]
    current_line = (walk.at - 1) // columns if walk.at else 0
    first = max(0, min(current_line - rows // 2, len(lines) - rows))
    written = Text(no_wrap=True, overflow="ellipsis")
    for line in lines[first : first + rows]:
        for at in line:
            is_tried = walk.is_exploring and at >= walk.left_at
            style = "reverse" if at == walk.at - 1 else "italic" if is_tried else ""
            written.append(entries[at].ljust(widest - 1)[:width], style)
            written.append(" ")
        written.append("\n")
    return written


def chat_words(lines: Sequence[Words]) -> Group:
    """Write what was said, the last at the end; a drawing is cut at the edge, not wrapped."""
    written = []
    for line in lines:
        drawn = is_drawn(line.text)
        text = Text(no_wrap=drawn, overflow="crop" if drawn else None)
        text.append(f"{line.by}:", "bold")
        text.append(named("", line.text)[1:])
        written.append(text)
    return Group(*written)


def key_hint(state: ScreenState, cursor: str) -> str:
    """Return what the next key does, in words."""
    draft, taps = state.draft, state.taps
    if draft is not None and taps is not None:
        if state.cursor.is_exploring:
            hint = _("{move}: Enter plays it here, Esc takes it back.")
        else:
            hint = _("{move}: Enter sends it, Esc takes it back.")
        further = " " + _("Or keep tapping.") if taps.next_spots else ""
        return hint.format(move=draft.text) + further
    if not state.may_point:
        return _("Ctrl+E tries moves here.") if not state.facts.is_over else ""
    if taps is None:
        return "…"
    if not taps.next_spots:
        return _("Type a move, or choose one from the list: press /, then List.")
    tapped = f"{' '.join(taps.tapped)} …  " if taps.tapped else ""
    count = len(taps.open_choices)
    moves = _n("{count} move.", "{count} moves.", count).format(count=count)
    return f"{tapped}{cursor}: {_('Enter taps.')} {moves}"


class SideColumn(Vertical):
    """The column on the right."""

    DEFAULT_CSS = """
    SideColumn { width: 26; height: 1fr; padding: 0 0 0 1; }
    .-narrow SideColumn { display: none; }
    .-wide SideColumn { width: 38; }
    SideColumn Static { width: 1fr; }
    SideColumn #state { text-style: bold; }
    SideColumn #effects { max-height: 6; }
    SideColumn #moves { height: 1fr; min-height: 3; margin: 1 0 0 0; }
    SideColumn #talk { height: auto; max-height: 40%; margin: 1 0 0 0; scrollbar-size: 0 0; }
    """

    def compose(self) -> ComposeResult:
        """Lay the column out."""
        yield Static(id="state")
        yield Static(id="effects")
        yield Static(id="moves")
        with VerticalScroll(id="talk", can_focus=False):
            yield Static(id="chat")

    def show(self, state: ScreenState, userid: str) -> None:
        """Show a board's state."""
        facts, walk = state.facts, state.cursor
        lines = [turn_words(facts, datetime.now(UTC)), offer_words(facts, userid)]
        lines.append(claims_words(facts, userid))
        if walk.is_exploring:
            sentence = _("Exploring: move {ply}, branched off at move {left}.")
            lines.append(sentence.format(ply=walk.at, left=walk.left_at))
        elif not walk.is_at_end:
            sentence = _("Move {ply} of {last} is shown.")
            lines.append(sentence.format(ply=walk.at, last=walk.last))
        self.query_one("#state", Static).update(Text("\n".join(filter(None, lines))))
        shown = state.shown
        effects = dict.fromkeys((*map(translated, shown.effects()), outcome_words(shown)))
        for line in ("", *lines):
            effects.pop(line, None)
        self.query_one("#effects", Static).update(Text("\n".join(effects)))
        moves = self.query_one("#moves", Static)
        moves.update(moves_words(walk, self.size.width - 1 or 25, moves.size.height or 6))
        self.query_one("#chat", Static).update(chat_words(facts.chat))
        talk = self.query_one("#talk", VerticalScroll)
        talk.display = bool(facts.chat)
        talk.scroll_end(animate=False)
