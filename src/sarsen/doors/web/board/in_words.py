"""A board in words: for screen readers, and for keyboards only.

The same addresses, forms and answers as the board with its picture; here the position is
sentences and a table of cells, and a move can be chosen place by place, by links alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.doors.web.board.choices import PartialMove, choose, refuses_in_json
from sarsen.doors.web.board.live_updates import board_news
from sarsen.doors.web.board.page import board_facts, tried_moves, try_moves
from sarsen.doors.web.board.participant import ParticipantView
from sarsen.doors.web.board.pictures import ASKED, PRIVATE, WORDS, in_words, prefers_words, remember
from sarsen.doors.web.site.errors import explains_refusals
from sarsen.doors.web.site.visitors import speaker
from sarsen.drawing.cells import cells
from sarsen.language.ratings import reason_words
from sarsen.language.replies import Refusal
from sarsen.services.boards.view import BoardView, view_board

_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_IN_WORDS = re.compile(r"/boards/[0-9]{1,9}/(?:[0-9]{1,9}/)?text/")


@dataclass(frozen=True)
class HeardCell:
    """A cell of the table.

    Attributes:
        link: Where it leads to choose it; "" when it cannot come next.
        move: What is chosen with it, when that is all; "".
    """

    words: str
    spot: str
    link: str = ""
    move: str = ""
    is_chosen: bool = False


@dataclass(frozen=True)
class HeardRow:
    """A row of the table of cells."""

    head: str
    cells: tuple[HeardCell, ...]


@dataclass(frozen=True)
class SpokenPosition:
    """A position for ears.

    Attributes:
        sentences: The position, a statement each.
        columns: Heads of the table; empty when there are none.
        fields: What a form that chooses the next place says besides it.
        again: Where one chooses from the beginning.
    """

    sentences: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[HeardRow, ...]
    choice: PartialMove
    fields: tuple[tuple[str, str], ...]
    again: str


@dataclass(frozen=True)
class PositionAddress:
    """Where on the server a position is shown: a path, and what its address asks.

    Attributes:
        move_word: Under which name a chosen move is asked for.
    """

    path: str
    asked: tuple[tuple[str, str], ...] = ()
    move_word: str = "try"

    def link(self, *more: tuple[str, str]) -> str:
        """Return an address there that asks for more."""
        words = [*self.asked, *more]
        return f"{self.path}?{urlencode(words)}" if words else self.path


@explains_refusals
def show_in_words(request: HttpRequest, board: int, ply: int | None = None) -> HttpResponse:
    """Show a board in words as it is, after some plies, or after moves that are only tried."""
    played = shown = view_board(board, ply, viewer=speaker(request), personal=True)
    tried, refusal = tried_moves(request), None
    if tried:
        try:
            shown = try_moves(request, played, ply, tried)
        except UserError as refused:
            refusal = Refusal(refused.text, refused.code, refused.hint)
    typed = " ".join(tried) if refusal else ""
    return remember(request, _page(request, played, shown, refusal=refusal, typed=typed))


@require_safe
@refuses_in_json
def send_cells(request: HttpRequest, board: int, ply: int | None = None) -> HttpResponse:
    """Send what stands on each place of a board, for those who go over its picture by keys."""
    view = view_board(board, ply, viewer=speaker(request))
    tried = tried_moves(request)
    if tried:
        view = try_moves(request, view, ply, tried)
    return cells_answer(view.position)


def cells_answer(position: AnyPosition) -> HttpResponse:
    """Send the words of every place of a position that has a name."""
    rows = cells(position).rows
    words = {cell.spot: cell.words for row in rows for cell in row.cells if cell.spot}
    return JsonResponse({"cells": words}, headers={"Cache-Control": PRIVATE})


def show_refused_in_words(
    request: HttpRequest, board: int, refusal: Refusal, typed: str
) -> HttpResponse:
    """Show the board in words again to who typed a move there that was refused."""
    view = view_board(board, viewer=speaker(request), personal=True)
    return _page(request, view, view, refusal=refusal, typed=typed)


def is_in_words(path: str) -> bool:
    """Return whether a path is a page of this kind."""
    return _IN_WORDS.fullmatch(path.partition("?")[0]) is not None


def hear(
    position: AnyPosition,
    place: PositionAddress,
    chosen: list[str],
    *,
    chooses: bool,
    ended: str = "",
) -> SpokenPosition:
    """Put a position into words.

    Args:
        ended: How the game was ended there; see `drawing.describe`.
        chosen: Places of a move that were chosen so far.
        chooses: Whether a move may be chosen here.
    """
    table = cells(position)
    choice = choose(position, table, chosen) if chooses else PartialMove()
    asked = [("spot", spot) for spot in choice.chosen]

    def heard(spot: str, words: str) -> HeardCell:
        step = choice.steps.get(spot) if spot else None
        if step is None:
            return HeardCell(words, spot, is_chosen=bool(spot) and spot in choice.chosen)
        link = (
            place.link((place.move_word, step.move))
            if step.move
            else place.link(*asked, ("spot", spot))
        )
        return HeardCell(words, spot, link, step.move, spot in choice.chosen)

    return SpokenPosition(
        sentences=sentences(in_words(position, ended)),
        columns=table.columns,
        rows=tuple(
            HeardRow(row.head, tuple(heard(cell.spot, cell.words) for cell in row.cells))
            for row in table.rows
        ),
        choice=choice,
        fields=(*place.asked, *asked),
        again=place.link(),
    )


def sentences(words: str) -> tuple[str, ...]:
    """Take a description apart, so that ears can walk it."""
    return tuple(_SENTENCE_END.split(words))


def _page(
    request: HttpRequest,
    played: BoardView,
    shown: BoardView,
    *,
    refusal: Refusal | None,
    typed: str,
) -> HttpResponse:
    here = request.path if is_in_words(request.path) else _address(played, None)
    facts = board_facts(request, played, shown, refusal=refusal, typed=typed, here=here)
    desk = facts["desk"]
    assert isinstance(desk, ParticipantView)
    asked = tuple(("try", move) for move in shown.previewed)
    chooses = played.ply == played.last_ply and (desk.is_turn or desk.may_explore)
    heard = hear(
        shown.position,
        PositionAddress(here, asked),
        request.GET.getlist("spot"),
        chooses=chooses,
        ended=reason_words(shown.result),
    )
    if heard.choice.move and desk.may_explore and request.method == "GET":
        return redirect(PositionAddress(here, asked).link(("try", heard.choice.move)))
    facts |= {
        "heard": heard,
        "typed": typed or heard.choice.move,
        "board_path": _address(played, None),
        "steps": _steps(played),
        "always": prefers_words(request) or request.GET.get(ASKED) == WORDS,
        "news": {**board_news(played, speaker(request)), "last": _address(played, None)},
    }
    return render(request, "web/board/in_words.html", facts, status=422 if refusal else 200)


def _steps(view: BoardView) -> dict[str, str]:
    here, last = view.ply, view.last_ply
    return {
        "first": _address(view, 0) if here > 0 else "",
        "previous": _address(view, here - 1) if here > 0 else "",
        "next": _address(view, here + 1) if here < last else "",
        "last": _address(view, None) if here < last else "",
    }


def _address(view: BoardView, ply: int | None) -> str:
    if ply is None:
        return reverse("board-text", args=[view.number])
    return reverse("board-ply-text", args=[view.number, ply])
