"""Proofs are searched in a process of their own."""

from __future__ import annotations

import subprocess
import sys

from sarsen.core.answers import check
from sarsen.games import load
from sarsen.workers import proving


def test_a_child_proves_a_win_that_the_rules_confirm() -> None:
    start = load("visavis").start("-size=5")
    text = proving.prove("visavis", start.write())
    assert check(start, text).winner == 0


def test_nothing_is_proved_where_nothing_can_be() -> None:
    # The first position of Druid has no key, by which the search could keep what it finds.
    assert proving.prove("druid", load("druid").start("-size=4").write()) == ""


def test_a_child_that_fails_proves_nothing() -> None:
    assert proving.prove("visavis", "no position") == ""
    assert proving.prove("nogame", "no position") == ""


def test_this_process_needs_no_compiler() -> None:
    # As all of them but the thinker: `sarsen.workers.thinking`.
    code = (
        "import sys; import sarsen.search.written_proofs; "
        "sys.exit(bool({'numba', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
