"""The server's secret key, made once and kept in the data folder."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def read_secret(data: Path) -> str:
    """Read the secret key, and make one that only this user can read if there is none.

    Every signed address depends on it: whoever restores a backup needs the file too.
    """
    path = data / "secret.key"
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        data.mkdir(parents=True, exist_ok=True)
    # Written beside it and linked into place: no other process reads half a key.
    draft = data / f"secret.{os.getpid()}"
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
    with contextlib.suppress(FileExistsError):  # another process was first
        os.link(draft, path)
    draft.unlink()
    return path.read_text(encoding="ascii").strip()
