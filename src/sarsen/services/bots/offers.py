"""A game against a program, offered to those who find nobody to play."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sarsen.core.game import GameInfo
from sarsen.games import find
from sarsen.search.bots import SEATS
from sarsen.services.bots.accounts import Program, list_programs, nearest_program
from sarsen.services.request import Player
from sarsen.storage.models import Rating


@dataclass(frozen=True)
class OfferedGame:
    """A game and the program to play it with.

    Attributes:
        is_measured: The program is about as strong as the player; else it is the weakest one.
    """

    game: GameInfo
    program: Program
    is_measured: bool


def game_at_ones_strength(player: Player | None, now: datetime) -> OfferedGame | None:
    """Return the game a player has rated most, and the program of the nearest rating there.

    Whoever has no rating, or meets no program with one, is offered the weakest; None without any.
    """
    games = {name: game.info for name, game in find().items() if len(game.info.seats) == SEATS}
    programs = list_programs()
    if not games or not programs:
        return None
    rated = Rating.objects.filter(player=player, game__in=list(games)) if player else None
    row = rated.order_by("-matches", "-rated_at").first() if rated is not None else None
    nearest = nearest_program(row.rating, row.game, now) if row else None
    if row and nearest:
        return OfferedGame(games[row.game], nearest, is_measured=True)
    return OfferedGame(next(iter(games.values())), programs[0], is_measured=False)
