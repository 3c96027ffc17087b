"""A backup as a file: what is in it, written so that no half of one ever has its name.

A tar file, compressed: `manifest.json` first, then the database, then keys where they were
asked for. Any tar program opens it. No Django, so that a backup can be looked at before a
server's settings are.
"""

from __future__ import annotations

import hashlib
import json
import os
import tarfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from sarsen.core.errors import UserError

FORMAT = 1
MANIFEST = "manifest.json"
SQLITE_FILE, POSTGRESQL_FILE = "database.sqlite3", "database.pgdump"
KEYS = ("secret.key", "signing.key")
MAX_MANIFEST = 1_000_000  # bytes: a damaged or foreign archive must not fill the memory
_COMPRESSION = 3  # of 9: a database of boards shrinks to a fifth, at the disk's own speed
_PIECE = 1 << 20  # bytes in memory at once, of a file of any size
_MISREAD = (ValueError, KeyError, TypeError, AttributeError)


@dataclass(frozen=True)
class FileDigest:
    """A file of a backup: its length and its SHA-256 in hexadecimal digits."""

    size: int
    digest: str


@dataclass(frozen=True)
class Manifest:
    """The manifest of a backup.

    Attributes:
        version: Of sarsen, when it was made.
        made_at: The moment that the database is of.
        database: `sqlite` or `postgresql`.
        migrations: Applied ones, as `storage.0005_open_doors`.
        counts: Rows by table.
        files: By name.
    """

    version: str
    made_at: datetime
    database: str
    migrations: tuple[str, ...]
    counts: Mapping[str, int]
    files: Mapping[str, FileDigest]

    @property
    def database_file(self) -> str:
        return SQLITE_FILE if self.database == "sqlite" else POSTGRESQL_FILE

    def as_json(self) -> dict[str, Any]:
        """Return what `manifest.json` holds. The pair of `read`."""
        return {
            "sarsen-backup": FORMAT,
            "version": self.version,
            "made_at": self.made_at.isoformat(),
            "database": self.database,
            "migrations": list(self.migrations),
            "counts": dict(self.counts),
            "files": {
                name: {"bytes": file.size, "sha256": file.digest}
                for name, file in self.files.items()
            },
        }

    @classmethod
    def read(cls, data: Any) -> Manifest:
        """Read what `as_json` gave."""
        return cls(
            version=str(data["version"]),
            made_at=datetime.fromisoformat(data["made_at"]),
            database=str(data["database"]),
            migrations=tuple(map(str, data["migrations"])),
            counts={str(name): int(rows) for name, rows in data["counts"].items()},
            files={
                str(name): FileDigest(int(entry["bytes"]), str(entry["sha256"]))
                for name, entry in data["files"].items()
            },
        )


def digest(path: Path) -> FileDigest:
    """Return length and digest of a file."""
    with path.open("rb") as file:
        return FileDigest(path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())


def write_archive(target: Path, manifest: Manifest, folder: Path) -> None:
    """Write the files that a manifest names, from a folder; what is written is on the disk."""
    with target.open("wb") as file:
        with tarfile.open(fileobj=file, mode="w:gz", compresslevel=_COMPRESSION) as archive:
            head = json.dumps(manifest.as_json(), indent=1).encode()
            _add(archive, MANIFEST, BytesIO(head), len(head), manifest)
            for name, entry in manifest.files.items():
                with (folder / name).open("rb") as content:
                    _add(archive, name, content, entry.size, manifest)
        file.flush()
        os.fsync(file.fileno())


def read_manifest(path: Path) -> Manifest:
    """Read what a backup says of itself.

    Raises:
        UserError: It is none, or of a later format.
    """
    with _Opened(path) as archive:
        first = archive.next()
        content = archive.extractfile(first) if first and first.name == MANIFEST else None
        if content is None:
            raise damaged(path, "it does not start with a manifest")
        data = json.loads(content.read(MAX_MANIFEST))
        if data.get("sarsen-backup") != FORMAT:
            raise UserError(
                f"{path} is a backup of format {data.get('sarsen-backup')!r}; this release "
                f"reads format {FORMAT}.",
                code="backup-newer",
                hint="Restore it with the release that made it, or a later one.",
            )
        return Manifest.read(data)


def check_archive(path: Path, manifest: Manifest) -> None:
    """Read a backup to its end, and compare every byte with the manifest.

    Raises:
        UserError: Something is missing or another.
    """
    unpack(path, manifest, None)


def unpack(path: Path, manifest: Manifest, folder: Path | None) -> None:
    """Write the files of a backup into a folder; None only reads them.

    Raises:
        UserError: Something is missing, or another than the manifest says.
    """
    missing = dict(manifest.files)
    with _Opened(path) as archive:
        for member in archive:
            expected = missing.pop(member.name, None)
            content = archive.extractfile(member)
            # Names are looked up, never used as paths that the file chose.
            if expected is None or content is None:
                continue
            if _copied(content, folder / member.name if folder else None) != expected:
                raise damaged(path, f"its file {member.name} is damaged")
        # To the very end, where the check sum of everything stands, the manifest's too.
        assert archive.fileobj is not None
        while archive.fileobj.read(_PIECE):
            pass
    if missing:
        raise damaged(path, f"it lacks {', '.join(missing)}")


def damaged(path: Path, why: str) -> UserError:
    """Return the refusal of a file that is no sound backup."""
    return UserError(
        f"{path} is not a valid backup: {why}.",
        code="backup-damaged",
        hint="Use another copy of it, or an earlier backup. Nothing was changed.",
    )


class _Opened:
    """An archive that is read; whatever is wrong with it is one refusal."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> tarfile.TarFile:
        try:
            self._archive = tarfile.open(self._path, "r:*")
        except tarfile.TarError:
            raise damaged(self._path, "it is not a complete tar file") from None
        except (OSError, EOFError, zlib.error) as error:
            raise damaged(self._path, str(error)) from None
        return self._archive

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        self._archive.close()
        faults = (OSError, EOFError, zlib.error, tarfile.TarError, *_MISREAD)
        if kind is not None and issubclass(kind, faults):
            raise damaged(self._path, str(error)) from None


def _add(
    archive: tarfile.TarFile, name: str, content: IO[bytes], size: int, manifest: Manifest
) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    member.mtime = int(manifest.made_at.timestamp())
    archive.addfile(member, content)


def _copied(content: IO[bytes], target: Path | None) -> FileDigest:
    """Copy a member, if somewhere, and give what it was."""
    hasher, size = hashlib.sha256(), 0
    file = target.open("xb") if target else None
    try:
        while piece := content.read(_PIECE):
            hasher.update(piece)
            size += len(piece)
            if file:
                file.write(piece)
        if file:
            file.flush()
            os.fsync(file.fileno())
    finally:
        if file:
            file.close()
    return FileDigest(size, hasher.hexdigest())
