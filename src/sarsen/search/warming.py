"""Compile and load what thinking needs, by game or all of it.

From the disk it takes seconds; the first time on a machine everything is compiled, which
takes minutes. A process that thinks loads by itself what it uses, as soon as it does.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sarsen.core.game import AnyPosition, Game
from sarsen.search import bots
from sarsen.search.thought import Budget, loading

SEARCHES = ("tactics", "alphabeta", "mcts", "proof_number")
OPENING = 2  # plies


@dataclass(frozen=True)
class Loaded:
    """One part that was loaded.

    Attributes:
        compiled: How many functions had to be compiled; the rest came from the disk.
    """

    name: str
    seconds: float
    compiled: int


def warm(games: Iterable[Game]) -> Iterator[Loaded]:
    """Load Numba, the searches, and every game's bot and kernel, one after the other."""
    started = time.perf_counter()
    importlib.import_module("numba")
    yield Loaded("numba", time.perf_counter() - started, 0)
    yield from map(load_part, part_names(games))


def part_names(games: Iterable[Game]) -> tuple[str, ...]:
    """List the modules that are compiled: the searches, and every bot with what it plays by."""
    found = [bots.module_name(game) for game in games]
    return (*map(_search_name, SEARCHES), *dict.fromkeys((*found, bots.GENERAL)))


def game_parts(game: Game) -> tuple[str, ...]:
    """List the modules that a game is thought about with."""
    module = bots.load_module(game)
    return (bots.module_name(game), *map(_search_name, module.SEARCHES))


def load_part(name: str) -> Loaded:
    """Load one module, compiling what the disk does not have."""
    from numba.core import event

    from sarsen.search.compiling import load_all

    started = time.perf_counter()
    with event.install_recorder("numba:compile") as compilations:
        importlib.import_module(name)
        load_all()
    # An event where it begins, and one where it ends.
    return Loaded(name, time.perf_counter() - started, len(compilations.buffer) // 2)


def are_on_disk(parts: tuple[str, ...]) -> bool:
    """Return whether nothing has to be compiled for some modules."""
    from sarsen.search.compiling import is_complete

    for name in parts:
        importlib.import_module(name)
    return is_complete()


def load_game(game: Game) -> None:
    """Load what the first thoughts about a game use, by thinking for a moment."""
    with loading():
        position = _after_the_opening(game)
        bots.load(bots.MOST).think(position, budget=Budget(nodes=1))


def _after_the_opening(game: Game) -> AnyPosition:
    """Return a position that is searched; a first move may be drawn without a search."""
    position = game.start()
    for _ in range(OPENING):
        after = position.play(position.legal_moves()[0])
        position = position if after.outcome() else after
    return position


def _search_name(search: str) -> str:
    return f"sarsen.search.{search}"
