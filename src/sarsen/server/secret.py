"""The server's secret key, made once and kept in the data folder."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

import structlog

from sarsen.core.errors import UserError

SHORTEST = 32  # bytes
log = structlog.get_logger()


def read_secret(data: Path) -> str:
    """Read the secret key, and make one that only this user can read if there is none.

    Every signed address depends on it: whoever restores a backup needs the file too.

    Raises:
        UserError: The data folder cannot be used, or holds no key where it should.
    """
    path = data / "secret.key"
    try:
        if not path.exists():
            _make(path)
        key = path.read_text(encoding="ascii").strip()
    except OSError as refused:
        raise UserError(
            f"The data folder {data} cannot be used: {refused.strerror}.",
            code="data-folder",
            hint="sarsen serve --data FOLDER, one that this user may write to",
        ) from None
    except UnicodeDecodeError:
        key = ""
    if not key:
        raise UserError(
            f"{path} holds no key. Without the old one the addresses in people's mailboxes "
            "stop working.",
            code="secret-key",
            hint=f"Put it back from a copy, or remove the file for a new key: rm {path}",
        )
    return key


def check_length(key: str, *, is_new: bool) -> None:
    """Refuse a key that may be guessed on a new server, and warn about it on others.

    Raises:
        UserError: The key is too short, and nothing is signed with it yet.
    """
    length = len(key.encode())
    if length >= SHORTEST:
        return
    if not is_new:
        log.warning("SARSEN_SECRET_KEY is too short", bytes=length, least=SHORTEST)
        return
    raise UserError(
        f"SARSEN_SECRET_KEY has {length} bytes; a key that nobody guesses has at least {SHORTEST}.",
        code="secret-short",
        hint="Leave it unset: then a key is made. Or: openssl rand -base64 48",
    )


def _make(path: Path) -> None:
    """Write a key beside it and link it into place: no process reads half a key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"secret.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(handle, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
        file.flush()
        os.fsync(file.fileno())
    with contextlib.suppress(FileExistsError):  # another process was first
        os.link(draft, path)
    draft.unlink()
    # The name, too, must outlast a power cut: addresses are signed from now on.
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
