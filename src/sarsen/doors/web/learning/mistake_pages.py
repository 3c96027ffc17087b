"""The page on which one's own turning points of a reviewed game are tried again."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sarsen.core.errors import UserError
from sarsen.doors.web.board.reviews import pointed_picture
from sarsen.doors.web.frame.answers import perform_posted
from sarsen.doors.web.frame.errors import status_of, with_refusal_pages
from sarsen.doors.web.frame.posted_forms import read_post
from sarsen.doors.web.frame.visitors import render_private, speaker
from sarsen.doors.web.learning.live_board import board_facts, read_moves
from sarsen.drawing.pointing import Sign
from sarsen.language.commands import ShowReview
from sarsen.language.learning.mistakes import (
    MistakeShown,
    mistake_news,
    mistake_task,
    mistake_verdict,
)
from sarsen.language.replies import Refusal
from sarsen.services.reviews.again import Mistake, find_mistake, try_mistake


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusal_pages
def show_mistake(request: HttpRequest, board: int, at: int) -> HttpResponse:
    """Ask for a better move at a turning point; a POST tries one."""
    mistake = find_mistake(board, at, speaker(request))
    if request.method != "POST":
        return _show(request, mistake, try_mistake(mistake, ""))
    typed = " ".join(read_moves(request.POST.getlist("moves"), 1)[-1:])
    found = _perform(request, board, at, typed)
    if isinstance(found, UserError):
        return _show(request, mistake, try_mistake(mistake, ""), found, typed)
    return _show(request, mistake, found)


def _perform(request: HttpRequest, board: int, at: int, typed: str) -> MistakeShown | UserError:
    """Have a posted move judged; or return why it was not."""
    fields = {"board": [str(board)], "again": [str(at)], "move": [typed]}
    posted = replace(read_post(request), command=ShowReview, fields=fields)
    reply = perform_posted(request, posted).reply
    if isinstance(reply, Refusal):
        return UserError(reply.text, code=reply.code, hint=reply.hint)
    assert isinstance(reply, MistakeShown)  # there is a review
    return reply


def _show(
    request: HttpRequest,
    mistake: Mistake,
    shown: MistakeShown,
    refusal: UserError | None = None,
    typed: str = "",
) -> HttpResponse:
    """Show a turning point, what came of a try, or why that was refused."""
    ply = shown.ply - 1
    verdict, said = mistake_verdict(shown), mistake_news(shown)
    turn = shown.turn
    is_last = shown.number == shown.count
    facts = {
        **board_facts(mistake.position, is_open=turn is None),
        **_signs(mistake, shown),
        "shown": shown,
        "task": mistake_task(replace(shown, turn=None)),
        "action": request.path,
        "script": {
            "moves": reverse("ply-moves", args=[shown.board, ply]),
            "reason": reverse("ply-reason", args=[shown.board, ply]),
        },
        "verdict": verdict,
        "said": said.removeprefix(verdict).strip() or ("" if not verdict else " "),
        "is_wrong": shown.result in ("wrong", "not-proved"),
        "refusal": refusal,
        "typed": typed if refusal else "",
        "following": ""
        if is_last
        else reverse("review-again", args=[shown.board, shown.number + 1]),
    }
    response = render_private(request, "web/learning/mistake.html", facts)
    if refusal is not None:
        response.status_code = status_of(refusal) if status_of(refusal) != 404 else 422
    return response


def _signs(mistake: Mistake, shown: MistakeShown) -> dict[str, object]:
    """Return the picture with the move played and the better one, once they may be seen."""
    if shown.turn is None:
        return {}
    signs: tuple[tuple[str, Sign], ...] = (
        (shown.turn.played, "cross"),
        (shown.turn.better, "ring"),
    )
    return {"picture": pointed_picture(mistake.position, signs)}
