"""The calibration and the C loops of `bench/limits`, compiled when there is a compiler.

Without one the calibration is the same loop compiled by Numba, and there is nothing to
compare the kernels with.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

SOURCES = Path(__file__).with_name("limits")
FLAGS = ("-O3", "-march=native", "-Wno-psabi")
NAMES = ("calib", "visavis", "druid", "gyges", "vasco")
STEPS = 40_000_000


@dataclass(frozen=True)
class Loops:
    """The compiled programs; empty without a compiler."""

    programs: dict[str, Path]

    @property
    def yardstick(self) -> str:
        """Return a text that says what the calibration was."""
        return "C" if self.programs else "Numba, no C compiler was found"

    def calibration(self) -> float:
        """Return millions of calibration steps a processor second."""
        if not self.programs:
            return _substitute()
        return float(_run(self.programs["calib"], str(STEPS))["mcal_per_s"])

    def rate(self, name: str, *arguments: str) -> float | None:
        """Return the results a processor second of a loop, or None without a compiler."""
        if not self.programs:
            return None
        return float(_run(self.programs[name], *arguments)["rate"])


@contextmanager
def compiled_loops() -> Iterator[Loops]:
    """Compile all loops into a temporary folder."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    with TemporaryDirectory(prefix="bench-limits-") as folder:
        programs = {}
        for name in NAMES if compiler else ():
            programs[name] = Path(folder) / name
            line = [str(compiler), *FLAGS, "-o", str(programs[name]), str(SOURCES / f"{name}.c")]
            subprocess.run(line, check=True)
        yield Loops(programs)


def _run(program: Path, *arguments: str) -> dict[str, float]:
    done = subprocess.run([program, *arguments], check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _substitute() -> float:
    from bench.kernel_loops import calibrate

    calibrate(1)  # compiled, or taken from the disk
    began = time.process_time()
    calibrate(STEPS)
    return STEPS / (time.process_time() - began) / 1e6
