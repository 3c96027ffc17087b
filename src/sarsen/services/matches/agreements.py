"""Draws and moves taken back: asked by one side, answered by the other."""

from __future__ import annotations

from collections.abc import Mapping

from sarsen.core.errors import UserError
from sarsen.language.commands import AnswerOffer, AskUndo, OfferDraw
from sarsen.language.replies import (
    DrawAgreed,
    Offered,
    OfferRejected,
    TakenBack,
    TakenOff,
)
from sarsen.services import limits
from sarsen.services.matches import history, matches, offers, programs
from sarsen.services.matches.offers import DRAW, UNDO, Offer
from sarsen.services.matches.participants import Seated, name_of, sit_down
from sarsen.services.notices import Event, notify
from sarsen.services.request import Request
from sarsen.storage.models import Match


def offer_draw(command: OfferDraw, request: Request) -> Offered | DrawAgreed | TakenBack:
    """Offer a draw, or agree to the one the other side offers."""
    seated = sit_down(command.board, command.game, request, "draw")
    match = seated.match
    standing = offer_of_others(seated)
    if standing is not None and standing.kind == DRAW:
        return agree(seated, request)
    _check_may_ask(seated, DRAW)
    return _ask(seated, _new(seated, DRAW, match.ply), request)


def ask_undo(command: AskUndo, request: Request) -> Offered | DrawAgreed | TakenBack:
    """Ask to take back the speaker's last move, and what followed it."""
    seated = sit_down(command.board, command.game, request, "undo")
    match = seated.match
    mine = [move for move in history.moves_of(match) if move.seat in seated.all_seats]
    if not mine:
        raise UserError(
            "You have no move on board {board} that could be taken back.",
            code="nothing-to-undo",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )
    _check_may_ask(seated, UNDO)
    return _ask(seated, _new(seated, UNDO, mine[-1].ply - 1), request)


def agree(
    seated: Seated, request: Request, command: AnswerOffer | None = None
) -> Offered | DrawAgreed | TakenBack:
    """Record the speaker's consent to an offer; carry it out once everybody agrees."""
    match = seated.match
    standing = offer_of_others(seated)
    check_meant(match, standing, command)
    if standing is None:
        mine = offers.read(match.offer)
        is_mine = mine is not None and mine.is_open
        raise UserError(
            "On board {board} it is for the other side to answer you."
            if is_mine
            else "Nothing is offered on board {board}.",
            code="own-offer" if is_mine else "nothing-offered",
            hint=f"reject {match.pk}" if is_mine else f"{match.game} show {match.pk}",
            board=match.pk,
        )
    return _settle(seated, offers.agreed_by(standing, seated.all_seats), request)


def say_no(seated: Seated, request: Request, command: AnswerOffer) -> OfferRejected | TakenOff:
    """Reject what another asks at the board, or take off what the speaker asked for."""
    match = seated.match
    standing = offers.read(match.offer)
    if standing is None or not standing.is_open:
        check_meant(match, None, command)
        raise UserError(
            "Nothing waits for an answer on board {board}.",
            code="nothing-offered",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )
    check_meant(match, standing, command)
    matches.keep_offer(match, offers.closed(standing), request)
    is_mine = standing.seat in seated.all_seats
    facts = {"what": standing.kind, "how": "taken off" if is_mine else "declined"}
    _tell(seated, "offer-answer", facts, request)
    if is_mine:
        return TakenOff(match.pk, standing.kind)
    return OfferRejected(match.pk, standing.kind, name_of(match, standing.seat))


def offer_of_others(seated: Seated) -> Offer | None:
    """Return what another asks of the speaker now, or None."""
    standing = offers.read(seated.match.offer)
    if standing is None or not standing.is_open or standing.seat in seated.all_seats:
        return None
    return standing


