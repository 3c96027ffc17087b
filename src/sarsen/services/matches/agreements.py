"""Draws, moves taken back and resignations: asked at a board, confirmed, agreed or rejected."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from sarsen.core.errors import UserError
from sarsen.language.commands import AnswerOffer, AskUndo, Confirm, OfferDraw, Resign
from sarsen.language.moves import move_matter
from sarsen.language.replies import (
    DrawAgreed,
    Moved,
    Offered,
    OfferRejected,
    ResignAsked,
    Resigned,
    TakenBack,
    TakenOff,
)
from sarsen.services.limits import daily
from sarsen.services.matches import chat, history, matches
from sarsen.services.matches.matches import DRAW, UNDO, Offer
from sarsen.services.matches.moves import Participant, lock_as_participant, name_of, play_text
from sarsen.services.matches.terms import CONTEST
from sarsen.services.notices import Event, notify
from sarsen.services.request import Request
from sarsen.storage.models import Match, MatchSeat, Player

# As other questions that wait for a yes (`services.questions`).
RESIGN_QUESTION_LASTS = timedelta(days=14)  # the question whether a resignation is meant
Accepted = Moved | Resigned | Offered | DrawAgreed | TakenBack


def offer_draw(command: OfferDraw, request: Request) -> Offered | DrawAgreed | TakenBack:
    """Offer a draw, or agree to the one the other side offers."""
    participant = lock_as_participant(command.board, command.game, request, "draw")
    match = participant.match
    offer = offer_of_others(participant)
    if offer is not None and offer.kind == DRAW:
        return agree(participant, request)
    _check_may_offer(participant, DRAW)
    return _make_offer(participant, _new_offer(participant, DRAW, match.ply), request)


def ask_undo(command: AskUndo, request: Request) -> Offered | DrawAgreed | TakenBack:
    """Ask to take back the speaker's last move, and what followed it."""
    participant = lock_as_participant(command.board, command.game, request, "undo")
    match = participant.match
    if number := match.terms.get(CONTEST):
        raise UserError(
            "Board {board} belongs to contest {number}, where no moves are taken back.",  # E1
            code="contest.no-undo",
            hint=f"contest {number} law",
            board=match.pk,
            number=number,
        )
    own_moves = [move for move in history.moves_of(match) if move.seat in participant.all_seats]
    if not own_moves:
        raise UserError(
            "You have no move to take back on board {board}.",
            code="nothing-to-undo",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )
    _check_may_offer(participant, UNDO)
    return _make_offer(participant, _new_offer(participant, UNDO, own_moves[-1].ply - 1), request)


def agree(
    participant: Participant, request: Request, command: AnswerOffer | None = None
) -> Offered | DrawAgreed | TakenBack:
    """Record the speaker's consent to an offer; carry it out once everybody agrees."""
    match = participant.match
    offer = offer_of_others(participant)
    _check_still_open(match, offer, command)
    if offer is None:
        own_offer = matches.read_offer(match.offer)
        is_mine = own_offer is not None and own_offer.is_open
        raise UserError(
            "On board {board} it is up to the other side to answer."
            if is_mine
            else "There is no offer on board {board}.",
            code="own-offer" if is_mine else "nothing-offered",
            hint=f"reject {match.pk}" if is_mine else f"{match.game} show {match.pk}",
            board=match.pk,
        )
    matches.check_end_date(match, request.now)
    return _settle(participant, offer.agreed_by(participant.all_seats), request)


def reject(
    participant: Participant, request: Request, command: AnswerOffer
) -> OfferRejected | TakenOff:
    """Reject what another asks at the board, or take off what the speaker asked for."""
    match = participant.match
    offer = matches.read_offer(match.offer)
    if offer is None or not offer.is_open:
        _check_still_open(match, None, command)
        raise UserError(
            "There is nothing to answer on board {board}.",
            code="nothing-offered",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )
    _check_still_open(match, offer, command)
    matches.keep_offer(match, offer.closed(), request)
    is_mine = offer.seat in participant.all_seats
    facts = {"what": offer.kind, "how": "taken off" if is_mine else "declined"}
    _notify_others(participant, "offer-answer", facts, request)
    if is_mine:
        return TakenOff(match.pk, offer.kind)
    return OfferRejected(match.pk, offer.kind, name_of(match, offer.seat))


def offer_of_others(participant: Participant) -> Offer | None:
    """Return the open offer of another player at the board, or None."""
    offer = matches.read_offer(participant.match.offer)
    if offer is None or not offer.is_open or offer.seat in participant.all_seats:
        return None
    return offer


