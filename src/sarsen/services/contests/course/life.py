"""Signs of life of players (E6): a move, a proved mail, a log-in, a command by token.

No sign are a planned move that was played, a feed and an opened letter. Nothing is written for
it: it is asked of what is stored anyway, so that a move costs nothing more.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from django.db.models import Max

from sarsen.services.clocks.turns import Pause, Pauses, end_of_budget, pauses_of, pauses_of_player
from sarsen.storage.models import AnsweredRequest, MatchEvent, MatchSeat, Player, Token

# Longer than any absence that the law asks about, and as long as answered requests are kept.
LOOKED_BACK = timedelta(days=60)


def last_signs(players: Collection[int], now: datetime) -> Mapping[int, datetime]:
    """Return when each player last gave a sign of life, of the last 60 days; else that long ago."""
    since = now - LOOKED_BACK
    signs = dict.fromkeys(players, since)
    for found in (
        _requests(players, since, now),
        _log_ins(players),
        _tokens(players),
        _moves(players, since, now),
    ):
        for player, at in found.items():
            if at is not None and signs[player] < at <= now:
                signs[player] = at
    return signs


def end_of_absence(
    player: int,
    begin: datetime,
    length: timedelta,
    now: datetime,
    pauses: tuple[Pause, ...] | None = None,
) -> datetime:
    """Return when an absence has lasted so long, vacations and downtimes left out.

    Args:
        pauses: Of this player and others, where they were looked up together.
    """
    if pauses is None:
        pauses = pauses_of({player}, begin, now)
    return end_of_budget(begin, length, Pauses(pauses_of_player(pauses, player)))


def _requests(players: Collection[int], since: datetime, now: datetime) -> dict[int, datetime]:
    """Return when each last sent a command by mail or on a page."""
    rows = AnsweredRequest.objects.filter(speaker__in=players, at__gt=since, at__lte=now)
    return dict(rows.values("speaker").annotate(last=Max("at")).values_list("speaker", "last"))


def _log_ins(players: Collection[int]) -> dict[int, datetime | None]:
    return dict(Player.objects.filter(pk__in=players).values_list("pk", "last_login"))


def _tokens(players: Collection[int]) -> dict[int, datetime]:
    rows = Token.objects.filter(player__in=players).values("player")
    return dict(rows.annotate(last=Max("used_at")).values_list("player", "last"))


def _moves(players: Collection[int], since: datetime, now: datetime) -> dict[int, datetime]:
    """Return when each last moved by themselves, at any board."""
    seats = MatchSeat.objects.filter(player__in=players, match__moved_at__gt=since)
    owners = {
        (match, seat): player
        for match, seat, player in seats.values_list("match", "seat", "player")
    }
    kinds = (MatchEvent.Kind.MOVE, MatchEvent.Kind.RESIGN)
    events = MatchEvent.objects.filter(
        match__in={match for match, _ in owners}, at__gt=since, at__lte=now
    ).order_by("match", "number")
    signs: dict[int, datetime] = {}
    previous: tuple[int, datetime] | None = None
    for match, kind, seat, at in events.values_list("match", "kind", "seat", "at"):
        # Plans play in the transaction of what set them off, and so at the same instant.
        is_own = kind in kinds and previous != (match, at)
        previous = (match, at)
        player = owners.get((match, seat))
        if is_own and player is not None and signs.get(player, since) < at:
            signs[player] = at
    return signs
