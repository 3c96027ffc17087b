"""How fast the kernels are, beside the C loops of the same run: `python -m bench.kernels`.

Rates are results per Mcal: per million steps of the calibration, on the process clock, so
that figures of other machines and busier hours can be compared.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from rich.console import Console

from bench.c_loops import compiled_loops
from bench.figures import Spread, spread
from bench.kernel_loops import Loop, loops


@dataclass(frozen=True)
class KernelSpeed:
    """The speed of one kernel at one task.

    Attributes:
        per_s: Results a processor second.
        per_mcal: Results per million calibration steps, taken right before and after.
        limit_per_mcal: Those of the C loop; None without a compiler.
        share: Of the C loop's rate, run by run; None without a compiler.
        goal: Results per Mcal that we set out to reach; 0 where a share is the goal.
    """

    game: str
    unit: str
    per_s: Spread
    per_mcal: Spread
    limit_per_mcal: Spread | None
    share: Spread | None
    goal: float


@dataclass(frozen=True)
class KernelSpeeds:
    """All of them.

    Attributes:
        yardstick: What the calibration was compiled by.
        mcal_per_s: Its speed, in millions of steps a processor second.
    """

    yardstick: str
    mcal_per_s: Spread
    kernels: tuple[KernelSpeed, ...]


def measure(runs: int, seconds: float) -> KernelSpeeds:
    """Measure every kernel and its C loop so many times, for so long each."""
    found: dict[Loop, list[tuple[float, float, float | None]]] = {loop: [] for loop in loops()}
    calibrations = []
    with compiled_loops() as limits:
        for _ in range(runs):
            for loop, rates in found.items():
                before = limits.calibration()
                rate = loop.rate(seconds)
                between = limits.calibration()
                limit = limits.rate(*loop.limit, str(seconds))
                after = limits.calibration()
                calibrations += [before, between, after]
                scaled = None if limit is None else 2 * limit / (between + after)
                rates.append((rate, 2 * rate / (before + between), scaled))
        return KernelSpeeds(
            limits.yardstick,
            spread(calibrations),
            tuple(_speed(loop, rates) for loop, rates in found.items()),
        )


def _speed(loop: Loop, rates: list[tuple[float, float, float | None]]) -> KernelSpeed:
    limits = [limit for _, _, limit in rates if limit is not None]
    shares = [own / limit for _, own, limit in rates if limit is not None]
    return KernelSpeed(
        game=loop.game,
        unit=loop.unit,
        per_s=spread([rate for rate, _, _ in rates]),
        per_mcal=spread([own for _, own, _ in rates]),
        limit_per_mcal=spread(limits) if limits else None,
        share=spread(shares) if shares else None,
        goal=loop.goal,
    )


def main() -> None:
    """Measure all kernels, and print their table."""
    from bench.search_report import kernels_table

    options = argparse.ArgumentParser(prog="python -m bench.kernels")
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--seconds", type=float, default=0.7, help="of each run")
    asked = options.parse_args()
    Console(width=120).print(kernels_table(measure(asked.runs, asked.seconds)))


if __name__ == "__main__":
    main()
