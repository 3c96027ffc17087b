"""A page for each board, at every ply of its record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe

from sarsen.core.errors import UserError
from sarsen.doors.web.board.live_updates import board_news
from sarsen.doors.web.board.participant import set_desk
from sarsen.doors.web.board.pictures import (
    FOR_A_WHILE,
    PRIVATE,
    as_text,
    in_words,
    inline_picture,
    inline_plan,
    picture_file,
    prefers_words,
    remember,
)
from sarsen.doors.web.board.viewer import frame_line
from sarsen.doors.web.site.errors import explains_refusals
from sarsen.doors.web.site.visitors import actor, budget_of, speaker
from sarsen.language.challenges import terms_words
from sarsen.language.clocks import away_words, clock_sentence, reserve_words
from sarsen.language.commands import Preview
from sarsen.language.grammar.grammar import LONGEST_LINE
from sarsen.language.ratings import present_words, ratings_text, reason_words
from sarsen.language.replies import Refusal
from sarsen.language.wording import stretch
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.queries import MOST_PREVIEWED
from sarsen.services.boards.view import BoardView, MatchMove, view_board
from sarsen.services.dispatch import perform
from sarsen.services.plans.exploring import published
from sarsen.services.ratings.counting import ratings_of, view_finished
from sarsen.services.request import Player

# So long after the move before it a page waits for a program's; then it would be no use.
AWAITED = timedelta(minutes=3)


@dataclass(frozen=True)
class SeatPanel:
    """One player at a board.

    Attributes:
        name: What the side is called in this game.
        colour: The role its pieces are drawn in: `first`, `second` or `neutral`.
        is_to_move, has_won: As of the ply shown.
        time: The reserve, and whether the player is away, in words; mostly "".
        rating: In figures, after a rated game with what it changed; "" without one.
    """

    player: str
    name: str
    colour: str
    is_to_move: bool
    has_won: bool
    time: str
    rating: str


@dataclass(frozen=True)
class StepAddresses:
    """Addresses to step through a record; "" where there is nothing further."""

    first: str
    previous: str
    next: str
    last: str


@explains_refusals
def show_board(request: HttpRequest, board: int, ply: int | None = None) -> HttpResponse:
    """Show a board as it is, or after some plies, or after moves that are only tried."""
    if prefers_words(request):
        query = request.META.get("QUERY_STRING", "")
        return redirect(f"{request.path}text/{'?' if query else ''}{query}")
    viewer = speaker(request)
    played = shown = view_board(board, ply, viewer=viewer, personal=True)
    tried = tried_moves(request)
    refusal = None
    if tried:
        try:
            _check_due(request, played, tried)
            shown = try_moves(request, played, ply, tried)
        except UserError as refused:
            refusal = Refusal(refused.text, refused.code, refused.hint)
    typed = " ".join(tried) if refusal else ""
    page = _page(request, played, shown, refusal=refusal, typed=typed, here=request.path)
    return remember(request, page)


def show_refused_move(
    request: HttpRequest, board: int, refusal: Refusal, typed: str
) -> HttpResponse:
    """Show the board again to who typed a move there that was refused."""
    view = view_board(board, viewer=speaker(request), personal=True)
    here = reverse("board", args=[board])
    return _page(request, view, view, refusal=refusal, typed=typed, here=here)


def _page(
    request: HttpRequest,
    played: BoardView,
    shown: BoardView,
    *,
    refusal: Refusal | None,
    typed: str,
    here: str,
) -> HttpResponse:
    facts = board_facts(request, played, shown, refusal=refusal, typed=typed, here=here)
    return render(request, "web/board/page.html", facts, status=422 if refusal else 200)


def board_facts(
    request: HttpRequest,
    played: BoardView,
    shown: BoardView,
    *,
    refusal: Refusal | None,
    typed: str,
    here: str,
) -> dict[str, object]:
    """Return what the page of a board shows, with its picture or in words."""
    viewer, board = speaker(request), played.number
    zone = viewer.timezone if viewer else ""
    return {
        **_shown(shown),
        "is_last": played.ply == played.last_ply,
        "desk": set_desk(played, shown.previewed, viewer),
        "tried": shown.previewed,
        "is_awaited": not shown.previewed and not refusal and _is_awaited(played),
        "published": published(board, viewer),
        **_after(board, viewer),
        "refusal": refusal,
        "typed": typed,
        "here": here,
        "clock": clock_sentence(played.clock, zone, timezone.now()) if played.clock else "",
        "left": _left(played),
        "agreed": terms_words(played.terms),
        "board_path": reverse("board", args=[board]),
        "frame_line": frame_line(played),
        **_addresses(shown, is_last=played.ply == played.last_ply),
        "news": board_news(played, viewer),
    }


def _addresses(shown: BoardView, *, is_last: bool) -> dict[str, str]:
    """Return where else the position shown can be looked at: in words, and among variations."""
    tried = [("try", move) for move in shown.previewed]
    words = reverse("board-ply-text", args=[shown.number, shown.ply])
    variations = reverse("variations", args=[shown.number])
    at_ply = f"{variations}?{urlencode([('ply', str(shown.ply)), *tried])}"
    if tried:
        return {"words_path": f"{words}?{urlencode(tried)}", "variations_path": at_ply}
    if is_last:
        words, at_ply = reverse("board-text", args=[shown.number]), variations
    return {"words_path": words, "variations_path": at_ply}


def _left(view: BoardView) -> str:
    """Return a text that says how long the clock still runs; "" where none does, or none is
    left.
    """
    left = view.clock.due_at - timezone.now() if view.clock else timedelta()
    return stretch(left) if left > timedelta() else ""


def _is_awaited(view: BoardView) -> bool:
    """Return whether a program is about to move here, so that the page had better look again."""
    is_programs_turn = view.to_move is not None and view.players[view.to_move] in view.programs
    return is_programs_turn and timezone.now() - view.moved_at < AWAITED


@explains_refusals
def send_picture(request: HttpRequest, board: int, ply: int, theme: str = "light") -> HttpResponse:
    """Send the picture of a board in the colours of a theme."""
    view = view_board(board, ply, viewer=speaker(request))
    # A taken back move makes another position the one after so many plies.
    keep = PRIVATE if view.is_private else FOR_A_WHILE
    return picture_file(view.position, theme, keep=keep)


def _after(board: int, viewer: Player | None) -> dict[str, object]:
    """Return what is known once a game is over: what it did to ratings, and the rematch."""
    game = view_finished(board, viewer)
    if game is None:
        return {}
    return {"finished": game, "rated": ratings_text(game)}


def tried_moves(request: HttpRequest) -> tuple[str, ...]:
    """Return the moves that an address tries: `?try=b4&try=c5`."""
    words = " ".join(request.GET.getlist("try")[: MOST_PREVIEWED + 1])[:LONGEST_LINE].split()
    return tuple(words)


def _check_due(request: HttpRequest, view: BoardView, tried: tuple[str, ...]) -> None:
    """Refuse to try moves that an address tries at a ply which has been played since.

    Raises:
        UserError: The board has moved on.
    """
    due = request.GET.get("due", "")
    if due.isascii() and due.isdigit() and due != str(view.last_ply + 1):
        raise UserError(
            f"Move {due[:9]} of board {view.number} has been played since {tried[0]} was tried "
            "for it.",
            code="moved-on",
            hint="Look at the board as it is now, and choose again.",
        )


def try_moves(
    request: HttpRequest, view: BoardView, ply: int | None, tried: tuple[str, ...]
) -> BoardView:
    """Return the board after moves that are only tried, where that is allowed."""
    before = None if ply is None else ply + 1
    command = Preview(view.game.name, view.number, tried, before)
    boards = BoardCache()
    perform(command, actor(request), "", timezone.now(), boards=boards)
    return view_board(
        view.number,
        ply,
        viewer=speaker(request),
        tried=tried,
        personal=True,
        budget=budget_of(request),
        boards=boards,
    )


def _shown(view: BoardView) -> dict[str, object]:
    return {
        "board": view,
        "sides": _sides(view),
        "picture": inline_picture(view.position),
        "plan": inline_plan(view.position),
        "words": in_words(view.position, reason_words(view.result)),
        "text_board": as_text(view.position),
        "effects": view.position.effects(),
        "shown_move": view.moves[view.ply - 1] if view.ply and not view.previewed else None,
        "moved_by": view.players[view.moves[view.ply - 1].seat] if view.ply else "",
        "moves": lay_out(view.moves, len(view.players)).html(
            reverse("board", args=[view.number]), view.ply
        ),
        "steps": _steps(view),
        "mover": view.players[view.to_move] if view.to_move is not None else "",
    }


def _sides(view: BoardView) -> tuple[SeatPanel, ...]:
    ratings = ratings_of(view.number, timezone.now(), shows_result=view.scores is not None)
    return tuple(
        SeatPanel(
            player=player,
            name=name,
            colour=_colour(view, name),
            is_to_move=view.to_move == seat,
            has_won=view.scores is not None and view.scores[seat] == 1,
            time=_time_words(view, seat),
            rating=present_words(ratings[seat]),
        )
        for seat, (player, name) in enumerate(zip(view.players, view.position.sides, strict=True))
    )


def _time_words(view: BoardView, seat: int) -> str:
    clock = view.clock
    if clock is None:
        return ""
    away = away_words(clock, view.players[seat], timezone.now())
    return " ".join(filter(None, (reserve_words(clock, seat), away)))


def _colour(view: BoardView, side: str) -> str:
    """Return the colour of a side, which after a swap is not its seat's."""
    place = view.game.seats.index(side)
    return ("first", "second")[place] if place < 2 else "neutral"


