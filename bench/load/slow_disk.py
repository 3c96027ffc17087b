"""A disk whose every flush takes longer, as many rented ones do: a shim around `fsync`."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

MORE_MS = 4.0
_SOURCE = Path(__file__).with_name("slow_flush.c")


def slow_disk(folder: Path, more_ms: float = MORE_MS) -> dict[str, str] | None:
    """Compile the shim; give what a process must have in its environment to be slowed down.

    Returns:
        None without a C compiler, or where it makes no such library.
    """
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return None
    library = folder / "slow_flush.so"
    line = [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl"]
    if subprocess.run(line, capture_output=True).returncode:
        return None
    return {"LD_PRELOAD": str(library), "SLOW_FLUSH_MS": f"{more_ms:g}"}
