"""What a board's script asks: which taps make which move, and why a tap makes none."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from hashlib import sha256

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.doors.web.boards import tried_moves, try_moves
from sarsen.doors.web.pictures import PRIVATE
from sarsen.doors.web.refusals import status_of
from sarsen.doors.web.speaker import speaker
from sarsen.drawing.prompts import landings, prompts
from sarsen.drawing.taps import tap_tree
from sarsen.language.wording.refusals import reworded
from sarsen.services.viewing import BoardView, view_board

View = Callable[..., HttpResponse]
ASK_AGAIN = "private, no-cache"  # the browser keeps it, and asks each time whether it still holds
IS_NO_MOVE = "unreadable-move"  # how the codes of refusals end that say nothing of rules


def refuses_in_json(view: View) -> View:
    """Answer 404 with the words of the refusal, for a script."""

    @wraps(view)
    def refusing(request: HttpRequest, **address: object) -> HttpResponse:
        try:
            return view(request, **address)
        except UserError as refusal:
            return JsonResponse(
                _refused(refusal), status=status_of(refusal), headers={"Cache-Control": PRIVATE}
            )

    return refusing


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
    """Say which rule refuses what was tried; nothing where it is no whole move."""
    view = view_board(board, ply, viewer=speaker(request))
    return reason_answer(lambda: try_moves(request, view, ply, tried_moves(request)))


def reason_answer(attempt: Callable[[], object]) -> HttpResponse:
    """Send which rule refuses an attempt to move; nothing where it is no whole move."""
    try:
        attempt()
    except UserError as refusal:
        return JsonResponse({} if refusal.code.endswith(IS_NO_MOVE) else _refused(refusal))
    return JsonResponse({})


def moves_answer(request: HttpRequest, position: AnyPosition) -> HttpResponse:
    """Send the taps of every legal move of a position, and what to say before each."""
    etag = f'"{sha256(position.write().encode()).hexdigest()[:20]}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        facts = {
            "moves": tap_tree(position),
            "prompts": prompts(position),
            "landings": landings(position),
        }
        text = json.dumps(facts, separators=(",", ":"))
        response = HttpResponse(text, "application/json", headers={"ETag": etag})
    response["Cache-Control"] = ASK_AGAIN
    return response


def _is_turn(request: HttpRequest, view: BoardView) -> bool:
    player = speaker(request)
    to_move = view.to_move
    return player is not None and to_move is not None and view.players[to_move] == player.userid


def _refused(refusal: UserError) -> dict[str, str]:
    text, hint = reworded(refusal.text), reworded(refusal.hint)
    return {"text": text, "hint": hint, "code": refusal.code}
