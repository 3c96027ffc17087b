"""Contests as services return them and programs read them; see `sarsen.language.facts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class ContestLine:
    """A contest of a list.

    Attributes:
        state: `open`, `running`, `ended` or `closed`.
        entrants: How many there are, of at most `most`.
        starts_at: When entry ends, unless it is full before, or when it has started.
        ends_at: Its end date, which does not move.
    """

    number: int
    name: str
    game: str
    options: str
    format: str
    state: str
    entrants: int
    most: int
    starts_at: datetime | None
    ends_at: datetime | None


@dataclass(frozen=True)
class ContestList:
    """Contests, the newest first; `further` is the value of `before` for the next page."""

    contests: tuple[ContestLine, ...]
    further: int | None


@dataclass(frozen=True)
class ContestBoardLine:
    """A board of a contest.

    Attributes:
        key: Its tier, round, entrants and game: `t1.r2.3-1.g1`.
        board: Of the server.
        players: By seat.
        result: `1-0`, `0-1`, `½-½`, `0-0`; "" while it runs or when it does not count.
    """

    key: str
    board: int | None
    players: tuple[str, ...]
    result: str


@dataclass(frozen=True)
class ContestRow:
    """A row of the table.

    Attributes:
        place: From 1; `shared_to` is the last place of those who share it.
        games: One word for each entrant of the tier in the order of the table; see `help contests`.
        best, worst: The places that can still be reached.
        tier: Of a league; places count in it. Else 1.
        among_people: The place when programs that make up the number are left out; None of these,
            and where there are none.
    """

    userid: str
    place: int
    shared_to: int
    games: tuple[str, ...]
    points: float
    sb: float
    best: int
    worst: int
    among_people: int | None
    tier: int = 1


@dataclass(frozen=True)
class ContestFacts:
    """A contest, as anybody may see it.

    Attributes:
        law: Its options, by name.
        terms: Of its boards, as typed.
        host: Who made it; "" for the server.
        entrants: Userids by number.
        season: Of a league; else 1.
        waiting: Userids of those who wait for a seat, the first one first.
        forecast: When its last board ends if all go on at their usual pace; None unless it runs.
        is_settled: No open game can change the places that matter: the first three, and in a
            league who goes up and down.
        reliability: Of each of them, in this order: per cent of the last 50 finished games not lost
            on time; null under ten games.
    """

    number: int
    name: str
    format: str
    game: str
    options: str
    terms: str
    law: Mapping[str, Any]
    state: str
    host: str
    starts_at: datetime | None
    ends_at: datetime | None
    entrants: tuple[str, ...]
    reliability: tuple[int | None, ...]
    boards: tuple[ContestBoardLine, ...]
    table: tuple[ContestRow, ...]
    waiting: tuple[str, ...]
    forecast: datetime | None
    is_settled: bool
    season: int = 1


@dataclass(frozen=True)
class ContestEventFacts:
    """An event of the log of a contest: what the law wanted when, and when it was written."""

    number: int
    event: str
    due: datetime
    at: datetime
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class ContestLog:
    """The log of a contest, from its first event on."""

    number: int
    events: tuple[ContestEventFacts, ...]
