"""Choose a puzzle for a player: near the player's rating, and not seen for half a year."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256

from sarsen.learning.puzzles.puzzle import Puzzle
from sarsen.learning.puzzles.shelf import has_daily, playable, puzzle_of_day
from sarsen.services.learning.puzzle_ratings import (
    current_rating,
    ratings_of_puzzles,
    strength_of_player,
)
from sarsen.services.learning.puzzle_votes import retired_here
from sarsen.services.request import Player
from sarsen.storage.models import PuzzleTry

NEAR = 150.0  # points between the ratings of a puzzle and of a player
FORGOTTEN = timedelta(days=180)  # after which a puzzle may be given again
SHIFTS = {"": 0, "easier": -200, "harder": 200}  # points that the player's rating is taken for


def choose(player: Player, game: str, now: datetime, level: str = "") -> Puzzle:
    """Return a puzzle of a game for a player; of those that players find bad, none.

    It is one of those within `NEAR` of the player's rating, in an order of the player's own; else
    the nearest. Where all were seen, it is the one that was seen longest ago.

    Args:
        level: A key of `SHIFTS`.
    """
    seen = dict(PuzzleTry.objects.filter(player=player, game=game).values_list("puzzle", "seen_at"))
    known = puzzle_of_day(game, now.date() - timedelta(days=1)).id if has_daily(game) else 0
    left_out = {known, *retired_here(game)}
    every = playable(game)
    puzzles = [puzzle for puzzle in every if puzzle.id not in left_out] or list(every)
    fresh = [
        puzzle for puzzle in puzzles if puzzle.id not in seen or seen[puzzle.id] <= now - FORGOTTEN
    ]
    if not fresh:
        return min(puzzles, key=lambda puzzle: seen[puzzle.id])
    own = strength_of_player(player, game).rating + SHIFTS[level]
    ratings = ratings_of_puzzles(game)

    def distance(puzzle: Puzzle) -> float:
        return abs(current_rating(puzzle, ratings) - own)

    near = [puzzle for puzzle in fresh if distance(puzzle) <= NEAR]
    if not near:
        return min(fresh, key=distance)
    return min(near, key=lambda puzzle: sha256(f"{player.pk} {game} {puzzle.id}".encode()).digest())
