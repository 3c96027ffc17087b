"""The secret key of the data folder, which signs addresses."""

from __future__ import annotations

import secrets
from pathlib import Path

import structlog

from sarsen.core.errors import UserError
from sarsen.core.key_files import make_once

MIN_BYTES = 32  # 256 bits, as long as the digests that are made with it
log = structlog.get_logger()


def read_secret(data: Path) -> str:
    """Read the secret key, and make one that only this user can read if there is none.

    Every signed address depends on it: anyone who restores a backup needs the file too.

    Raises:
        UserError: The data folder cannot be used, or holds no key where it should.
    """
    path = data / "secret.key"
    try:
        if not path.exists():
            make_once(path, secrets.token_urlsafe(48))
        key = path.read_text(encoding="ascii").strip()
    except OSError as refused:
        raise UserError(
            f"The data folder {data} cannot be used: {refused.strerror}.",
            code="data-folder",
            hint="sarsen serve --data FOLDER, with a folder that this user can write to",
        ) from None
    except UnicodeDecodeError:
        key = ""
    if not key:
        raise UserError(
            f"{path} contains no key. Without the old key, the reply addresses in players' "
            "mailboxes stop working.",
            code="secret-key",
            hint=f"Restore it from a backup, or delete the file to create a new key: rm {path}",
        )
    return key


def check_length(key: str, *, is_new: bool) -> None:
    """Refuse a key that may be guessed on a new server, and warn about it on others.

    Raises:
        UserError: The key is too short, and nothing is signed with it yet.
    """
    length = len(key.encode())
    if length >= MIN_BYTES:
        return
    if not is_new:
        log.warning("SARSEN_SECRET_KEY is too short", bytes=length, least=MIN_BYTES)
        return
    raise UserError(
        f"SARSEN_SECRET_KEY has {length} bytes; a secure key needs at least {MIN_BYTES}.",
        code="secret-short",
        hint="Leave it unset to create a key automatically, or run: openssl rand -base64 48",
    )
