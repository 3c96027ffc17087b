"""Order faults of the system for some processes: flushes and writes that fail, a wrong clock.

What does it is a few lines of C, loaded before all else; without a C compiler these tests say
so and are left out.
"""

from __future__ import annotations

import functools
import mmap
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(
    COMPILER is None or sys.platform != "linux",
    reason="no C compiler here (Debian: apt-get install gcc), or no Linux",
)
ORDERS = struct.Struct("=qii")


class Faults:
    """The calls that shall fail, from now on, in every process with this environment."""

    def __init__(self, folder: Path) -> None:
        self._page_file = folder / "orders"
        self._page_file.write_bytes(bytes(mmap.PAGESIZE))
        self.journal = folder / "journal"
        with self._page_file.open("r+b") as opened:
            self._page = mmap.mmap(opened.fileno(), mmap.PAGESIZE)

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(_shim()), "FAULTS_ORDERS": str(self._page_file)}

    @property
    def journaling(self) -> dict[str, str]:
        """Return the environment in which every write is noted, too."""
        return self.environment | {"FAULTS_JOURNAL": str(self.journal)}

    def order(self, *, clock: float = 0.0, flush: int = 0, write: int = 0) -> None:
        """Order some faults, and end all others.

        Args:
            clock: Seconds that the clock is wrong by.
            flush: The error number of every flush of the database.
            write: That of every write that makes its files larger.
        """
        self._page[: ORDERS.size] = ORDERS.pack(int(clock * 1e9), flush, write)


@functools.cache
def _shim() -> Path:
    assert COMPILER is not None
    made = Path(tempfile.mkdtemp()) / "shim.so"
    source = Path(__file__).with_name("shim.c")
    words = [COMPILER, "-shared", "-fPIC", "-O1", "-Wall", "-o", str(made), str(source), "-ldl"]
    subprocess.run(words, check=True)
    return made
