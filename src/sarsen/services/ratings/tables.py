"""Answer `ratings`: how strong players are, as a table."""

from __future__ import annotations

from datetime import datetime

from sarsen.games import load, names
from sarsen.language.commands import Ratings
from sarsen.language.marks import MARK
from sarsen.language.replies import Table, Tables
from sarsen.language.wording.moments import moment
from sarsen.language.wording.ratings import between, points
from sarsen.services.call import Call, Player
from sarsen.services.players import find_players
from sarsen.services.ratings.glicko import NEWCOMER, Strength
from sarsen.services.ratings.pages import rank_of, rating_list
from sarsen.services.ratings.present import Present, present, present_period

COLUMNS = ("rank", "player", "rating", "between", "games", "remarks")
MOST_NAMED = 20


def ratings(command: Ratings, call: Call) -> Table | Tables:
    """Make a table of the strongest players of each game, or of the players named."""
    games = (load(command.game).info.name,) if command.game else tuple(names())
    if command.userids:
        return _named(games, find_players(command.userids, MOST_NAMED, "ratings"), call)
    tables = [_of_game(game) for game in games]
    return tables[0] if command.game else Tables(tuple(table for table in tables if table.rows))


def _of_game(game: str) -> Table:
    rows = tuple(
        (
            str(one.rank or ""),
            one.userid,
            points(one.strength.rating, is_provisional=one.strength.is_provisional),
            between(one.strength.rating, one.strength.deviation),
            str(one.games),
            MARK.strip() if one.is_bot else "",
        )
        for one in rating_list(game)
    )
    return Table(f"{load(game).info.title} ratings", COLUMNS, rows)


def _named(games: tuple[str, ...], players: list[Player], call: Call) -> Table:
    rows = []
    for game in games:
        for player in players:
            stands = present(player, game)
            if stands.now or stands.running or len(games) == 1:
                rows.append((game, *_row(player, game, stands)))
    zone = call.actor.player.timezone if call.actor.player else ""
    _, ends_at = present_period()
    return Table(
        "Ratings",
        ("game", *COLUMNS[:-1], _estimate_title(ends_at, zone, call.now), COLUMNS[-1]),
        tuple(rows),
    )


def _row(player: Player, game: str, stands: Present) -> tuple[str, ...]:
    now = stands.now or NEWCOMER
    return (
        str(rank_of(player, game) or ""),
        player.userid,
        points(now.rating, is_provisional=now.is_provisional),
        between(now.rating, now.deviation),
        str(stands.games),
        _estimate(stands.estimate),
        MARK.strip() if player.is_bot else "",
    )


def _estimate(strength: Strength | None) -> str:
    return points(strength.rating, is_provisional=strength.is_provisional) if strength else ""


def _estimate_title(ends_at: datetime | None, zone: str, now: datetime) -> str:
    """Name the column of what the running period makes of a rating so far."""
    return f"about, on {moment(ends_at, zone, now)}" if ends_at else "about, after this period"
