"""Compute what running boards need: moves, views, processors, commits, disk; and the walls."""

from __future__ import annotations

from dataclasses import dataclass

from bench.scale.costs import Costs
from bench.scale.paced import CLIENTS

A_DAY = 86_400.0  # seconds
MOVES_A_DAY = 1.0  # of one running board: "a move every day or so"
PEAK = 4.0  # times the mean, in the busiest minutes
BY_MAIL = 0.5  # of all moves; the others come by pages and the API
LETTERS = 2  # a move
VIEWS = 5.0  # of pages, a move: by its players, by spectators, by search engines
# Of a mail: stored, answered, its letters claimed, its letters marked. Under load many mails share
# the last three, so this is the most.
COMMITS = 4
USED = 0.5  # of a processor, so that the busiest minutes do not queue
PLIES = 60  # of a game
KEPT_LETTERS, KEPT_MAILS = 30, 60  # days
ONE_MACHINE = 16  # processors
ONE_DISK = 2e12  # bytes
ONE_RELAY = 100.0  # letters a second that an ordinary relay takes from one sender


@dataclass(frozen=True)
class Needs:
    """What so many running boards need.

    Attributes:
        moves: A second on average; `peak` in the busiest minutes.
        views: Of pages, a second in the busiest minutes.
        processors: Of the machine that was measured, at the peak, half used, by process.
        disk: Bytes now, and added a year by games that have ended.
    """

    boards: int
    moves: float
    peak: float
    views: float
    commits: float
    letters: float
    processors: dict[str, float]
    disk: float
    disk_a_year: float

    @property
    def all_processors(self) -> float:
        return sum(self.processors.values())


def needs(boards: int, costs: Costs) -> Needs:
    """Compute what so many running boards need."""
    moves = boards * MOVES_A_DAY / A_DAY
    peak = moves * PEAK
    size = costs.row_bytes
    now = boards * (size["board"] + PLIES / 2 * size["event"])
    a_day = boards * MOVES_A_DAY
    kept = a_day * (
        KEPT_LETTERS * LETTERS * size["letter"]
        + KEPT_MAILS * (BY_MAIL * size["mail"] + size["request"])
    )
    ended = a_day / PLIES * 365
    return Needs(
        boards=boards,
        moves=moves,
        peak=peak,
        views=peak * VIEWS,
        commits=peak * COMMITS,
        letters=peak * LETTERS,
        processors={
            role: peak * milliseconds / 1000 / USED for role, milliseconds in _a_move(costs).items()
        },
        disk=now + kept,
        disk_a_year=ended * (size["board"] + PLIES * size["event"]),
    )


def _a_move(costs: Costs) -> dict[str, float]:
    """Return the milliseconds of an average move with its views, by process."""
    parts = ((BY_MAIL, costs.by_mail), (1 - BY_MAIL, costs.by_api), (VIEWS, costs.by_page))
    found = {
        role: sum(share * used.get(role, 0.0) for share, used in parts)
        for role in sorted({role for _, used in parts for role in used})
    }
    return {role: value for role, value in found.items() if value >= 0.005}


@dataclass(frozen=True)
class Wall:
    """Where something is used up."""

    boards: float
    what: str
    remedy: str


def walls(costs: Costs) -> list[Wall]:
    """Return what is used up, the first one first."""
    one = needs(1, costs)
    found = [
        Wall(
            1 / one.processors["worker"],
            "one worker process, which answers and writes mail",
            "start more: `SARSEN_WORKERS`, or `sarsen work` on any host with PostgreSQL",
        ),
        Wall(
            1 / one.processors["web"],
            "one web process",
            "start more `sarsen web` behind the proxy",
        ),
        Wall(
            costs.commits / one.commits,
            "one SQLite file on this disk, if no two mails share a commit",
            "a disk with a battery or of a data centre; mails share commits under load; PostgreSQL",
        ),
        *(
            [
                Wall(
                    costs.postgres_commits / one.commits,
                    f"one PostgreSQL on this disk, with {CLIENTS} writers at once",
                    "a disk of its own for its log; more than one writer at a time shares a flush",
                )
            ]
            if costs.postgres_commits
            else []
        ),
        Wall(ONE_RELAY / one.letters, f"one relay that takes {ONE_RELAY:.0f} mails a second",
             "your own relay, or several"),
        Wall(
            1 / one.all_processors,
            "one processor of the measured machine, for all processes together",
            "more processors",
        ),
        Wall(
            ONE_MACHINE / one.all_processors,
            f"one machine of {ONE_MACHINE} such processors",
            "several hosts",
        ),
        Wall(
            ONE_DISK / (one.disk + one.disk_a_year),
            f"a disk of {ONE_DISK / 1e12:.0f} TB, within a year",
            "archive ended games as records, or partition the table of events by board",
        ),
    ]  # fmt: skip
    return sorted(found, key=lambda wall: wall.boards)
