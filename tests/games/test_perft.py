"""Perft counts, from `perft.txt`: one line a position, one count a depth."""

from pathlib import Path

import pytest

from sarsen.core.referee import perft, replayed
from sarsen.games import find, load

LINES = [
    line
    for line in Path(__file__).with_name("perft.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#") and line.split()[0] in find()
]


@pytest.mark.parametrize("line", LINES)
def test_perft(line: str) -> None:
    start, moves, counts = (part.strip() for part in line.split("|"))
    name, _, options = start.partition(" ")
    position = replayed(load(name).start(options), moves.split())
    for depth, count in enumerate(counts.split(), start=1):
        assert perft(position, depth) == int(count)