def _steps(view: BoardView) -> StepAddresses:
    here, last = view.ply, view.last_ply
    return StepAddresses(
        first=_address(view, 0) if here > 0 else "",
        previous=_address(view, here - 1) if here > 0 else "",
        next=_address(view, here + 1) if here < last else "",
        last=reverse("board", args=[view.number]) if here < last else "",
    )


def _address(view: BoardView, ply: int) -> str:
    return reverse("board-ply", args=[view.number, ply])


Row = tuple[MatchMove | None, ...]


@dataclass(frozen=True)
class MoveTable:
    """Lay moves out in rows of one cell a seat."""

    rows: tuple[Row, ...]

    def html(self, board_path: str, ply: int) -> SafeString:
        """Write the rows, each move a link to the board after it.

        Not in a template: there a third of the time of a page went into this table.

        Args:
            ply: Of the position shown, whose move is marked.
        """
        rows = (
            "".join(f"<td>{_link(move, board_path, ply) if move else ''}</td>" for move in row)
            for row in self.rows
        )
        return mark_safe("".join(f"<tr>{row}</tr>\n" for row in rows))  # noqa: S308


def _link(move: MatchMove, board_path: str, ply: int) -> str:
    current = ' aria-current="true"' if move.ply == ply else ""
    number = f'<span class="ply">{move.ply}</span>'
    return f'<a href="{board_path}{move.ply}/"{current}>{number} {escape(move.text)}</a>'


def lay_out(moves: Sequence[MatchMove], seats: int) -> MoveTable:
    """Put each move into its seat's column, below or right of the one before.

    Seats need not alternate: a seat that moves twice in a row begins a new row.
    """
    rows: list[list[MatchMove | None]] = []
    last_seat = seats
    for move in moves:
        if move.seat <= last_seat or not rows:
            rows.append([None] * seats)
        rows[-1][move.seat] = move
        last_seat = move.seat
    return MoveTable(tuple(tuple(row) for row in rows))
