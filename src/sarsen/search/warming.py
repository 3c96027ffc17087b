"""Compile and load what thinking needs, by game or all of it.

From the disk it takes seconds; the first time on a machine everything is compiled, which
takes minutes. A process that thinks loads by itself what it uses, as soon as it does.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sarsen.core.game import Game
from sarsen.search import bots

SEARCHES = ("tactics", "alphabeta", "mcts", "proof_number")


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
    bot_modules = [bots.module_name(game) for game in games]
    return (*map(_search_name, SEARCHES), *dict.fromkeys((*bot_modules, bots.GENERAL)))


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


def parts_to_compile(games: Iterable[Game]) -> dict[str, list[str]]:
    """List by game the modules to compile, in this order, and all of them under "".

    Nothing when all is on the disk; a module of which all is there takes no time.
    """
    from sarsen.search.compiling import is_complete

    all_games = tuple(games)
    every = part_names(all_games)
    for name in every:
        importlib.import_module(name)
    needed = {
        game.info.name: game_parts(game) for game in all_games if len(game.info.seats) == bots.SEATS
    }
    missing = () if is_complete() else every
    return {
        "": list(missing),
        **{name: [part for part in missing if part in parts] for name, parts in needed.items()},
    }


def _search_name(search: str) -> str:
    return f"sarsen.search.{search}"