def _check_still_open(match: Match, offer: Offer | None, command: AnswerOffer | None) -> None:
    """Refuse an answer to a letter whose offer is no longer open."""
    if command is None or command.matter not in (DRAW, UNDO):
        return
    answered = (command.matter, command.event)
    if offer is None or answered != (offer.kind, offer.event):
        raise UserError(
            "The draw offer on board {board} no longer stands: the game has moved on, or the "
            "offer was withdrawn. Nothing was changed."
            if command.matter == DRAW
            else (
                "The takeback request on board {board} no longer stands: the game has moved on, "
                "or the request was withdrawn. Nothing was changed."
            ),
            code="stale-offer",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )


def _check_may_offer(participant: Participant, kind: str) -> None:
    """Refuse a second offer while one is open, or the same one right after it was rejected."""
    match = participant.match
    offer = matches.read_offer(match.offer)
    if offer is None:
        return
    is_mine = offer.seat in participant.all_seats
    if offer.is_open:
        raise UserError(
            (
                "You have already offered a draw on board {board}, and that still stands."
                if is_mine
                else "{player} has already offered a draw on board {board}, and that still stands."
            )
            if offer.kind == DRAW
            else (
                "You have already asked for a takeback on board {board}, and that still stands."
                if is_mine
                else (
                    "{player} has already asked for a takeback on board {board}, and that still "
                    "stands."
                )
            ),
            code="offer-stands",
            hint=f"reject {match.pk}" if is_mine else f"{match.game} accept {match.pk}",
            player=name_of(match, offer.seat),
            board=match.pk,
        )
    if is_mine and offer.kind == kind:
        raise UserError(
            "On board {board} you have already offered a draw at this point, and it was declined "
            "or withdrawn. You can offer again after your next move."
            if kind == DRAW
            else (
                "On board {board} you have already asked for a takeback at this point, and it "
                "was declined or withdrawn. You can ask again after your next move."
            ),
            code="offer-again",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )


def _new_offer(participant: Participant, kind: str, ply: int) -> Offer:
    return Offer(
        kind, participant.row.seat, ply, participant.match.event_count, participant.all_seats
    )


def _make_offer(
    participant: Participant, offer: Offer, request: Request
) -> Offered | DrawAgreed | TakenBack:
    daily.check(participant.player, "offer", request.now)
    offer = _with_programs(offer, participant.match)
    facts = {"what": offer.kind, "moves": list(_moves(participant.match, offer))}
    reply = _settle(participant, offer, request)
    if isinstance(reply, Offered):
        _notify_others(participant, "offer", facts, request)
    return reply


def _with_programs(offer: Offer, match: Match) -> Offer:
    """Return an offer; a takeback request already has the agreement of the board's programs.

    They agree at once where nothing is rated. A draw they think about first.

    Raises:
        UserError: The game is rated.
    """
    bots = [seat for seat, level in enumerate(match.bots) if level is not None]
    missing = [seat for seat in bots if seat not in offer.agreed]
    if offer.kind != UNDO or not missing:
        return offer
    if not match.terms.get("unrated"):
        raise UserError(
            "Board {board} is rated: programs do not take moves back there. In unrated games they "
            "do.",
            code="bot-undo",
            hint=f"{match.game} challenge --unrated me {chat.programs_of(match)[0].userid}",
            board=match.pk,
        )
    return offer.agreed_by(missing)


def _settle(
    participant: Participant, offer: Offer, request: Request
) -> Offered | DrawAgreed | TakenBack:
    """Carry out what is asked if everybody agrees, else store the offer."""
    match = participant.match
    seats = match.seats.select_related("player")
    missing = dict.fromkeys(row.player.userid for row in seats if row.seat not in offer.agreed)
    moves = _moves(match, offer)
    if missing:
        matches.keep_offer(match, offer, request)
        return Offered(match.pk, offer.kind, moves, tuple(missing))
    seat = participant.row.seat
    if offer.kind == DRAW:
        matches.follow_up(matches.record_draw(match, seat, request))
        return DrawAgreed(match.pk, match.ply, match.event_count)
    matches.follow_up(matches.take_back(match, offer.ply, seat, request))
    return TakenBack(match.pk, match.ply, moves, match.event_count)


def _moves(match: Match, offer: Offer) -> tuple[str, ...]:
    if offer.kind != UNDO:
        return ()
    return tuple(f"{move.ply} {move.text}" for move in history.moves_of(match)[offer.ply :])


def _notify_others(
    participant: Participant, kind: str, extra: Mapping[str, object], request: Request
) -> None:
    match = participant.match
    facts = {**match.facts, "by": participant.player.userid, **extra}
    for player in participant.others():
        notify(player, Event.OFFER, kind, facts, request.now, match=match)


