"""Stored ratings of puzzles and of players at puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sarsen.learning.puzzles.puzzle import Puzzle
from sarsen.services.ratings.glicko import Strength, strength_after_pause
from sarsen.services.ratings.puzzles import NEW_SOLVER, new_puzzle, rate_try
from sarsen.services.request import Player
from sarsen.storage import transactions
from sarsen.storage.models import PuzzleRating


def strength_of_player(player: Player, game: str) -> Strength:
    """Return how strong a player is at the puzzles of a game."""
    row = PuzzleRating.objects.filter(player=player, game=game).first()
    return _strength(row) if row else NEW_SOLVER


def ratings_of_player(player: Player) -> dict[str, tuple[Strength, int]]:
    """Return how strong a player is at the puzzles of each game, and how many were solved."""
    rows = PuzzleRating.objects.filter(player=player)
    return {row.game: (_strength(row), row.solved) for row in rows}


def ratings_of_puzzles(game: str) -> dict[int, Strength]:
    """Return the ratings of the puzzles of a game that somebody has tried, by id."""
    rows = PuzzleRating.objects.filter(game=game, player=None)
    return {row.puzzle: _strength(row) for row in rows if row.puzzle is not None}


def rating_row(game: str, puzzle: Puzzle) -> PuzzleRating | None:
    """Return the numbers of a puzzle; None for one that nobody has tried."""
    return PuzzleRating.objects.filter(game=game, player=None, puzzle=puzzle.id).first()


def current_rating(puzzle: Puzzle, ratings: Mapping[int, Strength]) -> int:
    """Return how hard a puzzle is: by the tries at it, else as it was made."""
    found = ratings.get(puzzle.id)
    return round(found.rating) if found else puzzle.rating


def rate_first_try(
    player: Player, game: str, puzzle: Puzzle, now: datetime, *, is_solved: bool
) -> tuple[Strength, float]:
    """Rate a player's first try at a puzzle, in the caller's transaction.

    Returns:
        What the player is then, and how many points that is more.
    """
    # The numbers after a try follow from those before it, of both.
    transactions.await_turn("puzzle ratings")
    of_player, _ = PuzzleRating.objects.get_or_create(
        player=player, game=game, puzzle=None, defaults=_numbers(NEW_SOLVER)
    )
    of_puzzle, _ = PuzzleRating.objects.get_or_create(
        player=None, game=game, puzzle=puzzle.id, defaults=_numbers(new_puzzle(puzzle.rating))
    )
    before = strength_after_pause(_strength(of_player), of_player.rated_at, now)
    solver, opponent = rate_try(before, _strength(of_puzzle), is_solved=is_solved)
    for row, after in ((of_player, solver), (of_puzzle, opponent)):
        row.rating, row.deviation, row.volatility = after.rating, after.deviation, after.volatility
        row.tries, row.solved = row.tries + 1, row.solved + is_solved
        row.rated_at = now
        row.save()
    return solver, solver.rating - before.rating


def _strength(row: PuzzleRating) -> Strength:
    return Strength(row.rating, row.deviation, row.volatility)


def _numbers(strength: Strength) -> dict[str, float]:
    return {
        "rating": strength.rating,
        "deviation": strength.deviation,
        "volatility": strength.volatility,
    }
