"""`sarsen import`: games that were played elsewhere become finished boards of this server."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path

import click
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.core.records.collection import Piece, lines_of, split
from sarsen.games import load
from sarsen.services.records import importing
from sarsen.services.records.importing import Proved
from sarsen.services.request import Player

DOES_NOT_HOLD = 1
# What is stored in one transaction: a kill loses no more, and it fits into memory.
MOST_RECORDS, MOST_MOVES = 100, 20_000


@dataclass(frozen=True)
class ImportOptions:
    """How records shall be taken in.

    Attributes:
        is_dry: Only prove them.
        known: Accounts here by the names in the records.
    """

    is_dry: bool
    as_finished: bool
    known: Mapping[str, Player]


@dataclass(frozen=True)
class Found:
    """The result of importing one record.

    Attributes:
        state: `imported`, `known` (it is a board already), `sound` (only proved), `refused`.
    """

    place: str
    state: str
    board: int | None = None
    refusal: UserError | None = None

    def as_dict(self) -> dict[str, object]:
        """Return what `--json` prints."""
        found: dict[str, object] = {"record": self.place, "state": self.state}
        if self.board is not None:
            found["board"] = self.board
        if self.refusal is not None:
            found |= {"code": self.refusal.code, "text": self.refusal.text}
        return found


@dataclass
class _Batch:
    """Records that are proved and wait to be stored together."""

    waiting: dict[str, tuple[str, Proved]] = field(default_factory=dict)  # by their digest

    @property
    def is_full(self) -> bool:
        moves = sum(len(one.record.moves) for _, one in self.waiting.values())
        return len(self.waiting) >= MOST_RECORDS or moves >= MOST_MOVES

    def store(self, wanted: ImportOptions) -> Iterator[Found]:
        places = [place for place, _ in self.waiting.values()]
        records = [one for _, one in self.waiting.values()]
        self.waiting.clear()
        boards = importing.take_in(records, wanted.known, timezone.now())
        for place, board in zip(places, boards, strict=True):
            yield Found(place, "imported", board)


def import_files(paths: tuple[Path, ...], wanted: ImportOptions, *, as_json: bool) -> int:
    """Take in the records of files, and say what became of each; return the exit status."""
    count: Counter[str] = Counter()
    for path in paths:
        for found in _founds(path, wanted, shows_progress=not as_json):
            count[found.state] += 1
            if as_json:
                click.echo(json.dumps(found.as_dict(), ensure_ascii=False))
            elif found.refusal is not None:
                click.echo(f"{found.place}: {found.refusal.text} [{found.refusal.code}]")
    if not as_json:
        states = (
            ("sound", "known", "refused") if wanted.is_dry else ("imported", "known", "refused")
        )
        click.echo(", ".join(f"{count[state]} {state}" for state in states) + ".")
    return DOES_NOT_HOLD if count["refused"] else 0


def _founds(path: Path, wanted: ImportOptions, *, shows_progress: bool) -> Iterator[Found]:
    batch, is_empty = _Batch(), True
    for piece in pieces_of(path, "importing", shows_progress=shows_progress):
        is_empty = False
        yield from _take(f"{path}:{piece.line}", piece, batch, wanted)
        if batch.is_full:
            yield from batch.store(wanted)
    yield from batch.store(wanted)
    if is_empty:
        yield Found(str(path), "refused", refusal=no_record())


def _take(place: str, piece: Piece, batch: _Batch, wanted: ImportOptions) -> Iterator[Found]:
    """Prove a record; let it wait in the batch, or say why not."""
    try:
        proved = importing.check(piece.read(load), timezone.now(), as_finished=wanted.as_finished)
    except UserError as refusal:
        yield Found(place, "refused", refusal=refusal)
        return
    board = importing.board_of(proved)
    if board is not None or proved.digest in batch.waiting:
        yield Found(place, "known", board)
    elif wanted.is_dry:
        yield Found(place, "sound")
    else:
        batch.waiting[proved.digest] = (place, proved)


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
        yield piece  # the reader says what is wrong
        return
    if "record" in found:
        yield Piece(piece.line, json.dumps(found["record"], ensure_ascii=False))


def no_record() -> UserError:
    """Return the refusal of a file that holds none."""
    return UserError("There is no record in it.", code="record.none", hint="help records")
