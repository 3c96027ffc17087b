"""What the picture of a board costs: as mails have it, beside the whole SVG drawn by resvg.

`python -m bench.pictures [--games 16]` draws positions of random games of the usual size, one
after the other, each in both ways. Times are those of the processor, and those of the mails'
way include the scene. No finished picture is found again; the first fourth of the positions,
which fills what is kept of shapes, is not counted.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import font_source_sans_pro
import resvg_py
from rich.console import Console
from rich.table import Table

from bench.figures import spread
from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.drawing.palette import LIGHT
from sarsen.drawing.png import WIDTH, png
from sarsen.drawing.svg import svg
from sarsen.games import load, names

PLIES = (0, 2, 5, 9, 14, 20, 30, 45)  # of each game


def main() -> None:
    """Measure every game, and print a line for each."""
    options = argparse.ArgumentParser(prog="python -m bench.pictures")
    options.add_argument("--games", type=int, default=16, help="random ones of each")
    options.add_argument("--quick", action="store_true", help="one game: shows that all works")
    asked = options.parse_args()
    games = 1 if asked.quick else asked.games
    table = Table(
        title="Pictures of boards in mails (processor ms; median, lowest-highest)",
        caption="resvg: the SVG in full colour, as a picture was drawn before",
    )
    for column in ("game", "ms", "resvg ms", "of resvg", "bytes", "resvg bytes"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for name in names():
        table.add_row(name, *_measured(name, games))
    Console(width=120).print(table)


def _measured(name: str, games: int) -> list[str]:
    positions = [one for seed in range(games) for one in _played(name, seed)]
    random.Random(1).shuffle(positions)
    ours, theirs, sizes, their_sizes = [], [], [], []
    for number, position in enumerate(positions):
        milliseconds, size = _timed(_draw, position)
        if number >= len(positions) // 4:
            ours.append(milliseconds)
            sizes.append(size)
            milliseconds, size = _timed(_draw_whole, position)
            theirs.append(milliseconds)
            their_sizes.append(size)
    ratio = spread(ours).median / spread(theirs).median
    return [
        *(_written(values, 1) for values in (ours, theirs)),
        f"{ratio:.2f}",
        *(_written(values, 0) for values in (sizes, their_sizes)),
    ]


def _played(name: str, seed: int) -> Iterator[AnyPosition]:
    """Yield positions of a random game; none after its end."""
    chance = random.Random(seed)
    position: AnyPosition = load(name).start()
    for ply in range(PLIES[-1] + 1):
        if ply in PLIES:
            yield position
        if position.outcome() is not None:
            return
        position = position.play(chance.choice(position.legal_moves()))


def _timed(draw: Callable[[AnyPosition], bytes], position: AnyPosition) -> tuple[float, float]:
    began = time.process_time()
    picture = draw(position)
    return 1000 * (time.process_time() - began), len(picture)


def _draw(position: AnyPosition) -> bytes:
    png.cache_clear()
    return png(drawing.scene(position))


def _draw_whole(position: AnyPosition) -> bytes:
    fonts = Path(font_source_sans_pro.font_directory)
    return resvg_py.svg_to_bytes(
        svg_string=svg(drawing.scene(position)),
        width=WIDTH,
        background=LIGHT["paper"],
        skip_system_fonts=True,
        font_files=[str(fonts / f"SourceSansPro-{weight}.ttf") for weight in ("Regular", "Bold")],
        font_family="Source Sans Pro",
        sans_serif_family="Source Sans Pro",
    )


def _written(values: list[float], digits: int) -> str:
    found = spread(values)
    shown = (f"{value:,.{digits}f}" for value in (found.median, found.low, found.high))
    return "{} ({}-{})".format(*shown)


if __name__ == "__main__":
    main()
