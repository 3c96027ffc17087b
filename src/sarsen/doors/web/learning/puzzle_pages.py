"""Puzzles on pages: the games that have some, that of the day, and each on a live board.

The address of a page holds the own moves, so that no page changes anything. A try is posted; a
right one is answered by the page of its line, any other at once. What solves a puzzle is on no
page before it is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, GameInfo
from sarsen.core.referee import judge
from sarsen.doors.web.board.line_addresses import analysis_address
from sarsen.doors.web.board.moves import moves_answer, reason_answer, refuses_in_json
from sarsen.doors.web.frame.answers import perform_posted
from sarsen.doors.web.frame.errors import status_of, with_refusal_pages
from sarsen.doors.web.frame.posted_forms import read_post
from sarsen.doors.web.frame.visitors import REVALIDATED, budget_of, number_in, speaker
from sarsen.doors.web.learning.live_board import (
    MAX_TYPED,
    board_facts,
    line_address,
    read_moves,
)
from sarsen.games import load
from sarsen.language.commands import TakePuzzle
from sarsen.language.learning.puzzles import (
    MAX_MOVES,
    WORDS,
    PuzzleShown,
    news_words,
    result_words,
    task_words,
)
from sarsen.language.replies import Refusal
from sarsen.language.translating import N_, translated
from sarsen.learning.puzzles.answers import answer, puzzle_title, require_short, shown
from sarsen.learning.puzzles.puzzle import Puzzle
from sarsen.learning.puzzles.shelf import (
    daily_puzzle,
    game_with_puzzles,
    has_daily,
    playable,
    puzzle_after,
    puzzle_numbered,
    puzzle_of_day,
    puzzled,
)
from sarsen.learning.puzzles.tries import JudgedLine, judge_tries
from sarsen.services.board_cache import position_after
from sarsen.services.learning.own_puzzles import due_puzzles
from sarsen.services.learning.puzzle_choice import choose
from sarsen.services.learning.puzzle_ratings import (
    current_rating,
    ratings_of_player,
    ratings_of_puzzles,
)
from sarsen.services.learning.puzzle_votes import retired_here

LEVEL_NAMES = (("easier", N_("An easier one")), ("harder", N_("A harder one")))


@dataclass(frozen=True)
class GameRow:
    """A game with puzzles, and what somebody has done at them.

    Attributes:
        address, daily: The pages of the next puzzle and of that of the day; "" for none.
        rating, solved: Of the player at this game; "" and 0 before the first rated try.
    """

    game: GameInfo
    count: int
    address: str
    daily: str
    rating: str = ""
    solved: int = 0


@require_safe
def show_puzzles(request: HttpRequest) -> HttpResponse:
    """Show the games that have puzzles."""
    player = speaker(request)
    known = ratings_of_player(player) if player else {}
    rows = []
    for name in puzzled():
        strength, solved = known.get(name, (None, 0))
        rows.append(
            GameRow(
                load(name).info,
                len(playable(name)),
                reverse("puzzle-game", args=[name]),
                reverse("puzzle-daily", args=[name]) if has_daily(name) else "",
                strength.figures if strength else "",
                solved,
            )
        )
    own = due_puzzles(player, timezone.now().date()) if player else ()
    facts = {"rows": rows, "own": own, "player": player}
    response = render(request, "web/learning/puzzles.html", facts)
    response["Cache-Control"] = REVALIDATED
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusal_pages
def go_to_puzzle(request: HttpRequest, name: str) -> HttpResponse:
    """Send somebody to a puzzle that fits; a POST leaves one for another."""
    game = game_with_puzzles(name).name
    player, now = speaker(request), timezone.now()
    if request.method == "POST" and player is not None:
        reply = _perform(request, game, 0, (), request.POST.get("level", ""))
        if isinstance(reply, PuzzleShown):
            return redirect(puzzle_address(game, reply.puzzle))
        raise reply
    if request.method == "POST":
        after = number_in(request.POST.get("after", "")) or 0
        return redirect(puzzle_address(game, puzzle_after(game, after, now.date()).id))
    found = choose(player, game, now) if player else puzzle_of_day(game, now.date())
    return redirect(puzzle_address(game, found.id))


@require_safe
@with_refusal_pages
def go_to_daily(request: HttpRequest, name: str) -> HttpResponse:
    """Send somebody to the puzzle of the day."""
    game = game_with_puzzles(name).name
    return redirect(puzzle_address(game, daily_puzzle(game, timezone.now().date()).id))


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusal_pages
def show_puzzle(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Show a puzzle after the own moves of an address; a POST tries one more move."""
    game = game_with_puzzles(name).name
    puzzle = puzzle_numbered(game, number)
    if name != game:
        return redirect(puzzle_address(game, number))
    if request.method == "POST":
        return _take_try(request, game, puzzle)
    # The solution is asked for by a form: it is counted.
    moves = tuple(
        move for move in read_moves(request.GET.getlist("moves"), MAX_MOVES) if move not in WORDS
    )
    return _show(request, game, puzzle, _answer(request, game, puzzle, moves))


