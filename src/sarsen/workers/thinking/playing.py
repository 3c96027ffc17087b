"""A program's turn at a board: loaded before the search, performed after it.

Between the two no transaction is open, so everything may have changed. A move says for
which events it was thought of, and its request has a name made of the same: a second
process that thinks about the same board, or the same one after a crash, changes nothing.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import datetime

from sarsen.core.game import AnyPosition
from sarsen.language.commands import AnswerOffer, PlayMove, Resign
from sarsen.search.thought import Thought, gives_up
from sarsen.services.bots.due_boards import DueBoard, is_bots_turn
from sarsen.services.dispatch import perform
from sarsen.services.matches import matches
from sarsen.services.matches.matches import DRAW, Offer
from sarsen.services.request import Actor
from sarsen.storage.models import Match, MatchSeat, Player


@dataclass(frozen=True)
class BotTurn:
    """One thing a program has to do.

    Attributes:
        player: The program's account.
        is_to_move: It has to move; otherwise only to answer.
        offer: A draw that it is offered, or None.
        seed: Of its chance: the same for the same board, and known to nobody.
    """

    board: int
    game: str
    event: int
    ply: int
    position: AnyPosition
    player: Player
    level: int
    is_to_move: bool
    offer: Offer | None
    seed: int


def take_up(due: DueBoard) -> BotTurn | None:
    """Load what a program has to do at a board; None when the board has moved on.

    Raises:
        UserError: The game of the board is not on this server just now.
    """
    match = Match.objects.filter(pk=due.board, event_count=due.event).first()
    if match is None or match.bot_level is None:
        return None
    is_to_move = is_bots_turn(match)
    offer = _draw_offered(match)
    seat = _seat(match, is_to_move, offer)
    if seat is None:
        return None
    return BotTurn(
        board=match.pk,
        game=match.game,
        event=match.event_count,
        ply=match.ply,
        position=matches.position_of(match),
        player=seat.player,
        level=match.bots[seat.seat],
        is_to_move=is_to_move,
        offer=offer if offer and seat.seat not in offer.agreed else None,
        seed=zlib.crc32(f"{seat.letter_key}:{match.event_count}".encode()),
    )


def carry_out(turn: BotTurn, thought: Thought, now: datetime) -> None:
    """Perform what the search found: agree to a draw or decline it, resign, or move.

    Raises:
        UserError: The board has moved on, or the rules refuse the move.
    """
    request = f"bot:{turn.board}:{turn.event}"
    actor = Actor(turn.player)
    if turn.offer and (thought.proved == 0.5 or not turn.is_to_move):
        answer = AnswerOffer(
            turn.game,
            turn.board,
            accepts=thought.proved == 0.5,
            matter=DRAW,
            event=turn.offer.event,
        )
        perform(answer, actor, f"{request}:{DRAW}", now)
    elif turn.is_to_move and gives_up(turn.level, thought):
        perform(Resign(turn.game, turn.board, confirmed=True), actor, request, now)
    elif turn.is_to_move:
        text = turn.position.format(thought.move)
        move = PlayMove(turn.game, turn.board, text, turn.ply + 1, turn.event)
        perform(move, actor, request, now)


def is_still_due(due: DueBoard) -> bool:
    """Return whether a board still waits as it did."""
    rows = Match.objects.filter(pk=due.board, event_count=due.event, bot_level__isnull=False)
    return rows.exists()


def _draw_offered(match: Match) -> Offer | None:
    offer = matches.read_offer(match.offer)
    return offer if offer and offer.is_open and offer.kind == DRAW else None


def _seat(match: Match, is_to_move: bool, offer: Offer | None) -> MatchSeat | None:
    """Return the seat of the program that has something to do."""
    if is_to_move:
        seats = [match.seat_to_move]
    else:
        agreed = offer.agreed if offer else tuple(range(len(match.bots)))
        seats = [seat for seat, level in enumerate(match.bots) if level and seat not in agreed]
    rows = match.seats.filter(seat__in=seats).select_related("player")
    return rows.first()
