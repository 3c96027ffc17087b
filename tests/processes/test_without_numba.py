"""A plain install, without Numba: everything works, with programs of levels 1 to 4."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from processes.conftest import Server, one_line, running_server

pytestmark = pytest.mark.ci

WITHOUT = {"PYTHONPATH": str(Path(__file__).parents[1] / "without_numba")}
ANN = "ann@ann.example"
IMPORT_ALL = r"""
import importlib, os, pkgutil, re
os.environ["DJANGO_SETTINGS_MODULE"] = "sarsen.server.settings"
import django, sarsen
django.setup()
# The compiled searches and what measures them, and the games for researchers.
NEEDS = ("sarsen.research.", "sarsen.lab.elo", "sarsen.lab.uct", "sarsen.search.")
FREE = ("sarsen.search.bots", "sarsen.search.plain_bots", "sarsen.search.general",
        "sarsen.search.thought", "sarsen.search.warming",
        "sarsen.search.reviews.study")
OF_GAMES = re.compile(r"sarsen[.]games[.]\w+[.](bot|kernel|proof)\b")
for found in pkgutil.walk_packages(sarsen.__path__, "sarsen.", onerror=lambda name: None):
    name = found.name
    if name.endswith(("__main__", "wsgi")):  # which act
        continue
    if OF_GAMES.match(name):
        continue
    if not name.startswith(NEEDS) or name.startswith(FREE):
        importlib.import_module(name)
print("imported")
"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("plain") / "data"
    yield from running_server(data, {"SARSEN_BOTS": "on", **WITHOUT})


def ran(words: list[str], **more: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | WITHOUT | more
    return subprocess.run(words, env=environment, capture_output=True, text=True)


def test_everything_that_needs_no_compiled_search_is_imported(tmp_path: Path) -> None:
    done = ran([sys.executable, "-c", IMPORT_ALL], SARSEN_DATA=str(tmp_path))
    assert done.stdout == "imported\n", done.stderr


def test_weak_programs_play_and_strong_ones_are_refused(plain: Server) -> None:
    letter = plain.join("ann")
    plain.answer(letter, "visavis challenge -size=5 bot4 me")
    told = one_line(plain.next_letter(ANN))
    while "bot4 played" not in told:
        assert "warming up" not in told
        told = one_line(plain.next_letter(ANN))
    plain.answer(letter, "visavis challenge -size=5 bot5 me")
    assert "the strongest program here is of level 4" in one_line(plain.next_letter(ANN))


@pytest.mark.parametrize(
    "words", ["match bot5 bot4 --game visavis", "match uct random --game visavis", "prove visavis"]
)
def test_what_measures_searches_says_what_is_missing(words: str) -> None:
    done = ran([sys.executable, "-m", "sarsen", *words.split()])
    assert done.returncode == 2, done.stderr
    assert "Numba" in done.stderr
    assert "/path/to/sarsen[bots]" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_batch_of_games_says_what_is_missing() -> None:
    program = "from sarsen.research import batch\nbatch('druid', 2)"
    done = ran([sys.executable, "-c", program])
    assert "Batches are compiled, for which Numba is missing." in done.stderr
