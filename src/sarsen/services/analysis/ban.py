"""What is never analysed: positions of the asker's own games while these run.

`advice.is_banned` is the whole rule, a function of data. Every door asks by `questions.ask`,
which applies it before it looks anything up.
"""

from __future__ import annotations

from collections.abc import Callable

from sarsen.core.errors import UserError
from sarsen.learning.analysis import Question
from sarsen.services.matches import advice
from sarsen.services.request import Actor
from sarsen.storage.models import Match, Player


def check(question: Question, actor: Actor, go_on: Callable[[], None]) -> None:
    """Refuse a question about a running game of the asker's.

    A mail that proves nobody is refused what the players of its address are: the answer goes
    to them, and would be help.

    Args:
        go_on: Called before each board and move; it may refuse to go on.

    Raises:
        UserError: It is about one; which one is not said.
    """
    line, moves = question.positions, question.moves
    for player in _askers(actor):
        boards = advice.running_boards(player, question.game, go_on)
        if question.setup and advice.is_placed(line, boards):
            raise running()
        for positions, same in advice.by_options(line, moves, boards, go_on):
            if advice.is_banned(positions, same):
                raise running()


def check_board(number: int, actor: Actor) -> None:
    """Refuse a question that names a running board of the asker's.

    Raises:
        UserError: It is one.
    """
    own = Match.objects.filter(pk=number, ended_at=None, seats__player__in=_askers(actor))
    if own.exists():
        raise running()


def _askers(actor: Actor) -> list[Player]:
    """Return who gets the answer; nobody for visitors of pages: they have no seat anywhere."""
    if actor.player is not None:  # a guest's games are those of its session
        return [actor.player]
    if not actor.address:
        return []
    players = Player.objects.filter(addresses__address__iexact=actor.address, is_active=True)
    return list(players.distinct().order_by("pk"))


def running() -> UserError:
    """Return the refusal of a question about a running game, which never names a board."""
    return UserError(
        "A game you are playing is not analysed until it is over: neither its positions, nor "
        "those that are the same when turned or mirrored, nor what comes after them.",
        code="analysis-running",
        hint="help analyse",
    )
