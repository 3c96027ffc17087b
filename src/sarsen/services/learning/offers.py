"""Where a lesson is offered to a player: said once, and never again after No thanks."""

from __future__ import annotations

from django.db.models import Exists

from sarsen.learning.lessons import has_lesson
from sarsen.services.bots.accounts import list_programs
from sarsen.services.request import Player
from sarsen.storage.models import LessonProgress, MatchSeat

FIRST_MOVES = 2  # of each player: later, somebody knows how to play


def is_offered_at_board(player: Player, game: str) -> bool:
    """Return whether the lesson of a game is offered at a board of a player.

    It is at the player's first board of the game, as long as the lesson is neither begun nor
    declined.
    """
    if not has_lesson(game):
        return False
    begun = LessonProgress.objects.filter(player=player, game=game)
    own = MatchSeat.objects.filter(~Exists(begun), player=player, match__game=game)
    # Both seats may be the player's own.
    return len(own.values("match").distinct()[:2]) == 1


def running_first_game(player: Player, game: str) -> int | None:
    """Return the board of a player's game with the weakest program that runs; None for none."""
    weakest = next((program.userid for program in list_programs()), "")
    boards = MatchSeat.objects.filter(
        player=player,
        match__game=game,
        match__ended_at=None,
        match__seats__player__userid=weakest,
    )
    return boards.order_by("-match").values_list("match", flat=True).first()


def are_offered(player: Player) -> bool:
    """Return whether lessons are offered to somebody who has just joined: none was declined."""
    return not LessonProgress.objects.filter(player=player, is_declined=True).exists()
