"""The tables of the kernels, and of a worker that thinks."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from bench.figures import Spread
from bench.kernels import KernelSpeed, KernelSpeeds
from bench.running import SearchResults
from bench.thinking import LEVEL, NODES, Worker


def print_search(console: Console, results: SearchResults) -> None:
    """Print both tables."""
    console.print(kernels_table(results.kernels))
    console.print(_worker(results.worker))


def kernels_table(speeds: KernelSpeeds) -> Table:
    """Return the table of the speed of kernels."""
    table = Table(
        title="Kernels (processor time; median, lowest-highest)",
        caption=(
            f"Mcal: a million steps of the calibration ({speeds.yardstick}), "
            f"{_spread(speeds.mcal_per_s)} of them a second, measured before and after each run"
        ),
    )
    table.add_column("kernel")
    for head in ("a second", "per Mcal", "C loop per Mcal", "share of C", "goal"):
        table.add_column(head, justify="right")
    for one in speeds.kernels:
        table.add_row(
            f"{one.game}: {one.unit}",
            f"{one.per_s.median:,.0f}",
            _spread(one.per_mcal),
            _spread(one.limit_per_mcal) if one.limit_per_mcal else "no compiler",
            _spread(one.share, 2) if one.share else "",
            _goal(one),
        )
    return table


def _goal(one: KernelSpeed) -> str:
    return f"{one.goal:,.0f} per Mcal" if one.goal else "0.9 of C"


def _worker(worker: Worker) -> Table:
    table = Table(
        title=f"A process that thinks for bot{LEVEL}, from its start to the first thought"
    )
    table.add_column("what")
    table.add_column("figure", justify="right")
    for game, seconds in worker.warm_s.items():
        used = _spread(worker.warm_processor_s[game], 2)
        table.add_row(
            f"{game}, from the disk cache", f"{_spread(seconds, 2)} s; processor {used} s"
        )
    ready = _spread(worker.ready_processor_s, 2)
    table.add_row("a thought of each game, from the disk cache", f"processor {ready} s")
    table.add_row("of it, Python and the rules", f"processor {_spread(worker.start_s, 2)} s")
    for game, cold in worker.cold_s.items():
        table.add_row(f"{game}, nothing compiled yet", f"{cold:.1f} s")
    for moment, size in worker.memory.items():
        table.add_row(f"memory, {moment}", f"{size:.0f} MiB")
    table.add_row("alpha-beta on Gyges", f"{_spread(worker.nodes_per_s)} nodes a processor second")
    table.caption = f"{worker.boards} boards: {NODES:,} nodes on each, all games in turn"
    return table


def _spread(values: Spread, digits: int = 0) -> str:
    shown = (f"{value:,.{digits}f}" for value in (values.median, values.low, values.high))
    return "{} ({}-{})".format(*shown)
