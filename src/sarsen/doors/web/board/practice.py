"""Boards that nobody keeps, to try a game and on pages of rules; the address is the record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from sarsen.core.errors import UserError
from sarsen.core.referee import judge
from sarsen.doors.web.board.line_addresses import analysis_address
from sarsen.doors.web.board.moves import (
    legal_texts,
    moves_answer,
    reason_answer,
    refuses_in_json,
    step_addresses,
)
from sarsen.doors.web.challenges.option_fields import presets
from sarsen.doors.web.frame.errors import refuse_address, with_refusal_pages
from sarsen.doors.web.frame.parameters import NUMBER, takes
from sarsen.doors.web.frame.pictures import in_words, inline_picture
from sarsen.doors.web.frame.visitors import budget_of, number_in, speaker, with_query
from sarsen.games import load
from sarsen.learning.analysis import begin
from sarsen.services.bots.accounts import list_programs
from sarsen.services.matches.advice import check_practice
from sarsen.services.matches.practice import (
    LONGEST,
    Practice,
    make_practice,
    nearest_practice,
    with_replies,
)

_OF_POSITION = ("position", "from")  # of the analysis board, and as a line of the language has it
MAX_WORDS = 400  # above `MAX_MOVES`, so that the refusal can say that there are too many
MAX_BUTTONS = 40  # legal moves that are buttons; more are found faster by typing
# Legal moves that the field knows: each makes the page longer.
MAX_NAMED = 500


@require_safe
@takes({"at": NUMBER, "partner": ("on",)})
@with_refusal_pages
def show_practice(request: HttpRequest, name: str) -> HttpResponse:
    """Show a board that nobody keeps; the move in the address is played on it first."""
    has_partner = request.GET.get("partner", "") == "on"
    for field in _OF_POSITION:
        if setup := request.GET.get(field, ""):
            return _refuse_position(request, name, setup)
    try:
        practice = _read_practice(request, name)
    except UserError as unread:
        nearest = partial(_nearest, request, name, has_partner=has_partner)
        return refuse_address(request, unread, nearest)
    info = practice.game
    typed, refusal = " ".join(request.GET.get("move", "").split()), None
    if typed:
        try:
            practice = _play(request, practice, typed, has_partner=has_partner)
        except UserError as refused:
            refusal = refused
        else:
            return redirect(address(practice, practice.at, has_partner=has_partner))
    board = live_board(practice, key="try", has_partner=has_partner, typed=typed, refusal=refusal)
    facts = {
        "game": info,
        "live": board,
        "has_won": _has_won(practice),
        "back": _shorter_address(practice, has_partner=has_partner),
        "restart_link": address(_beginning(practice), 0, has_partner=has_partner),
        "analysis": analysis_address(info.name, practice.options, practice.moves[: practice.at]),
        "presets": presets(info.options),
        "programs": list_programs() if len(info.seats) == 2 else (),
    }
    response = render(request, "web/board/practice.html", facts, status=422 if refusal else 200)
    response["X-Robots-Tag"] = "noindex, nofollow"  # their number is unbounded
    if speaker(request) is None and not refusal:
        response["Cache-Control"] = "private, max-age=60"
    return response


@require_safe
@refuses_in_json
def send_moves(request: HttpRequest, name: str) -> HttpResponse:
    """Send the taps of every legal move of a board that nobody keeps, for its script."""
    return moves_answer(request, _read_practice(request, name).position)


@require_safe
@refuses_in_json
def send_reason(request: HttpRequest, name: str) -> HttpResponse:
    """Send the rule that refuses the move tapped; nothing when it is not a whole move."""
    practice = _read_practice(request, name)
    tried = request.GET.get("try", "")
    return reason_answer(lambda: judge(practice.position, tried))


def _read_practice(request: HttpRequest, name: str) -> Practice:
    """Read the game that an address holds."""
    options, texts = _typed(request)
    game, at = load(name).info.name, number_in(request.GET.get("at", ""))
    return make_practice(game, options, texts, at, budget_of(request))


def _refuse_position(request: HttpRequest, name: str, setup: str) -> HttpResponse:
    """Refuse a position that is set up, with the analysis board, which takes it."""
    refusal = UserError(
        "A practice board begins as a game does: positions are set up on the analysis board.",
        code="position-here",
    )
    rules, query = load(name), [("position", setup)]
    try:
        begin(rules, "", setup)
    except UserError:
        query = []  # none that can be read, or the game has no positions to set up
    other = with_query(reverse("analysis", args=[rules.info.name]), query)
    return refuse_address(request, refusal, lambda: other)


def _typed(request: HttpRequest) -> tuple[str, list[str]]:
    """Return the options and moves of an address, as they are written there."""
    fields = request.GET
    moves = fields.get("moves", "")[: LONGEST + 1].split()[:MAX_WORDS]
    return fields.get("options", "").strip(), moves


def _nearest(request: HttpRequest, name: str, *, has_partner: bool) -> str:
    """Return the nearest address that holds a game."""
    options, texts = _typed(request)
    nearest = nearest_practice(load(name).info.name, options, texts, budget_of(request))
    return address(nearest, nearest.at, has_partner=has_partner)


def _play(request: HttpRequest, practice: Practice, move: str, *, has_partner: bool) -> Practice:
    """Play a move on the position shown, which forgets those after it; the partner answers."""
    moves = (*practice.moves[: practice.at], move)
    budget = budget_of(request)
    played = make_practice(practice.game.name, practice.options, moves, budget=budget)
    if not has_partner:
        return played
    player = speaker(request)
    if player is not None:
        check_practice(player, played, budget.check if budget else lambda: None)
    return with_replies(played, budget)


def _has_won(practice: Practice) -> bool | None:
    """Return whether the person has won; None before the end, and for a draw."""
    outcome = practice.position.outcome()
    if outcome is None or outcome.winner is None:
        return None
    return outcome.winner == 0


def _shorter_address(practice: Practice, *, has_partner: bool) -> str:
    """Return the address of the game before the person's last move; "" where there is none."""
    if not practice.at:
        return ""
    count = practice.at - 1
    if has_partner and count:
        count -= 1  # and what the partner answered
    shorter = make_practice(practice.game.name, practice.options, practice.moves[:count])
    return address(shorter, count, has_partner=has_partner)


