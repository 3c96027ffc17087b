"""Puzzles as programs and pages read them: which there are, and one without what solves it."""

from __future__ import annotations

from datetime import date

from sarsen.language.learning.puzzles import PuzzleFacts, PuzzleLine, PuzzleList
from sarsen.learning.puzzles.puzzle import Puzzle
from sarsen.learning.puzzles.shelf import (
    daily_puzzle,
    game_with_puzzles,
    playable,
    puzzle_numbered,
)
from sarsen.services.learning.puzzle_ratings import current_rating, rating_row, ratings_of_puzzles
from sarsen.services.learning.puzzle_votes import votes_of


def list_puzzles(game: str, *, before: int | None, most: int) -> PuzzleList:
    """Return the puzzles of a game that are given to people, the newest first.

    Args:
        before: Only those with smaller numbers; None for all.

    Raises:
        UserError: There is no such game, or it has no puzzles.
    """
    name = game_with_puzzles(game).name
    ratings, every = ratings_of_puzzles(name), playable(name)
    found = [one for one in reversed(every) if before is None or one.id < before]
    lines = tuple(
        PuzzleLine(
            f"{name}-{one.id}",
            one.id,
            one.task.value,
            one.within,
            one.options,
            current_rating(one, ratings),
        )
        for one in found[:most]
    )
    further = lines[-1].number if len(found) > most else None
    return PuzzleList(name, lines, further, len(every))


def view_puzzle(game: str, number: int, *, with_solution: bool = False) -> PuzzleFacts:
    """Return a puzzle.

    Args:
        with_solution: Its right first moves, too.

    Raises:
        UserError: There is none.
    """
    name = game_with_puzzles(game).name
    return _facts(name, puzzle_numbered(name, number), with_solution=with_solution)


def view_daily(game: str, day: date, *, with_solution: bool = False) -> PuzzleFacts:
    """Return the puzzle of a day.

    Raises:
        UserError: There is no such game, or it has none for each day.
    """
    name = game_with_puzzles(game).name
    return _facts(name, daily_puzzle(name, day), with_solution=with_solution)


def _facts(game: str, puzzle: Puzzle, *, with_solution: bool) -> PuzzleFacts:
    position = puzzle.position(game)
    row = rating_row(game, puzzle)
    good, bad = votes_of(game, puzzle.id)
    return PuzzleFacts(
        name=f"{game}-{puzzle.id}",
        game=game,
        number=puzzle.id,
        task=puzzle.task.value,
        within=puzzle.within,
        options=puzzle.options,
        moves=puzzle.line,
        position=position.write(),
        side=position.sides[position.seat],
        rating=round(row.rating) if row else puzzle.rating,
        tries=row.tries if row else 0,
        solved=row.solved if row else 0,
        good=good,
        bad=bad,
        first=puzzle.first if with_solution else (),
        retired=puzzle.retired,
    )
