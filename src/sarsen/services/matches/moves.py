"""Moves of the players of a board: played at once, or put forward and confirmed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, Typed
from sarsen.language.commands import Command, PlayMove, QueueMoves, Submit
from sarsen.language.replies import Moved, Submitted
from sarsen.services.matches import history, matches
from sarsen.services.request import Request
from sarsen.services.speakers import check_proof
from sarsen.storage.models import Match, MatchSeat, Player


def prepare_move(command: Command, request: Request) -> None:
    """Judge the move that a command which `is_judged_first` would play, before the transaction.

    A confirmation plays the move put forward, which `prejudge_move` takes for "".
    """
    asked: Any = command  # one for a board
    if request.actor.player is not None:
        text = asked.text if command.takes_move else ""
        request.boards.prejudge_move(asked.board, request.actor.player.pk, text)


def play(command: PlayMove, request: Request) -> Moved:
    """Play a move for the speaker."""
    participant = lock_as_participant(command.board, command.game, request, "move|MOVE")
    _check_due(participant, command)
    return play_text(participant, command.text, request)


def play_text(participant: Participant, text: str, request: Request) -> Moved:
    """Play a move that is due, and tell the others."""
    match = participant.match
    matches.check_end_date(match, request.now)
    ruling = request.boards.judge(match.game, match.position, text)
    chain = matches.follow_up(matches.record_move(match, ruling, request))
    request.boards.played[match.pk] = match
    return Moved(
        match.pk,
        chain.began,
        ruling.text,
        match.event_count,
        chain.followed_for(participant.player),
        chain.dropped.get(participant.player.pk, ()),
    )


def submit(command: Submit, request: Request) -> Submitted:
    """Put a move forward: shown, and played only when it is confirmed."""
    participant = lock_as_participant(command.board, command.game, request, "submit|MOVE")
    _check_due(participant, command)
    match = participant.match
    ruling = request.boards.judge(match.game, match.position, command.text)
    row = participant.row
    row.submitted, row.submitted_ply = ruling.text, match.ply + 1
    row.resign_asked_at = None  # the newer command counts
    row.save(update_fields=["submitted", "submitted_ply", "resign_asked_at"])
    return Submitted(match.pk, match.ply, ruling.text, match.event_count)


def _check_due(participant: Participant, command: PlayMove | Submit) -> None:
    """Refuse a move for another position than the present one, or out of turn."""
    match = participant.match
    check_present(match, command)
    if match.seat_to_move not in participant.seats:
        raise UserError(
            "It is not your turn on board {board}: {player} is to move.",
            code="not-your-turn",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
            player=name_of(match, match.seat_to_move),
        )


def check_present(match: Match, command: PlayMove | Submit | QueueMoves) -> None:
    """Refuse what was written for another position than the present one."""
    _check_ply(match, command)
    _check_history(match, command)


def _check_ply(match: Match, command: PlayMove | Submit | QueueMoves) -> None:
    due = match.ply + 1
    if command.ply is not None and command.ply != due:
        raise UserError(
            "Your move was for board {board} at move {ply}, but move {due} is due: the game has "
            "moved on.",
            code="stale-ply",
            hint=f"{match.game} show {match.pk}",
            ply=command.ply,
            board=match.pk,
            due=due,
        )


def _check_history(match: Match, command: PlayMove | Submit | QueueMoves) -> None:
    """Refuse a move for a ply that is due again since moves were taken back.

    A letter and a page name the events of their match, as in `#14.16`; `#14` alone
    does not say which ply 14 is meant.
    """
    if command.event is not None and command.event != match.event_count:
        raise UserError(
            "Your move was for board {board} at move {ply}, before a takeback; nothing was "
            "changed.",
            code="stale-board",
            hint=f"{match.game} show {match.pk}",
            ply=str(command.ply),
            board=match.pk,
        )
    if command.event is None and command.ply is not None and history.was_taken_back(match):
        highest = history.highest_ply_ever_due(history.stored_events_of(match))
        if command.ply <= highest:
            raise UserError(
                "Move {ply} of board {board} is due for the second time after a takeback, so "
                "`#{ply}` is not clear. Leave it out.",
                code="ambiguous-ply",
                hint=Typed(f"{match.game} move {match.pk} USERID PASSWORD {command.text}"),
                ply=command.ply,
                board=match.pk,
            )


@dataclass(frozen=True)
class Participant:
    """A player at a board that is locked until the transaction ends.

    Attributes:
        seats: The seats they speak for; a signed address stands for one of their seats.
        all_seats: All seats that are theirs.
    """

    match: Match
    player: Player
    seats: tuple[int, ...]
    all_seats: tuple[int, ...]

    @property
    def row(self) -> MatchSeat:
        """The one seat they speak for: the one to move, if that is theirs."""
        to_move = self.match.seat_to_move
        seat = to_move if to_move in self.seats else self.seats[0]
        return self.match.seat_rows[seat]

    def others(self) -> list[Player]:
        """Return the other players of the board, each once, in the order of seats."""
        players = (seat.player for seat in self.match.seat_rows)
        return list(dict.fromkeys(player for player in players if player != self.player))


def lock_as_participant(
    board: int, game: str, request: Request, words: str, *, running: bool = True
) -> Participant:
    """Lock a board, and return the speaker as one of its players.

    Args:
        words: What stands before the board in the example, such as `draw`; what
            follows the password may stand after a `|`.
        running: Also refuse a board that is finished.

    Raises:
        UserError: Nobody is proved, no such board, not theirs, or finished.
    """
    verb, _, arguments = words.partition("|")
    example = Typed(" ".join(filter(None, (game, verb, str(board), "USERID PASSWORD", arguments))))
    player = request.player(example)
    match = matches.find(board, game, viewer=player, lock=True, boards=request.boards)
    own_seats = tuple(seat.seat for seat in match.seat_rows if seat.player_id == player.pk)
    if not own_seats:
        raise UserError(
            "You are not a player on board {board}.",
            code="not-your-board",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )
    # Those who leave lock their running boards first: this row stays as it is until we are done.
    check_proof(request.actor, match.seat_rows[own_seats[0]].player)
    if running:
        check_running(match)
    signed = request.actor.seat
    seats = (
        (signed[1],) if signed and signed[0] == match.pk and signed[1] in own_seats else own_seats
    )
    return Participant(match, player, seats, own_seats)


def check_running(match: Match) -> None:
    """Refuse a board that is finished."""
    if match.ended_at is not None:
        raise UserError(
            "Board {board} is finished: {reason}",
            code="board-finished",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
            reason=Phrase(match.reason),
        )


def name_of(match: Match, seat: int) -> str:
    """Return the userid of a seat."""
    return match.seat_rows[seat].player.userid
