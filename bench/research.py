"""`python -m bench.research [--runs 5] [--seconds 1]`: random games for researchers.

Plies a processor second of random games: through the rules alone, then, as shares of it run
by run, through `sarsen.load` by numbers of moves, by the numbers of a plug-in game without a
coding, and through the OpenSpiel and PettingZoo adapters, the latter by the mask of legal
actions alone and with the planes of every position. The games are drawn before, so that all
ways list the legal moves of the same positions and play the same moves. Beside them are
OpenSpiel's own games, in C++ and in Python. Needs both extras. Hex is the example of a
plug-in game, which has neither coding nor planes. Then the compiled batches: `bench.batches`.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.games import tic_tac_toe  # noqa: F401 (registers python_tic_tac_toe)
from rich.console import Console
from rich.progress import track
from rich.table import Table

import sarsen.research.open_spiel  # noqa: F401 (registers our games)
from bench import batches
from bench.figures import Spread, spread
from sarsen.core.coding import NumberedPosition, coding_of, numbers_by_place
from sarsen.core.game import Game
from sarsen.games import load
from sarsen.research.pettingzoo import BoardEnv
from sarsen.research.playing import ResearchPosition

OURS = (
    ("druid", "-size=5"),
    ("druid", "-size=8"),
    ("gyges", ""),
    ("vasco", "-size=20"),
    ("vasco", "-size=54"),
    ("visavis", "-size=11"),
    ("visavis", "-size=25"),
)
PLUGIN = ("hex", "-size=11")
PLUGIN_WAYS = ("rules", "as a plug-in")
THEIRS = ("tic_tac_toe", "hex(board_size=11)", "python_tic_tac_toe")
MAX_PLIES = 150
ADAPTERS = ("sarsen.load", "as a plug-in", "OpenSpiel", "PettingZoo", "with planes")
WAYS = ("rules", *ADAPTERS)
GAMES_A_RUN = 5


@dataclass(frozen=True)
class Drawn:
    """A random game.

    Attributes:
        moves: Of our games, for the rules.
        actions: Their numbers.
    """

    moves: tuple[Any, ...]
    actions: tuple[int, ...]


Draw = Callable[[random.Random], Drawn]
Play = Callable[[Drawn], object]


def main() -> None:
    """Measure every game by every way in turn, so many times, and print the rates."""
    parser = argparse.ArgumentParser(prog="python -m bench.research", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--quick", action="store_true", help="small boards once, and at once")
    asked = parser.parse_args()
    runs, seconds = (1, 0.01) if asked.quick else (asked.runs, asked.seconds)
    ours = OURS[:1] if asked.quick else OURS
    measured: dict[Any, tuple[Draw, Play]] = {name: _theirs(name) for name in THEIRS}
    measured |= {(*game, way): _ours(*game, way) for game in ours for way in WAYS}
    measured |= {(*PLUGIN, way): _ours(*PLUGIN, way) for way in PLUGIN_WAYS}
    rates: dict[Any, list[float]] = {key: [] for key in measured}
    for run in track(range(runs), "playing", console=Console(stderr=True), transient=True):
        for key, (draw, play) in measured.items():
            chance = random.Random(run)
            games = [draw(chance) for _ in range(GAMES_A_RUN)]
            rates[key].append(_rate(play, games, seconds))
    _print(rates, ours)
    batches.measure(runs, seconds, batches.GAMES[:1] if asked.quick else batches.GAMES)


def _theirs(name: str) -> tuple[Draw, Play]:
    game = pyspiel.load_game(name)
    return partial(_drawn_by_open_spiel, game), partial(_open_spiel, game)


def _ours(game: str, options: str, way: str) -> tuple[Draw, Play]:
    position = _game(game).start(options)
    coding = numbers_by_place() if way == "as a plug-in" else coding_of(position)
    first = NumberedPosition(position, coding)
    return partial(_drawn, first), _way(game, options, way, first)


def _way(game: str, options: str, way: str, first: NumberedPosition) -> Play:
    match way:
        case "rules":
            return partial(_rules, first.rules)
        case "sarsen.load" | "as a plug-in":
            return partial(_numbers, ResearchPosition(first))
        case "PettingZoo" | "with planes":
            env = BoardEnv(game, options, most_plies=MAX_PLIES)
            return partial(_pettingzoo, env, way == "with planes")
    words = options.removeprefix("-")
    parameters = f"{words},most_plies={MAX_PLIES}".removeprefix(",")
    return partial(_open_spiel, pyspiel.load_game(f"sarsen_{game}({parameters})"))


def _game(name: str) -> Game:
    """Return a game of ours, or the example of a plug-in, which need not be installed."""
    if name != PLUGIN[0]:
        return load(name)
    folder = str(Path(__file__).parents[1] / "examples" / "games" / name)
    if folder not in sys.path:
        sys.path.append(folder)
    found: Game = importlib.import_module(f"sarsen_{name}").GAME
    return found


def _drawn(first: NumberedPosition, chance: random.Random) -> Drawn:
    position, moves, actions = first.rules, list[Any](), list[int]()
    while (legal := position.legal_moves()) and len(moves) < MAX_PLIES:
        place = chance.randrange(len(legal))
        moves.append(legal[place])
        actions.append(first.coding.numbers(position, legal)[place])
        position = position.play(legal[place])
    return Drawn(tuple(moves), tuple(actions))


def _drawn_by_open_spiel(game: Any, chance: random.Random) -> Drawn:
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    return Drawn((), tuple(state.history()))


def _rules(position: Any, game: Drawn) -> object:
    for move in game.moves:
        assert position.legal_moves()
        position = position.play(move)
    return position.outcome()


def _numbers(position: Any, game: Drawn) -> object:
    for action in game.actions:
        assert position.action_numbers()
        position = position.play_action(action)
    return position.outcome()


def _open_spiel(kind: Any, game: Drawn) -> object:
    state = kind.new_initial_state()
    for action in game.actions:
        assert not state.is_terminal()
        assert state.legal_actions()
        state.apply_action(action)
    return state.returns()


def _pettingzoo(env: BoardEnv, sees_planes: bool, game: Drawn) -> object:
    env.reset()
    for action in game.actions:
        seen, _, is_over, is_cut, info = env.last(observe=sees_planes)
        assert not is_over
        assert not is_cut
        mask = (seen if sees_planes else info)["action_mask"]
        # A mask of bytes is searched ten times as slowly as one of truths.
        assert len(np.flatnonzero(mask.view(bool)))
        env.step(action)
    return env.rewards


def _rate(play: Play, games: Sequence[Drawn], seconds: float) -> float:
    """Return the plies a processor second of these games, played again for so many seconds."""
    plies, passes = sum(len(game.actions) for game in games), 0
    began = time.process_time()
    while (used := time.process_time() - began) < seconds:
        for game in games:
            play(game)
        passes += 1
    return plies * passes / used


def _print(rates: dict[Any, list[float]], ours: Sequence[tuple[str, str]]) -> None:
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
    for game in ours:
        rules = rates[*game, "rules"]
        shares = [_share(rates[*game, way], rules) for way in ADAPTERS]
        of_theirs = _share(rates[*game, "OpenSpiel"], yardstick, 3)
        table.add_row(" ".join(game), _shown(spread(rules)), *shares, of_theirs)
    rules = rates[*PLUGIN, "rules"]
    share = _share(rates[*PLUGIN, "as a plug-in"], rules)
    table.add_row(" ".join(PLUGIN), _shown(spread(rules)), "", share)
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
