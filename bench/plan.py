"""How much is measured: in full, or quickly."""

from __future__ import annotations

from dataclasses import dataclass

from bench.mail import UNBOUNDED, Series


@dataclass(frozen=True)
class Plan:
    """The number and length of the measurements.

    Attributes:
        most_games: Of all games, the first so many; None for all.
        runs: Of each measurement of a game.
        disk_runs, disk_seconds: Before the mail series, and again after them.
        show_runs: Of a command that a person waits for.
        series_seconds: At most for each series; a flood is as long as its boards.
        kernel_runs, kernel_seconds: Of each kernel and each C loop.
        plies: Moves that each board of the mail bench can play.
        worker_runs: Starts of a worker that thinks, from the disk cache.
        is_cold: Whether its start with nothing compiled is measured, too; that takes minutes.
        worker_boards: On which it thinks while its memory is watched.
        worker_searches: Of which its speed is the middle one.
        plain, pictured: The series with letters of text only, and with pictures.
        api_connections: Over which programs play, one series each.
    """

    most_games: int | None
    runs: int
    disk_runs: int
    disk_seconds: float
    show_runs: int
    series_seconds: float
    kernel_runs: int
    kernel_seconds: float
    worker_runs: int
    is_cold: bool
    worker_boards: int
    worker_searches: int
    plies: int
    plain: tuple[Series, ...]
    pictured: tuple[Series, ...]
    api_connections: tuple[int, ...]


# Served before each group and not reported: the first letters load what later ones share.
WARM_UP = Series("warm-up", 1, 1)
WARM_UP_SECONDS = 2.0

FULL = Plan(
    most_games=None,
    runs=7,
    disk_runs=3,
    disk_seconds=1.0,
    show_runs=5,
    series_seconds=6.0,
    kernel_runs=5,
    kernel_seconds=0.7,
    worker_runs=5,
    is_cold=True,
    worker_boards=100,
    worker_searches=5,
    plies=40,
    plain=(
        Series("one at a time", 1, 6),
        Series("16 at a time", 16, 16),
        Series("64 at a time", 64, 64),
        Series("16, by password", 16, 16, by_password=True),
        Series("flood from 16", 16, 16, ahead=UNBOUNDED),
    ),
    pictured=(Series("one at a time", 1, 6), Series("16 at a time", 16, 16)),
    api_connections=(1, 16, 64),
)
# Shows that all of it works; the figures say little. A game costs two processes and a perft.
QUICK = Plan(
    most_games=1,
    runs=1,
    disk_runs=1,
    disk_seconds=0.2,
    show_runs=1,
    series_seconds=0.5,
    kernel_runs=1,
    kernel_seconds=0.1,
    worker_runs=1,
    is_cold=False,
    worker_boards=4,
    worker_searches=1,
    plies=10,
    plain=(Series("one at a time", 1, 2), Series("flood from 2", 2, 2, ahead=UNBOUNDED)),
    pictured=(Series("2 at a time", 2, 2),),
    api_connections=(2,),
)
