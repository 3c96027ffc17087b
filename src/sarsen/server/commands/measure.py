"""The command that measures the programs at plug-in games, a process of `serve`."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from types import FrameType
from typing import TYPE_CHECKING

import click
import structlog

if TYPE_CHECKING:
    from sarsen.lab.ladder import Climb, Keeper, Ladder
    from sarsen.lab.matches import MatchResult

START_AFTER = 600.0  # seconds, in which a server that has just started has better things to do
NICENESS = 19  # the most there is
FIRST_TO_END = "1000"  # of oom_score_adj: where memory runs out, the system ends this process
# With these a step of the ladder is known to about 100 Elo, the highest ones to 130.
PAIRS, HIGH_PAIRS = 20, 10
# Seconds of processor time for two games, after which the system ends this process: with five
# seconds a move, games of 700 plies.
MAX_SECONDS = 7200
MAX_ENDS = 3  # of this process, one after the other, by games of which none came to its end
# The mean of all levels, as where they are not measured. Level 1 would be a worse anchor: in most
# games the next one beats it nearly always, so the distance between the two is the least known.
MIDDLE = 1525.0
log = structlog.get_logger()


@click.command("measure")
def measure_command() -> None:
    """Rate bots at plug-in games (one of the processes of `serve`).

    The bots play each other at every level, once for each version of a game. The process ends when
    nothing is left to do; if it is stopped earlier, the next run continues after the games already
    played.
    """
    from sarsen.server.setup import set_up_privately

    set_up_privately()
    from sarsen.games import plugin_versions
    from sarsen.search import bots
    from sarsen.server.commands.serve import choose_cache_folder
    from sarsen.server.processes import end_with_supervisor
    from sarsen.server.releases import require_own_tables

    is_supervised = end_with_supervisor()
    bots.load(bots.MOST)  # refused without Numba
    require_own_tables()
    choose_cache_folder()
    _lower_priority()
    if is_supervised:
        time.sleep(START_AFTER)  # people and programs need the processor now
    _measure_games(plugin_versions())


def _lower_priority() -> None:
    os.nice(NICENESS)
    with contextlib.suppress(OSError):  # elsewhere than on Linux
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_END, encoding="ascii")


def _measure_games(packages: dict[str, str]) -> None:
    """Measure one game after another; give up the one at which this process has ended too often.

    Args:
        packages: The version of the package of each game.
    """
    from django.conf import settings

    from sarsen.games import load
    from sarsen.services import crash_log
    from sarsen.services.ratings import measurements

    folder: Path = settings.DATA / "measuring"
    ended = crash_log.begin(folder)
    if ended and ended.job and crash_log.count_end(ended.job) >= MAX_ENDS:
        measurements.give_up(ended.job)
        log.error("bots cannot be rated at a game", game=ended.job, ends=MAX_ENDS)
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, _end_by_signal)
    for game, package in packages.items():
        version = f"{load(game).info.rules_version}-{package}"
        if measurements.is_due(game, version):
            _measure(game, version, folder / f"{game}-{version}.jsonl")
            for file in folder.glob(f"{game}-*.jsonl"):
                file.unlink()
    crash_log.end()


def _measure(game: str, version: str, file: Path) -> None:
    from sarsen.lab.ladder import Climb, Keeper
    from sarsen.search.bots import LEAST, MOST
    from sarsen.services import crash_log
    from sarsen.services.ratings import measurements

    climb = Climb(game, "", tuple(range(LEAST, MOST + 1)), PAIRS, high_pairs=HIGH_PAIRS)
    keeper = Keeper(file)
    pairs = sum(len(keeper.pairs(climb.setup(*pairing))) for pairing in climb.pairings)
    measurements.begin(game, version, played=2 * pairs, games=climb.games)
    log.info("bots are being rated", game=game, played=2 * pairs, games=climb.games)
    ladder = _play(climb, keeper)
    keeper.close()
    crash_log.end_job()
    if any(match.faults for match in ladder.matches):
        measurements.give_up(game)
        log.error("bots cannot be rated at a game: the rules refuse their moves", game=game)
        return
    elo = [rung.elo for rung in ladder.rungs]
    ratings = [round(MIDDLE + rating - fmean(elo), 1) for rating in elo]
    measurements.finish(game, ratings)
    log.info("bots are rated", game=game, ratings=ratings)


def _play(climb: Climb, keeper: Keeper) -> Ladder:
    """Play the games that are missing, and note before each pair what may end this process."""
    from django.db import close_old_connections

    from sarsen.lab.ladder import climb_ladder
    from sarsen.services import crash_log
    from sarsen.services.ratings import measurements

    def told(before: Sequence[MatchResult], running: MatchResult) -> None:
        crash_log.end_job()
        close_old_connections()
        measurements.note_played(climb.game, climb.played(before, running))
        begin_pair()

    def begin_pair() -> None:
        crash_log.begin_job(climb.game)
        signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)

    begin_pair()
    try:
        ladder = climb_ladder(climb, told, keeper)
    except OSError:  # a full disk, and not the rules
        crash_log.end()
        raise
    signal.setitimer(signal.ITIMER_PROF, 0)
    return ladder


def _end_by_signal(number: int, frame: FrameType | None) -> None:
    """End this process by the signal that it got, which is not the fault of a game."""
    from sarsen.services import crash_log

    crash_log.end()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
