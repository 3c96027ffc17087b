"""Files of keys: written whole, read by this user only, and kept through a power cut."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def make_once(path: Path, text: str) -> None:
    """Write a new file unless there is one; no process reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = write_draft(path, text)
    with contextlib.suppress(FileExistsError):  # another process was first
        os.link(draft, path)
    draft.unlink()
    sync_folder(path.parent)


def replace(path: Path, text: str) -> None:
    """Write a file anew, whole or not at all."""
    write_draft(path, text).replace(path)
    sync_folder(path.parent)


def write_draft(path: Path, text: str) -> Path:
    """Write a text beside the file that it will be; return where."""
    draft = path.with_name(f"{path.stem}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    return draft


def sync_folder(folder: Path) -> None:
    """Keep the names of files through a power cut, too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
