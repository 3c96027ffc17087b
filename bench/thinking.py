"""What a long-lived worker that thinks for bots costs: its start, its memory, its speed.

`python -m bench --search` measures all. Each is measured in a process of its own, `python -m
bench.thinking WHAT …`, which prints one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.figures import Spread, spread
from bench.plan import Plan

LEVEL = 8
PLIES = 6  # at random, before the worker is asked
FIRST_PLIES = 2  # the same before a first thought, so that it is one: openings are not searched
NODES = 2_000
DEPTH_SECONDS = 2.0  # of each alpha-beta search


@dataclass(frozen=True)
class Worker:
    """The costs of one worker.

    Attributes:
        cold_s: By game, from the command to the first thought, with nothing compiled yet:
            what a new version costs once.
        warm_s: The same from the disk cache.
        warm_processor_s: Of it, processor time.
        ready_processor_s: Processor time from the command until a thought of each game is
            done: what the server's thinker takes to be ready, besides its tables.
        start_s: Of it, what Python takes to start and to import the rules.
        memory: MiB by moment: before the first thought, after one of each game, after
            thoughts on many boards.
        boards: On so many.
        nodes_per_s: Of alpha-beta on Gyges, a processor second.
    """

    cold_s: dict[str, float]
    warm_s: dict[str, Spread]
    warm_processor_s: dict[str, Spread]
    ready_processor_s: Spread
    start_s: Spread
    memory: dict[str, float]
    boards: int
    nodes_per_s: Spread


def measure(games: tuple[str, ...], plan: Plan) -> Worker:
    """Measure workers; a cold start of each game takes about a minute."""
    runs = plan.worker_runs
    with TemporaryDirectory(prefix="bench-cache-") as folder:
        cold = {game: _first_thought(game, cache=folder)["wall"] for game in games if plan.is_cold}
    for game in games:
        _first_thought(game)  # whatever was not compiled yet is now
    warm = {game: [_first_thought(game) for _ in range(runs)] for game in games}
    ready = [_first_thought(*games)["processor"] for _ in range(runs)]
    return Worker(
        cold_s=cold,
        warm_s={game: spread([one["wall"] for one in some]) for game, some in warm.items()},
        warm_processor_s={
            game: spread([one["processor"] for one in some]) for game, some in warm.items()
        },
        ready_processor_s=spread(ready),
        start_s=spread([one["start"] for some in warm.values() for one in some]),
        memory=_child("memory", str(plan.worker_boards), *games),
        boards=plan.worker_boards,
        nodes_per_s=spread(_child("nodes", str(plan.worker_searches))["nodes_per_s"]),
    )


def _first_thought(*games: str, cache: str | None = None) -> dict[str, float]:
    began = time.perf_counter()
    found: dict[str, float] = _child("first", *games, cache=cache)
    return {**found, "wall": time.perf_counter() - began}


def _child(*words: str, cache: str | None = None) -> Any:
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    line = [sys.executable, "-m", "bench.thinking", *words]
    root = Path(__file__).parents[1]
    done = subprocess.run(line, env=environment, cwd=root, check=True, capture_output=True)
    return json.loads(done.stdout)


# In the process of its own


def _think(game: str, plies: int, seed: int, **budget: Any) -> Any:
    from sarsen.games import load
    from sarsen.search import bots
    from sarsen.search.thought import Budget

    chance = random.Random(seed)
    position = load(game).start()
    for _ in range(plies):
        after = position.play(chance.choice(position.legal_moves()))
        position = position if after.outcome() else after
    return bots.load(LEVEL).think(position, seed=seed, budget=Budget(**budget))


def _first(games: tuple[str, ...]) -> dict[str, float]:
    from sarsen.games import load

    load(games[0]).start()
    start = time.process_time()
    for game in games:
        _think(game, FIRST_PLIES, 1, nodes=1)
    return {"start": start, "processor": time.process_time()}


def _memory(boards: int, games: tuple[str, ...]) -> dict[str, float]:
    from sarsen.games import load

    for game in games:
        load(game).start()
    found = {"before": _resident()}
    for game in games:
        _think(game, 0, 1, nodes=1)
    found["one of each game"] = _resident()
    for board in range(boards):
        _think(games[board % len(games)], PLIES, board, nodes=NODES)
    found[f"{boards} boards"] = _resident()
    found["most"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {moment: round(size, 1) for moment, size in found.items()}


def _resident() -> float:
    """Return the resident memory in MiB; where `/proc` is missing, the most there was."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * resource.getpagesize() / 2**20


def _nodes(searches: int) -> dict[str, list[float]]:
    _think("gyges", 2, 0, nodes=1)
    rates = []
    for seed in range(searches):
        began = time.process_time()
        thought = _think("gyges", 2, seed, seconds=DEPTH_SECONDS)
        rates.append(thought.nodes / (time.process_time() - began))
    return {"nodes_per_s": rates}


if __name__ == "__main__":
    options = argparse.ArgumentParser(prog="python -m bench.thinking", description=__doc__)
    options.add_argument("what", choices=("first", "memory", "nodes"))
    options.add_argument("words", nargs="*", help="a number for the last two; games")
    asked = options.parse_args()
    names = asked.words
    match asked.what:
        case "first":
            print(json.dumps(_first(tuple(names))))
        case "memory":
            print(json.dumps(_memory(int(names[0]), tuple(names[1:]))))
        case "nodes":
            print(json.dumps(_nodes(int(names[0]))))
