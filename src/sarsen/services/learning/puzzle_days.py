"""A player's puzzles of the last days, and what the player wants of puzzles.

Nothing is counted that could fall: a day is solved once its puzzle is, on whichever day that was.
"""

from __future__ import annotations

from datetime import date, timedelta

from sarsen.games import load
from sarsen.language.learning.puzzle_choices import (
    ChangePuzzles,
    GameDays,
    PuzzleDay,
    PuzzleDays,
)
from sarsen.learning.puzzles.shelf import has_daily, puzzle_of_day, puzzled
from sarsen.services.learning.own_puzzles import due_puzzles
from sarsen.services.request import Player, Request
from sarsen.storage.models import Player as PlayerRow
from sarsen.storage.models import PuzzleTry

LAST = 30  # days


def change(command: ChangePuzzles, request: Request) -> PuzzleDays:
    """Return a player's days, after changing what is wanted."""
    player = request.player(f"puzzle {command.what} USERID PASSWORD on")
    if command.switch:
        is_on = command.switch == "on"
        name = "wants_puzzle_days" if command.what == "days" else "wants_puzzle_ratings"
        setattr(player, name, is_on)
        PlayerRow.objects.filter(pk=player.pk).update(**{name: is_on})
    today = request.now.date()
    is_shown = player.wants_puzzle_days
    again = due_puzzles(player, today) if is_shown and command.what == "days" else ()
    return PuzzleDays(
        command.what,
        command.switch,
        is_shown,
        player.wants_puzzle_ratings,
        days_of(player, today) if is_shown and command.what == "days" else (),
        tuple(f"review {one.board} again {one.number}" for one in again),
    )


def days_of(player: Player, today: date) -> tuple[GameDays, ...]:
    """Return what a player has solved of the puzzles of the last days, game by game."""
    rows = PuzzleTry.objects.filter(player=player, solved_at__isnull=False)
    solved = set(rows.values_list("game", "puzzle"))
    dates = [today - timedelta(days=back) for back in range(LAST)]
    found = []
    for game in filter(has_daily, puzzled()):
        shown = [(day, puzzle_of_day(game, day).id) for day in dates]
        days = tuple(
            PuzzleDay(day.isoformat(), number, (game, number) in solved) for day, number in shown
        )
        found.append(GameDays(game, load(game).info.title, days))
    return tuple(found)
