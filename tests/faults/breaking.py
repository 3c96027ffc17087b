"""Break the code on purpose, one promise at a time, and see that a test fails.

`python tests/faults/breaking.py [NAME ...] [--long | --quick] [--json]`: each fault of
`mutations.toml` is made in a copy of the repository, where its tests must fail, by an assertion or
the exception that the list names. Before all of them the same tests must pass in the copy as it is.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from faults import mutations
from faults.mutations import ROOT, Mutation
from faults.witness import WHERE

COPIED = (
    "src",
    "tests",
    "bench",
    "simulation",
    "docs",
    "README.md",
    "CHANGELOG.md",
    "pyproject.toml",
    "Makefile",
)
LEFT_OUT = shutil.ignore_patterns(".hypothesis", ".pytest_cache")
MOST_SECONDS = 600  # that the tests of one fault may take
# Each process would compile everything anew; a broken file has a time of its own, and is compiled.
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
ASSERTIONS = {"AssertionError", "Failed"}  # the second is what `pytest.raises` and `fail` raise
FOUND, MISSED, BY_TIMEOUT = "found", "NOT FOUND", "found by timeout"


@dataclass(frozen=True)
class Seen:
    """What the witness has noted of one run.

    Attributes:
        failed: The exceptions of each failed test, and what the last of them said.
        unreadable: What could not be collected, and why; or why there is no note at all.
        is_endless: It did not end in time.
    """

    passed: list[str] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    is_endless: bool = False


@dataclass(frozen=True)
class Finding:
    """What came of one fault."""

    promise: str
    mutation: str
    tests: tuple[str, ...]
    outcome: str
    why: str
    seconds: float

    @property
    def is_found(self) -> bool:
        return self.outcome != MISSED


class Copy:
    """The repository, in a folder where it may be broken."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.root, self._seconds = folder / "copy", seconds
        self._note = folder / "seen.json"
        self.root.mkdir()
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, self.root / name, ignore=LEFT_OUT)
            else:
                shutil.copy2(ROOT / name, self.root)

    def broken(self, mutation: Mutation) -> Finding:
        """Make a fault, run its tests, and mend it again."""
        place = mutation.place(self.root)
        whole = place.with_suffix(".whole")
        shutil.copy2(place, whole)
        began = time.monotonic()
        try:
            place.write_text(mutation.applied(place.read_text(encoding="utf-8")), encoding="utf-8")
            outcome, why = judge(mutation, self.run(mutation.tests, is_long=mutation.long))
        finally:
            whole.replace(place)  # with its time, by which compiled modules are known
        took = round(time.monotonic() - began, 1)
        return Finding(mutation.promise, mutation.name, mutation.tests, outcome, why, took)

    def run(self, tests: Sequence[str], *, is_long: bool) -> Seen:
        """Run tests on the code of the copy."""
        self._note.unlink(missing_ok=True)
        words = [sys.executable, "-m", "pytest", "-q", "-p", "faults.witness"]
        # To load the second takes a third of the time of a small test.
        words += [
            "-p",
            "no:cacheprovider",
            "-p",
            "no:schemathesis",
            *(["--long"] if is_long else []),
            *tests,
        ]
        process = subprocess.Popen(
            words,
            cwd=self.root,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=self._seconds)
        except subprocess.TimeoutExpired:
            return Seen(is_endless=True)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            end_all_of(self.root)
        if not self._note.is_file():
            return Seen(unreadable=[said[-1000:]])
        noted = json.loads(self._note.read_text(encoding="utf-8"))
        imported = Path(noted.pop("package"))
        assert imported.is_relative_to(self.root), f"not the copy is tested, but {imported}"
        return Seen(**noted)

    @property
    def _environment(self) -> dict[str, str]:
        places = [str(self.root / name) for name in ("src", "tests")]
        kept = {name: text for name, text in os.environ.items() if name != NO_BYTECODE}
        return kept | {
            "PYTHONPATH": os.pathsep.join(places),
            WHERE: str(self._note),
        }


