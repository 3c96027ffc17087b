"""Boards to read: lists of them, one at any ply, its record."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.doors.api.authentication import caller, open_to_all
from sarsen.doors.api.replies import (
    JSON,
    Before,
    NamedGame,
    NamedUser,
    Number,
    PageSize,
    Ply,
    documented_answers,
    facts_from,
    other_content_types,
    send,
    send_text,
)
from sarsen.language.clocks import ClockView
from sarsen.language.facts import (
    BoardFacts,
    BoardLine,
    BoardList,
    ClaimFacts,
    ClockFacts,
    OfferFacts,
    OwnFacts,
    SeatRating,
)
from sarsen.language.learning.claims import DRAW, WIN
from sarsen.language.ratings import RatingChange
from sarsen.services.boards.lists import BoardFilter, board_page
from sarsen.services.boards.reply_text import board_text
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.matches.claims import view_proof
from sarsen.services.matches.lobby import ListedBoard
from sarsen.services.ratings.counting import ratings_of
from sarsen.services.records.recording import view_record
from sarsen.services.request import Player
from sarsen.services.reviews.view import is_reviewed

router = Router(tags=["boards"], auth=open_to_all())
State = Annotated[Literal["running", "ended", "all"], Query()]


@router.get("/boards", response=documented_answers(BoardList), operation_id="read-boards")
def list_boards(
    request: HttpRequest,
    game: NamedGame = "",
    player: NamedUser = "",
    state: State = "all",
    before: Before = None,
    most: PageSize = 50,
) -> HttpResponse:
    """List boards, newest first: the public ones and the caller's own.

    `further` is the value of `before` for the next page; the `Link` header has its URL.
    """
    page = board_page(BoardFilter(game, player, state, before), caller(request).player, most)
    further = ""
    if page.further is not None:
        query = {"game": game, "player": player, "state": state, "most": most}
        further = f"{request.path}?{urlencode({**query, 'before': page.further})}"
    listing = BoardList(tuple(map(_line, page.boards)), page.further)
    return send(request, listing, further=further)


@router.get(
    "/boards/{number}",
    response=documented_answers(BoardFacts),
    operation_id="read-board",
    openapi_extra=other_content_types("text/plain"),
)
def show_board(request: HttpRequest, number: Number) -> HttpResponse:
    """Return the current state of a board; as text with `Accept: text/plain`."""
    return _show(request, number, None)


@router.get(
    "/boards/{number}/plies/{ply}",
    response=documented_answers(BoardFacts),
    operation_id="read-position",
    openapi_extra=other_content_types("text/plain"),
)
def show_position(request: HttpRequest, number: Number, ply: Ply) -> HttpResponse:
    """Return a board after a number of plies, with the legal moves of that position."""
    return _show(request, number, ply)


@router.get(
    "/boards/{number}/record",
    response=documented_answers(dict[str, object]),
    operation_id="read-record",
    openapi_extra=other_content_types("text/plain"),
)
def show_record(request: HttpRequest, number: Number) -> HttpResponse:
    """Return the signed record of a finished game; as text with `Accept: text/plain`."""
    file = view_record(number, caller(request).player)
    if _wants_text(request):
        return send_text(request, file.text)
    return send_text(request, file.json_line, JSON)


@router.get(
    "/boards/{number}/proof",
    response=documented_answers(dict[str, object]),
    operation_id="read-proof",
    url_name="read-proof",
    openapi_extra=other_content_types("text/plain"),
)
def show_claimed_proof(request: HttpRequest, number: Number) -> HttpResponse:
    """Return the proof that ended a game by a claim: answers, a line a position.

    That of a draw has the answers of either seat, with an empty line between them.
    """
    return send_text(request, f"{view_proof(number, caller(request).player)}\n")


def _show(request: HttpRequest, number: int, ply: int | None) -> HttpResponse:
    viewer: Player | None = caller(request).player
    view = view_board(number, ply, viewer=viewer, personal=True)
    if _wants_text(request):
        return send_text(request, board_text(view, viewer) + "\n")
    return send(request, board_facts(view, viewer))


def _wants_text(request: HttpRequest) -> bool:
    return request.get_preferred_type(["application/json", "text/plain"]) == "text/plain"


def _line(board: ListedBoard) -> BoardLine:
    programs = tuple(sorted(board.programs))
    return facts_from(BoardLine, board, game=board.game.name, programs=programs)


def board_facts(view: BoardView, viewer: Player | None) -> BoardFacts:
    """Return what a viewer may see of a board."""
    return facts_from(
        BoardFacts,
        view,
        game=view.game.name,
        rules_version=view.game.rules_version,
        programs=tuple(sorted(view.programs)),
        sides=view.position.sides,
        position=view.position.write(),
        text=drawing.text(view.position),
        words=drawing.describe(view.position, view.result),
        effects=view.position.effects(),
        legal_moves=_legal_moves(view),
        ending=view.ending.kind if view.ending else "",
        clock=_clock(view.clock),
        offer=_offer(view),
        own=_own(view, viewer),
        warming_up=bool(view.warming_up),
        ratings=seat_ratings(view.number, shows_result=view.scores is not None),
        claims=_claims(view, viewer),
        is_reviewed=view.scores is not None and is_reviewed(view.number),
    )


def seat_ratings(board: int, *, shows_result: bool) -> tuple[SeatRating | None, ...]:
    """Return how strong the players of a board are, by seat.

    Args:
        shows_result: After the game, and what it changed; else before it.
    """
    return tuple(map(_rating, ratings_of(board, timezone.now(), shows_result=shows_result)))


def _rating(rating: RatingChange | None) -> SeatRating | None:
    if rating is None or rating.after is None:
        return None
    change = None if rating.before is None else round(rating.after - rating.before, 1)
    return SeatRating(round(rating.after, 1), rating.is_provisional, change)


def _legal_moves(view: BoardView) -> tuple[str, ...]:
    """Return the moves of the position; none when the game was ended there by something else."""
    position: AnyPosition = view.position
    if view.ply == view.last_ply and view.to_move is None:
        return ()
    return tuple(position.format(move) for move in position.legal_moves())


def _clock(clock: ClockView | None) -> ClockFacts | None:
    if clock is None:
        return None
    reserves = tuple(
        reserve.total_seconds() if reserve is not None else None for reserve in clock.reserves
    )
    away = tuple(dict.fromkeys(player.userid for player in clock.away))
    return ClockFacts(clock.userid, clock.due_at, reserves, away)


def _offer(view: BoardView) -> OfferFacts | None:
    offer = view.offer
    if offer is None:
        return None
    return OfferFacts(offer.kind, view.players[offer.seat], offer.event, offer.ply)


def _own(view: BoardView, viewer: Player | None) -> OwnFacts | None:
    if view.own is None or viewer is None:
        return None
    seats = tuple(seat for seat, userid in enumerate(view.players) if userid == viewer.userid)
    own = view.own
    may_claim = bool(view.may_claim.intersection(seats))
    return OwnFacts(seats, own.notes, own.submitted, own.plan, may_claim)


def _claims(view: BoardView, viewer: Player | None) -> tuple[ClaimFacts, ...]:
    return tuple(
        ClaimFacts(by, made.ply, DRAW if made.is_draw else WIN, made.answer)
        for made in view.claims
        for by in (view.players[made.seat],)
        if made.answer or (viewer is not None and by == viewer.userid)
    )