@require_safe
@refuses_in_json
def send_moves(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Send the taps of every legal move after some own moves."""
    return moves_answer(request, _reached(request, name, number))


@require_safe
@refuses_in_json
def send_reason(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Send the rule that refuses the move tapped."""
    position, tried = _reached(request, name, number), request.GET.get("try", "")[:MAX_TYPED]
    return reason_answer(lambda: judge(position, tried))


def puzzle_address(game: str, number: int, moves: Sequence[str] = ()) -> str:
    """Return the page of a puzzle after some own moves."""
    return line_address(reverse("puzzle", args=[game, number]), moves)


def _reached(request: HttpRequest, name: str, number: int) -> AnyPosition:
    """Return the position after the own moves of an address."""
    game = game_with_puzzles(name).name
    moves = read_moves(request.GET.getlist("moves"), MAX_MOVES)
    require_short(moves)
    _check_budget(request)
    return judge_tries(game, puzzle_numbered(game, number), moves).position


def _check_budget(request: HttpRequest) -> None:
    """Refuse a request whose processor time is used up.

    Raises:
        UserError: It is.
    """
    if budget := budget_of(request):
        budget.check()


def _answer(
    request: HttpRequest, game: str, puzzle: Puzzle, moves: tuple[str, ...]
) -> PuzzleShown | UserError:
    _check_budget(request)
    try:
        return answer(game, puzzle, moves)
    except UserError as refusal:
        return refusal


def _take_try(request: HttpRequest, game: str, puzzle: Puzzle) -> HttpResponse:
    """Judge a posted line, keep what came of it, and show it."""
    moves = read_moves(request.POST.getlist("moves"), MAX_MOVES)
    if speaker(request) is not None:
        found = _perform(request, game, puzzle.id, moves)
    else:
        found = _answer(request, game, puzzle, moves)
    if isinstance(found, PuzzleShown) and found.result == "right":
        return redirect(puzzle_address(game, puzzle.id, found.own))
    return _show(request, game, puzzle, found, moves[:-1], moves[-1] if moves else "")


def _perform(
    request: HttpRequest, game: str, number: int, moves: tuple[str, ...], level: str = ""
) -> PuzzleShown | UserError:
    """Have what a player sent judged and stored, once for one form; or return why it was not."""
    fields = {"game": [game], "puzzle": [str(number)], "moves": list(moves), "level": [level]}
    posted = replace(read_post(request), command=TakePuzzle, fields=fields)
    reply = perform_posted(request, posted).reply
    if isinstance(reply, Refusal):
        return UserError(reply.text, code=reply.code, hint=reply.hint)
    assert isinstance(reply, PuzzleShown)
    return reply


def _show(
    request: HttpRequest,
    game: str,
    puzzle: Puzzle,
    found: PuzzleShown | UserError,
    before: tuple[str, ...] = (),
    typed: str = "",
) -> HttpResponse:
    """Show the page of a puzzle.

    Args:
        found: What came of a line, or why its last move was refused.
        before, typed: The own moves before the one that was tried, and that one.
    """
    refusal = found if isinstance(found, UserError) else None
    if isinstance(found, UserError):
        found = shown(game, puzzle, _before(game, puzzle, before))
    is_wrong = found.result in ("late", "not-proved")
    position = position_after(game, puzzle.options, found.moves)
    path, today = reverse("puzzle", args=[game, puzzle.id]), timezone.now().date()
    verdict, said = result_words(found), news_words(found)
    facts = {
        **board_facts(position, is_open=not found.is_finished),
        "game": load(game).info,
        "number": puzzle.id,
        "heading": translated(puzzle_title(found.title, puzzle.id)),
        "task": task_words(replace(found, is_finished=False)),
        "rating": current_rating(puzzle, ratings_of_puzzles(game)),
        "is_today": _is_today(game, puzzle, today),
        "retired": puzzle.retired or puzzle.id in retired_here(game),
        "player": speaker(request),
        "levels": LEVEL_NAMES,
        "refused_line": (*found.own, found.tried) if found.result == "not-proved" else (),
        "own": found.own,
        "action": path,
        "script": {
            "moves": line_address(reverse("puzzle-moves", args=[game, puzzle.id]), found.own),
            "reason": line_address(reverse("puzzle-reason", args=[game, puzzle.id]), found.own),
        },
        "analysis_path": analysis_address(game, puzzle.options, found.moves)
        if found.is_finished
        else "",
        "is_wrong": is_wrong,
        "verdict": verdict,
        "said": said.removeprefix(verdict).strip() or ("" if not verdict else " "),
        "refusal": refusal,
        "typed": typed if refusal else "",
    }
    status = 422 if is_wrong and request.method == "POST" else 200
    if refusal is not None:
        status = status_of(refusal) if status_of(refusal) != 404 else 422
    response = render(request, "web/learning/puzzle.html", facts, status=status)
    response["Cache-Control"] = REVALIDATED
    if request.GET:
        response["X-Robots-Tag"] = "noindex, nofollow"  # their number is unbounded
    return response


def _before(game: str, puzzle: Puzzle, moves: tuple[str, ...]) -> JudgedLine:
    """Return what a line has reached before a refused move; the puzzle where it is none."""
    with suppress(UserError):
        return judge_tries(game, puzzle, moves[:MAX_MOVES])
    return judge_tries(game, puzzle, ())


def _is_today(game: str, puzzle: Puzzle, today: date) -> bool:
    return has_daily(game) and puzzle_of_day(game, today).id == puzzle.id