def confirm(command: Confirm, request: Request) -> Accepted:
    """Confirm what waits: the speaker's own newest request, else the other side's offer."""
    return _accept(
        lock_as_participant(command.board, command.game, request, "confirm"), command, request
    )


def answer(command: AnswerOffer, request: Request) -> Accepted | OfferRejected | TakenOff:
    """Answer the offer that waits at a board."""
    verb = "accept" if command.accepts else "reject"
    participant = lock_as_participant(command.board, command.game, request, verb)
    if command.accepts and _kind(command) in ("resign", "move"):
        return _accept(participant, command, request)
    if command.accepts:
        return agree(participant, request, command)
    return _reject(participant, command, request)


def _accept(participant: Participant, command: Confirm | AnswerOffer, request: Request) -> Accepted:
    kind = _kind(command)
    row = _waiting_seat(participant, request)
    if row is not None and row.submitted and command.matter in ("", move_matter(row.submitted)):
        return play_text(participant, row.submitted, request)
    if row is not None and not row.submitted and kind in ("", "resign"):
        matches.check_end_date(participant.match, request.now)
        return give_up(participant, row.seat, request)
    offer = AnswerOffer(command.game, command.board, True, command.matter, command.event)
    if kind in ("draw", "undo") or (not kind and offer_of_others(participant)):
        return agree(participant, request, offer)
    raise _nothing_to_answer(participant)


def _reject(
    participant: Participant, command: AnswerOffer, request: Request
) -> OfferRejected | TakenOff:
    kind = _kind(command)
    row = _waiting_seat(participant, request)
    offer = matches.read_offer(participant.match.offer)
    is_open = offer is not None and offer.is_open
    is_about_offer = kind in ("draw", "undo") or (kind == "offer" and is_open)
    if row is None or is_about_offer:
        if kind in ("resign", "move"):
            raise _nothing_to_answer(participant)
        return reject(participant, request, command)
    taken_off = TakenOff(participant.match.pk, "move" if row.submitted else "resign", row.submitted)
    row.submitted, row.submitted_ply, row.resign_asked_at = "", None, None
    row.save(update_fields=["submitted", "submitted_ply", "resign_asked_at"])
    return taken_off


def _waiting_seat(participant: Participant, request: Request) -> MatchSeat | None:
    """Return the speaker's seat that has a move put forward, or a question that waits."""
    rows = (participant.match.seat_rows[seat] for seat in participant.all_seats)
    return next((row for row in rows if row.submitted or was_resign_asked(row, request.now)), None)


def _kind(command: Confirm | AnswerOffer) -> str:
    return command.matter.partition(" ")[0]


def _nothing_to_answer(participant: Participant) -> UserError:
    board = participant.match.pk
    return UserError(
        "There is nothing for you to answer on board {board}: a move, a newer request or an "
        "answer has settled it.",
        code="nothing-to-confirm",
        hint=f"{participant.match.game} show {board}",
        board=board,
    )


def resign(command: Resign, request: Request) -> ResignAsked | Resigned:
    """Resign a board, or ask for confirmation.

    Sending the command twice does not confirm it: people and mail programs do that. An answer to
    the question does.
    """
    participant = lock_as_participant(command.board, command.game, request, "resign")
    row = participant.row
    is_answer = command.matter == "resign" and was_resign_asked(row, request.now)
    if command.confirmed or is_answer:
        matches.check_end_date(participant.match, request.now)
        return give_up(participant, row.seat, request)
    row.resign_asked_at = request.now
    row.submitted, row.submitted_ply = "", None  # the newer command counts
    row.save(update_fields=["resign_asked_at", "submitted", "submitted_ply"])
    return ResignAsked(participant.match.pk)


def leave_board(board: int, player: Player, request: Request) -> None:
    """Resign a running board for a player who leaves the server."""
    match = matches.find(board, viewer=player, lock=True)
    seats = tuple(match.seats.filter(player=player).values_list("seat", flat=True))
    give_up(Participant(match, player, seats, seats), seats[0], request)


def give_up(participant: Participant, seat: int, request: Request) -> Resigned:
    """Resign for a seat, and tell the others."""
    match = participant.match
    if participant.player.level is not None:
        chat.say_last_words(match, participant.player, request.now)
    matches.follow_up(matches.record_resignation(match, seat, request))
    return Resigned(match.pk, match.ply, match.event_count)


def was_resign_asked(row: MatchSeat, now: datetime) -> bool:
    """Return whether a question to this seat still waits."""
    asked_at = row.resign_asked_at
    return asked_at is not None and asked_at + RESIGN_QUESTION_LASTS > now
