"""What goes on here, in figures that everybody may see: counted by a sweep, not for each page.

They are counted as a whole each time, so that nothing that happens has to keep a number right.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Q, TextField
from django.db.models.functions import Cast, Substr

from sarsen.core.game import GameInfo
from sarsen.games import find
from sarsen.storage.models import (
    CountedFigures,
    InboundMail,
    Match,
    MatchEvent,
    MatchSeat,
    OutgoingMail,
    Player,
)

DAYS = 35  # of the chart
HOLD = timedelta(minutes=10)  # so long the same figures are shown
_ROW = 1  # the key of the one row
_STORED = {"players", "programs", "busy", "boards", "moves", "mails_in", "mails_out"}
# Only the newest rows are looked at: on a server with more of them in these days the
# chart begins later, and no page ever waits for a walk through all that happened.
MOST_ROWS = 300_000


@dataclass(frozen=True)
class GameFigures:
    """How many boards of a game there are, private ones among them."""

    game: GameInfo
    running: int
    ended: int


@dataclass(frozen=True)
class Figures:
    """The activity figures of a server.

    Attributes:
        players: People; those who have left are not among them.
        programs: The server's own, and others that play here.
        busy: People at boards where somebody moved in the days of the chart.
        moves: Played on each day, the oldest first.
        mails_in, mails_out: In the last week.
    """

    players: int
    programs: int
    busy: int
    boards: tuple[GameFigures, ...]
    moves: tuple[tuple[date, int], ...]
    mails_in: int
    mails_out: int
    at: datetime

    @property
    def running(self) -> int:
        """Boards in play."""
        return sum(one.running for one in self.boards)

    @property
    def ended(self) -> int:
        """Games that are over."""
        return sum(one.ended for one in self.boards)

    @property
    def moved(self) -> int:
        """Moves in all days of the chart."""
        return sum(count for _, count in self.moves)


def figures(now: datetime) -> Figures:
    """Return the figures as they were counted last; where none can be read, count now."""
    row = CountedFigures.objects.filter(pk=_ROW).first()
    if row is None or row.figures.keys() != _STORED:
        return count(now)  # none yet, or those of another release
    return _read(row.figures, row.at)


def sweep_figures(now: datetime) -> bool:
    """Count the figures once their time is over; return whether they were."""
    last = CountedFigures.objects.filter(pk=_ROW).values_list("at", flat=True).first()
    if last is not None and last <= now < last + HOLD:
        return False
    stored = {"figures": _write(count(now)), "at": now}
    CountedFigures.objects.update_or_create(pk=_ROW, defaults=stored)
    return True


def _write(counted: Figures) -> dict[str, Any]:
    """Return figures as they are stored: games and days by their names."""
    return {
        "players": counted.players,
        "programs": counted.programs,
        "busy": counted.busy,
        "boards": {one.game.name: [one.running, one.ended] for one in counted.boards},
        "moves": {day.isoformat(): moves for day, moves in counted.moves},
        "mails_in": counted.mails_in,
        "mails_out": counted.mails_out,
    }


def _read(stored: dict[str, Any], at: datetime) -> Figures:
    # In the order of the games: a database may keep the names in another one.
    boards = tuple(
        GameFigures(game.info, *stored["boards"][name])
        for name, game in find().items()
        if name in stored["boards"]
    )
    moves = tuple((date.fromisoformat(day), moves) for day, moves in stored["moves"].items())
    return Figures(**stored | {"boards": boards, "moves": moves, "at": at})


def count(now: datetime) -> Figures:
    """Count all that is shown."""
    present = Player.objects.filter(is_active=True)
    days = [now.date() - timedelta(days=DAYS - 1 - back) for back in range(DAYS)]
    moves, busy = _moves(now - timedelta(days=DAYS))
    week = now - timedelta(days=7)
    return Figures(
        players=present.filter(is_bot=False).count(),
        programs=present.filter(is_bot=True).count(),
        busy=busy,
        boards=_boards(),
        moves=tuple((day, moves[day]) for day in days),
        mails_in=_newest(InboundMail, received_at__gt=week).count(),
        mails_out=_newest(OutgoingMail, state=OutgoingMail.State.SENT, sent_at__gt=week).count(),
        at=now,
    )


def _boards() -> tuple[GameFigures, ...]:
    running, ended = (_by_game(ended=is_over) for is_over in (False, True))
    return tuple(
        GameFigures(game.info, running.get(name, 0), ended.get(name, 0))
        for name, game in find().items()
        if name in running or name in ended
    )


def _by_game(*, ended: bool) -> dict[str, int]:
    found = Match.objects.filter(ended_at__isnull=not ended).order_by()
    return dict(found.values_list("game").annotate(Count("pk")))


def _moves(since: datetime) -> tuple[Counter[date], int]:
    """Count moves by day, and the people at the boards that moved."""
    found = _newest(MatchEvent, kind=MatchEvent.Kind.MOVE, at__gt=since)
    # Its text begins with the day in UTC, and is told without a call of Python for each row.
    day = Substr(Cast("at", TextField()), 1, 10)
    days = found.order_by().values_list(day).annotate(moves=Count("pk"))
    # Both parts by an index of their own.
    moved = Match.objects.filter(ended_at=None, moved_at__gt=since)
    over = Match.objects.filter(ended_at__gt=since)
    movers = MatchSeat.objects.filter(
        Q(match__in=moved.values("pk")) | Q(match__in=over.values("pk")), player__is_bot=False
    )
    busy: int = movers.aggregate(people=Count("player", distinct=True))["people"]
    return Counter({date.fromisoformat(text): count for text, count in days}), busy


def _newest(model: type[MatchEvent | InboundMail | OutgoingMail], **held: object):  # type: ignore[no-untyped-def]
    last = model._default_manager.aggregate(last=Max("pk"))["last"] or 0
    return model._default_manager.filter(pk__gt=last - MOST_ROWS, **held)
