"""Files of records, of any size: one record in memory, and a progress bar."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from io import TextIOWrapper
from pathlib import Path

from sarsen.core.errors import UserError
from sarsen.core.records.collection import Piece, lines_of, split


def pieces_of(path: Path, doing: str, *, shows_progress: bool) -> Iterator[Piece]:
    """Yield the records of a file, `-` for standard input, as text.

    Args:
        doing: What the progress bar says.
    """
    from rich.console import Console
    from rich.progress import Progress

    is_input = str(path) == "-"
    source = sys.stdin.buffer if is_input else path.open("rb")
    # A byte that is no UTF-8 spoils its record, not the whole file; see `text.read`.
    file = TextIOWrapper(source, encoding="utf-8", errors="surrogateescape", newline="\n")
    total = None if is_input else max(1, path.stat().st_size)
    console = Console(stderr=True)
    is_hidden = not (shows_progress and console.is_terminal)
    with closing(file), Progress(console=console, disable=is_hidden, transient=True) as progress:
        task = progress.add_task(doing, total=total)
        for piece in split(lines_of(file)):
            yield from _records(piece)
            if total:
                progress.update(task, completed=file.buffer.tell())


def _records(piece: Piece) -> Iterator[Piece]:
    """Yield a record as it is; of a line of all public data the record in it, if it has one."""
    if not piece.text.startswith('{"kind"'):
        yield piece
        return
    try:
        found = json.loads(piece.text)
    except (ValueError, RecursionError):
        yield piece  # whoever reads it says what is wrong
        return
    if "record" in found:
        yield Piece(piece.line, json.dumps(found["record"], ensure_ascii=False))


def no_record() -> UserError:
    """Return the refusal of a file that holds none."""
    return UserError("There is no record in it.", code="record.none", hint="help records")
