"""A package made for release 0.4 goes on working.

`tests/plugin_of_0_4/` is the sample of that time; its `names.txt` has the public
names of `core` and `drawing` of that release.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from importlib import import_module
from pathlib import Path

from packages import install, run

PLUGIN = Path(__file__).with_name("plugin_of_0_4")


def test_every_public_name_of_release_0_4_is_there() -> None:
    moved, gone = set(), []
    for line in (PLUGIN / "names.txt").read_text(encoding="utf-8").splitlines():
        module, *names = line.split()
        for name in names:
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                if not hasattr(import_module(module), name):
                    gone.append(f"{module}.{name}")
            said = [str(one.message) for one in told if one.category is DeprecationWarning]
            moved |= {
                f"{module}.{name}" for text in said if text.startswith(f"{module}.{name} is ")
            }
    assert gone == []
    assert "sarsen.drawing.scene.Line" in moved
    assert len(moved) == 12  # each other one is where it was


def test_package_of_release_0_4_is_drawn_and_played(tmp_path: Path) -> None:
    install(PLUGIN, tmp_path)
    shown = run(tmp_path, "sarsen", "show", "nim", "--moves", "b1")
    assert shown.stdout.startswith("a  |\nb  | |\nc  | | | | |")
    assert shown.stderr == ""  # players are not told
    picture = run(tmp_path, "sarsen", "show", "nim", "--svg")
    assert picture.stdout.count('stroke-width="7"') == 9
    counted = run(tmp_path, "sarsen", "perft", "nim", "-rows=2", "4")
    assert counted.stdout == "4\n"


def test_author_of_such_a_package_is_told_the_present_name(tmp_path: Path) -> None:
    install(PLUGIN, tmp_path)
    words = [sys.executable, "-m", "sarsen", "check", str(PLUGIN), "--seconds", "1"]
    told = subprocess.run(
        [*words, "--mutations", "0"], cwd=tmp_path, capture_output=True, text=True, check=False
    ).stderr
    assert "view.py:6: DeprecationWarning: sarsen.drawing.scene.Line is" in told
    assert "sarsen.drawing.scene.Stroke now" in told
