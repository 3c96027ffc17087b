"""Make the net of Gyges from nothing: games with itself, three times, each net teaching the next.

    python training/gyges/make_net.py FOLDER [--quick]

FOLDER keeps what is done; begun again, the script goes on from there. At the end
FOLDER/net.npz is the net, to be put beside `sarsen/games/gyges/kernel/net.py`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from self_play import Positions, generate
from train import train

from sarsen.games.gyges.kernel import net

# Positions to play, and how often all positions of this generation and the last are seen.
GENERATIONS = ((400_000, 2), (500_000, 2), (700_000, 3))
SHORT_GENERATIONS = ((2_000, 1), (2_000, 1))  # show that all works; their net knows little


def make(folder: Path, generations: Sequence[tuple[int, int]] = GENERATIONS) -> Path:
    """Make all generations that are not there yet; give the path of the net."""
    folder.mkdir(parents=True, exist_ok=True)
    words = np.zeros(net.WORDS_IN_ALL, np.int64)
    earlier: list[Positions] = []
    for number, (positions, epochs) in enumerate(generations, start=1):
        begun = time.process_time()
        played = _played(folder / f"positions{number}.npz", number, positions, words)
        earlier = [*earlier[-1:], played]
        path = folder / f"net{number}.npz"
        if not path.exists():
            both = Positions(*(np.concatenate(parts) for parts in zip(*earlier, strict=True)))
            layers = train(both, epochs=epochs, seed=number)
            parts = net.quantised(layers.weights, layers.bias, layers.last, layers.end[:1])
            np.savez_compressed(path, **parts)
        words = net.read(path)
        minutes = (time.process_time() - begun) / 60
        print(f"generation {number}: {minutes:.1f} minutes of one core", flush=True)
    (folder / "net.npz").write_bytes(path.read_bytes())
    return folder / "net.npz"


def _played(path: Path, seed: int, positions: int, words: net.Array) -> Positions:
    if not path.exists():
        np.savez_compressed(path, **generate(seed, positions, words)._asdict())
    with np.load(path) as file:
        return Positions(file["low"], file["high"], file["score"])


if __name__ == "__main__":
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("folder", type=Path, help="what is done is kept there")
    words.add_argument("--quick", action="store_true", help="few games: shows that all works")
    asked = words.parse_args()
    print(make(asked.folder, SHORT_GENERATIONS if asked.quick else GENERATIONS))
