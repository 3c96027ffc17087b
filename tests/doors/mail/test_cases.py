"""Every case of the two lists of what the mail door meets has a test that bears its number.

The lists are of the project's makers: M1 to M53, and of the faults those that come by mail.
A case is a mail of `data`, a script of `sessions`, or a test whose name says it: `case_30` and
`m30` for M30, `f29` for F29. The few that are tested under another name stand below.
"""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
CASES = {
    *(f"m{number}" for number in range(1, 54)),
    *(f"f{number}" for number in range(25, 51)),
    *(f"f{number}" for number in (59, 60, 64, 66, 67)),
}
ELSEWHERE = {
    "m37": "faults/test_disk_full.py::test_f5",
    "m38": "faults/kills/test_database.py::test_f33",
    "f59": "doors/mail/data/m29-vacation-notice-without-any-header.mail",
}
_IN_FILE = re.compile(r"([mf])0*(\d+)-")
_IN_TEST = re.compile(r"def test_((?:(?:case|m|f)_?\d+_)+)")
_NUMBER = re.compile(r"(case|m|f)_?0*(\d+)_")


def numbered() -> set[str]:
    """Return the cases that files and tests name."""
    found: set[str] = set()
    for folder in ("data", "sessions"):
        names = (_IN_FILE.match(path.name) for path in (HERE / folder).iterdir())
        found |= {name[1] + name[2] for name in names if name}
    for path in TESTS.rglob("test_*.py"):
        is_of_mail = HERE in path.parents or path.parent.name == "processes"
        for names_of_test in _IN_TEST.findall(path.read_text(encoding="utf-8")):
            for kind, number in _NUMBER.findall(names_of_test):
                if kind != "case" or is_of_mail:
                    found.add(("m" if kind == "case" else kind) + number)
    return found


def test_every_case_has_a_mail_a_session_or_a_test() -> None:
    assert CASES - numbered() == set(ELSEWHERE) - numbered()
    assert numbered() | set(ELSEWHERE) >= CASES


def test_what_is_tested_under_another_name_is_there() -> None:
    for case, place in ELSEWHERE.items():
        name, _, test = place.partition("::")
        assert (TESTS / name).exists(), case
        assert f"def {test}" in (TESTS / name).read_text(encoding="utf-8") or not test, case
