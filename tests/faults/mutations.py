"""Faults that somebody might make, a promise at a time, as `mutations.toml` lists them.

Each names the promise that it breaks, in the first words of that promise in the docs, and the
tests that must fail then.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
LISTED = Path(__file__).with_name("mutations.toml")
PACKAGE = Path("src", "sarsen")
_ROW = re.compile(r"^\| (.+?) \|", re.MULTILINE)


@dataclass(frozen=True)
class Mutation:
    """One fault: a text of one file that becomes another.

    Attributes:
        promise: The words with which the promise begins, in the docs.
        name: What somebody did, in a few words joined by hyphens.
        file: Below `src/sarsen`.
        old: Stands in that file once.
        tests: Each of them must fail. Names of pytest, without parameters; the quickest first.
        page: Where the promise stands: in the table of `reliability.md`, or anywhere in another
            page of `docs`.
        error: The name of the exception by which a test fails that comes to no assertion.
        long: Only tests of the long form show it.
    """

    promise: str
    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    page: str = "reliability.md"
    error: str = ""
    long: bool = False

    def is_called(self, word: str) -> bool:
        """Return whether a word of a command line means this one, or its promise."""
        return word == self.name or word.lower() in self.promise.lower()

    def place(self, root: Path) -> Path:
        """Return its file in a copy of the repository."""
        return root / PACKAGE / self.file

    def applied(self, text: str) -> str:
        """Return the text of its file with the fault in it.

        Raises:
            ValueError: What it changes stands there not once.
        """
        if text.count(self.old) != 1 or self.old == self.new:
            raise ValueError(f"{self.name}: {text.count(self.old)} times in {self.file}")
        return text.replace(self.old, self.new)


def read() -> list[Mutation]:
    """Read the list."""
    listed = tomllib.loads(LISTED.read_text(encoding="utf-8"))["mutation"]
    return [Mutation(**{**one, "tests": tuple(one["tests"])}) for one in listed]


def promises() -> list[str]:
    """Return the rows of the table of promises in `docs/reliability.md`."""
    page = _page("reliability.md")
    table = page.partition("\n## Promises\n")[2].partition("\n## ")[0]
    return _ROW.findall(table)[1:]  # behind its head


def is_promised(mutation: Mutation) -> bool:
    """Return whether the words of a promise begin one row, or stand once in another page."""
    if mutation.page == "reliability.md":
        return sum(row.startswith(mutation.promise) for row in promises()) == 1
    return " ".join(_page(mutation.page).split()).count(mutation.promise) == 1


def missing_tests(mutation: Mutation) -> Iterator[str]:
    """Yield those of its tests that no file has."""
    for test in mutation.tests:
        file, _, name = test.partition("::")
        if name not in _functions(ROOT / file):
            yield test


@cache
def _page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@cache
def _functions(file: Path) -> frozenset[str]:
    if not file.is_file():
        return frozenset()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(one.name for one in tree.body if isinstance(one, ast.FunctionDef))
