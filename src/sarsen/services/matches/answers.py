"""A yes or a no at a board: to one's own question, or to what the other side asks."""

from __future__ import annotations

from datetime import datetime, timedelta

from sarsen.core.errors import UserError
from sarsen.language.board_replies import move_matter
from sarsen.language.commands import AnswerOffer, Confirm, Resign
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
from sarsen.services.matches import agreements, matches, moves, offers, programs
from sarsen.services.matches.participants import Seated, sit_down
from sarsen.services.request import Request
from sarsen.storage.models import MatchSeat, Player

Yes = Moved | Resigned | Offered | DrawAgreed | TakenBack


def confirm(command: Confirm, request: Request) -> Yes:
    """Confirm what waits: the speaker's own newest request, else the other side's offer."""
    return _yes(sit_down(command.board, command.game, request, "confirm"), command, request)


def answer(command: AnswerOffer, request: Request) -> Yes | OfferRejected | TakenOff:
    """Answer the offer that waits at a board."""
    verb = "accept" if command.accepts else "reject"
    seated = sit_down(command.board, command.game, request, verb)
    if command.accepts and _kind(command) in ("resign", "move"):
        return _yes(seated, command, request)
    if command.accepts:
        return agreements.agree(seated, request, command)
    return _no(seated, command, request)


def _yes(seated: Seated, command: Confirm | AnswerOffer, request: Request) -> Yes:
    kind = _kind(command)
    row = _asked(seated, request)
    if row is not None and row.submitted and command.matter in ("", move_matter(row.submitted)):
        return moves.play_text(seated, row.submitted, request)
    if row is not None and not row.submitted and kind in ("", "resign"):
        return give_up(seated, row.seat, request)
    offer = AnswerOffer(command.game, command.board, True, command.matter, command.event)
    if kind in ("draw", "undo") or (not kind and agreements.offer_of_others(seated)):
        return agreements.agree(seated, request, offer)
    raise _nothing(seated)


def _no(seated: Seated, command: AnswerOffer, request: Request) -> OfferRejected | TakenOff:
    kind = _kind(command)
    row = _asked(seated, request)
    standing = offers.read(seated.match.offer)
    is_open = standing is not None and standing.is_open
    is_about_offer = kind in ("draw", "undo") or (kind == "offer" and is_open)
    if row is None or is_about_offer:
        if kind in ("resign", "move"):
            raise _nothing(seated)
        return agreements.say_no(seated, request, command)
    taken_off = TakenOff(seated.match.pk, "move" if row.submitted else "resign", row.submitted)
    row.submitted, row.submitted_ply, row.resign_asked_at = "", None, None
    row.save(update_fields=["submitted", "submitted_ply", "resign_asked_at"])
    return taken_off


def _asked(seated: Seated, request: Request) -> MatchSeat | None:
    """Return the speaker's seat that has a move put forward, or a question that waits."""
    rows = (seated.match.sitting[seat] for seat in seated.all_seats)
    return next((row for row in rows if row.submitted or was_asked(row, request.now)), None)


def _kind(command: Confirm | AnswerOffer) -> str:
    return command.matter.partition(" ")[0]


def _nothing(seated: Seated) -> UserError:
    board = seated.match.pk
    return UserError(
        "Nothing waits for your answer on board {board}: a move at the board, a newer "
        "wish or an answer makes older ones void.",
        code="nothing-to-confirm",
        hint=f"{seated.match.game} show {board}",
        board=board,
    )


ASKED_LASTS = timedelta(days=14)


def resign(command: Resign, request: Request) -> ResignAsked | Resigned:
    """Return a board up, or ask whether that is meant.

    The same again is no yes: people and mail programs send twice. In answer to the question it is.
    """
    seated = sit_down(command.board, command.game, request, "resign")
    row = seated.row
    is_answer = command.matter == "resign" and was_asked(row, request.now)
    if command.confirmed or is_answer:
        return give_up(seated, row.seat, request)
    row.resign_asked_at = request.now
    row.submitted, row.submitted_ply = "", None  # the newer wish counts
    row.save(update_fields=["resign_asked_at", "submitted", "submitted_ply"])
    return ResignAsked(seated.match.pk)


def leave_board(board: int, player: Player, request: Request) -> None:
    """Resign a running board for a player who leaves the server."""
    match = matches.find(board, viewer=player, lock=True)
    seats = tuple(match.seats.filter(player=player).values_list("seat", flat=True))
    give_up(Seated(match, player, seats, seats), seats[0], request)


def give_up(seated: Seated, seat: int, request: Request) -> Resigned:
    """Resign for a seat, and tell the others."""
    match = seated.match
    if seated.player.level is not None:
        programs.say_last_words(match, seated.player, request.now)
    matches.follow_up(matches.record_resignation(match, seat, request))
    return Resigned(match.pk, match.ply, match.event_count)


def was_asked(row: MatchSeat, now: datetime) -> bool:
    """Return whether a question to this seat still waits."""
    asked = row.resign_asked_at
    return asked is not None and asked + ASKED_LASTS > now
