"""How much is measured: in full, or quickly."""

from __future__ import annotations

from dataclasses import dataclass

from bench.mail import UNBOUNDED, Series

PLIES = 40  # moves that each board of the mail bench can play


@dataclass(frozen=True)
class Plan:
    """The number and length of the measurements.

    Attributes:
        runs: Of each measurement of a game.
        disk_runs, disk_seconds: Before the mail series, and again after them.
        show_runs: Of a command that a person waits for.
        series_seconds: At most for each series; a flood is as long as its boards.
        kernel_runs, kernel_seconds: Of each kernel and each C loop.
        worker_runs: Starts of a worker that thinks, from the disk cache.
        is_cold: Whether its start with nothing compiled is measured, too; that takes minutes.
        plain, pictured: The series with letters of text only, and with pictures.
        api_connections: Over which programs play, one series each.
    """

    runs: int
    disk_runs: int
    disk_seconds: float
    show_runs: int
    series_seconds: float
    kernel_runs: int
    kernel_seconds: float
    worker_runs: int
    is_cold: bool
    plain: tuple[Series, ...]
    pictured: tuple[Series, ...]
    api_connections: tuple[int, ...]


# Served before each group and not reported: the first letters load what later ones share.
WARM_UP = Series("warm-up", 1, 1)
WARM_UP_SECONDS = 2.0

FULL = Plan(
    runs=7,
    disk_runs=3,
    disk_seconds=1.0,
    show_runs=5,
    series_seconds=6.0,
    kernel_runs=5,
    kernel_seconds=0.7,
    worker_runs=5,
    is_cold=True,
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
QUICK = Plan(
    runs=3,
    disk_runs=3,
    disk_seconds=0.3,
    show_runs=3,
    series_seconds=2.0,
    kernel_runs=2,
    kernel_seconds=0.3,
    worker_runs=2,
    is_cold=False,
    plain=(
        Series("one at a time", 1, 3),
        Series("16 at a time", 16, 16),
        Series("flood from 4", 4, 4, ahead=UNBOUNDED),
    ),
    pictured=(Series("16 at a time", 16, 16),),
    api_connections=(16,),
)
