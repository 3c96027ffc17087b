"""A player's own tree of variations at a board: looked at, added to, planned, cut."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.doors.web.pictures import inline_picture
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.speaker import needs_speaker, speaker
from sarsen.language.typography import normalise
from sarsen.services.call import Player
from sarsen.services.plans import exploring
from sarsen.services.plans.exploring import TreeView
from sarsen.services.viewing import view_board

MOST_MOVES = 400  # of a path; the tree has its own bound, too
LONGEST_ADDED = 1000  # characters of moves to add
Path = tuple[str, ...]


@explains_refusals
def show_variations(request: HttpRequest, board: int) -> HttpResponse:
    """Show a place in a tree: the viewer's own, or one whose owner has published it."""
    viewer = speaker(request)
    owner = request.GET.get("of", "")[:20]
    path = read_path(request.GET.get("m", ""))
    if not path and "start" not in request.GET:
        path = exploring.look(board, (), viewer, owner=owner).game_path
    return _page(request, exploring.look(board, path, viewer, owner=owner), owner)


@require_POST
@needs_speaker
@explains_refusals
def change_variations(request: HttpRequest, board: int) -> HttpResponse:
    """Do what a button of the page says, and show the place as it is then."""
    player = speaker(request)
    assert player is not None  # see the decorator
    path = read_path(request.POST.get("m", ""))
    deed = _DEEDS.get(request.POST.get("deed", ""))
    if deed is None:
        raise UserError("This form is damaged: load the page again.", code="unknown-deed")
    try:
        view = deed(request, board, path, player)
    except UserError as refusal:
        view = exploring.look(board, path, player)
        typed = request.POST.get("moves", ""), request.POST.get("comment", "")
        return _page(request, view, "", refusal=refusal, typed=typed)
    return redirect(_address(board, view.path))


Deed = Callable[[HttpRequest, int, Path, Player], TreeView]


def _add(request: HttpRequest, board: int, path: Path, player: Player) -> TreeView:
    typed = request.POST.get("moves", "")
    if len(typed) > LONGEST_ADDED or not typed.strip():
        raise UserError("Which moves shall be added?", code="move-missing", hint="d3 e4 f5")
    moves = tuple(normalise(typed).split())
    return exploring.add(board, path, moves, player, timezone.now())


def _comment(request: HttpRequest, board: int, path: Path, player: Player) -> TreeView:
    words = request.POST.get("comment", "")
    return exploring.comment(board, path, words, player, timezone.now())


def _mark(request: HttpRequest, board: int, path: Path, player: Player) -> TreeView:
    view = exploring.mark(board, path, player, timezone.now())
    messages.success(request, "This line is played by itself when its turn comes.")
    return view


def _unmark(request: HttpRequest, board: int, path: Path, player: Player) -> TreeView:
    return exploring.unmark(board, path, player, timezone.now())


def _cut(request: HttpRequest, board: int, path: Path, player: Player) -> TreeView:
    return exploring.cut(board, path, player, timezone.now())


_DEEDS: dict[str, Deed] = {
    "add": _add,
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
    position = tree.position
    facts = {
        "tree": tree,
        "path": "\n".join(tree.path),
        "board": view_board(tree.board, viewer=speaker(request)),
        "picture": inline_picture(position) if position else "",
        "words": drawing.describe(position) if position else "",
        "steps": [
            (text, _address(tree.board, tree.path[: at + 1], owner))
            for at, text in enumerate(tree.path)
        ],
        "start": _address(tree.board, (), owner),
        "here": _address(tree.board, tree.game_path, owner),
        "is_here": tree.path == tree.game_path,
        "branches": [(one, _address(tree.board, one.path, owner)) for one in tree.variations],
        "refusal": refusal,
        "typed": typed,
    }
    response = render(request, "web/variations.html", facts, status=422 if refusal else 200)
    response["Cache-Control"] = "private, no-store"
    return response


def read_path(text: str) -> Path:
    """Read a path: its moves stand in lines, since some games' moves have blanks."""
    moves = text.splitlines()
    if len(moves) > MOST_MOVES:
        raise UserError("This line is too long to look at.", code="path-too-long")
    return tuple(move[:100] for move in moves if move)


def _address(board: int, path: Path, owner: str = "") -> str:
    words = [("m", "\n".join(path)) if path else ("start", "1")]
    query = urlencode([*words, *([("of", owner)] if owner else [])])
    return f"{reverse('variations', args=[board])}?{query}"
