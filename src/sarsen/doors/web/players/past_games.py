"""Pages of games that are over: searching them, and which openings were played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from sarsen.core.errors import UserError
from sarsen.doors.web.board.practice import address
from sarsen.doors.web.frame.errors import refuse_address, with_refusal_pages
from sarsen.doors.web.frame.parameters import takes
from sarsen.doors.web.frame.pictures import caption, inline_picture
from sarsen.doors.web.frame.tables import linked_table
from sarsen.doors.web.frame.visitors import actor, budget_of, with_query
from sarsen.drawing.view import roles_of_sides
from sarsen.games import find, load
from sarsen.language.commands import History
from sarsen.language.replies import Table
from sarsen.language.translating import _
from sarsen.services.dispatch import perform
from sarsen.services.limits.processor_time import ProcessorBudget
from sarsen.services.matches.openings import PLIES, CountedMove, look_up
from sarsen.services.matches.practice import make_practice, nearest_practice
from sarsen.services.ratings.past_games import MAX_LISTED

LONGEST = 200  # characters of a field: an address may hold anything
RESULTS = ("won", "lost", "drawn")
_FIELDS = (
    *("game", "player", "other", "result", "opening", "options"),
    *("least", "most", "since", "until"),
)


@require_safe
@takes({}, {"from": "since"})  # as the command `history` calls it
@with_refusal_pages
def show_history(request: HttpRequest, name: str = "", userid: str = "") -> HttpResponse:
    """Show finished games: all, of a game, of a player, or as they were searched for."""
    typed = {field: " ".join(request.GET.get(field, "")[:LONGEST].split()) for field in _FIELDS}
    fields = {**typed, "game": name or typed["game"], "player": userid or typed["player"]}
    info = load(fields["game"]).info if fields["game"] else None
    table, refusal = None, None
    try:
        reply = perform(_command(fields), actor(request), "", timezone.now())
        assert isinstance(reply, Table)
        table = replace(linked_table(reply, key="found"), title=_("Finished games"))
    except UserError as refused:
        refusal = refused
    facts = {
        "title": _title(info.title if info else "", fields["player"]),
        "game": info,
        "games": [game.info for game in find().values()],
        "fields": fields,
        "results": RESULTS,
        # A player's games of one game are a tab, and no search.
        "has_tabs": bool(userid),
        "is_searched": any(text for field, text in typed.items() if field != "game" or not userid),
        "table": table,
        "most": MAX_LISTED if table and len(table.rows) == MAX_LISTED else 0,
        "refusal": refusal,
    }
    return render(request, "web/players/history.html", facts, status=422 if refusal else 200)


def _command(fields: dict[str, str]) -> History:
    """Return the command that searches for what was filled in."""
    least, most = fields["least"], fields["most"]
    terms = {
        "result": fields["result"],
        "plies": f"{least}-{most}" if least or most else "",
        "from": fields["since"],
        "until": fields["until"],
        "opening": ",".join(fields["opening"].replace(",", " ").split()),
    }
    return History(
        fields["game"],
        tuple(filter(None, (fields["player"], fields["other"]))),
        fields["options"],
        tuple(f"--{name}={value}" for name, value in terms.items() if value),
    )


def _title(game: str, player: str) -> str:
    if player:
        return _("Past games of {player}").format(player=player)
    return _("{game}: past games").format(game=game) if game else _("Past games")


@dataclass(frozen=True)
class ExploredMove:
    """A move that was played in the position shown, and where its games go on."""

    played: CountedMove
    address: str


@require_safe
@with_refusal_pages
def show_openings(request: HttpRequest, name: str) -> HttpResponse:
    """Show what was played in a position of public games that are over, and how they ended."""
    options = " ".join(request.GET.get("options", "")[:LONGEST].split())
    texts = request.GET.get("moves", "")[:LONGEST].split()[:PLIES]
    game, budget = load(name).info.name, budget_of(request)
    try:
        practice = make_practice(game, options, texts, budget=budget)
    except UserError as refusal:
        return refuse_address(request, refusal, lambda: _nearest(game, options, texts, budget))
    moves, position = practice.moves, practice.position
    opening = look_up(position)
    facts = {
        "game": practice.game,
        "roles": roles_of_sides(practice.game.name),
        "options": options,
        "moves": [
            (text, _address(name, options, moves[:at])) for at, text in enumerate(moves, start=1)
        ],
        "begin": _address(name, options, ()),
        "back": _address(name, options, moves[:-1]) if moves else "",
        "picture": inline_picture(position),
        "caption": caption(position),
        "board": address(practice, len(moves), has_partner=False),
        "opening": opening,
        "mover": "" if position.outcome() else position.sides[position.seat],
        "explored": [
            ExploredMove(move, _address(name, options, (*moves, move.text)))
            for move in opening.moves
        ],
        "is_deepest": len(moves) == PLIES,
        "most_plies": PLIES,
    }
    response = render(request, "web/players/openings.html", facts)
    response["X-Robots-Tag"] = "noindex, nofollow"  # there are more of these than boards
    return response


def _nearest(game: str, options: str, texts: Sequence[str], budget: ProcessorBudget | None) -> str:
    """Return the nearest address that holds an opening."""
    nearest = nearest_practice(game, options, texts, budget)
    return _address(game, nearest.options, nearest.moves)


def _address(name: str, options: str, moves: tuple[str, ...]) -> str:
    query = [part for part in (("options", options), ("moves", " ".join(moves))) if part[1]]
    return with_query(reverse("openings", args=[name]), query)
