"""`python -m bench.batches [--runs 5] [--seconds 1]`: batches of random games for researchers.

Plies a processor second of `sarsen.research.batch` with games that begin anew: a move drawn and
played in each game, then the mask of legal actions; for batches of 1, 64 and 1024. Of the
batches of 64 also without the mask, with the padded list in place of it, and with the mask and
the planes. Each is a share of OpenSpiel's Hex 7 in C++, run by run: games drawn before, whose
legal actions are listed and whose moves are played, from Python. Without OpenSpiel the
yardstick is what it made when this was written.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.figures import Spread, spread
from sarsen.research import batch

GAMES = (
    ("druid", "-size=5"),
    ("druid", "-size=8"),
    ("druid", "-size=12"),
    ("gyges", ""),
    ("vasco", "-size=20"),
    ("vasco", "-size=54"),
    ("visavis", "-size=11"),
    ("visavis", "-size=25"),
)
WAYS = (
    (1, "mask"),
    (64, "mask"),
    (1024, "mask"),
    (64, "moves alone"),
    (64, "list"),
    (64, "mask, planes"),
)
HEX = "hex(board_size=7)"
HEX_RATE = 560_000  # plies a processor second, in December 2026
STEPS = 16  # between two looks at the clock
DRAWN = 20

Work = Callable[[], int]


def main() -> None:
    """Measure every game by every way in turn, so many times, and print the rates."""
    parser = argparse.ArgumentParser(prog="python -m bench.batches", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--quick", action="store_true", help="one small board once, and at once")
    asked = parser.parse_args()
    measure(*((1, 0.01, GAMES[:1]) if asked.quick else (asked.runs, asked.seconds, GAMES)))


def measure(runs: int, seconds: float, games: Sequence[tuple[str, str]] = GAMES) -> None:
    """Measure batches beside Hex, and print a table."""
    hex_work = _hex()
    works = {(*game, *way): _batch(*game, *way) for game in games for way in WAYS}
    yardstick: list[float] = []
    rates: dict[tuple[str, str, int, str], list[float]] = {key: [] for key in works}
    for _ in track(range(runs), "batches", console=Console(stderr=True), transient=True):
        yardstick.append(_rate(hex_work, seconds) if hex_work else HEX_RATE)
        for key, work in works.items():
            rates[key].append(_rate(work, seconds))
    _print(rates, games, yardstick, is_measured=hex_work is not None)


def _batch(game: str, options: str, n: int, way: str) -> Work:
    games = batch(game, n, options, auto_reset=True)
    mask = np.empty((n, games.actions), np.bool_)
    planes = np.empty((n, *games.shape), np.float32)
    numbers = np.empty((n, games.most_moves), np.int64)

    def work() -> int:
        for _ in range(STEPS):
            games.step(games.sample())
            if way.startswith("mask"):
                games.legal_mask(mask)
            if way == "list":
                games.legal_actions(numbers)
            if way.endswith("planes"):
                games.observe(planes)
        return STEPS * n

    work()  # compiles it
    return work


def _hex() -> Work | None:
    """Return the work of OpenSpiel's Hex, None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game, chance = pyspiel.load_game(HEX), random.Random(7)
    drawn = []
    for _ in range(DRAWN):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        drawn.append(state.history())

    def work() -> int:
        for history in drawn:
            state = game.new_initial_state()
            for action in history:
                assert not state.is_terminal()
                assert state.legal_actions()
                state.apply_action(action)
        return sum(map(len, drawn))

    return work


def _rate(work: Work, seconds: float) -> float:
    """Return the plies a processor second."""
    plies, began = 0, time.process_time()
    while (used := time.process_time() - began) < seconds:
        plies += work()
    return plies / used


def _print(
    rates: dict[tuple[str, str, int, str], list[float]],
    games: Sequence[tuple[str, str]],
    yardstick: list[float],
    *,
    is_measured: bool,
) -> None:
    source = "measured here" if is_measured else "not installed: what it made elsewhere"
    table = Table(
        title="Random plies in batches, by processor time; shares are of OpenSpiel's Hex 7",
        caption=f"Hex 7 in C++, {source}: {_shown(spread(yardstick))} plies a second",
    )
    table.add_column("game")
    for n, way in WAYS:
        table.add_column(f"{n}: {way}", justify="right")
    for game in games:
        shares = map(partial(_share, yardstick=yardstick), (rates[*game, *way] for way in WAYS))
        table.add_row(" ".join(game), *shares)
    Console(width=None if sys.stdout.isatty() else 140).print(table)


def _share(rates: list[float], yardstick: list[float]) -> str:
    ratio = spread([one / other for one, other in zip(rates, yardstick, strict=True)])
    return f"{spread(rates).median:,.0f} = {ratio.median:.2f}"


def _shown(found: Spread) -> str:
    return f"{found.median:,.0f} ({found.low:,.0f}-{found.high:,.0f})"


if __name__ == "__main__":
    main()
