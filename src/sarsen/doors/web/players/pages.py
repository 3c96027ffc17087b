"""Pages about players: each player, all programs, a player's own boards, reports of games."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from sarsen.core.game import GameInfo
from sarsen.doors.web.board.live_updates import own_news
from sarsen.doors.web.help.pages import to_html
from sarsen.doors.web.players.tables import line_chart
from sarsen.doors.web.site.errors import with_refusal_pages
from sarsen.doors.web.site.replies import render_reply
from sarsen.doors.web.site.visitors import (
    actor,
    keep_preference,
    needs_speaker,
    number_in,
    owner,
    speaker,
)
from sarsen.games import find, load
from sarsen.help import find_page
from sarsen.language.commands import Command, Ratings, Standings
from sarsen.language.grammar.dates import short_stretch
from sarsen.language.ratings import rating_difference
from sarsen.language.translating import N_, _
from sarsen.services.accounts.player_pages import (
    GamePlayed,
    GameStrength,
    PlayerPage,
    view_player,
)
from sarsen.services.boards.lists import MyBoards, next_board, own_boards
from sarsen.services.bots.accounts import list_programs
from sarsen.services.dispatch import perform
from sarsen.services.matches.lobby import ListedBoard
from sarsen.services.matches.spectators import favourites_of
from sarsen.services.players import find_player
from sarsen.services.ratings.pages import RatedPlayer, rated_games
from sarsen.services.ratings.tables import Meeting
from sarsen.services.request import Player

MAX_PICTURED = 8
MAX_OF_FORM = 10
LEAST_DRAWN = 3  # rated games: of fewer there is no curve
LAYOUTS = ("pictures", "lines")
LAYOUT_COOKIE = "my-boards"
SOON = timedelta(days=1)


@with_refusal_pages
def show_player(request: HttpRequest, userid: str) -> HttpResponse:
    """Show a player: strength, boards, and how to play with or write to the player."""
    page = view_player(userid, speaker(request))
    facts = {
        "person": page,
        "pictured": page.running[:MAX_PICTURED],
        "further": page.running[MAX_PICTURED:],
        "games": [game.info for game in find().values()],
        "tiles": _tiles(page),
        "form": [_past_game(board, page.userid) for board in page.ended[:MAX_OF_FORM]],
        "met": _total_score(page.meetings),
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


def _tiles(page: PlayerPage) -> list[GameTile]:
    """Return the games of a player, those with a rating first."""
    played = {entry.game.name: entry for entry in page.played}
    strength = {entry.game.name: entry for entry in page.strength}
    rated = rated_games(find_player(page.userid), timezone.now())
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


def show_programs(request: HttpRequest) -> HttpResponse:
    """Show all programs, with their ratings in every game."""
    facts = {
        "programs": list_programs(with_ratings=True),
        "games": [game.info for game in find().values()],
        "for_two": [game.info for game in find().values() if len(game.info.seats) == 2],
        "about": to_html(find_page(("bots",)).text),
    }
    return render(request, "web/players/programs.html", facts)


_REPORTS: dict[str, tuple[Callable[[str], Command], str]] = {
    "ratings": (Ratings, N_("{game}: ratings")),
    "standings": (Standings, N_("{game}: standings")),
}


@with_refusal_pages
def show_report(request: HttpRequest, name: str, kind: str) -> HttpResponse:
    """Show the ratings or the standings of a game."""
    info, (command, title) = load(name).info, _REPORTS[kind]
    reply = perform(command(info.name), actor(request), "", timezone.now())
    facts = {
        "game": info,
        "kind": kind,
        "title": _(title).format(game=info.title),
        "answer": render_reply(reply, speaker(request)),
    }
    return render(request, "web/site/report.html", facts)


@dataclass(frozen=True)
class OwnRow:
    """A board of a list as its player sees it.

    Attributes:
        against: The others at it, programs marked; all players where the player watches, or
            plays alone.
        left: How long its clock still runs, in short; "" when none does.
        is_soon: Hardly any time is left.
        is_mine: It waits for the player.
    """

    board: ListedBoard
    against: tuple[str, ...]
    left: str
    is_soon: bool
    is_mine: bool


@needs_speaker
def show_my_boards(request: HttpRequest) -> HttpResponse:
    """Show all that concerns the player who is logged in."""
    player = owner(request)
    news = own_news(player)
    favourites, of_favourites = favourites_of(player)
    own, layout, now = own_boards(player), _layout(request), timezone.now()
    facts = {
        "invitations": [challenge for challenge in own.challenges if challenge.may_accept],
        "sent_challenges": [challenge for challenge in own.challenges if not challenge.may_accept],
        "player": player,
        "layout": layout,
        "layouts": LAYOUTS,
        "news": news,
        "favourites": favourites,
        "of_favourites": of_favourites,
        **_lists(own, player, now),
    }
    response = render(request, "web/players/my_boards.html", facts)
    if "as" in request.GET:
        keep_preference(request, response, LAYOUT_COOKIE, layout)
    return response


@needs_speaker
def go_to_next(request: HttpRequest) -> HttpResponse:
    """Go to the board that waits most urgently; when none does, to all of them."""
    player = owner(request)
    board = next_board(player, number_in(request.GET.get("after", "")))
    return redirect("my") if board is None else redirect("board", board=board)


def _layout(request: HttpRequest) -> str:
    """Return how the boards are laid out: as asked now, else as asked last."""
    for layout in (request.GET.get("as", ""), request.COOKIES.get(LAYOUT_COOKIE, "")):
        if layout in LAYOUTS:
            return layout
    return LAYOUTS[0]


def _lists(own: MyBoards, player: Player, now: datetime) -> dict[str, list[OwnRow]]:
    to_move, waiting = (own_rows(boards, player, now) for boards in (own.to_move, own.waiting))
    return {
        "to_move": to_move,
        "waiting": waiting,
        "running": to_move + waiting,
        "watched": own_rows(own.watched, player, now),
        "ended": own_rows(own.ended, player, now),
    }


def own_rows(boards: Iterable[ListedBoard], player: Player, now: datetime) -> list[OwnRow]:
    """Return boards as a list shows them to one of their players."""
    return [_row(board, player.userid, now) for board in boards]


def _row(board: ListedBoard, userid: str, now: datetime) -> OwnRow:
    marked = zip(board.players, board.marked_players, strict=True)
    others = tuple(name for player, name in marked if player != userid)
    plays = userid in board.players
    left = board.due_at - now if board.due_at and not board.result else None
    return OwnRow(
        board=board,
        against=others if plays and others else board.marked_players,
        left="" if left is None else short_stretch(max(left, timedelta())),
        is_soon=left is not None and left < SOON,
        is_mine=board.to_move == userid,
    )
