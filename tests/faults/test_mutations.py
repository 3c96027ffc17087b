"""The list of faults fits the code and the docs; `make break` makes them and runs their tests."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from faults import mutations
from faults.breaking import FOUND, MISSED, judge
from faults.copies import Seen, end_all_of
from faults.mutations import ROOT, Mutation

LISTED = mutations.read()
SOURCES = ROOT / mutations.PACKAGE
WORD = re.compile(r"\w+")
ATTRIBUTE = re.compile(r"\.([A-Za-z]\w*)")


def test_every_fault_changes_a_text_that_stands_once_in_its_file() -> None:
    wrong = []
    for mutation in LISTED:
        try:
            mutation.applied(mutation.place(ROOT).read_text(encoding="utf-8"))
        except (OSError, ValueError) as failed:
            wrong.append(str(failed))
    assert wrong == []


def test_attributes_that_a_fault_asks_for_exist() -> None:
    """A fault that calls what was renamed raises AttributeError, and shows nothing."""
    texts = [path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py")]
    known = {word for text in texts for word in WORD.findall(text)}
    known |= {
        name for kind in (str, bytes, list, dict, set, datetime, sqlite3) for name in dir(kind)
    }
    wrong = [
        f"{mutation.name}: {name}"
        for mutation in LISTED
        if mutation.file.endswith(".py")
        for name in ATTRIBUTE.findall(mutation.new)
        if name not in known
    ]
    assert wrong == []


def test_every_fault_breaks_a_promise_of_the_docs() -> None:
    assert [one.name for one in LISTED if not mutations.is_promised(one)] == []


def test_tests_of_every_fault_exist() -> None:
    assert all(one.tests for one in LISTED)
    assert [test for one in LISTED for test in mutations.missing_tests(one)] == []


def test_every_promise_is_broken_by_a_fault() -> None:
    promises = mutations.promises()
    assert len(promises) > 20
    unbroken = [row for row in promises if not any(row.startswith(one.promise) for one in LISTED)]
    assert unbroken == []


def test_names_of_faults_are_their_own() -> None:
    names = [one.name for one in LISTED]
    assert len(set(names)) == len(names)


def failure(test: str, kind: str) -> dict[str, object]:
    return {"test": test, "kinds": [kind], "said": "…"}


ONE, OTHER = "tests/test_a.py::test_one", "tests/test_a.py::test_other"
LESS = failure(ONE, "AssertionError")


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [
        (Seen(failed=[LESS, failure(f"{OTHER}[5]", "Failed")]), FOUND),
        (Seen(failed=[LESS, failure(OTHER, "KeyError")]), FOUND),
        (Seen(failed=[LESS], passed=[OTHER]), MISSED),
        (Seen(failed=[LESS, failure(OTHER, "ImportError")]), MISSED),
        (Seen(failed=[LESS, failure(OTHER, "KeyError")], unreadable=["tests/test_b.py"]), MISSED),
        (Seen(), MISSED),
        (Seen(is_endless=True), MISSED),
    ],
)
def test_fault_is_found_when_each_of_its_tests_fails_by_it(seen: Seen, outcome: str) -> None:
    mutation = Mutation("", "", "", "", "", (ONE, OTHER), error="KeyError")
    assert judge(mutation, seen)[0] == outcome


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="the system has no /proc")
def test_what_a_broken_copy_left_running_is_ended_and_nothing_else(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    of_copy = os.environ | {"PYTHONPATH": f"{copy}/src"}
    words = ["sh", "-c", "read line"]
    with (
        subprocess.Popen(words, env=of_copy, stdin=subprocess.PIPE, start_new_session=True) as left,
        subprocess.Popen(words, cwd=copy, stdin=subprocess.PIPE, start_new_session=True) as fork,
        subprocess.Popen(words, cwd=tmp_path, stdin=subprocess.PIPE) as other,
    ):
        end_all_of(copy)
        assert left.wait() == fork.wait() == -signal.SIGKILL
        assert other.poll() is None
