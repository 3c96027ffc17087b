"""Folders for files that are being written, which a crash leaves to the next process to remove."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = ".sarsen-"
_NAME = re.compile(r"\.sarsen-[a-z0-9_]{8}")
# An empty one may be new, and its maker about to lock it.
_NEW = 60  # seconds


@contextmanager
def draft_in(folder: Path) -> Iterator[Path]:
    """Yield a new folder inside, which is gone in the end; remove what the dead have left there."""
    for path in left_behind(folder):
        shutil.rmtree(path, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=folder) as name:
        handle = os.open(name, os.O_RDONLY)
        try:
            # Shows that its maker lives: the system frees it with the process.
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield Path(name)
        finally:
            os.close(handle)


def left_behind(folder: Path) -> list[Path]:
    """Return the folders that a process of ours has made inside and nobody uses any more."""
    paths = [path for path in folder.glob(f"{PREFIX}*") if _NAME.fullmatch(path.name)]
    return sorted(path for path in paths if _is_left(path))


def _is_left(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        status = os.fstat(handle)
        if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) != 0o700:
            return False
        entries = list(os.scandir(path))
        if not all(entry.is_file(follow_symlinks=False) for entry in entries):
            return False
        # Fails while its maker lives.
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return bool(entries) or time.time() - status.st_mtime > _NEW
    except OSError:
        return False  # held, or on a disk that knows no locks
    finally:
        os.close(handle)
