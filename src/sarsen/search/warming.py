"""Loading all that thinking may need, as after an installation.

From the disk it takes seconds; the first time on a machine everything is compiled, which
takes minutes. A process that thinks loads by itself what it uses, as soon as it does.
"""

from __future__ import annotations

import importlib
import pkgutil
import time
from collections.abc import Iterator
from dataclasses import dataclass

SEARCHES = ("tactics", "alphabeta", "mcts", "proof")


@dataclass(frozen=True)
class Loaded:
    """One part that was loaded.

    Attributes:
        compiled: How many functions had to be compiled; the rest came from the disk.
    """

    name: str
    seconds: float
    compiled: int


def warm() -> Iterator[Loaded]:
    """Load Numba, the searches and every kernel, one after the other."""
    started = time.perf_counter()
    importlib.import_module("numba")
    yield Loaded("numba", time.perf_counter() - started, 0)
    yield from map(load_part, part_names())


def part_names() -> tuple[str, ...]:
    """Name the modules that are compiled: the searches, and every bot with what it plays by."""
    bots = importlib.import_module("sarsen.search.bots")
    return (
        *(f"sarsen.search.{search}" for search in SEARCHES),
        *(f"{bots.__name__}.{found.name}" for found in pkgutil.iter_modules(bots.__path__)),
    )


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
