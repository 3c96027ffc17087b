"""The addresses of letters about lessons and puzzles: a reply is a try at what its letter shows."""

from __future__ import annotations

from sarsen.language.grammar.tokens import LessonContext, PuzzleContext
from sarsen.language.learning.lessons import LessonShown
from sarsen.language.learning.puzzles import PuzzleShown
from sarsen.learning.lessons import lesson_of, line_number, shown_move
from sarsen.learning.puzzles import tries
from sarsen.learning.puzzles.puzzle import puzzles_of
from sarsen.services.learning.lessons import progress_of
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.reply_addresses import LessonNumbers, PuzzleNumbers
from sarsen.services.request import Player
from sarsen.storage.models import LessonProgress, PuzzleTry


def reply_address(player: Player, shown: LessonShown) -> str | None:
    """Return the address that answers a step; None for a player who has not begun the lesson."""
    row = progress_of(player, shown.game)
    step = lesson_of(shown.game).step(shown.step)
    if row is None or step is None:
        return None
    numbers = LessonNumbers(row.pk, step.number, line_number(shown.own))
    return reply_addresses.lesson_address(player, numbers)


def answered_step(player: Player, at: LessonNumbers) -> LessonContext | None:
    """Return the step of a letter, with the own moves that stand in it; None for one of nobody.

    The id is "" where the lesson has no such step any more. Own moves of a step that the player
    has left since are those that the lesson shows, where it did so; others are forgotten.
    """
    row = LessonProgress.objects.filter(pk=at.row, player=player).first()
    if row is None:
        return None
    step = next((step for step in lesson_of(row.game).steps if step.number == at.step), None)
    if step is None:
        return LessonContext(row.game, "")
    lines = [tuple(row.line.split())] if row.step == step.id else []
    lines.append(tuple(shown_move(step, own) for own in range(len(step.accept))))
    beginnings = (line[:count] for line in lines for count in range(len(line) + 1))
    found = (line for line in beginnings if line_number(line) == at.line)
    return LessonContext(row.game, step.id, next(found, ()))


def puzzle_address(player: Player, shown: PuzzleShown) -> str | None:
    """Return the address that answers a puzzle; None for a player who was not given it."""
    row = PuzzleTry.objects.filter(player=player, game=shown.game, puzzle=shown.puzzle).first()
    if row is None:
        return None
    numbers = PuzzleNumbers(row.pk, tries.line_number(shown.own))
    return reply_addresses.puzzle_address(player, numbers)


def answered_puzzle(player: Player, at: PuzzleNumbers) -> PuzzleContext | None:
    """Return the puzzle of a letter, with the own moves that stand in it; None for one of nobody.

    A puzzle that is there no more is refused by its number.
    """
    row = PuzzleTry.objects.filter(pk=at.row, player=player).first()
    if row is None:
        return None
    puzzle = puzzles_of(row.game).get(row.puzzle)
    line = tries.numbered_line(puzzle, at.line) if puzzle else ()
    return PuzzleContext(row.game, row.puzzle, line)
