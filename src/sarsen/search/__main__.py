"""Compile what thinking needs, on all processors, then say what loading it takes.

`python -m sarsen.search`; tests and a server that was just installed start quicker after it.
"""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from sarsen.search.warming import Loaded, load_part, part_names, warm


def main() -> None:
    """Compile everything side by side, then load it, a line each."""
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        for part in pool.map(load_part, part_names()):
            if part.compiled:
                print(_line(part), flush=True)
    parts = list(warm())
    for part in parts:
        print(_line(part))
    print(f"{'together':32} {sum(part.seconds for part in parts):8.3f} s")


def _line(part: Loaded) -> str:
    note = f"  {part.compiled} compiled" if part.compiled else ""
    return f"{part.name:32} {part.seconds:8.3f} s{note}"


if __name__ == "__main__":
    main()
