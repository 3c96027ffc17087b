"""Work out what commands will need before their transaction begins: the referee takes his time.

Nothing here decides anything. What is worked out is remembered in `rulings`; whoever finds
the board changed meanwhile does not find it there, and asks the referee anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from django.db.models import F

from sarsen.core.errors import UserError
from sarsen.language.commands import AnswerOffer, Command, Confirm, PlayMove, Submit
from sarsen.services.call import Call
from sarsen.services.rulings import judged_at
from sarsen.storage.kept import Given, KeptQuery
from sarsen.storage.models import Match, MatchSeat

_DUE = KeptQuery(
    lambda: MatchSeat.objects.filter(
        match=Given("board"),
        player=Given("player"),
        match__ended_at=None,
        match__seat_to_move=F("seat"),
    ).values_list("match__game", "match__position", "submitted")
)


def foresee(commands: Iterable[Command]) -> None:
    """Judge the moves that will be played, in order, each at the position it will find.

    Who plays a move finds the ruling in `rulings`. Should the board have moved on by then,
    it does not, and the move is judged there and then.
    """
    moves = [command for command in commands if isinstance(command, PlayMove)]
    boards = Match.objects.filter(pk__in={move.board for move in moves})
    lines = {pk: (game, line) for pk, game, line in boards.values_list("pk", "game", "position")}
    for move in moves:
        if move.board not in lines:
            continue
        game, line = lines[move.board]
        # What is refused is refused when its turn comes, in the same words; and whatever else
        # the rules of one game raise, they raise it then, where it stops no mail but its own.
        with suppress(Exception):
            lines[move.board] = game, judged_at(game, line, move.text).line


def foresee_move(command: PlayMove | Submit, call: Call) -> None:
    """Judge a move that its player is about to make, if it is his turn."""
    _judge(command.board, command.text, call)


def foresee_submitted(command: Confirm | AnswerOffer, call: Call) -> None:
    """Judge the move that a yes of its player would play, if he has put one forward."""
    _judge(command.board, "", call)


def _judge(board: int, text: str, call: Call) -> None:
    player = call.actor.player
    due = _DUE.first(board=board, player=player.pk) if player is not None else None
    if due is None:
        return
    game, line, submitted = due
    with suppress(UserError):  # it is refused when its turn comes, in the same words
        if text or submitted:
            judged_at(game, line, text or submitted)
