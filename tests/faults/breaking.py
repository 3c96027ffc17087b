"""Break the code on purpose, one promise at a time, and see that a test fails.

`python tests/faults/breaking.py [NAME ...] [--long | --quick] [--json]`: each fault of
`mutations.toml` is made in a copy of the repository, where its tests must fail, by an assertion or
the exception that the list names. Before all of them the same tests must pass in the copy as it is;
`--quick`, one fault of each part of the package and one test of it, is for CI, which has run all
tests before: it shows that the tool works, and a run without it that each fault is found.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from faults import mutations
from faults.copies import Copy, Seen
from faults.mutations import Mutation

MAX_SECONDS = 600  # that the tests of one fault may take
ASSERTIONS = {"AssertionError", "Failed"}  # the second is what `pytest.raises` and `fail` raise
FOUND, MISSED = "found", "NOT FOUND"


@dataclass(frozen=True)
class Finding:
    """What came of one fault."""

    promise: str
    mutation: str
    tests: tuple[str, ...]
    outcome: str
    why: str
    seconds: float
    processor: float

    @property
    def is_found(self) -> bool:
        return self.outcome != MISSED


def broken(copy: Copy, mutation: Mutation, number: int) -> Finding:
    """Make a fault in a copy, run its tests, and mend it again."""
    place = mutation.place(copy.root)
    whole = place.with_suffix(".whole")
    shutil.copy2(place, whole)
    began = time.monotonic()
    try:
        place.write_text(mutation.applied(place.read_text(encoding="utf-8")), encoding="utf-8")
        # Compiled modules are known by the second and the length, which two faults may share.
        os.utime(place, (number, number))
        seen = copy.run(mutation.tests, is_long=mutation.long, enough=accepted(mutation))
    finally:
        whole.replace(place)  # with its time, by which compiled modules are known
    outcome, why = judge(mutation, seen)
    seconds = round(time.monotonic() - began, 1)
    return Finding(
        mutation.promise, mutation.name, mutation.tests, outcome, why, seconds, seen.processor
    )


def accepted(mutation: Mutation) -> set[str]:
    """Return the exceptions that show a fault."""
    return ASSERTIONS | ({mutation.error} if mutation.error else set())


def judge(mutation: Mutation, seen: Seen) -> tuple[str, str]:
    """Return whether every test of a fault has failed by it, and how, or why not."""
    if seen.is_endless:
        return MISSED, "does not end"
    if seen.unreadable:
        return MISSED, seen.unreadable[0]
    why = ""
    for test in mutation.tests:
        failures = [one for one in seen.failed if one["test"].partition("[")[0] == test]
        right = [one for one in failures if accepted(mutation) & set(one["kinds"])]
        if not right:
            others = [f"{one['kinds'][0]}: {one['said']}" for one in failures]
            return MISSED, f"{test.rpartition('::')[2]}: {others[0] if others else 'passes'}"
        why = why or f"{right[0]['kinds'][0]}: {right[0]['said']}"
    return FOUND, why


def control(copy: Copy, chosen: Sequence[Mutation]) -> dict[str, str]:
    """Run the tests of all faults on the code as it is; return those that go wrong, and how."""
    wrong: dict[str, str] = {}
    for is_long in (False, True):
        tests = sorted({test for one in chosen if one.long is is_long for test in one.tests})
        # One after another: together the long ones would not end in the time of one.
        for group in [[one] for one in tests] if is_long else [tests] if tests else []:
            seen = copy.run(group, is_long=is_long, most=len(group))
            passed = {one.partition("[")[0] for one in seen.passed}
            why = ", ".join(seen.unreadable) or ("does not end" if seen.is_endless else "")
            wrong |= {one: why or "does not run" for one in group if one not in passed}
            wrong |= {one["test"].partition("[")[0]: one["said"] for one in seen.failed}
    return wrong


def main(words: Sequence[str]) -> int:
    """Break what was asked for; give the exit status."""
    asked = _arguments(words)
    chosen = [
        one
        for one in mutations.read()
        if (asked.long or not one.long)
        and (not asked.names or any(one.is_called(name) for name in asked.names))
    ]
    if asked.quick:
        chosen = first_of_each_part(chosen)
    if not chosen:
        print("no such fault; tests/faults/mutations.toml lists them", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder).resolve(), asked.seconds)
        findings, wrong = _break(copy, chosen, is_sound=asked.quick)
    if asked.json:
        print(json.dumps({"as it is": wrong, "faults": [asdict(one) for one in findings]}))
    else:
        _show(findings, wrong)
    return 1 if wrong or not all(one.is_found for one in findings) else 0


def _break(
    copy: Copy, chosen: Sequence[Mutation], *, is_sound: bool
) -> tuple[list[Finding], dict[str, str]]:
    """Make each fault, but those whose tests fail anyhow; return what came of it, and of these.

    Args:
        is_sound: All tests have passed on the code as it is.
    """
    console = Console(stderr=True, highlight=False)
    findings: list[Finding] = []
    # No thread that draws may run when this process is forked, nor may its children print there.
    quiet = {"auto_refresh": False, "redirect_stdout": False, "redirect_stderr": False}
    with Progress(console=console, **quiet) as progress:
        bar = progress.add_task("as it is", total=len(chosen) + 1)
        progress.refresh()
        wrong = {} if is_sound else control(copy, chosen)
        sound = [one for one in chosen if wrong.keys().isdisjoint(one.tests)]
        for mutation in sound:
            progress.update(bar, advance=1, description=mutation.name, refresh=True)
            one = broken(copy, mutation, number=len(findings))
            findings.append(one)
            console.print(
                f"{len(findings)} of {len(sound)}: {one.outcome}"
                f" ({one.seconds} s, processor {one.processor} s): {one.mutation}"
                + ("" if one.is_found else f": {one.why}"),
                soft_wrap=True,
            )
        progress.update(bar, advance=1, refresh=True)
    return findings, wrong


def first_of_each_part(listed: Sequence[Mutation]) -> list[Mutation]:
    """Return the first fault of each folder of the package, with its first test alone."""
    found: dict[str, Mutation] = {}
    for one in listed:
        found.setdefault(one.file.partition("/")[0], replace(one, tests=one.tests[:1]))
    return list(found.values())


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a fault, or words of a promise")
    parser.add_argument("--long", action="store_true", help="also what only the long tests show")
    parser.add_argument("--quick", action="store_true", help="one fault of each part, one test")
    parser.add_argument("--seconds", type=float, default=MAX_SECONDS, help="for one fault's tests")
    parser.add_argument("--json", action="store_true", help="print the result for a program")
    return parser.parse_args(words)


def _show(findings: Sequence[Finding], wrong: dict[str, str]) -> None:
    table = Table("promise", "mutation", "test", "outcome", "how")
    promise = ""
    for one in findings:
        first = one.promise if one.promise != promise else ""
        promise = one.promise
        tests = "\n".join(test.rpartition("::")[2] for test in one.tests)
        table.add_row(first, one.mutation, tests, one.outcome, one.why)
    console = Console(width=None if sys.stdout.isatty() else 160, markup=False)
    if findings:
        console.print(table)
    for test, why in wrong.items():
        console.print(f"fails though nothing is broken: {test}: {why}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # and clean up
    sys.exit(main(sys.argv[1:]))
