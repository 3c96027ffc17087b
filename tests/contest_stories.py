"""Contests from their making to the final table, told once for all doors.

The tables are worked out by hand from the results; each door has to show the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

import time_machine
from django.utils import timezone

from sarsen.language.commands import MakeContest
from sarsen.storage.models import Heartbeat
from sarsen.workers import jobs

DAY = timedelta(days=1)
PLAYERS = ("ann", "bob", "cid", "dora", "eva", "fay")
SIZE = "-size=5"
# Druid: the first seat builds from edge to edge, with its last move.
WON = "a1 e1 a2 e2 a3 e3 a4 e4 a5"


@dataclass(frozen=True)
class Row:
    """A row of a table, as doors show it.

    Attributes:
        place: `2`, or `1-3` where it is shared.
        games: The signs of the games against each, in the order of the table; of a match those of
            its games.
        sb: Sonneborn-Berger; "" of a match.
    """

    place: str
    userid: str
    games: tuple[str, ...]
    points: str
    sb: str


def read_columns(text: str) -> list[dict[str, str]]:
    """Return the rows of a table that stands in a text, by the heads of its columns."""
    lines = text.splitlines()
    at = next(at for at, line in enumerate(lines) if re.fullmatch(r" *-+(  -+)*", line))
    spans = [found.span() for found in re.finditer("-+", lines[at])]
    rows = []
    for line in lines[at + 1 :]:
        if not line.strip():
            break
        rows.append({lines[at - 1][a:b].strip(): line[a:b].strip() for a, b in spans})
    return rows


def read_rows(text: str) -> list[Row]:
    """Return the table of a contest that stands in a text."""
    rows = read_columns(text)
    numbers = [str(number) for number in range(1, len(rows) + 1)]
    return [
        Row(
            row["rank"],
            row["player"],
            tuple(row["games"]) if "games" in row else tuple(row[number] for number in numbers),
            row["points"],
            row.get("SB", ""),
        )
        for row in rows
    ]


def read_board(text: str, one: str, other: str, game: int) -> int:
    """Return the board of the first, second … game of two players in a list of boards."""
    rows = read_columns(text)
    found = [row["board"] for row in rows if {row["player"], row["opponent"]} == {one, other}]
    return int(found[game - 1])


class Door(Protocol):
    """The acts of people at one door, and the tables that they read there."""

    def make(self, userid: str, asked: MakeContest) -> int: ...

    def join(self, userid: str, number: int, *, once: bool = False) -> None: ...

    def join_ladder(self, userid: str, game: str) -> None: ...

    def climb(self, userid: str, other: str, number: int) -> int:
        """Climb on the ladder of this number; return the board."""

    def board(self, userid: str, other: str, number: int, game: int = 1) -> int:
        """Return the board of the first, second … game of two players of a contest."""

    def move(self, userid: str, board: int, move: str) -> None: ...

    def resign(self, userid: str, board: int) -> None: ...

    def draw(self, userid: str, board: int) -> None:
        """Offer a draw, or agree to one."""

    def table(self, userid: str, number: int, *, is_final: bool = True) -> list[Row]:
        """Return the table that somebody reads, which is said to be the final one, or is not."""

    def order(self, userid: str, number: int) -> list[str]:
        """Return the places of a ladder from the top."""


class Time:
    """The clock of a server whose jobs run once a day."""

    def __init__(self, traveller: time_machine.Coordinates) -> None:
        self._traveller = traveller

    def work(self) -> None:
        """Let the worker do what is due."""
        # As if it ran each minute: the server was never away.
        Heartbeat.objects.update_or_create(name="clocks", defaults={"at": timezone.now()})
        jobs.look_after_clocks.call()
        jobs.run_contests.call()

    def wait(self, days: int) -> None:
        for _ in range(days):
            self._traveller.shift(DAY)
            self.work()


def play(door: Door, one: str, other: str, board: int) -> None:
    """Play a game to its end by moves; the player of the first seat wins."""
    for ply, move in enumerate(WON.split()):
        door.move((one, other)[ply % 2], board, move)


def draw(door: Door, one: str, other: str, board: int) -> None:
    for userid in (one, other):
        door.draw(userid, board)


def round_robin(door: Door, time: Time) -> None:
    """Four players: won by moves, by resigning and on time, and a draw.

    ann beats dora and bob, cid beats ann and dora, bob beats dora, bob and cid draw. cid has 2½,
    ann 2, bob 1½, dora 0. Sonneborn-Berger: cid 2 + 0 + ½ · 1½, ann 1½ + 0, bob 0 + ½ · 2½.
    """
    asked = MakeContest("druid", "round-robin", SIZE, ("--most=4",), "Four Corners")
    number = door.make("ann", asked)
    for userid in ("bob", "cid", "dora"):
        door.join(userid, number)
    time.work()
    play(door, "ann", "dora", door.board("ann", "dora", number))
    draw(door, "bob", "cid", door.board("cid", "bob", number))
    for winner, loser in (("ann", "bob"), ("cid", "ann"), ("bob", "dora")):
        door.resign(loser, door.board(loser, winner, number))
    time.work()
    assert door.table("cid", number, is_final=False)[0].userid == "ann"
    time.wait(15)  # dora has the first seat against cid, and never moves
    assert door.table("cid", number) == [
        Row("1", "cid", (".", "1", "=", "+"), "2.5", "2.75"),
        Row("2", "ann", ("0", ".", "1", "1"), "2.0", "1.50"),
        Row("3", "bob", ("=", "0", ".", "1"), "1.5", "1.25"),
        Row("4", "dora", ("-", "0", "0", "."), "0.0", "0.00"),
    ]


def match(door: Door, time: Time) -> None:
    """Four games, two at a time: 2½ to ½ cannot be caught up any more, and the fourth closes."""
    asked = MakeContest("druid", "match", SIZE, ("--games=4", "--with=bob"), "Ann and Bob")
    number = door.make("ann", asked)
    door.join("bob", number)
    time.work()
    first, second = (door.board("ann", "bob", number, game) for game in (1, 2))
    play(door, "ann", "bob", first)
    time.work()
    draw(door, "ann", "bob", second)
    time.work()
    assert door.table("bob", number, is_final=False)[0].points == "1.5"
    door.resign("bob", door.board("bob", "ann", number, 3))
    time.work()
    assert door.table("bob", number) == [
        Row("1", "ann", ("1", "=", "1", "x"), "2.5", ""),
        Row("2", "bob", ("0", "=", "0", "x"), "0.5", ""),
    ]


def league(door: Door, time: Time) -> None:
    """A season of five, who all are in one tier, and the start of the next one.

    ann beats bob, bob cid and cid ann; each of them beats dora and eva, and dora beats eva. The
    first three have 3 points and one among themselves; Sonneborn-Berger is 3 + 1 + 0 for each. eva
    joined for one season, fay for the next one.
    """
    number = door.make("ann", MakeContest("druid", "league", SIZE, (), "Winter League"))
    for userid in ("bob", "cid", "dora"):
        door.join(userid, number)
    door.join("eva", number, once=True)
    time.wait(15)
    play(door, "ann", "bob", door.board("ann", "bob", number))
    pairs = [("bob", "cid"), ("cid", "ann"), ("dora", "eva")]
    pairs += [(winner, loser) for winner in ("ann", "bob", "cid") for loser in ("dora", "eva")]
    for winner, loser in pairs:
        door.resign(loser, door.board(loser, winner, number))
    time.work()
    assert door.table("dora", number) == [
        Row("1-3", "ann", (".", "1", "0", "1", "1"), "3.0", "4.00"),
        Row("1-3", "bob", ("0", ".", "1", "1", "1"), "3.0", "4.00"),
        Row("1-3", "cid", ("1", "0", ".", "1", "1"), "3.0", "4.00"),
        Row("4", "dora", ("0", "0", "0", ".", "1"), "1.0", "0.00"),
        Row("5", "eva", ("0", "0", "0", "0", "."), "0.0", "0.00"),
    ]
    following = number + 1
    door.join("fay", following)
    time.wait(7 * 13 + 1)  # 84 days of the season and 7 between two
    rows = door.table("fay", following, is_final=False)
    assert {row.userid for row in rows} == {"ann", "bob", "cid", "dora", "fay"}
    assert {row.points for row in rows} == {"0.0"}
    assert {sign for row in rows for sign in row.games} == {".", "*"}
    door.resign("bob", door.board("bob", "fay", following))
    time.work()
    first = door.table("fay", following, is_final=False)[0]
    assert (first.place, first.userid, first.points) == ("1", "fay", "1.0")


def ladder(door: Door, time: Time) -> None:
    """Climbs that are won, drawn, lost, and lost on time by the defender (E26)."""
    number = door.make("ann", MakeContest("druid", "ladder", SIZE))
    for userid in ("bob", "cid", "dora"):
        door.join_ladder(userid, "druid")
    assert door.order("dora", number) == ["ann", "bob", "cid", "dora"]
    door.resign("bob", door.climb("dora", "bob", number))
    assert door.order("dora", number) == ["ann", "dora", "bob", "cid"]
    draw(door, "cid", "ann", door.climb("cid", "ann", number))
    assert door.order("dora", number) == ["ann", "cid", "dora", "bob"]
    play(door, "ann", "bob", door.climb("bob", "ann", number))  # the defender begins
    assert door.order("dora", number) == ["ann", "cid", "dora", "bob"]
    door.climb("bob", "cid", number)
    time.wait(21)  # cid has the first seat, and never moves
    assert door.order("dora", number) == ["ann", "dora", "bob", "cid"]


STORIES = (round_robin, match, league, ladder)
