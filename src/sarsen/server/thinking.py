"""Prepare the process that thinks: where compiled searches are kept."""

from __future__ import annotations

import os
from pathlib import Path

from django.conf import settings

import sarsen.search


def choose_cache_folder() -> None:
    """Keep compiled code where this user may write."""
    folder = cache_folder(Path(sarsen.search.__file__).parent, settings.DATA)
    if folder is not None:
        os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))


def cache_folder(package: Path, data: Path) -> Path | None:
    """Return where compiled code is kept; None for beside the package, where that may be written.

    Otherwise Numba would choose a folder in the user's home, if there is one.
    """
    return None if os.access(package, os.W_OK) else data / "numba"
