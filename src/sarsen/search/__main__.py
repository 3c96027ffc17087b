"""Compile what thinking needs: `python -m sarsen.search`.

Without words it is all compiled on all processors, and what loading takes is printed: tests
and a server that was just installed start quicker after it. With the names of modules it
compiles those, one after the other, as the server's child: with low priority, within bounds
of memory, and no longer than its parent lives. So it does with `--prove`, which prints a forced
win in a position as JSON text, and with `--claim`, which does it within a time of processor, and
takes all of that time where it finds none.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import multiprocessing
import os
import resource
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from sarsen import games
from sarsen.core.game import AnyPosition, own_module
from sarsen.search.warming import Loaded, load_part, part_names, parts_to_compile, warm
from sarsen.search.written_proofs import prove, prove_claim

# Of address space; 0.7 GB were seen, of which 0.35 GB in memory.
MAX_MEMORY = 2 << 30
FIRST_TO_END = "1000"  # of oom_score_adj


def main() -> None:
    """Compile everything, or the modules named."""
    parser = argparse.ArgumentParser(prog="python -m sarsen.search", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="MODULE")
    parser.add_argument("--nice", type=int, default=0)
    parser.add_argument("--missing", action="store_true", help="print what is to be compiled")
    # The position stands behind `--`: it may begin with a dash.
    parser.add_argument("--prove", metavar="GAME", help="print a forced win in a position")
    parser.add_argument("--claim", choices=("0", "1", "draw"), help="who is to win there, or draw")
    parser.add_argument("--seconds", type=float, default=5.0, help="of processor, for a claim")
    words = parser.parse_args()
    if words.parts or words.missing or words.prove:
        _lower_priority(words.nice)
    if words.prove and words.claim:
        (line,) = words.parts
        seat = None if words.claim == "draw" else int(words.claim)
        _answer_claim(games.load(words.prove).read(line), seat, words.seconds)
    elif words.prove:
        (line,) = words.parts
        print(json.dumps(prove(games.load(words.prove).read(line))))
    elif words.missing:
        print(json.dumps(parts_to_compile(games.find().values())))
    elif words.parts:
        _compile_parts(words.parts)
    else:
        _compile_all()


def _answer_claim(position: AnyPosition, seat: int | None, seconds: float) -> None:
    """Print the proof of a claim, or print "" when the time is over, and not before.

    Nobody can learn from the time, nor from what else this machine does meanwhile, whether a
    search that found nothing knew so soon (decision 0081).
    """
    _load_searches(position)
    only_one = threading.Lock()  # prints
    limit = time.process_time() + seconds

    def end_in_time() -> None:
        while (left := limit - time.process_time()) > 0:
            time.sleep(min(max(left / 2, 0.01), 0.2))
        with only_one:
            print(json.dumps(""), flush=True)
            os._exit(0)

    threading.Thread(target=end_in_time, daemon=True).start()
    proof = prove_claim(position, seat)
    while not proof:
        pass  # until the other thread ends this process
    with only_one:
        print(json.dumps(proof), flush=True)
        os._exit(0)


def _load_searches(position: AnyPosition) -> None:
    """Load what a claim is searched with, compiling what is missing: that is no searching."""
    name = own_module(position.game, "kernel")
    if name is None:
        return
    from sarsen.search.compiling import load_all

    for search in ("sarsen.search.proof_number", "sarsen.search.thinking.win_within"):
        importlib.import_module(search)
    module = importlib.import_module(name)
    module.kernel(position)
    load_all()


def _compile_parts(parts: list[str]) -> None:
    from sarsen.search.compiling import compile_missing

    for name in parts:
        importlib.import_module(name)
        compile_missing()


def _compile_all() -> None:
    """Compile everything side by side, then load it, a line each."""
    all_games = games.find().values()
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        for part in pool.map(load_part, part_names(all_games)):
            if part.compiled:
                print(_line(part), flush=True)
    parts = list(warm(all_games))
    for part in parts:
        print(_line(part))
    print(f"{'together':32} {sum(part.seconds for part in parts):8.3f} s")


def _lower_priority(nice: int) -> None:
    """Let others go first, take little memory, and end when the parent has ended."""
    os.nice(nice)
    with contextlib.suppress(OSError, ValueError):  # a lower limit is set already
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    # Where memory runs out, the system ends this process and not the server.
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_END, encoding="ascii")
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of standard input, which the parent holds open and never writes to."""
    # Not by the buffered reader, which would hold its lock when this process ends by itself.
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def _line(part: Loaded) -> str:
    note = f"  {part.compiled} compiled" if part.compiled else ""
    return f"{part.name:32} {part.seconds:8.3f} s{note}"


if __name__ == "__main__":
    main()
