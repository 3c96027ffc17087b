"""Votes on puzzles, by which bad ones are retired here, and reports of refused moves."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count, F, Q

from sarsen.core.errors import UserError
from sarsen.core.phrases import example_of
from sarsen.language.learning.puzzle_choices import Opinion, PuzzleVoted, VotePuzzle
from sarsen.learning.puzzles.answers import require_short
from sarsen.learning.puzzles.puzzle import Puzzle
from sarsen.learning.puzzles.shelf import game_with_puzzles, puzzle_numbered
from sarsen.learning.puzzles.tries import Verdict, judge_tries
from sarsen.services.limits import daily
from sarsen.services.request import Player, Request
from sarsen.storage.models import PuzzleReport, PuzzleTry, PuzzleVote

MIN_VOTES = 20  # before them, a few people would decide for all
BAD_SHARE = 60  # in a hundred


def vote(command: VotePuzzle, request: Request) -> PuzzleVoted:
    """Store what a player says of a puzzle; the newest vote counts."""
    player = request.player("puzzle vote USERID PASSWORD druid-17 good")
    info = game_with_puzzles(command.game)
    puzzle = puzzle_numbered(info.name, command.puzzle)
    is_refused = command.opinion == Opinion.REFUSED
    moves = _refused(info.name, puzzle, command.moves) if is_refused else ()
    own = PuzzleTry.objects.filter(player=player, game=info.name, puzzle=puzzle.id)
    if not own.filter(result__gt="").exists():
        raise UserError(
            "Please try {name} first.",
            code="puzzle-untried",
            hint=f"puzzle {info.name}-{puzzle.id}",
            name=f"{info.name}-{puzzle.id}",
        )
    if is_refused:
        _report(player, info.name, puzzle, moves, request.now)
        return PuzzleVoted(info.name, info.title, puzzle.id, command.opinion, moves)
    is_good = command.opinion == Opinion.GOOD
    PuzzleVote.objects.update_or_create(
        player=player,
        game=info.name,
        puzzle=puzzle.id,
        defaults={"is_good": is_good, "at": request.now},
    )
    return PuzzleVoted(info.name, info.title, puzzle.id, command.opinion)


def votes_of(game: str, number: int) -> tuple[int, int]:
    """Return how many players find a puzzle good, and how many bad."""
    votes = PuzzleVote.objects.filter(game=game, puzzle=number).values_list("is_good", flat=True)
    good = sum(votes)
    return good, len(votes) - good


def retired_here(game: str) -> frozenset[int]:
    """Return the puzzles of a game that the players of this server find bad."""
    rows = PuzzleVote.objects.filter(game=game).values("puzzle")
    counted = rows.annotate(votes=Count("pk"), bad=Count("pk", filter=Q(is_good=False)))
    bad = counted.filter(votes__gte=MIN_VOTES, bad__gte=F("votes") * BAD_SHARE / 100.0)
    return frozenset(bad.values_list("puzzle", flat=True))


def _refused(game: str, puzzle: Puzzle, moves: tuple[str, ...]) -> tuple[str, ...]:
    """Return a line as the puzzle writes it, the refused move last.

    Raises:
        UserError: It is no line, the rules refuse it, or the puzzle takes its last move for right.
    """
    require_short(moves)
    if not moves:
        raise UserError(
            "Which move should be right?",
            code="puzzle-move",
            hint="help puzzle vote",
        )
    judged = judge_tries(game, puzzle, moves)
    if judged.verdict is Verdict.REFUSED:
        assert judged.refusal is not None
        refusal = judged.refusal.again()
        example = example_of(refusal.hint)
        line = ("puzzle vote", f"{game}-{puzzle.id}", "refused", *judged.own, example)
        refusal.hint = " ".join(line)
        raise refusal
    if judged.verdict in (Verdict.RIGHT, Verdict.SOLVED):
        raise UserError(
            "{move} is right at this puzzle.",
            code="puzzle-right",
            hint=" ".join(("puzzle", f"{game}-{puzzle.id}", *moves)),
            move=judged.tried,
        )
    return (*judged.own, judged.tried)


def _report(
    player: Player, game: str, puzzle: Puzzle, moves: tuple[str, ...], now: datetime
) -> None:
    line = " ".join(moves)
    facts = {"player": player, "game": game, "puzzle": puzzle.id, "line": line}
    if not PuzzleReport.objects.filter(**facts).exists():
        daily.check(player, "report", now)
        PuzzleReport.objects.create(**facts, at=now)


def settle(row: PuzzleReport, now: datetime) -> None:
    """Mark a report as settled by an operator; it is deleted some time later."""
    row.settled_at = now
    row.save(update_fields=["settled_at"])
