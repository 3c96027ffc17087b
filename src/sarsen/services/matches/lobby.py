"""What is going on: running and ended boards that everybody may see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from sarsen.core.game import GameInfo
from sarsen.games import find
from sarsen.language.ratings import MARK
from sarsen.storage.models import Match, MatchSeat, Player
from sarsen.storage.models.matches import PUBLIC


@dataclass(frozen=True)
class ListedBoard:
    """One board of a list.

    Attributes:
        players: Userids by seat.
        ply: Plies played.
        to_move: The userid whose turn it is; "" once the match is over.
        winner: The userid that won alone; "" while it runs and for a draw.
        result: How it ended; "" while it runs.
        due_at: The move must come before it; None when no clock runs.
        programs: Who of the players is a program.
        event: How many events the board has seen.
    """

    number: int
    game: GameInfo
    options: str
    players: tuple[str, ...]
    ply: int
    to_move: str
    winner: str
    result: str
    moved_at: datetime
    due_at: datetime | None
    programs: frozenset[str] = frozenset()
    event: int = 0

    @property
    def marked_players(self) -> tuple[str, ...]:
        """The userids, programs marked."""
        return tuple(
            f"{player}{MARK}" if player in self.programs else player for player in self.players
        )


def running_boards(game: str = "", *, most: int) -> tuple[ListedBoard, ...]:
    """List public boards that are being played, the latest moved first."""
    return listed(_matches(game).filter(ended_at=None).order_by("-moved_at", "-pk")[:most])


def ended_boards(game: str = "", *, most: int) -> tuple[ListedBoard, ...]:
    """List public boards that are over, the latest ended first."""
    return listed(_matches(game).exclude(ended_at=None).order_by("-ended_at", "-pk")[:most])


def public_boards_of(player: Player, *, ended: bool, most: int) -> tuple[ListedBoard, ...]:
    """List a player's public boards, running or ended, the latest first."""
    seats = MatchSeat.objects.filter(player=player).values("match")
    found = _matches("").filter(pk__in=seats, ended_at__isnull=not ended)
    return listed(found.order_by("-ended_at" if ended else "-moved_at", "-pk")[:most])


def _matches(game: str) -> QuerySet[Match]:
    found = Match.objects.filter(PUBLIC, game__in=find())
    return found.filter(game=game) if game else found


def listed(matches: QuerySet[Match]) -> tuple[ListedBoard, ...]:
    """Return rows as lists show them."""
    games = find()
    rows = []
    for match in matches.prefetch_related("seats__player"):
        players = tuple(seat.player.userid for seat in match.seats.all())
        is_over = match.ended_at is not None
        scores = match.scores or []
        rows.append(
            ListedBoard(
                number=match.pk,
                game=games[match.game].info,
                options=match.options,
                players=players,
                ply=match.ply,
                to_move="" if is_over else players[match.seat_to_move],
                winner=players[scores.index(1.0)] if 1.0 in scores else "",
                result=match.reason,
                moved_at=match.moved_at,
                due_at=match.due_at,
                programs=frozenset(
                    seat.player.userid for seat in match.seats.all() if seat.player.is_bot
                ),
                event=match.event_count,
            )
        )
    return tuple(rows)
