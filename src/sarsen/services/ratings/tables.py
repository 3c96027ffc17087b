"""Answer `ratings` and `standings` as tables.

Standings are read from counts that the end of each match adds to, never from the matches.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Sum

from sarsen.core.phrases import Phrase
from sarsen.games import load, names
from sarsen.language.commands import Ratings, Standings
from sarsen.language.ratings import MARK, MAX_RATED, rating_difference, rating_range
from sarsen.language.replies import Table, Tables
from sarsen.language.schema.fields import MAX_COMPARED_PLAYERS
from sarsen.services.players import find_players
from sarsen.services.ratings.pages import RatedPlayer, rated_games, rating_list
from sarsen.services.request import Player, Request
from sarsen.storage.models import Encounter, Standing

RATING_COLUMNS = ("rank", "player", "rating", "change", "between", "games", "remarks")
MAX_LISTED = 100  # rows of a table that is sent by mail, too
_COUNTS = ("won", "lost", "drawn")


def ratings(command: Ratings, request: Request) -> Table | Tables:
    """Return a table of the strongest players of each game, or of the players named."""
    games = (load(command.game).info.name,) if command.game else tuple(names())
    if command.userids:
        return _ratings_of_players(
            games, find_players(command.userids, MAX_RATED, "ratings"), request.now
        )
    tables = [_ratings_of_game(game, request.now) for game in games]
    return tables[0] if command.game else Tables(tuple(table for table in tables if table.rows))


@dataclass(frozen=True)
class Meeting:
    """How often two players have met at a game, the first of them in one seat.

    Attributes:
        side: The name of the first player's seat.
        won, lost, drawn: By the first player.
    """

    game: str
    side: str
    won: int
    lost: int
    drawn: int


def standings(command: Standings, request: Request) -> Table | Tables:
    """Make tables of games won, lost and drawn."""
    games = (load(command.game).info.name,) if command.game else tuple(names())
    players = find_players(command.userids, MAX_COMPARED_PLAYERS, "standings")
    if len(players) == 2:
        return _head_to_head(players[0], players[1], games)
    make = _standings_of_player if players else _standings_of_all
    tables = tuple(make(game, *players) for game in games)
    return tables[0] if command.game else Tables(tuple(table for table in tables if table.rows))


def meetings(first: Player, second: Player, games: tuple[str, ...] = ()) -> tuple[Meeting, ...]:
    """Return how often two players have met, by game and seat; all games if none is named."""
    rows = Encounter.objects.filter(
        player=first, opponent=second, game__in=games or tuple(names())
    ).order_by("game", "seat")
    return tuple(
        Meeting(row.game, load(row.game).info.seats[row.seat], row.won, row.lost, row.drawn)
        for row in rows
    )


def _ratings_of_game(game: str, now: datetime) -> Table:
    rows = tuple(map(_rating_row, rating_list(game, now)))
    return Table(Phrase("{game} ratings", game=load(game).info.title), RATING_COLUMNS, rows)


def _ratings_of_players(games: tuple[str, ...], players: list[Player], now: datetime) -> Table:
    lines = [(player, rated_games(player, now)) for player in players]
    rows = []
    for game in games:
        for player, rated_at in lines:
            if rated := rated_at.get(game):
                rows.append((game, *_rating_row(rated)))
            elif len(games) == 1:
                rows.append((game, "", player.userid, "", "", "", "0", _remark(player.is_bot)))
    return Table(Phrase("Ratings"), ("game", *RATING_COLUMNS), tuple(rows))


def _rating_row(rated: RatedPlayer) -> tuple[str, ...]:
    strength = rated.strength
    return (
        str(rated.rank or ""),
        rated.userid,
        strength.figures,
        rating_difference(rated.before, strength.rating),
        rating_range(strength.rating, strength.deviation),
        str(rated.games),
        _remark(rated.is_bot),
    )


def _remark(is_bot: bool) -> str:
    return Phrase("(program)") if is_bot else ""


def _standings_of_all(game: str) -> Table:
    rows = Standing.objects.filter(game=game).order_by("-won", "lost", "player_id")
    values = rows.values_list("player__userid", "player__is_bot", *_COUNTS)[:MAX_LISTED]
    return Table(
        Phrase("{game} standings", game=load(game).info.title),
        ("player", "games", *_COUNTS),
        tuple(_standing_row(name, is_bot, counts) for name, is_bot, *counts in values),
    )


def _standings_of_player(game: str, player: Player) -> Table:
    rows: Any = Encounter.objects.filter(game=game, player=player).values(
        "opponent__userid", "opponent__is_bot"
    )
    sums = {f"all_{name}": Sum(name) for name in _COUNTS}
    summed = rows.annotate(**sums).order_by("-all_won", "all_lost", "opponent__userid")
    values = summed.values_list("opponent__userid", "opponent__is_bot", *sums)[:MAX_LISTED]
    return Table(
        Phrase("{game} standings of {player}", game=load(game).info.title, player=player.userid),
        ("against", "games", *_COUNTS),
        tuple(_standing_row(name, is_bot, counts) for name, is_bot, *counts in values),
    )


def _head_to_head(first: Player, second: Player, games: tuple[str, ...]) -> Table:
    encounters = meetings(first, second, games)
    rows = [
        (
            meeting.game,
            meeting.side,
            str(meeting.won + meeting.lost + meeting.drawn),
            *map(str, _numbers(meeting)),
        )
        for meeting in encounters
    ]
    if len(rows) > 1:
        sums = [sum(column) for column in zip(*map(_numbers, encounters), strict=True)]
        rows.append((Phrase("in all"), "", str(sum(sums)), *map(str, sums)))
    return Table(
        Phrase("{one} against {other}", one=first.userid, other=second.userid),
        ("game", Phrase("{player} as", player=first.userid), "games", *_COUNTS),
        tuple(rows),
    )


def _standing_row(name: str, is_bot: bool, counts: list[int]) -> tuple[str, ...]:
    return (f"{name}{MARK if is_bot else ''}", str(sum(counts)), *map(str, counts))


def _numbers(meeting: Meeting) -> tuple[int, int, int]:
    return meeting.won, meeting.lost, meeting.drawn
