"""The speaker at a board: which seats are theirs, and whether the board still runs."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.services.matches import matches
from sarsen.services.request import Request
from sarsen.storage.models import Match, MatchSeat, Player


@dataclass(frozen=True)
class Seated:
    """A player at a board, held until the transaction ends.

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
        return self.match.sitting[seat]

    def others(self) -> list[Player]:
        """Return the other players of the board, each once, in the order of seats."""
        seated = (one.player for one in self.match.sitting)
        return list(dict.fromkeys(one for one in seated if one != self.player))


def sit_down(
    board: int, game: str, request: Request, words: str, *, running: bool = True
) -> Seated:
    """Find a board at which the speaker plays, and hold it.

    Args:
        words: What stands before the board in the example, such as `draw`; what
            follows the password may stand after a `|`.
        running: Also refuse a board that is finished.

    Raises:
        UserError: Nobody is proved, no such board, not theirs, or finished.
    """
    verb, _, rest = words.partition("|")
    example = " ".join(filter(None, (game, verb, str(board), "USERID PASSWORD", rest)))
    player = request.player(example)
    match = matches.find(board, game, viewer=player, lock=True, boards=request.boards)
    mine = tuple(seat.seat for seat in match.sitting if seat.player_id == player.pk)
    if not mine:
        raise UserError(
            "You do not play on board {board}.",
            code="not-your-board",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )
    if running:
        check_running(match)
    signed = request.actor.seat
    seats = (signed[1],) if signed and signed[0] == match.pk and signed[1] in mine else mine
    return Seated(match, player, seats, mine)


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
    return match.sitting[seat].player.userid