def _beginning(practice: Practice) -> Practice:
    return make_practice(practice.game.name, practice.options, ())


def live_board(
    practice: Practice,
    *,
    key: str,
    has_partner: bool = False,
    text: str = "",
    typed: str = "",
    refusal: UserError | None = None,
) -> dict[str, object]:
    """Return what a page shows of a board that nobody keeps.

    Args:
        key: Names its parts within the page.
        text: The same as a text board; "" for none.
    """
    position, at, count = practice.position, practice.at, len(practice.moves)
    outcome = position.outcome()
    legal = () if outcome else legal_texts(position, MAX_NAMED)

    def to(ply: int) -> str:
        return address(practice, ply, has_partner=has_partner)

    return {
        "key": key,
        "game": practice.game.name,
        "info": practice.game,
        "options": practice.options,
        "moves_address": _script_address("practice-moves", practice),
        "reason_address": _script_address("practice-reason", practice),
        "picture": inline_picture(position),
        "words": in_words(position),
        "steps": step_addresses(at, count, to),
        "at": at,
        "count": count,
        "played": practice.moves[:at],
        "move": practice.moves[at - 1] if at else "",
        "effects": position.effects() if at else (),
        "legal": legal,
        "has_buttons": 0 < len(legal) <= MAX_BUTTONS,
        "mover": "" if outcome else position.sides[position.seat],
        "result": outcome.reason if outcome else "",
        "has_partner": has_partner,
        "text": text,
        "typed": typed,
        "refusal": refusal,
    }


def board_html(board: dict[str, object]) -> SafeString:
    """Write the board as a part of any page."""
    return mark_safe(render_to_string("web/board/live_board.html", {"live": board}))  # noqa: S308


def address(practice: Practice, at: int, *, has_partner: bool) -> str:
    """Return the page of a board that nobody keeps, after so many of its moves."""
    query = _record(practice, practice.moves)
    if at != len(practice.moves):
        query.append(("at", str(at)))
    if has_partner:
        query.append(("partner", "on"))
    return with_query(reverse("practice", args=[practice.game.name]), query)


def _script_address(name: str, practice: Practice) -> str:
    """Return the address at which the script asks about the position shown."""
    page = reverse(name, args=[practice.game.name])
    return with_query(page, _record(practice, practice.moves[: practice.at]))


def _record(practice: Practice, moves: Sequence[str]) -> list[tuple[str, str]]:
    parts = (("options", practice.options), ("moves", " ".join(moves)))
    return [part for part in parts if part[1]]
