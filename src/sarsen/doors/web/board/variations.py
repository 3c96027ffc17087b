"""Explore a board: play for both sides from any ply, keep variations, plan lines of them.

Moves that a participant tries are kept in that player's tree; moves of others stand in the address
alone, until the line is kept. Addresses are those of `explored`.
"""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.doors.web.board.explored import explored_facts
from sarsen.doors.web.board.line_addresses import Path, read_line, read_moves, write_line
from sarsen.doors.web.board.moves import moves_answer, reason_answer, refuses_in_json
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.parameters import NUMBER, takes
from sarsen.doors.web.frame.visitors import (
    budget_of,
    needs_speaker,
    owner,
    render_private,
    speaker,
    with_query,
)
from sarsen.language.translating import _
from sarsen.services.boards.view import view_board
from sarsen.services.parsed_lines import refuse_own_password
from sarsen.services.plans import exploring
from sarsen.services.plans.exploring import TreeView
from sarsen.services.request import Player


@require_safe
@takes({"ply": NUMBER})
@with_refusal_pages
def show_variations(request: HttpRequest, board: int) -> HttpResponse:
    """Show a place: of the viewer's own tree, of one that is published, or of none."""
    viewer, owner = speaker(request), request.GET.get("of", "")[:20]
    played = _played_moves(board, viewer)
    path, budget = read_line(request.GET, played), budget_of(request)
    try:
        tree = exploring.view_tree(board, path, viewer, owner=owner, budget=budget)
    except UserError as refusal:
        # What was tried last is wrong; the place before it can be shown, mostly.
        tree = exploring.view_tree(board, path[:-1], viewer, owner=owner, budget=budget)
        return _page(request, tree, owner, refusal=refusal, typed=(path[-1], ""))
    return _page(request, tree, owner)


@require_safe
@refuses_in_json
def send_moves(request: HttpRequest, board: int) -> HttpResponse:
    """Send the taps of every legal move at a place; see `drawing.taps`."""
    return moves_answer(request, _position(request, board))


@require_safe
@refuses_in_json
def send_reason(request: HttpRequest, board: int) -> HttpResponse:
    """Send the rule that refuses the last move that the address tries."""
    viewer = speaker(request)
    path = read_line(request.GET, _played_moves(board, viewer))
    before = exploring.view_tree(board, path[:-1], viewer, budget=budget_of(request)).position
    if before is None or not path:
        return JsonResponse({})
    return reason_answer(lambda: judge(before, path[-1]))


@require_POST
@needs_speaker
@with_refusal_pages
def change_variations(request: HttpRequest, board: int) -> HttpResponse:
    """Change the tree as a button of the page says, and show the place as it is then."""
    player = owner(request)
    path = read_line(request.POST, _played_moves(board, player))
    change = _CHANGES.get(request.POST.get("deed", ""))
    if change is None:
        raise UserError("This form is damaged: load the page again.", code="unknown-deed")
    try:
        view = change(request, board, path, player)
    except UserError as refusal:
        view = exploring.view_tree(board, path, player)
        typed = request.POST.get("moves", ""), request.POST.get("comment", "")
        return _page(request, view, "", refusal=refusal, typed=typed)
    query = write_line(view.path, view.game_path)
    return redirect(with_query(reverse("variations", args=[board]), query))


Change = Callable[[HttpRequest, int, Path, Player], TreeView]


def _add(request: HttpRequest, board: int, path: Path, player: Player) -> TreeView:
    moves = read_moves(request.POST.get("moves", ""))
    if not moves:
        raise UserError("Which moves do you want to add?", code="move-missing", hint="d3 e4 f5")
    return exploring.add(board, path, moves, player, timezone.now())


def _keep(request: HttpRequest, board: int, path: Path, player: Player) -> TreeView:
    view = exploring.add(board, (), path, player, timezone.now())
    messages.success(request, _("Saved to your variations."))
    return view


def _comment(request: HttpRequest, board: int, path: Path, player: Player) -> TreeView:
    words = request.POST.get("comment", "")
    refuse_own_password(words, player, timezone.now())  # the tree may be published
    return exploring.comment(board, path, words, player, timezone.now())


def _mark(request: HttpRequest, board: int, path: Path, player: Player) -> TreeView:
    exploring.add(board, (), path, player, timezone.now())  # a line that only an address has yet
    view = exploring.mark(board, path, player, timezone.now())
    messages.success(request, _("This line is now played for you when its turn comes."))
    return view


def _unmark(request: HttpRequest, board: int, path: Path, player: Player) -> TreeView:
    return exploring.unmark(board, path, player, timezone.now())


def _cut(request: HttpRequest, board: int, path: Path, player: Player) -> TreeView:
    return exploring.cut(board, path, player, timezone.now())


_CHANGES: dict[str, Change] = {
    "add": _add,
    "keep": _keep,
    "comment": _comment,
    "mark": _mark,
    "unmark": _unmark,
    "cut": _cut,
}


def _page(
    request: HttpRequest,
    tree: TreeView,
    owner: str,
    *,
    refusal: UserError | None = None,
    typed: tuple[str, str] = ("", ""),
) -> HttpResponse:
    board = view_board(tree.board, viewer=speaker(request))
    chosen = [] if refusal else request.GET.getlist("spot")
    facts = explored_facts(tree, board, owner, chosen)
    if facts["after_choice"]:
        return redirect(str(facts["after_choice"]))
    facts |= {"refusal": refusal, "typed": typed}
    return render_private(request, "web/board/variations.html", facts, 422 if refusal else 200)


def _played_moves(board: int, viewer: Player | None) -> Path:
    return tuple(move.text for move in view_board(board, viewer=viewer).moves)


def _position(request: HttpRequest, board: int) -> AnyPosition:
    viewer = speaker(request)
    path = read_line(request.GET, _played_moves(board, viewer))
    position = exploring.view_tree(board, path, viewer, budget=budget_of(request)).position
    if position is None:
        raise UserError("After `any` the position is not known.", code="plan-after-any")
    return position
