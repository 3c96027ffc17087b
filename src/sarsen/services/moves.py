"""Moving and resigning at a board."""

from __future__ import annotations

from datetime import timedelta

from sarsen.core.errors import UserError
from sarsen.core.referee import judge
from sarsen.language.commands import Confirm, PlayMove, Resign
from sarsen.language.replies import Moved, ResignAsked, Resigned
from sarsen.services import matches
from sarsen.services.call import Call
from sarsen.services.notices import Event, notify
from sarsen.storage.models import Match, MatchSeat, Player

RESIGN_ASKED_LASTS = timedelta(days=14)


def play(command: PlayMove, call: Call) -> Moved:
    """Play a move for the speaker."""
    player = call.player(f"{command.game or 'GAME'} move {command.board} USERID PASSWORD MOVE")
    match = matches.find(command.board, command.game, lock=True)
    seat = _seat_of(match, player, call)
    _check_running(match)
    _check_ply(match, command)
    if match.seat_to_move not in seat:
        raise UserError(
            f"It is not your turn on board {match.pk}: {_name(match, match.seat_to_move)} moves.",
            code="not-your-turn",
            hint=f"{match.game} show {match.pk}",
        )
    ruling = judge(matches.position_of(match), command.text)
    matches.record_move(match, ruling, call.now)
    _tell_others(match, player, call)
    return Moved(match.pk, match.ply, ruling.text)


def resign(command: Resign, call: Call) -> ResignAsked | Resigned:
    """Give a board up, or ask once whether that is meant."""
    player = call.player(f"{command.game or 'GAME'} resign {command.board} USERID PASSWORD")
    match = matches.find(command.board, command.game, lock=True)
    seat = _resigning_seat(match, player, call)
    _check_running(match)
    if command.confirmed or _was_asked(seat, call):
        return _resign(match, seat, call)
    seat.resign_asked_at = call.now
    seat.save(update_fields=["resign_asked_at"])
    return ResignAsked(match.pk)


def confirm(command: Confirm, call: Call) -> Resigned:
    """Say yes to the question whether a resignation is meant."""
    player = call.player(f"{command.game or 'GAME'} confirm {command.board} USERID PASSWORD")
    match = matches.find(command.board, command.game, lock=True)
    seat = _resigning_seat(match, player, call)
    _check_running(match)
    if not _was_asked(seat, call):
        raise UserError(
            f"Nothing waits for a confirmation on board {match.pk}.",
            code="nothing-to-confirm",
            hint=f"{match.game} show {match.pk}",
        )
    return _resign(match, seat, call)


def _resign(match: Match, seat: MatchSeat, call: Call) -> Resigned:
    matches.record_resignation(match, seat.seat, call.now)
    _tell_others(match, seat.player, call)
    return Resigned(match.pk, match.ply)


def _was_asked(seat: MatchSeat, call: Call) -> bool:
    asked = seat.resign_asked_at
    return asked is not None and asked + RESIGN_ASKED_LASTS > call.now


def _seat_of(match: Match, player: Player, call: Call) -> tuple[int, ...]:
    """Give the seats the speaker moves for; a signed address stands for one seat."""
    seats = tuple(match.seats.filter(player=player).values_list("seat", flat=True))
    if not seats and match.terms.get("private"):
        raise UserError(f"There is no board {match.pk}.", code="unknown-board", hint="list")
    if not seats:
        raise UserError(
            f"You do not play on board {match.pk}.",
            code="not-your-board",
            hint=f"{match.game} show {match.pk}",
        )
    signed = call.actor.seat
    return (signed[1],) if signed and signed[0] == match.pk else seats


def _resigning_seat(match: Match, player: Player, call: Call) -> MatchSeat:
    seats = _seat_of(match, player, call)
    seat = match.seat_to_move if match.seat_to_move in seats else seats[0]
    return match.seats.select_related("player").get(seat=seat)


def _check_running(match: Match) -> None:
    if match.ended_at is not None:
        raise UserError(
            f"Board {match.pk} is finished: {match.reason}",
            code="board-finished",
            hint=f"{match.game} show {match.pk}",
        )


def _check_ply(match: Match, command: PlayMove) -> None:
    due = match.ply + 1
    if command.ply is not None and command.ply != due:
        raise UserError(
            f"Your move was for ply {command.ply} of board {match.pk}, but ply {due} is due: "
            "the board has moved on, and nothing was changed.",
            code="stale-ply",
            hint=f"{match.game} show {match.pk}",
        )


def _name(match: Match, seat: int) -> str:
    return match.seats.select_related("player").get(seat=seat).player.userid


def _tell_others(match: Match, mover: Player, call: Call) -> None:
    facts = {"board": match.pk, "ply": match.ply, "is_over": match.ended_at is not None}
    seats = match.seats.select_related("player")
    for player in dict.fromkeys(seat.player for seat in seats):
        if player == mover:
            continue
        event = Event.TURN if match.ended_at is None else Event.ENDED
        notify(player, event, "board", facts, call.now, match=match)