def end_all_of(folder: Path) -> None:
    """End what was started by the tests of a copy and is left, by its environment.

    Processes of a server lead sessions of their own, and some faults let them outlive it.
    """
    mark = os.fsencode(folder)
    while left := [process for process in _processes() if mark in _environment_of(process)]:
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.05)


def _processes() -> list[int]:
    """Return the ids of all processes but this one; none on a system without `/proc`."""
    found = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    return [process for process in found if process != os.getpid()]


def _environment_of(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/environ").read_bytes()
    except OSError:  # it has ended, or belongs to somebody else
        return b""


def judge(mutation: Mutation, seen: Seen) -> tuple[str, str]:
    """Tell whether every test of a fault has failed by it, and how, or why not."""
    if seen.is_endless:
        return (BY_TIMEOUT if mutation.timeout else MISSED), "does not end"
    if seen.unreadable:
        return MISSED, seen.unreadable[0]
    accepted = ASSERTIONS | {mutation.error}
    why = ""
    for test in mutation.tests:
        failures = [one for one in seen.failed if one["test"].partition("[")[0] == test]
        right = [one for one in failures if accepted & set(one["kinds"])]
        if not right:
            others = [f"{one['kinds'][0]}: {one['said']}" for one in failures]
            return MISSED, f"{test.rpartition('::')[2]}: {others[0] if others else 'passes'}"
        why = why or f"{right[0]['kinds'][0]}: {right[0]['said']}"
    return FOUND, why


def control(copy: Copy, chosen: Sequence[Mutation]) -> list[str]:
    """Run the tests of all faults on the code as it is; give what goes wrong."""
    wrong: list[str] = []
    for is_long in (False, True):
        tests = sorted({test for one in chosen if one.long is is_long for test in one.tests})
        # One after another: together the long ones would not end in the time of one.
        for group in [[one] for one in tests] if is_long else [tests] if tests else []:
            seen = copy.run(group, is_long=is_long)
            passed = {one.partition("[")[0] for one in seen.passed}
            wrong += [f"{one['test']}: {one['said']}" for one in seen.failed]
            wrong += seen.unreadable
            wrong += [f"{one}: does not run" for one in group if one not in passed]
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
        chosen = first_of_each_file(chosen)
    console = Console(stderr=True)
    if not chosen:
        console.print("no such fault; tests/faults/mutations.toml lists them")
        return 2
    findings: list[Finding] = []
    with tempfile.TemporaryDirectory() as folder, Progress(console=console) as progress:
        copy = Copy(Path(folder).resolve(), asked.seconds)
        bar = progress.add_task("as it is", total=len(chosen) + 1)
        wrong = control(copy, chosen)
        for mutation in [] if wrong else chosen:
            progress.update(bar, advance=1, description=mutation.name)
            findings.append(copy.broken(mutation))
            if not console.is_terminal:  # where no bar is seen
                console.print(f"{len(findings)} of {len(chosen)}: {mutation.name}", highlight=False)
            if not findings[-1].is_found:
                progress.console.print(f"{mutation.name} is not found: {findings[-1].why}")
        progress.update(bar, advance=1)
    if asked.json:
        print(json.dumps({"as it is": wrong, "faults": [asdict(one) for one in findings]}))
    else:
        _show(findings, wrong)
    return 1 if wrong or not all(one.is_found for one in findings) else 0


def first_of_each_file(listed: Sequence[Mutation]) -> list[Mutation]:
    """Return one fault of each file, of those with the fewest tests the first one."""
    found: dict[str, Mutation] = {}
    for one in sorted(listed, key=lambda one: len(one.tests)):
        found.setdefault(one.file, one)
    return list(found.values())


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a fault, or words of a promise")
    parser.add_argument("--long", action="store_true", help="also what only the long tests show")
    parser.add_argument("--quick", action="store_true", help="one fault of each file only")
    parser.add_argument("--seconds", type=float, default=MOST_SECONDS, help="for one fault's tests")
    parser.add_argument("--json", action="store_true", help="print the result for a program")
    return parser.parse_args(words)


def _show(findings: Sequence[Finding], wrong: Sequence[str]) -> None:
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
    for text in wrong:
        console.print(f"fails though nothing is broken: {text}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # and clean up
    sys.exit(main(sys.argv[1:]))
