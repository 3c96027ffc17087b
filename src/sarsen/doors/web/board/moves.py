"""Moves at a board: those played, those only tried, and all that are legal, for scripts."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from sarsen.core.errors import PluginFailure, UserError
from sarsen.core.game import AnyPosition
from sarsen.doors.web.frame.errors import status_of
from sarsen.doors.web.frame.visitors import PRIVATE, REVALIDATED, actor, budget_of, speaker
from sarsen.drawing.taps import landings, prompts, tap_tree, ways, with_move
from sarsen.language.commands import Preview
from sarsen.language.facts import PlayedMove
from sarsen.language.grammar.grammar import MAX_LINE
from sarsen.language.translating import translated
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.queries import MAX_PREVIEWED
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.dispatch import perform
from sarsen.services.limits.processor_time import RETRY_SECONDS, refusal_of
from sarsen.services.matches.history import rows_by_seat

View = Callable[..., HttpResponse]
IS_NO_MOVE = "unreadable-move"  # ends the codes of refusals that name no rule


@dataclass(frozen=True)
class StepAddresses:
    """Addresses to step through a record; "" where there is nothing further."""

    first: str = ""
    previous: str = ""
    next: str = ""
    last: str = ""


def step_addresses(
    at: int, last: int, address: Callable[[int], str], end: str = ""
) -> StepAddresses:
    """Return where to step from a ply.

    Args:
        last: The last ply there is.
        address: Of the position after so many plies.
        end: The address of the last position, where it has one of its own.
    """
    backward = (address(0), address(at - 1)) if at > 0 else ("", "")
    forward = (address(at + 1), end or address(last)) if at < last else ("", "")
    return StepAddresses(*backward, *forward)


def move_table(
    moves: Sequence[PlayedMove], seats: int, path: str, ply: int, piece_letters: Container[str] = ()
) -> SafeString:
    """Write the rows of a table of the moves played, each a link to the board after it.

    Not in a template: there a third of the time of a page went into this table.

    Args:
        path: Of the board.
        ply: Of the position shown, whose move is marked.
        drawn: The letters of the pieces that moves name, which the page has as symbols.
    """
    rows = (
        "".join(f"<td>{_link(move, path, ply, piece_letters) if move else ''}</td>" for move in row)
        for row in rows_by_seat(moves, seats)
    )
    return mark_safe("".join(f"<tr>{row}</tr>\n" for row in rows))  # noqa: S308


def tried_moves(request: HttpRequest) -> tuple[str, ...]:
    """Return the moves that an address tries: `?try=b4&try=c5`."""
    words = " ".join(request.GET.getlist("try")[: MAX_PREVIEWED + 1])[:MAX_LINE].split()
    return tuple(words)


def try_moves(
    request: HttpRequest,
    view: BoardView,
    ply: int | None,
    tried: tuple[str, ...],
    boards: BoardCache | None = None,
) -> BoardView:
    """Return the board after moves that are only tried, where that is allowed."""
    before = None if ply is None else ply + 1
    command = Preview(view.game.name, view.number, tried, before)
    boards = boards or BoardCache()
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


def check_due(request: HttpRequest, view: BoardView, tried: tuple[str, ...]) -> None:
    """Refuse to try moves that an address tries at a ply which has been played since.

    Raises:
        UserError: The board has moved on.
    """
    due = request.GET.get("due", "")
    if due.isascii() and due.isdigit() and due != str(view.last_ply + 1):
        raise UserError(
            "Move {due} on board {board} was played while you were trying {tried}.",
            code="moved-on",
            hint="Look at the board as it is now, and choose again.",
            due=due[:9],
            board=view.number,
            tried=tried[0],
        )


def refuses_in_json(view: View) -> View:
    """Answer with the words of the refusal, for a script; statuses are in `status_of`."""

    @wraps(view)
    def wrapper(request: HttpRequest, **address: object) -> HttpResponse:
        try:
            return view(request, **address)
        except UserError as refused:
            refusal = refused
        except PluginFailure as failure:
            if (not_asked := refusal_of(failure)) is None:
                raise
            refusal = not_asked
        headers = {"Cache-Control": PRIVATE}
        if refusal.code == "busy":
            headers["Retry-After"] = str(RETRY_SECONDS)
        return JsonResponse(_refused(refusal), status=status_of(refusal), headers=headers)

    return wrapper


@require_safe
@refuses_in_json
def send_moves(request: HttpRequest, board: int, ply: int | None = None) -> HttpResponse:
    """Send the taps of every legal move: of a board as it is, at a ply, or after tried moves."""
    tried = tried_moves(request)
    view = view_board(board, ply, viewer=speaker(request))
    if tried or not _is_turn(request, view):
        # Refused where it was agreed that nothing is tried.
        view = try_moves(request, view, ply, tried)
    return moves_answer(request, view.position)


@require_safe
@refuses_in_json
def send_reason(request: HttpRequest, board: int, ply: int | None = None) -> HttpResponse:
    """Send the rule that refuses the move tried; nothing when it is not a whole move."""
    view = view_board(board, ply, viewer=speaker(request))
    return reason_answer(lambda: try_moves(request, view, ply, tried_moves(request)))


def reason_answer(attempt: Callable[[], object]) -> HttpResponse:
    """Send which rule refuses an attempt to move; nothing where it is no whole move."""
    try:
        attempt()
    except UserError as refusal:
        return JsonResponse({} if refusal.code.endswith(IS_NO_MOVE) else _refused(refusal))
    return JsonResponse({})


def legal_texts(position: AnyPosition, most: int) -> tuple[str, ...]:
    """Return the legal moves in full form; none where there are more than `most`."""
    moves = position.legal_moves()
    return () if len(moves) > most else tuple(position.format(move) for move in moves)


def moves_answer(request: HttpRequest, position: AnyPosition, also: str = "") -> HttpResponse:
    """Send the taps of every legal move of a position, and what to say before each.

    Args:
        also: One more move that can be tapped, such as one that the rules are to refuse.
    """
    content = f"{get_language()} {position.write()} {also}"
    etag = f'"{sha256(content.encode()).hexdigest()[:20]}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        facts = {
            "moves": with_move(tap_tree(position), position, also),
            "prompts": [translated(prompt) for prompt in prompts(position)],
            "landings": landings(position),
            "ways": ways(position),
        }
        text = json.dumps(facts, separators=(",", ":"))
        response = HttpResponse(text, "application/json", headers={"ETag": etag})
    response["Cache-Control"] = REVALIDATED
    return response


def _link(move: PlayedMove, board_path: str, ply: int, piece_letters: Container[str]) -> str:
    current = ' aria-current="true"' if move.ply == ply else ""
    number = f'<span class="ply">{move.ply}</span>'
    if (letter := move.text[:1]) in piece_letters:
        number += f'<svg class="piece" aria-hidden="true"><use href="#piece-{letter}"/></svg>'
    return f'<a href="{board_path}{move.ply}/"{current}>{number} {escape(move.text)}</a>'


def _is_turn(request: HttpRequest, view: BoardView) -> bool:
    player = speaker(request)
    to_move = view.to_move
    return player is not None and to_move is not None and view.players[to_move] == player.userid


def _refused(refusal: UserError) -> dict[str, str]:
    text, hint = translated(refusal.text), translated(refusal.hint)
    return {"text": text, "hint": hint, "code": refusal.code}
