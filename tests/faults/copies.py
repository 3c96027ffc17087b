"""A copy of the repository that may be broken, and tests that run on it in a fork.

A fork has loaded the libraries already, which takes longer than most tests do.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest

from faults.mutations import ROOT
from faults.witness import ENOUGH, WHERE

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
# Those that take longest to load, of those that need no settings of Django's.
LIBRARIES = (
    "cryptography.hazmat.primitives.serialization",
    "django.core.handlers.asgi",
    "django.core.mail.backends.smtp",
    "django.db.models",
    "django.forms",
    "django.template",
    "django.test.client",
    "email.policy",
    "fido2.server",
    "hypothesis.stateful",
    "jinja2",
    "lucide",
    "markdown_it",
    "numba",
    "numpy",
    "prometheus_client",
    "psycopg",
    "pydantic",
    "rich.console",
    "structlog",
)
PLUGINS_LEFT_OUT = ("cacheprovider", "schemathesis", "xdist", "random_order", "pytest_repeat")
# Each process would compile everything anew; a broken file has a time of its own, and is compiled.
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
DIED = 70  # the status of a fork in which pytest itself failed


@dataclass(frozen=True)
class Seen:
    """What the witness has noted of one run.

    Attributes:
        failed: The exceptions of each failed test, and what the last of them said.
        unreadable: What could not be collected, and why; or why there is no note at all.
        is_endless: It did not end in time.
        processor: Seconds of the tests and of the processes that they waited for.
    """

    passed: list[str] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    is_endless: bool = False
    processor: float = 0.0


class Copy:
    """The repository, in a folder where it may be broken."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.root, self._seconds = folder / "copy", seconds
        self._note, self._output = folder / "seen.json", folder / "output"
        self._temporary = folder / "t"
        self.root.mkdir()
        folder.chmod(0o711)
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, self.root / name, ignore=LEFT_OUT)
            else:
                shutil.copy2(ROOT / name, self.root)
        for library in LIBRARIES:
            importlib.import_module(library)
        gc.collect()
        gc.freeze()

    def run(
        self, tests: Sequence[str], *, is_long: bool, most: int = 1, enough: Collection[str] = ()
    ) -> Seen:
        """Run tests on the code of the copy.

        Args:
            most: They may take as long as those of so many faults.
            enough: A test of several cases that fails in one, by such an exception, is over.
        """
        self._note.unlink(missing_ok=True)
        self._temporary.mkdir()
        self._temporary.chmod(0o755)  # for the other users that a mail server has
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            self._test(tests, is_long, enough)
        try:
            is_endless, processor = self._wait(child, most * self._seconds)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            end_all_of(self.root)
            shutil.rmtree(self._temporary, ignore_errors=True)
        if is_endless:
            return Seen(is_endless=True, processor=processor)
        if not self._note.is_file():
            said = self._output.read_text(encoding="utf-8", errors="replace")
            return Seen(unreadable=[said[-1000:]], processor=processor)
        noted = json.loads(self._note.read_text(encoding="utf-8"))
        imported = Path(noted.pop("package"))
        assert imported.is_relative_to(self.root), f"not the copy is tested, but {imported}"
        return Seen(**noted, processor=processor)

    @staticmethod
    def _wait(child: int, seconds: float) -> tuple[bool, float]:
        """Wait for tests; return whether they did not end in time, and their processor seconds."""
        until = time.monotonic() + seconds
        while True:
            ended, _, used = os.wait4(child, os.WNOHANG)
            if ended:
                return False, round(used.ru_utime + used.ru_stime, 1)
            if time.monotonic() > until:
                os.kill(child, signal.SIGKILL)
                _, _, used = os.wait4(child, 0)
                return True, round(used.ru_utime + used.ru_stime, 1)
            time.sleep(0.02)

    def _test(self, tests: Sequence[str], is_long: bool, enough: Collection[str]) -> NoReturn:
        """Run tests in this process, a fork, and end it."""
        status = DIED
        try:
            self._begin_anew()
            os.environ |= {WHERE: str(self._note), ENOUGH: " ".join(enough)}
            words = ["-q", "--tb=no", "-p", "faults.witness", *(["--long"] if is_long else [])]
            left_out = [word for name in PLUGINS_LEFT_OUT for word in ("-p", f"no:{name}")]
            status = int(pytest.main([*words, *left_out, *tests]))
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def _begin_anew(self) -> None:
        """Leave all that this process shares with the one that it was forked from."""
        os.setsid()  # so that all that it starts can be ended
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.chdir(self.root)
        nothing = os.open(os.devnull, os.O_RDONLY)
        output = os.open(self._output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for there, here in ((nothing, 0), (output, 1), (output, 2)):
            os.dup2(there, here)
        places = [str(self.root / name) for name in ("src", "tests")]
        os.environ.pop(NO_BYTECODE, None)
        os.environ |= {
            "PYTHONPATH": os.pathsep.join(places),
            "TMPDIR": str(self._temporary),
        }
        sys.dont_write_bytecode, tempfile.tempdir = False, None
        of_original = str(ROOT / "tests")
        sys.path[:] = [
            str(self.root),
            *places,
            *(place for place in sys.path if not place.startswith(of_original)),
        ]
        for name in [name for name in sys.modules if name.partition(".")[0] == "faults"]:
            del sys.modules[name]
        # What a test spawns would else begin with the main module of this process.
        sys.modules["__main__"] = ModuleType("__main__")
        sys.argv = ["pytest"]


def end_all_of(folder: Path) -> None:
    """End what was started by the tests of a copy and is left, by its environment or its folder.

    Processes of a server lead sessions of their own, and some faults let them outlive it. Forks
    have the environment of what they were forked from.
    """
    while left := [process for process in _processes() if _is_of(process, folder)]:
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.05)


def _processes() -> list[int]:
    """Return the ids of all processes but this one; none on a system without `/proc`."""
    found = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    return [process for process in found if process != os.getpid()]


def _is_of(process: int, folder: Path) -> bool:
    try:
        if os.fsencode(folder) in Path(f"/proc/{process}/environ").read_bytes():
            return True
        return Path(f"/proc/{process}/cwd").readlink().is_relative_to(folder)
    except OSError:  # it has ended, or belongs to somebody else
        return False
