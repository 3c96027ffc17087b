"""Show puzzles, answer tries at them, and store what came of the first ones.

Visitors are answered the same way; nothing is kept of them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta

from sarsen.core.errors import UserError
from sarsen.language.learning.puzzles import PuzzleShown, PuzzleWord, TakePuzzle
from sarsen.learning.puzzles.answers import answer, is_try, require_short, shown
from sarsen.learning.puzzles.puzzle import Puzzle
from sarsen.learning.puzzles.shelf import (
    game_with_puzzles,
    has_daily,
    puzzle_numbered,
    puzzle_of_day,
)
from sarsen.learning.puzzles.tries import judge_tries
from sarsen.services.learning.puzzle_choice import choose
from sarsen.services.learning.puzzle_ratings import rate_first_try
from sarsen.services.learning.puzzle_votes import retired_here
from sarsen.services.limits import daily
from sarsen.services.request import Player, Request
from sarsen.storage.models import PuzzleTry


def take(command: TakePuzzle, request: Request) -> PuzzleShown:
    """Show a puzzle, or judge a try at it, and store what came of the first one."""
    game = game_with_puzzles(command.game).name
    player = request.actor.player
    puzzle = _asked_for(command, game, player, request.now)
    facts = answer(game, puzzle, command.moves)
    if player is None:
        return facts
    if is_try(command.moves):
        daily.check(player, "puzzle", request.now)
    return _store(player, puzzle, facts, command.moves, request.now)


def prejudge(command: TakePuzzle) -> None:
    """Judge a try before the transaction: it is remembered, and found in it."""
    require_short(command.moves)
    if is_try(command.moves) and command.puzzle:
        game = game_with_puzzles(command.game).name
        judge_tries(game, puzzle_numbered(game, command.puzzle), command.moves)


def puzzle_refused(command: TakePuzzle) -> PuzzleShown | None:
    """Return the puzzle at which a line was refused, as it stands before its last move.

    None where there is no such puzzle, or the line is over.
    """
    with suppress(UserError):
        require_short(command.moves)
        game = game_with_puzzles(command.game).name
        puzzle = puzzle_numbered(game, command.puzzle)
        reached = judge_tries(game, puzzle, command.moves[:-1])
        return shown(game, puzzle, reached) if reached.known is not None else None
    return None


def _asked_for(command: TakePuzzle, game: str, player: Player | None, now: datetime) -> Puzzle:
    if command.puzzle:
        return puzzle_numbered(game, command.puzzle)
    if command.moves:
        raise UserError(
            "The move is for which puzzle? Its number is missing.",
            code="puzzle-number",
            hint=" ".join(
                ("puzzle", f"{game}-{puzzle_of_day(game, now.date()).id}", *command.moves)
            ),
        )
    if player is None:
        return puzzle_of_day(game, now.date())
    return choose(player, game, now, command.level)


def _store(
    player: Player, puzzle: Puzzle, facts: PuzzleShown, moves: tuple[str, ...], now: datetime
) -> PuzzleShown:
    """Store that a player was shown a puzzle, and what came of a try; rate the first one.

    In the caller's transaction.
    """
    row, _ = PuzzleTry.objects.select_for_update().get_or_create(
        player=player, game=facts.game, puzzle=puzzle.id, defaults={"seen_at": now}
    )
    is_solved, is_given_up = facts.result == "solved", moves[-1:] == (PuzzleWord.SHOW,)
    is_over = is_solved or is_given_up or facts.result == "not-proved"
    if is_over and not row.result:
        row.result = PuzzleTry.Result.SOLVED if is_solved else PuzzleTry.Result.FAILED
        if is_rated(player, facts.game, puzzle, now.date()):
            solver, row.change = rate_first_try(
                player, facts.game, puzzle, now, is_solved=is_solved
            )
            facts = replace(facts, own_rating=solver.figures, change=round(row.change))
    if is_solved and row.solved_at is None:
        row.solved_at = now
    row.line, row.seen_at = " ".join(facts.own), now
    row.save()
    return facts


def is_rated(player: Player, game: str, puzzle: Puzzle, today: date) -> bool:
    """Return whether the first try of a player at a puzzle counts for ratings.

    A guest's does not, nor that of a player who wants none rated, nor one at a retired puzzle, or
    at yesterday's, whose solution letters show.
    """
    if player.is_guest or puzzle.retired or not player.wants_puzzle_ratings:
        return False
    yesterday = today - timedelta(days=1)
    is_known = has_daily(game) and puzzle_of_day(game, yesterday).id == puzzle.id
    return not is_known and puzzle.id not in retired_here(game)
