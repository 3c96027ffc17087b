"""Finished games, newest first, with what they did to ratings."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from sarsen.games import load
from sarsen.language.commands import History
from sarsen.language.ratings import present_words
from sarsen.language.replies import Table
from sarsen.services.players import find_players, marked
from sarsen.services.ratings.counting import change_of
from sarsen.services.request import Player, Request
from sarsen.storage.models import Match, Result

MOST_LISTED = 50
COLUMNS = ("ended", "board", "game", "players", "plies", "winner", "result", "rating")


def history(command: History, request: Request) -> Table:
    """Make a table of finished games: of a game, of a player, or of two."""
    games = (load(command.game).info.name,) if command.game else ()
    players = find_players(command.userids, 2, "history")
    found = _results(games, players, request.actor.player)
    results = list(found.select_related("match").prefetch_related("match__seats__player"))
    first = players[0] if players else None
    title = f"{load(command.game).info.title}: past games" if command.game else "Past games"
    whose = f" of {' and '.join(player.userid for player in players)}" if players else ""
    rows = tuple(_row(result, first) for result in results)
    return Table(f"{title}{whose}", COLUMNS, rows)


def _results(
    games: tuple[str, ...], players: list[Player], viewer: Player | None
) -> QuerySet[Result]:
    """Find one row a match: the first player's, or that of the first seat."""
    found = Result.objects.order_by("-at", "-match_id")
    if games:
        found = found.filter(game__in=games)
    seen = Q(is_private=False)
    if viewer is not None:
        seen |= Q(match__in=Match.objects.filter(seats__player=viewer))
    found = found.filter(seen)
    if not players:
        return found.filter(seat=0)[:MOST_LISTED]
    found = found.filter(player=players[0]).exclude(seat=1, opponent=players[0])
    if len(players) == 2:
        found = found.filter(opponent=players[1])
    return found[:MOST_LISTED]


def _change(result: Result, player: Player | None) -> str:
    """Return what a game did to the rating of the first player named."""
    if not result.is_rated:
        return "unrated"
    return (present_words(change_of(result, player)) if player else "") or "rated"


def _row(result: Result, first: Player | None) -> tuple[str, ...]:
    match = result.match
    players = [seat.player for seat in match.seats.all()]
    scores = match.scores or []
    return (
        f"{result.at:%Y-%m-%d}",
        str(match.pk),
        f"{match.game} {match.options}".strip(),
        " v ".join(map(marked, players)),
        str(match.ply),
        players[scores.index(1.0)].userid if 1.0 in scores else "drawn",
        match.reason,
        _change(result, first),
    )
