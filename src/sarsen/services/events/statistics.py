"""Public figures of the server's activity, counted by a sweep and not for each page.

Everything is counted each time, so that no event has to update a counter.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, Q, Sum, TextField
from django.db.models.functions import Cast, Substr

from sarsen.core.game import GameInfo
from sarsen.games import find
from sarsen.storage import statements
from sarsen.storage.models import (
    Challenge,
    CountedFigures,
    InboundMail,
    Match,
    MatchEvent,
    MatchSeat,
    OutgoingMail,
    Player,
    Result,
)

DAYS = 35  # of the chart: five whole weeks
# So long the same figures are shown: to count takes long, and a day hardly differs.
HOLD = timedelta(minutes=10)
_ROW = 1  # the key of the one row
# Only the newest rows are looked at: on a server with more of them in these days the
# chart begins later, and no page ever waits for a walk through all that happened.
MAX_ROWS = 300_000
# Games whose ratings are compared for the best of the month: a page must not wait for all.
MAX_RATED = 500
MAX_BEST = 5  # names on the page
_NAMES = """
SELECT {Player.id}, {Player.userid} FROM storage_player WHERE is_active AND id IN ({keys})
"""


@dataclass(frozen=True)
class GameFigures:
    """How many boards of a game there are, private ones among them."""

    game: GameInfo
    running: int
    ended: int


class Winner(NamedTuple):
    """A player by key, and how many rating points they won."""

    player: int
    points: int


@dataclass(frozen=True)
class Figures:
    """The activity figures of a server.

    Attributes:
        players: People; those who have left are not among them.
        programs: The server's own, and others that play here.
        busy: People at boards where somebody moved in the days of the chart.
        moves: Played on each day, the oldest first.
        mails_in, mails_out: In the last week.
        moved_lately: Boards at which somebody moved in the last hour.
        looking: People with an open challenge.
        best: Who won most rating points in the last month; see `Winner`.
    """

    players: int
    programs: int
    busy: int
    boards: tuple[GameFigures, ...]
    moves: tuple[tuple[date, int], ...]
    mails_in: int
    mails_out: int
    moved_lately: int
    looking: int
    best: tuple[Winner, ...]
    at: datetime

    @property
    def running(self) -> int:
        """Boards in play."""
        return sum(game.running for game in self.boards)

    @property
    def ended(self) -> int:
        """Games that are over."""
        return sum(game.ended for game in self.boards)

    @property
    def moved(self) -> int:
        """Moves in all days of the chart."""
        return sum(count for _, count in self.moves)


_STORED = {field.name for field in fields(Figures)} - {"at"}


def figures(now: datetime) -> Figures:
    """Return the figures as they were counted last; where none can be read, count now."""
    row = CountedFigures.objects.filter(pk=_ROW).first()
    if row is None or row.figures.keys() != _STORED:
        return count(now)
    return _read(row.figures, row.at)


@dataclass(frozen=True)
class Activity:
    """The part of the figures that the home page shows.

    Attributes:
        moved: Boards at which somebody moved in the last hour.
        looking: People with an open challenge.
        best: Userids, with the rating points that they won in the last month: `+31`.
    """

    moved: int = 0
    looking: int = 0
    best: tuple[tuple[str, str], ...] = ()


def activity() -> Activity:
    """Return the activity as counted last; zeros as long as nothing was counted."""
    rows = statements.select("SELECT {CountedFigures} FROM storage_countedfigures WHERE id = 1")
    figures = rows[0][0].figures if rows else {}
    if figures.keys() != _STORED:  # none yet, or those of another release
        return Activity()
    best = [Winner(*row) for row in figures["best"]]
    name_rows = statements.select(_NAMES, keys=[winner.player for winner in best])
    names: dict[int, str] = dict(name_rows)  # of those who have not left since
    return Activity(
        figures["moved_lately"],
        figures["looking"],
        tuple(
            (names[winner.player], f"{winner.points:+d}")
            for winner in best
            if winner.player in names
        ),
    )


def is_due(now: datetime) -> bool:
    """Return whether the time of the counted figures is over."""
    last = CountedFigures.objects.filter(pk=_ROW).values_list("at", flat=True).first()
    return last is None or not last <= now < last + HOLD


def sweep_figures(now: datetime) -> bool:
    """Count the figures once their time is over; return whether they were."""
    if not is_due(now):
        return False
    stored = {"figures": _write(count(now)), "at": now}
    CountedFigures.objects.update_or_create(pk=_ROW, defaults=stored)
    return True


def _write(counted: Figures) -> dict[str, Any]:
    """Return figures as they are stored: games and days by their names."""
    stored = vars(counted) | {
        "boards": {entry.game.name: [entry.running, entry.ended] for entry in counted.boards},
        "moves": {day.isoformat(): moves for day, moves in counted.moves},
    }
    return {name: stored[name] for name in _STORED}


def _read(stored: dict[str, Any], at: datetime) -> Figures:
    # In the order of the games: a database may keep the names in another one.
    boards = tuple(
        GameFigures(game.info, *stored["boards"][name])
        for name, game in find().items()
        if name in stored["boards"]
    )
    moves = tuple((date.fromisoformat(day), moves) for day, moves in stored["moves"].items())
    best = tuple(Winner(*row) for row in stored["best"])
    return Figures(**stored | {"boards": boards, "moves": moves, "best": best, "at": at})


def count(now: datetime) -> Figures:
    """Count all that is shown."""
    present = Player.objects.filter(is_active=True)
    days = [now.date() - timedelta(days=DAYS - 1 - days_ago) for days_ago in range(DAYS)]
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
        moved_lately=_moved_lately(now - timedelta(hours=1)),
        looking=_looking(),
        best=_best(now - timedelta(days=30)),
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
    matches = Match.objects.filter(ended_at__isnull=not ended).order_by()
    return dict(matches.values_list("game").annotate(Count("pk")))


def _moves(since: datetime) -> tuple[Counter[date], int]:
    """Count moves by day, and the people at the boards that moved."""
    move_events = _newest(MatchEvent, kind=MatchEvent.Kind.MOVE, at__gt=since)
    # Its text begins with the day in UTC, and is told without a call of Python for each row.
    day = Substr(Cast("at", TextField()), 1, 10)
    days = move_events.order_by().values_list(day).annotate(moves=Count("pk"))
    # Both parts by an index of their own.
    moved = Match.objects.filter(ended_at=None, moved_at__gt=since)
    over = Match.objects.filter(ended_at__gt=since)
    movers = MatchSeat.objects.filter(
        Q(match__in=moved.values("pk")) | Q(match__in=over.values("pk")), player__is_bot=False
    )
    busy: int = movers.aggregate(people=Count("player", distinct=True))["people"]
    return Counter({date.fromisoformat(text): count for text, count in days}), busy


def _moved_lately(since: datetime) -> int:
    # Both by an index of their own.
    moved = Match.objects.filter(ended_at=None, moved_at__gt=since).count()
    return moved + Match.objects.filter(ended_at__gt=since).count()


def _looking() -> int:
    offered = Challenge.objects.filter(state=Challenge.State.OPEN, link_key="")
    return offered.filter(seats__player=None).values("challenger").distinct().count()


def _best(since: datetime) -> tuple[Winner, ...]:
    """Return the people whose ratings rose most in rated games, the first of them first."""
    newest = Result.objects.filter(seat=0, at__gt=since).order_by("-at")[:MAX_RATED]
    rated = Result.objects.filter(
        match__in=list(newest.values_list("match_id", flat=True)), rating__isnull=False
    )
    gains: Any = rated.filter(player__is_bot=False, player__is_active=True).order_by()
    gains = gains.values("player").annotate(points=Sum(F("rating") - F("before_rating")))
    best = gains.filter(points__gte=1).order_by("-points", "player")[:MAX_BEST]
    return tuple(Winner(row["player"], round(row["points"])) for row in best)


def _newest(model: type[MatchEvent | InboundMail | OutgoingMail], **held: object):  # type: ignore[no-untyped-def]
    last = model._default_manager.aggregate(last=Max("pk"))["last"] or 0
    return model._default_manager.filter(pk__gt=last - MAX_ROWS, **held)