def check_meant(match: Match, standing: Offer | None, command: AnswerOffer | None) -> None:
    """Refuse the answer to a letter whose offer does not stand any more."""
    if command is None or command.matter not in (DRAW, UNDO):
        return
    asked = (command.matter, command.event)
    if standing is None or asked != (standing.kind, standing.event):
        raise UserError(
            "What that letter asks does not stand any more on board {board}: an offer of a draw is "
            "void once the game has moved on, or when it is taken off. Nothing was changed."
            if command.matter == DRAW
            else "What that letter asks does not stand any more on board {board}: a wish to take "
            "back is void once the game has moved on, or when it is taken off. Nothing was "
            "changed.",
            code="stale-offer",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )


def _check_may_ask(seated: Seated, kind: str) -> None:
    """Refuse a second wish while one stands, or the same again right after a no."""
    match = seated.match
    standing = offers.read(match.offer)
    if standing is None:
        return
    is_mine = standing.seat in seated.all_seats
    if standing.is_open:
        raise UserError(
            (
                "You have offered a draw on board {board} already, and that still stands."
                if is_mine
                else "{player} has offered a draw on board {board} already, and that still stands."
            )
            if standing.kind == DRAW
            else (
                "You have asked to take a move back on board {board} already, and that still "
                "stands."
                if is_mine
                else "{player} has asked to take a move back on board {board} already, and that "
                "still stands."
            ),
            code="offer-stands",
            hint=f"reject {match.pk}" if is_mine else f"{match.game} accept {match.pk}",
            player=name_of(match, standing.seat),
            board=match.pk,
        )
    if is_mine and standing.kind == kind:
        raise UserError(
            "On board {board} you have offered a draw at this point of the game, and that is "
            "declined or taken off. You can ask again after your next move."
            if kind == DRAW
            else "On board {board} you have asked to take a move back at this point of the game, "
            "and that is declined or taken off. You can ask again after your next move.",
            code="offer-again",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )


def _new(seated: Seated, kind: str, ply: int) -> Offer:
    return Offer(kind, seated.row.seat, ply, seated.match.event_count, seated.all_seats)


def _ask(seated: Seated, offer: Offer, request: Request) -> Offered | DrawAgreed | TakenBack:
    limits.check(seated.player, "offer", request.now)
    offer = programs.answered(offer, seated.match)
    facts = {"what": offer.kind, "moves": list(_moves(seated.match, offer))}
    reply = _settle(seated, offer, request)
    if isinstance(reply, Offered):
        _tell(seated, "offer", facts, request)
    return reply


def _settle(seated: Seated, offer: Offer, request: Request) -> Offered | DrawAgreed | TakenBack:
    """Do what is asked if everybody agrees, else keep the offer."""
    match = seated.match
    seats = match.seats.select_related("player")
    missing = dict.fromkeys(one.player.userid for one in seats if one.seat not in offer.agreed)
    moves = _moves(match, offer)
    if missing:
        matches.keep_offer(match, offer, request)
        return Offered(match.pk, offer.kind, moves, tuple(missing))
    seat = seated.row.seat
    if offer.kind == DRAW:
        matches.follow_up(matches.record_draw(match, seat, request))
        return DrawAgreed(match.pk, match.ply, match.event_count)
    matches.follow_up(matches.take_back(match, offer.ply, seat, request))
    return TakenBack(match.pk, match.ply, moves, match.event_count)


def _moves(match: Match, offer: Offer) -> tuple[str, ...]:
    if offer.kind != UNDO:
        return ()
    return tuple(f"{move.ply} {move.text}" for move in history.moves_of(match)[offer.ply :])


def _tell(seated: Seated, kind: str, more: Mapping[str, object], request: Request) -> None:
    match = seated.match
    facts = {
        "board": match.pk,
        "ply": match.ply,
        "event": match.event_count,
        "by": seated.player.userid,
        **more,
    }
    for player in seated.others():
        notify(player, Event.OFFER, kind, facts, request.now, match=match)
