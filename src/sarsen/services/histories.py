"""Finished games, newest first, with what they did to ratings."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from sarsen.games import load
from sarsen.language.commands import History
from sarsen.language.replies import Table
from sarsen.language.wording.ratings import points
from sarsen.services.bots.marking import marked
from sarsen.services.call import Call, Player
from sarsen.services.players import find_players
from sarsen.services.ratings.changes import change_of
from sarsen.storage.models import Match, Result

MOST_LISTED = 50
COLUMNS = ("ended", "board", "game", "players", "plies", "winner", "result", "rating")


def history(command: History, call: Call) -> Table:
    """Make a table of finished games: of a game, of a player, or of two."""
    games = (load(command.game).info.name,) if command.game else ()
    players = find_players(command.userids, 2, "history")
    found = _results(games, players, call.actor.player)
    results = list(found.select_related("match").prefetch_related("match__seats__player"))
    changes = _changes(players, results)
    title = f"{load(command.game).info.title}: past games" if command.game else "Past games"
    whose = f" of {' and '.join(player.userid for player in players)}" if players else ""
    rows = tuple(_row(result, changes) for result in results)
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


_Change = dict[tuple[str, int | None], str]


def _changes(players: list[Player], results: Iterable[Result]) -> _Change:
    """Word what the periods of these games did to the rating of the first player named."""
    if not players:
        return {}
    keys = {(result.game, result.period) for result in results if result.is_rated}
    return {(game, period): _change(players[0], game, period) for game, period in keys}


def _change(player: Player, game: str, period: int | None) -> str:
    change = change_of(player, game, period)
    if change.after is None:
        return "rated"
    start = "new"
    if change.before is not None:
        start = points(change.before, is_provisional=change.was_provisional)
    end = points(change.after, is_provisional=change.is_provisional)
    return f"{start} to {end}" if change.is_final else f"{start} to about {end}"


def _row(result: Result, changes: _Change) -> tuple[str, ...]:
    match = result.match
    players = [seat.player for seat in match.seats.all()]
    scores = match.scores or []
    rated = changes.get((result.game, result.period), "rated") if result.is_rated else "unrated"
    return (
        f"{result.at:%Y-%m-%d}",
        str(match.pk),
        f"{match.game} {match.options}".strip(),
        " v ".join(map(marked, players)),
        str(match.ply),
        players[scores.index(1.0)].userid if 1.0 in scores else "drawn",
        match.reason,
        rated,
    )
