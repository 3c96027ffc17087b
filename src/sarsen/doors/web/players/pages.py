"""The page of a player: strength, results, and boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sarsen.core.game import GameInfo
from sarsen.doors.web.frame.charts import line_chart
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.visitors import speaker
from sarsen.games import find
from sarsen.language.clocks import away_label
from sarsen.language.ratings import rating_difference
from sarsen.language.translating import _, translated
from sarsen.services.accounts.player_pages import GamePlayed, GameStrength, PlayerPage, view_player
from sarsen.services.challenges.acceptance import taken_words
from sarsen.services.contests.views.of_player import entries_of, medals_of
from sarsen.services.matches.lobby import ListedBoard
from sarsen.services.players import find_player
from sarsen.services.ratings.pages import RatedPlayer, rated_games
from sarsen.services.ratings.tables import Meeting
from sarsen.services.request import Player

MAX_PICTURED = 8  # boards with a picture, which makes the page longer
MAX_OF_FORM = 10  # last results, as they fit in one row
LEAST_DRAWN = 3  # rated games: two points are a line, which says nothing


@with_refusal_pages
def show_player(request: HttpRequest, userid: str) -> HttpResponse:
    """Show a player: strength, boards, and how to play with or write to the player."""
    viewer, now = speaker(request), timezone.now()
    page = view_player(userid, viewer, now)
    player = find_player(page.userid)
    facts = {
        "person": page,
        "entries": entries_of(player, viewer),
        "medals": medals_of(player),
        "pictured": page.running[:MAX_PICTURED],
        "further": page.running[MAX_PICTURED:],
        "games": [game.info for game in find().values()],
        "tiles": _tiles(page, player),
        "form": [_past_game(board, page.userid) for board in page.finished[:MAX_OF_FORM]],
        "met": _total_score(page.meetings),
        "takes": translated(taken_words(page.takes)) if page.takes else "",
        "away": away_label(*page.away, now.date()) if page.away else "",
    }
    return render(request, "web/players/page.html", facts)


@dataclass(frozen=True)
class GameTile:
    """A player's rating and results at one game.

    Attributes:
        rating: As lists show it; "" without one.
        change: What the last game did to it: `+12`.
        chart: How it moved; "" with few rated games. The table of `strength` says the same.
    """

    game: GameInfo
    played: GamePlayed | None
    rated: RatedPlayer | None
    rating: str
    change: str
    strength: GameStrength | None
    chart: str


def _tiles(page: PlayerPage, player: Player) -> list[GameTile]:
    """Return the games of a player, those with a rating first."""
    played = {entry.game.name: entry for entry in page.played}
    strength = {entry.game.name: entry for entry in page.strength}
    rated = rated_games(player, timezone.now())
    tiles = [
        _tile(game.info, played.get(name), strength.get(name), rated.get(name))
        for name, game in find().items()
        if name in played or name in strength or name in rated
    ]
    return sorted(tiles, key=lambda tile: tile.rated is None)


def _tile(
    game: GameInfo,
    played: GamePlayed | None,
    strength: GameStrength | None,
    rated: RatedPlayer | None,
) -> GameTile:
    rating = change = chart = ""
    if rated is not None:
        rating = rated.strength.figures
        change = rating_difference(rated.before, rated.strength.rating)
    if strength is not None and len(strength.points) >= LEAST_DRAWN:
        points = [(point.at, point.rating) for point in strength.points[::-1]]
        title = _("{title}: the rating after each game").format(title=game.title)
        chart = line_chart(points, title)
    return GameTile(game, played, rated, rating, change, strength, chart)


@dataclass(frozen=True)
class PastGame:
    """A finished board as one of its players sees it; `result` is `won`, `lost` or `drawn`."""

    board: ListedBoard
    against: str
    result: str


def _past_game(board: ListedBoard, userid: str) -> PastGame:
    against = [player for player in board.players if player != userid]
    result = "won" if board.winner == userid else "lost" if board.winner else "drawn"
    return PastGame(board, ", ".join(against or board.players), result)


def _total_score(meetings: tuple[Meeting, ...]) -> Score | None:
    if not meetings:
        return None
    return Score(
        sum(meeting.won for meeting in meetings),
        sum(meeting.lost for meeting in meetings),
        sum(meeting.drawn for meeting in meetings),
    )


class Score(NamedTuple):
    """How often two players have beaten each other, and not."""

    won: int
    lost: int
    drawn: int
