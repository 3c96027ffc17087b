"""Boards to read: lists of them, one at any ply, its record."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from sarsen.doors.api.addresses import Before, NamedGame, NamedUser, Number, PageSize, Ply
from sarsen.doors.api.answering import board_words
from sarsen.doors.api.board_facts import board_facts
from sarsen.doors.api.proof import caller, open_to_all
from sarsen.doors.api.sending import JSON, answers, send, send_text
from sarsen.language.facts import BoardFacts, BoardLine, BoardList
from sarsen.services.board_lists import Wanted, board_page
from sarsen.services.call import Player
from sarsen.services.lobby import ListedBoard
from sarsen.services.recording import view_record
from sarsen.services.viewing import view_board

router = Router(tags=["boards"], auth=open_to_all())
State = Annotated[Literal["running", "ended", "all"], Query()]


@router.get("/boards", response=answers(BoardList), operation_id="read-boards")
def list_boards(
    request: HttpRequest,
    game: NamedGame = "",
    player: NamedUser = "",
    state: State = "all",
    before: Before = None,
    most: PageSize = 50,
) -> HttpResponse:
    """List boards, the newest first: public ones, and the caller's own.

    `further` is what `before` must be for the next page; the header `Link` has its address.
    """
    page = board_page(Wanted(game, player, state, before), caller(request).player, most)
    further = ""
    if page.further is not None:
        asked = {"game": game, "player": player, "state": state, "most": most}
        further = f"{request.path}?{urlencode({**asked, 'before': page.further})}"
    found = BoardList(tuple(map(_line, page.boards)), page.further)
    return send(request, found, further=further)


@router.get("/boards/{number}", response=answers(BoardFacts), operation_id="read-board")
def show_board(request: HttpRequest, number: Number) -> HttpResponse:
    """Show a board as it is now. With `Accept: text/plain` it comes as text."""
    return _show(request, number, None)


@router.get(
    "/boards/{number}/plies/{ply}", response=answers(BoardFacts), operation_id="read-position"
)
def show_position(request: HttpRequest, number: Number, ply: Ply) -> HttpResponse:
    """Show a board after so many plies, with the moves that were possible then."""
    return _show(request, number, ply)


@router.get(
    "/boards/{number}/record", response=answers(dict[str, object]), operation_id="read-record"
)
def show_record(request: HttpRequest, number: Number) -> HttpResponse:
    """Return the signed record of a finished game; as text with `Accept: text/plain`."""
    file = view_record(number, caller(request).player)
    if _wants_text(request):
        return send_text(request, file.text)
    return send_text(request, file.json_line, JSON)


def _show(request: HttpRequest, number: int, ply: int | None) -> HttpResponse:
    viewer: Player | None = caller(request).player
    view = view_board(number, ply, viewer=viewer, personal=True)
    if _wants_text(request):
        return send_text(request, board_words(view, viewer) + "\n")
    return send(request, board_facts(view, viewer))


def _wants_text(request: HttpRequest) -> bool:
    return request.get_preferred_type(["application/json", "text/plain"]) == "text/plain"


def _line(board: ListedBoard) -> BoardLine:
    return BoardLine(
        number=board.number,
        game=board.game.name,
        options=board.options,
        players=board.players,
        programs=tuple(sorted(board.programs)),
        ply=board.ply,
        to_move=board.to_move,
        winner=board.winner,
        result=board.result,
        moved_at=board.moved_at,
        due_at=board.due_at,
    )
