"""The analysis board: play both sides, and see what is proven or which moves are likely the best.

The address of a page holds the line, so that it can be shared and nothing is stored. A question
is asked by a stream (`analysis_stream`), which ends it when the page is left; without scripts by a
link.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from sarsen.core.errors import UserError
from sarsen.core.game import GameInfo
from sarsen.core.referee import judge
from sarsen.core.symmetry import has_symmetry
from sarsen.doors.web.board.moves import (
    moves_answer,
    reason_answer,
    refuses_in_json,
    step_addresses,
)
from sarsen.doors.web.challenges.option_fields import presets
from sarsen.doors.web.frame.errors import refuse_address, status_of, with_refusal_pages
from sarsen.doors.web.frame.parameters import NUMBER, takes
from sarsen.doors.web.frame.visitors import (
    PRIVATE,
    actor,
    budget_of,
    number_in,
    with_query,
)
from sarsen.doors.web.learning import analysis_stream
from sarsen.doors.web.learning.analysis_stream import answer_facts
from sarsen.doors.web.learning.live_board import MAX_TYPED, board_facts
from sarsen.games import load, names
from sarsen.language.grammar.typography import normalise
from sarsen.language.learning.analysis import MAX_POSITION, AnalysisShown, analysis_line
from sarsen.learning.analysis import Question
from sarsen.search.bots import SEATS
from sarsen.services.analysis import questions
from sarsen.services.matches.practice import (
    LONGEST,
    Practice,
    make_practice,
    nearest_practice,
    positions_of,
)

MAX_WORDS = 400  # above the most moves, so that the refusal can say that there are too many
# Blanks separate moves; a move that brings another along has a semicolon before its blank.
_MOVE_SEPARATOR = re.compile(r"(?<!;)\s+")


@require_safe
def show_games(request: HttpRequest) -> HttpResponse:
    """Show the games that can be analysed."""
    games = [info for name in names() if len((info := load(name).info).seats) == SEATS]
    return render(request, "web/learning/analysis_games.html", {"games": games})


@require_safe
@takes({"at": NUMBER, "ask": ("on",)}, {"from": "position"})
@with_refusal_pages
def show_analysis(request: HttpRequest, name: str) -> HttpResponse:
    """Show a line on a board; the move in the address is played on it first.

    Or a position that is set up takes its place; one that is none leaves it as it is.
    """
    try:
        practice = _read(request, name)
    except UserError as refused:
        return refuse_address(request, refused, lambda: _nearest(request, name))
    typed = " ".join(normalise(request.GET.get("move", ""))[:MAX_TYPED].split())
    setup = _position_in(request, "setup")
    refusal = None
    if typed or setup:
        try:
            if setup:
                practice = make_practice(practice.game.name, "", (), setup=setup)
            else:
                practice = _played(request, practice, typed)
        except UserError as refused:
            refusal = refused
        else:
            return redirect(address(practice, practice.at))
    asks = request.GET.get("ask", "") == "on"
    facts = _facts(practice) | _answer(request, practice, asks=asks)
    facts |= {"refusal": refusal, "typed": typed if refusal else "", "refused_setup": setup}
    status = status_of(refusal) if refusal else 200
    response = render(
        request, "web/learning/analysis.html", facts, status=422 if status == 404 else status
    )
    response["Cache-Control"] = PRIVATE
    if request.GET:
        response["X-Robots-Tag"] = "noindex, nofollow"  # their number is unbounded
    return response


@require_safe
def send_answer(request: HttpRequest, name: str) -> HttpResponseBase:
    """Send what is found of a position as soon as it is found, to a script."""
    return analysis_stream.respond(request, lambda: _question(_read(request, name)))


@require_safe
@refuses_in_json
def send_moves(request: HttpRequest, name: str) -> HttpResponse:
    """Send the taps of every legal move."""
    return moves_answer(request, _read(request, name).position)


@require_safe
@refuses_in_json
def send_reason(request: HttpRequest, name: str) -> HttpResponse:
    """Send the rule that refuses the move tapped."""
    position, tried = _read(request, name).position, request.GET.get("try", "")[:MAX_TYPED]
    return reason_answer(lambda: judge(position, tried))


def address(practice: Practice, at: int) -> str:
    """Return the page of a line, after so many of its moves."""
    query = _record(practice, practice.moves)
    if at != len(practice.moves):
        query.append(("at", str(at)))
    return with_query(reverse("analysis", args=[practice.game.name]), query)


def _read(request: HttpRequest, name: str) -> Practice:
    """Read the line that an address holds."""
    (options, moves), at = _typed(request), number_in(request.GET.get("at", ""))
    game, setup = load(name).info.name, _position_in(request, "position")
    return make_practice(game, options, moves, at, budget_of(request), setup=setup)


def _typed(request: HttpRequest) -> tuple[str, list[str]]:
    """Return the options and moves of an address, as they are written there."""
    text = request.GET.get("moves", "")[: LONGEST + 1].strip()
    moves = [move for move in _MOVE_SEPARATOR.split(text)[:MAX_WORDS] if move]
    return request.GET.get("options", "").strip(), moves


def _nearest(request: HttpRequest, name: str) -> str:
    """Return the nearest address that holds a line."""
    (options, moves), setup = _typed(request), _position_in(request, "position")
    game, budget = load(name).info.name, budget_of(request)
    nearest = nearest_practice(game, options, moves, budget, setup=setup)
    return address(nearest, nearest.at)


def _position_in(request: HttpRequest, field: str) -> str:
    """Return the position that an address has in a field, without line breaks; "" for none."""
    return " ".join(normalise(request.GET.get(field, ""))[: MAX_POSITION + 1].split())


def _played(request: HttpRequest, practice: Practice, move: str) -> Practice:
    """Play a move on the position shown, which forgets those after it."""
    moves = (*practice.moves[: practice.at], move)
    return make_practice(
        practice.game.name,
        practice.options,
        moves,
        budget=budget_of(request),
        setup=practice.setup,
    )


def _question(practice: Practice) -> Question:
    positions = positions_of(practice)[: practice.at + 1]
    moves = practice.moves[: practice.at]
    return Question(practice.game.name, practice.options, moves, positions, practice.setup)


def _answer(request: HttpRequest, practice: Practice, *, asks: bool) -> dict[str, object]:
    """Return what is known of the position shown, and where its script asks.

    Args:
        asks: There is no script: have it searched.
    """
    if practice.position.outcome() is not None:
        return {}
    question, now, found = _question(practice), timezone.now(), None
    try:
        if asks:
            found = questions.ask(question, actor(request), now).shown
        else:
            found = questions.look(question, actor(request), now)
    except UserError as refusal:
        return {"unanswered": refusal}
    is_known = isinstance(found, AnalysisShown) and not found.is_waiting
    record = _record(practice, question.moves)
    return {
        "stream": "" if is_known else _script("analysis-answer", practice),
        "asking": ""
        if is_known
        else with_query(reverse("analysis", args=[practice.game.name]), [*record, ("ask", "on")]),
        "is_waiting": asks and not is_known,
        **(
            answer_facts(found, practice.position, _to(practice))
            if found is not None and is_known
            else {}
        ),
    }


def _to(practice: Practice) -> Callable[[Sequence[str]], str]:
    """Return the page of the position shown after some more moves."""
    path = reverse("analysis", args=[practice.game.name])
    before = practice.moves[: practice.at]
    return lambda moves: with_query(path, _record(practice, (*before, *moves)))


def _facts(practice: Practice) -> dict[str, object]:
    position, at = practice.position, practice.at
    outcome = position.outcome()
    info: GameInfo = practice.game
    written = position.write()
    return {
        **board_facts(position, is_open=outcome is None),
        "game": info,
        "options": practice.options,
        "setup": practice.setup,
        "longest": MAX_POSITION,
        "mover": "" if outcome else position.sides[position.seat],
        "result": outcome.reason if outcome else "",
        "line": [(move, address(practice, ply)) for ply, move in enumerate(practice.moves, 1)],
        "at": at,
        "count": len(practice.moves),
        "steps": step_addresses(at, len(practice.moves), lambda ply: address(practice, ply)),
        "action": reverse("analysis", args=[info.name]),
        "played": " ".join(practice.moves[:at]),
        "back": address(_shorter(practice), at - 1) if at else "",
        "restart": with_query(reverse("analysis", args=[info.name]), _record(practice, ())),
        "presets": presets(info.options),
        "record": analysis_line(info.name, practice.options, practice.setup, practice.moves[:at]),
        "written": written if len(written) <= MAX_POSITION else "",
        "may_set_up": has_symmetry(load(info.name)),
        "script": {
            "moves": _script("analysis-moves", practice),
            "reason": _script("analysis-reason", practice),
        },
    }


def _shorter(practice: Practice) -> Practice:
    """Return the line before the last move shown."""
    moves = practice.moves[: practice.at - 1]
    return make_practice(practice.game.name, practice.options, moves, setup=practice.setup)


def _script(name: str, practice: Practice) -> str:
    """Return the address at which the script asks about the position shown."""
    page = reverse(name, args=[practice.game.name])
    return with_query(page, _record(practice, practice.moves[: practice.at]))


def _record(practice: Practice, moves: Sequence[str]) -> list[tuple[str, str]]:
    parts = (
        ("options", practice.options),
        ("position", practice.setup),
        ("moves", " ".join(moves)),
    )
    return [part for part in parts if part[1]]
