"""What is going on: running and ended boards, and challenges anybody may take."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from sarsen.core.game import GameInfo
from sarsen.games import find
from sarsen.language.commands.challenges import ANYONE
from sarsen.storage.models import Challenge, Match

# A match from before the term existed is public: a missing key counts as false.
_PUBLIC = Q(terms__private=False) | Q(terms__private__isnull=True)


@dataclass(frozen=True)
class ListedBoard:
    """One board of a list.

    Attributes:
        players: Userids by seat.
        ply: Plies played.
        to_move: The userid whose turn it is; "" once the match is over.
        winner: The userid that won alone; "" while it runs and for a draw.
        result: How it ended; "" while it runs.
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


@dataclass(frozen=True)
class OpenChallenge:
    """A challenge with a free seat.

    Attributes:
        names: Userids by seat; `anyone` for the free ones.
    """

    number: int
    game: GameInfo
    options: str
    names: tuple[str, ...]
    made_at: datetime


def running_boards(game: str = "", *, most: int) -> tuple[ListedBoard, ...]:
    """List public boards that are being played, the latest moved first."""
    return _listed(_matches(game).filter(ended_at=None).order_by("-moved_at", "-pk")[:most])


def ended_boards(game: str = "", *, most: int) -> tuple[ListedBoard, ...]:
    """List public boards that are over, the latest ended first."""
    return _listed(_matches(game).exclude(ended_at=None).order_by("-ended_at", "-pk")[:most])


def open_challenges(game: str = "", *, most: int) -> tuple[OpenChallenge, ...]:
    """List challenges whose free seat anybody may take, the newest first."""
    games = find()
    found = Challenge.objects.filter(state=Challenge.State.OPEN, game__in=games)
    found = found.filter(Q(game=game) if game else Q(), seats__player=None).distinct()
    # A free seat is of no use while somebody who was named has not agreed.
    undecided = Q(seats__player__isnull=False, seats__has_accepted=False)
    found = found.exclude(pk__in=Challenge.objects.filter(undecided).values("pk"))
    listed = found.order_by("-pk").prefetch_related("seats__player")[:most]
    return tuple(
        OpenChallenge(
            number=challenge.pk,
            game=games[challenge.game].info,
            options=challenge.options,
            names=tuple(
                seat.player.userid if seat.player else ANYONE for seat in challenge.seats.all()
            ),
            made_at=challenge.made_at,
        )
        for challenge in listed
    )


def _matches(game: str) -> QuerySet[Match]:
    found = Match.objects.filter(_PUBLIC, game__in=find())
    return found.filter(game=game) if game else found


def _listed(matches: QuerySet[Match]) -> tuple[ListedBoard, ...]:
    games = find()
    listed = []
    for match in matches.prefetch_related("seats__player"):
        players = tuple(seat.player.userid for seat in match.seats.all())
        is_over = match.ended_at is not None
        scores = match.scores or []
        listed.append(
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
            )
        )
    return tuple(listed)
