"""Nothing short-lived loads what only searches need."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numba", "numpy", "sarsen.search.contract")


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["match", "--help"],
        ["solve", "druid", "-size=99"],
        ["show", "druid"],
        ["engine", "x"],
    ],
)
def test_command_line_loads_nothing_heavy(words: list[str]) -> None:
    program = (
        "import sys\nfrom sarsen.server.command import main\n"
        f"try:\n    main({words!r})\nexcept SystemExit:\n    pass\n"
        f"print('loaded:', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.rstrip().endswith("loaded: []"), done.stdout


def test_engine_speaks_before_it_loads_what_it_thinks_with() -> None:
    program = (
        "import io, sys\nfrom sarsen.games import load\nfrom sarsen.search import bots\n"
        "from sarsen.lab.engine import Engine, speak\n"
        "one = Engine(load('druid'), '', bots.load(8))\n"
        "speak(one, io.BytesIO(b'name\\nplay V a1\\nshowboard\\n'), io.BytesIO())\n"
        f"print('loaded:', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "loaded: []\n"
