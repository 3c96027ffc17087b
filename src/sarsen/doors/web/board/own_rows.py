"""Boards as a list shows them to one of their players."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sarsen.language.grammar.dates import short_stretch
from sarsen.services.matches.lobby import ListedBoard
from sarsen.services.request import Player

SOON = timedelta(days=1)


@dataclass(frozen=True)
class OwnRow:
    """A board of a list as its player sees it.

    Attributes:
        against: The others at it, programs marked; all players where the player watches, or
            plays alone.
        left: How long its clock still runs, in short; "" when none does.
        is_soon: Hardly any time is left.
        is_mine: It waits for the player.
    """

    board: ListedBoard
    against: tuple[str, ...]
    left: str
    is_soon: bool
    is_mine: bool


def own_rows(boards: Iterable[ListedBoard], player: Player, now: datetime) -> list[OwnRow]:
    """Return boards as a list shows them to one of their players."""
    return [_row(board, player.userid, now) for board in boards]


def _row(board: ListedBoard, userid: str, now: datetime) -> OwnRow:
    marked = zip(board.players, board.marked_players, strict=True)
    others = tuple(name for player, name in marked if player != userid)
    plays = userid in board.players
    left = board.due_at - now if board.due_at and not board.result else None
    return OwnRow(
        board=board,
        against=others if plays and others else board.marked_players,
        left="" if left is None else short_stretch(max(left, timedelta())),
        is_soon=left is not None and left < SOON,
        is_mine=board.to_move == userid,
    )
