"""`python -m bench.research [--runs 5] [--seconds 1]`: random games for researchers.

Random plies a processor second: through the rules alone, then, as shares of it run by run,
through `sarsen.load` by numbers of moves, by the numbers of a plug-in game without a coding,
and through the OpenSpiel and PettingZoo adapters, the latter by the mask of legal actions
alone and with the planes of every position; beside them OpenSpiel's own games, in C++
and in Python, played by the same loop in the same run. Needs both extras. Hex is the example
of a plug-in game, which has neither coding nor planes.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.games import tic_tac_toe  # noqa: F401 (registers python_tic_tac_toe)
from rich.console import Console
from rich.progress import track
from rich.table import Table

import sarsen
import sarsen.research.open_spiel
from bench.figures import Spread, spread
from sarsen.core.coding import NumberedPosition, numbers_by_place
from sarsen.core.game import Game
from sarsen.games import load
from sarsen.research.pettingzoo import BoardEnv
from sarsen.research.playing import ResearchPosition

OURS = (
    ("druid", "-size=5"),
    ("gyges", ""),
    ("vasco", "-size=20"),
    ("visavis", "-size=11"),
)
PLUGIN, PLUGIN_OPTIONS = "hex", "-size=11"
PLUGIN_WAYS = ("rules", "as a plug-in")
THEIRS = ("tic_tac_toe", "hex(board_size=11)", "python_tic_tac_toe")
MOST_PLIES = 150
ADAPTERS = ("sarsen.load", "as a plug-in", "OpenSpiel", "PettingZoo", "with planes")
WAYS = ("rules", *ADAPTERS)

# Plays one random game and gives its plies.
Playout = Callable[[random.Random], int]


def main() -> None:
    """Measure every game by every way in turn, so many times, and print the rates."""
    parser = argparse.ArgumentParser(prog="python -m bench.research", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    asked = parser.parse_args()
    playouts: dict[Any, Playout] = {
        name: partial(_open_spiel, pyspiel.load_game(name)) for name in THEIRS
    }
    ours: dict[Any, Playout] = {
        (game, way): _playout(game, options, way) for game, options in OURS for way in WAYS
    }
    ours |= {(PLUGIN, way): _playout(PLUGIN, PLUGIN_OPTIONS, way) for way in PLUGIN_WAYS}
    rates: dict[Any, list[float]] = {key: [] for key in (*playouts, *ours)}
    for run in track(range(asked.runs), "playing", console=Console(stderr=True), transient=True):
        for key, playout in (*playouts.items(), *ours.items()):
            rates[key].append(_rate(playout, asked.seconds, run))
    _print(rates)


def _playout(game: str, options: str, way: str) -> Playout:
    match way:
        case "rules":
            return partial(_rules, _game(game).start(options))
        case "sarsen.load":
            return partial(_numbers, sarsen.load(game).start(options))
        case "as a plug-in":
            first = ResearchPosition(
                NumberedPosition(_game(game).start(options), numbers_by_place())
            )
            return partial(_numbers, first)
        case "PettingZoo" | "with planes":
            env = BoardEnv(game, options, most_plies=MOST_PLIES)
            return partial(_pettingzoo, env, way == "with planes")
    words = options.removeprefix("-")
    parameters = f"{words},most_plies={MOST_PLIES}".removeprefix(",")
    return partial(_open_spiel, pyspiel.load_game(f"sarsen_{game}({parameters})"))


def _game(name: str) -> Game:
    """Return a game of ours, or the example of a plug-in, which need not be installed."""
    if name != PLUGIN:
        return load(name)
    folder = str(Path(__file__).parents[1] / "examples" / "games" / PLUGIN)
    if folder not in sys.path:
        sys.path.append(folder)
    found: Game = importlib.import_module(f"sarsen_{PLUGIN}").GAME
    return found


def _rules(position: Any, chance: random.Random) -> int:
    plies = 0
    while (moves := position.legal_moves()) and plies < MOST_PLIES:
        position = position.play(chance.choice(moves))
        plies += 1
    return plies


def _numbers(position: Any, chance: random.Random) -> int:
    while (numbers := position.action_numbers()) and len(position.moves) < MOST_PLIES:
        position = position.play_action(chance.choice(numbers))
    return len(position.moves)


def _open_spiel(game: Any, chance: random.Random) -> int:
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    return int(state.move_number())


def _pettingzoo(env: BoardEnv, sees_planes: bool, chance: random.Random) -> int:
    env.reset()
    plies = 0
    while True:
        seen, _, is_over, is_cut, info = env.last(observe=sees_planes)
        if is_over or is_cut:
            return plies
        mask = (seen if sees_planes else info)["action_mask"]
        # A mask of bytes is searched ten times as slowly as one of truths.
        env.step(chance.choice(np.flatnonzero(mask.view(bool))))
        plies += 1


def _rate(playout: Playout, seconds: float, seed: int) -> float:
    """Return the plies a processor second of games begun within so many seconds."""
    chance, plies = random.Random(seed), 0
    began = time.process_time()
    while (used := time.process_time() - began) < seconds:
        plies += playout(chance)
    return plies / used


def _print(rates: dict[Any, list[float]]) -> None:
    table = Table(
        title="Random plies a processor second by the rules; adapters as shares of that",
        caption="of theirs: the share of python_tic_tac_toe's rate, through OpenSpiel, run by run",
    )
    for column in ("game", *WAYS, "of theirs"):
        table.add_column(column, justify="left" if column == "game" else "right")
    yardstick = rates["python_tic_tac_toe"]
    for name in THEIRS:
        shown = _shown(spread(rates[name]))
        table.add_row(name, shown, *[""] * len(ADAPTERS), _share(rates[name], yardstick, 3))
    for game, options in OURS:
        rules = rates[game, "rules"]
        shares = [_share(rates[game, way], rules) for way in ADAPTERS]
        of_theirs = _share(rates[game, "OpenSpiel"], yardstick, 3)
        table.add_row(f"{game} {options}", _shown(spread(rules)), *shares, of_theirs)
    rules = rates[PLUGIN, "rules"]
    share = _share(rates[PLUGIN, "as a plug-in"], rules)
    table.add_row(f"{PLUGIN} {PLUGIN_OPTIONS}", _shown(spread(rules)), "", share)
    Console(width=None if sys.stdout.isatty() else 120).print(table)


def _share(rates: list[float], others: list[float], digits: int = 2) -> str:
    ratio = spread([one / other for one, other in zip(rates, others, strict=True)])
    return "{} ({}-{})".format(
        *(f"{value:.{digits}f}" for value in (ratio.median, ratio.low, ratio.high))
    )


def _shown(found: Spread) -> str:
    return f"{found.median:,.0f} ({found.low:,.0f}-{found.high:,.0f})"


if __name__ == "__main__":
    main()
