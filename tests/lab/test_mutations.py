"""`sarsen check` changes the rules of a game, and lists the changes that nothing notices."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from packages import install, run
from sarsen.lab.checking.mutants import all_mutants

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "src" / "sarsen" / "lab" / "new_game" / "template"
RULES = """
INFO = GameInfo("two", "Two", Number("size", "", 3, 9, 5))

def ends(row: int, size: int) -> bool:
    if row < size and not size:
        raise IllegalMove(f"Row {row + 1} is full.", code="two.full")
    return any(row == one + 1 for one in range(size))
"""
# Tries every change of a package's rules, and prints what became of them.
TRYING = """
import json, sys
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from sarsen.lab.checking.counts import read_counts
from sarsen.lab.checking.loading import load_module
from sarsen.lab.checking.mutation_testing import try_mutants
module = load_module(sys.argv[1])
folder = Path(module.__file__).parent
counts = read_counts(folder.parent / "tests" / "perft.txt", module.GAME.info.name)
results = try_mutants(module, (folder / "help.md").read_text(), counts, 1, jobs=int(sys.argv[3]))
*_, last = islice(results, int(sys.argv[2]))
print(json.dumps(asdict(last)))
"""


def test_each_kind_of_change_is_made_in_rules_and_none_in_facts_and_refusals(
    tmp_path: Path,
) -> None:
    rules = tmp_path / "rules.py"
    rules.write_text(RULES, encoding="utf-8")
    made = [mutant for each in all_mutants((rules,), 1) for mutant in each]
    assert sorted((one.line, one.change) for one in made) == [
        (5, '"row < size and (not size)" always holds'),
        (5, '"row < size and (not size)" becomes "not (row < size and (not size))"'),
        (5, '"row < size and (not size)" becomes "row < size and size"'),
        (5, '"row < size and (not size)" becomes "row < size or not size"'),
        (5, '"row < size and (not size)" becomes "row <= size and (not size)"'),
        (5, '"row < size and (not size)" becomes "row > size and (not size)"'),
        (5, '"row < size and (not size)" never holds'),
        (7, '"any((row == one + 1 for one in range(size)))" becomes '
            '"all((row == one + 1 for one in range(size)))"'),
        (7, '"any((row == one + 1 for one in range(size)))" becomes '
            '"any((row != one + 1 for one in range(size)))"'),
        (7, '"any((row == one + 1 for one in range(size)))" becomes '
            '"any((row == one + 0 for one in range(size)))"'),
        (7, '"any((row == one + 1 for one in range(size)))" becomes '
            '"any((row == one + 2 for one in range(size)))"'),
        (7, '"any((row == one + 1 for one in range(size)))" becomes '
            '"any((row == one - 1 for one in range(size)))"'),
    ]  # fmt: skip
    assert len({one.source for one in made}) == len(made)
    assert "one - 1" in next(one.source for one in made if "one - 1" in one.change)


def test_rows_of_directions_lose_one_each_and_rows_of_words_none(tmp_path: Path) -> None:
    rules = tmp_path / "rules.py"
    rules.write_text(
        'AROUND = ((1, 0), (0, 1), (-1, 0))\nWAYS = [-1, 0, 1]\nSEATS = ("a", "b", "c")\n'
        "PLACE = (1, 2)\n",
        encoding="utf-8",
    )
    sources = [mutant.source for each in all_mutants((rules,), 1) for mutant in each]
    for kept in ("((0, 1), (-1, 0))", "((1, 0), (-1, 0))", "((1, 0), (0, 1))"):
        assert sum(f"AROUND = {kept}" in source for source in sources) == 1
    for kept in ("[0, 1]", "[-1, 1]", "[-1, 0]"):
        assert sum(f"WAYS = {kept}" in source for source in sources) == 1
    assert all("SEATS = ('a', 'b', 'c')" in source for source in sources)
    assert all("PLACE = (" in source and "PLACE = (1,)" not in source for source in sources)


def tried(folder: Path, most: int = 1000, jobs: int = 2) -> dict[str, Any]:
    words = ("-c", TRYING, str(folder), str(most), str(jobs))
    found: dict[str, Any] = json.loads(run(folder.parent, *words).stdout)
    return found


@pytest.mark.ci
def test_examples_of_a_new_game_notice_every_change_of_its_rules() -> None:
    found = tried(TEMPLATE)
    assert found["tried"] == found["possible"] > 50
    assert found["unnoticed"] == []
    assert sum(found["noticed"].values()) + found["same"] == found["tried"]
    # Loops without an end among them.
    assert all(found["noticed"][by] for by in ("examples", "laws", "failures"))


@pytest.mark.ci
def test_change_is_listed_when_the_example_that_noticed_it_is_gone(tmp_path: Path) -> None:
    folder, site = tmp_path / "tryout", tmp_path / "site"
    shutil.copytree(TEMPLATE, folder)
    page = folder / "sarsen_tryout" / "help.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if "a4 b4 b3 c4 c2" not in line]
    assert len(kept) == len(lines) - 1
    page.write_text("\n".join(kept), encoding="utf-8")
    listed = tried(folder)["unnoticed"]
    (one,) = (one for one in listed if "(1, 1), (1, 1))" in one["text"])
    assert one["text"].startswith("rules.py:17: nothing notices when ")
    assert one["text"].endswith(": then the game goes on here.")
    site.mkdir()
    install(folder, site)
    # By the rules as they are it is over there: a row that falls to the right.
    assert "in a row. (" in run(site, *shlex.split(one["line"])).stdout


@pytest.mark.ci
def test_counts_of_another_program_notice_changes(tmp_path: Path) -> None:
    folder = tmp_path / "tryout"
    shutil.copytree(TEMPLATE, folder)
    (folder / "sarsen_tryout" / "help.md").write_text("# Tryout\n", encoding="utf-8")
    (folder / "tests" / "perft.txt").write_text("tryout -size=3 | | 9 72 504\n", encoding="utf-8")
    assert tried(folder, 12)["noticed"]["counts"] > 2


@pytest.mark.ci
def test_several_processes_find_what_one_does() -> None:
    alone, several = tried(TEMPLATE, 6, jobs=1), tried(TEMPLATE, 6, jobs=4)
    assert alone == several
    assert several["tried"] == 6
