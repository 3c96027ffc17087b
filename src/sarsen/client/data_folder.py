"""Where the server of this machine keeps its data, for itself, its commands and its client."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

HERE = Path("data")
_FILES = ("secret.key", "sarsen.sqlite3")  # one of them shows that a server was started there


def data_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder that SARSEN_DATA names, `data` if it has data, or that of this user.

    Until release 0.4 the default was `data` in the current folder; such a server is found there.

    Args:
        environment: As `os.environ`.
    """
    if named := environment.get("SARSEN_DATA", ""):
        return Path(named)
    if any((HERE / name).exists() for name in _FILES):
        return HERE
    return user_folder(environment)


def user_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder of this user's data: of the XDG base directories, or that of macOS."""
    folder = environment.get("XDG_DATA_HOME", "")
    try:
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Application Support" / "sarsen"
        # A relative path there is to be ignored, as the specification has it.
        base = Path(folder) if folder.startswith("/") else Path.home() / ".local" / "share"
    except RuntimeError:  # a user without a home
        return HERE
    return base / "sarsen"
