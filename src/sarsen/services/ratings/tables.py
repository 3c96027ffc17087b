"""Answer `ratings`: how strong players are, as a table."""

from __future__ import annotations

from datetime import datetime

from sarsen.games import load, names
from sarsen.language.commands import Ratings
from sarsen.language.ratings import between, points, signed
from sarsen.language.replies import Table, Tables
from sarsen.language.wording import MARK
from sarsen.services.players import find_players
from sarsen.services.ratings.pages import RatedPlayer, rated_player, rating_list
from sarsen.services.request import Player, Request

COLUMNS = ("rank", "player", "rating", "change", "between", "games", "remarks")
MOST_NAMED = 20


def ratings(command: Ratings, request: Request) -> Table | Tables:
    """Return a table of the strongest players of each game, or of the players named."""
    games = (load(command.game).info.name,) if command.game else tuple(names())
    if command.userids:
        return _named(games, find_players(command.userids, MOST_NAMED, "ratings"), request.now)
    tables = [_of_game(game, request.now) for game in games]
    return tables[0] if command.game else Tables(tuple(table for table in tables if table.rows))


def _of_game(game: str, now: datetime) -> Table:
    rows = tuple(map(_row, rating_list(game, now)))
    return Table(f"{load(game).info.title} ratings", COLUMNS, rows)


def _named(games: tuple[str, ...], players: list[Player], now: datetime) -> Table:
    rows = []
    for game in games:
        for player in players:
            rated = rated_player(player, game, now)
            if rated:
                rows.append((game, *_row(rated)))
            elif len(games) == 1:
                rows.append((game, "", player.userid, "", "", "", "0", _remark(player.is_bot)))
    return Table("Ratings", ("game", *COLUMNS), tuple(rows))


def _row(one: RatedPlayer) -> tuple[str, ...]:
    strength = one.strength
    return (
        str(one.rank or ""),
        one.userid,
        points(strength.rating, is_provisional=strength.is_provisional),
        signed(one.before, strength.rating),
        between(strength.rating, strength.deviation),
        str(one.games),
        _remark(one.is_bot),
    )


def _remark(is_bot: bool) -> str:
    return MARK.strip() if is_bot else ""
