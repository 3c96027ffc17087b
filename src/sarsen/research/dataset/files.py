"""Rows into files: JSON lines always, Parquet where pyarrow is installed; all or nothing."""

from __future__ import annotations

import importlib.util
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from hashlib import file_digest
from pathlib import Path
from typing import IO, Any

from sarsen.core.errors import UserError
from sarsen.research.dataset.rows import COLUMNS

ROWS_AT_ONCE = 1000  # of a Parquet file
Row = dict[str, Any]
Tell = Callable[[Row], object]


def has_parquet() -> bool:
    """Return whether Parquet files can be written here."""
    return importlib.util.find_spec("pyarrow") is not None


def write_folder(
    folder: Path, rows: Iterable[Row], tell: Tell, card: Callable[[dict[str, str]], str]
) -> None:
    """Write a file a game type, and the card; the folder appears when all of it is there.

    Args:
        tell: Is told each row that is written.
        card: Gives the README's text once all rows are written, of each file's SHA-256.

    Raises:
        UserError: There is such a folder already, or it cannot be written.
    """
    _check(folder)
    try:
        draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as refused:
        raise _unwritable(folder, refused) from None
    try:
        _write_rows(draft, rows, tell)
        hashes = {path.name: _hash(path) for path in sorted(draft.iterdir())}
        (draft / "README.md").write_text(card(hashes), encoding="utf-8", newline="\n")
        draft.replace(folder)
    except OSError as refused:
        raise _unwritable(folder, refused) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _check(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(
            f"{folder} is there already, and not an empty folder.",
            code="folder-not-empty",
            hint=f"sarsen dataset {folder}-2",
        )


def _write_rows(draft: Path, rows: Iterable[Row], tell: Tell) -> None:
    with ExitStack() as stack:
        lines: dict[str, IO[str]] = {}
        tables: dict[str, _ParquetFile] = {}
        for row in rows:
            game = row["game"]
            if game not in lines:
                path = draft / f"{game}.jsonl"
                lines[game] = stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))
                if has_parquet():
                    tables[game] = _ParquetFile(path.with_suffix(".parquet"))
                    stack.callback(tables[game].close)
            lines[game].write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
            if game in tables:
                tables[game].add(row)
            tell(row)


class _ParquetFile:
    """Collect rows, and write them many at a time: a group a row would be slow to read."""

    def __init__(self, path: Path) -> None:
        import pyarrow
        from pyarrow import parquet

        self._arrow = pyarrow
        self._schema = pyarrow.schema([(name, _kind(kind)) for name, (kind, _) in COLUMNS.items()])
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._rows: list[Row] = []

    def add(self, row: Row) -> None:
        self._rows.append(row)
        if len(self._rows) >= ROWS_AT_ONCE:
            self._write()

    def close(self) -> None:
        if self._rows:
            self._write()
        self._writer.close()

    def _write(self) -> None:
        self._writer.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
        self._rows.clear()


def _kind(name: str) -> Any:
    import pyarrow

    if name.startswith("list<"):
        return pyarrow.list_(_kind(name[5:-1]))
    return pyarrow.bool_() if name == "bool" else pyarrow.type_for_alias(name)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _unwritable(folder: Path, refused: OSError) -> UserError:
    return UserError(
        f"{folder} cannot be written: {refused.strerror}.",
        code="folder-unwritable",
        hint="sarsen dataset games-2026",
    )
