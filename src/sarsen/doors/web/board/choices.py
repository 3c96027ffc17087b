"""A move chosen place by place, without script: what can come next, and what is complete."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from hashlib import sha256

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.doors.web.board.page import tried_moves, try_moves
from sarsen.doors.web.board.pictures import PRIVATE
from sarsen.doors.web.site.errors import status_of
from sarsen.doors.web.site.visitors import speaker
from sarsen.drawing.cells import CellTable
from sarsen.drawing.taps import Tree, landings, prompts, tap_tree, tapped
from sarsen.language.refusals import reworded
from sarsen.services.boards.view import BoardView, view_board

MOST_MOVES = 3000  # legal moves that are laid out; where there are more, they are typed
MOST_SPOTS = 12  # of one move

Spots = tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """One place that may be chosen next.

    Attributes:
        words: What stands there; "" where nothing is known of it.
        move: What is chosen with it, when nothing else can be; else "".
        moves: How many moves go on from there.
    """

    spot: str
    words: str
    move: str
    moves: int


@dataclass(frozen=True)
class StepGroup:
    """The next places in one row of the board."""

    head: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class PartialMove:
    """How far a move is chosen.

    Attributes:
        chosen: The places so far.
        groups: The places that may come next, by rows.
        complete: Moves that need no further place.
        move: The only move that is left, or "".
        steps: The same places by their names.
    """

    chosen: Spots = ()
    groups: tuple[StepGroup, ...] = ()
    complete: tuple[str, ...] = ()
    move: str = ""
    steps: dict[str, Step] = field(default_factory=dict)

    @property
    def is_known(self) -> bool:
        """Whether anything can be chosen: the game goes on, and its moves are not too many."""
        return bool(self.groups or self.complete)


def choose(position: AnyPosition, table: CellTable, chosen: Sequence[str]) -> PartialMove:
    """Find out what may follow some places; the first that leads nowhere ends them."""
    if len(position.legal_moves()) > MOST_MOVES:
        return PartialMove()
    tree: Tree | str | list[str] = tap_tree(position)
    taken: list[str] = []
    for spot in chosen[:MOST_SPOTS]:
        if not isinstance(tree, dict) or not spot or spot not in tree:
            break
        taken.append(spot)
        tree = tree[spot]
    left = _left(tree)
    if taken and len(left) == 1:  # the places that are missing go without saying
        return PartialMove(chosen=tuple(taken), complete=left, move=left[0])
    complete = _complete(tree)
    steps = _steps(tree, _words(table)) if isinstance(tree, dict) else {}
    return PartialMove(
        chosen=tuple(taken),
        groups=_grouped(steps, table),
        complete=complete,
        steps=steps,
    )


def _left(tree: Tree | str | list[str]) -> tuple[str, ...]:
    """Return the moves that the places so far may still become."""
    if not isinstance(tree, dict):
        return _complete(tree)
    return tuple({text: None for _, text in tapped(tree)})


def _complete(tree: Tree | str | list[str]) -> tuple[str, ...]:
    """Return the moves that the places so far make."""
    match tree:
        case str():
            return (tree,)
        case list():
            return tuple(tree)
        case dict():
            return _complete(tree[""]) if "" in tree else ()


def _steps(tree: Tree, words: dict[str, str]) -> dict[str, Step]:
    steps = {}
    for spot, below in tree.items():
        if spot:
            moves = {text for _, text in tapped({spot: below})}
            move = next(iter(moves)) if len(moves) == 1 else ""
            steps[spot] = Step(spot, words.get(spot, ""), move, len(moves))
    return steps


def _words(table: CellTable) -> dict[str, str]:
    return {cell.spot: cell.words for row in table.rows for cell in row.cells if cell.spot}


def _grouped(steps: dict[str, Step], table: CellTable) -> tuple[StepGroup, ...]:
    groups = [
        StepGroup(row.head, tuple(steps[cell.spot] for cell in row.cells if cell.spot in steps))
        for row in table.rows
    ]
    known = _words(table)
    groups.append(StepGroup("Elsewhere", tuple(steps[one] for one in steps if one not in known)))
    return tuple(group for group in groups if group.steps)


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
