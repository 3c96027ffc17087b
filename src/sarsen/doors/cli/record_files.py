"""`sarsen export`, `import` and `dataset`: this server's games as files, and files as boards."""

from __future__ import annotations

import json
import secrets
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

import click
from django.conf import settings
from django.utils import timezone
from rich.console import Console
from rich.progress import Progress, track

from sarsen import __version__
from sarsen.core.errors import PluginFailure, UserError
from sarsen.core.records.collection import RecordText, lines_of, split
from sarsen.games import load
from sarsen.language.grammar.typography import one_line
from sarsen.research.dataset.card import Origin, Tallies, write_card
from sarsen.research.dataset.rows import Naming, has_parquet, row, write_folder
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.admin import public_data
from sarsen.services.players import find_any_player
from sarsen.services.records import importing
from sarsen.services.records.collections import Selection, collect, count
from sarsen.services.records.importing import Proved
from sarsen.services.records.published_games import PUBLISHED, published_games
from sarsen.services.records.recording import RecordFile
from sarsen.services.records.signatures import PublicKey
from sarsen.services.request import Player

DOES_NOT_HOLD = 1
# What is stored in one transaction: a kill loses no more, and it fits into memory.
MAX_RECORDS, MAX_MOVES = 100, 20_000


def export(selection: Selection, form: str, output: Path | None) -> None:
    """Write the records of a selection, one after another, to a file or to standard output.

    Raises:
        UserError: No such game, player or board; or the file cannot be written.
    """
    total = count(selection)
    console = Console(stderr=True)
    with _opened(output) as file:
        written = 0
        for record_file in track(
            collect(selection),
            "writing",
            total=total,
            console=console,
            transient=True,
            disable=not console.is_terminal or (output is None and sys.stdout.isatty()),
        ):
            file.write(_written(record_file, form, is_first=not written))
            written += 1
    if output is not None:
        click.echo(f"{written} {'record' if written == 1 else 'records'} in {output}.", err=True)


def export_everything(output: Path | None) -> None:
    """Write all public data of the server, one object a line; only a whole file gets its name.

    Raises:
        UserError: The file cannot be written.
    """
    boards = public_data.count()
    console = Console(stderr=True)
    is_hidden = not console.is_terminal or (output is None and sys.stdout.isatty())
    progress = Progress(console=console, transient=True, disable=is_hidden)
    with _opened(output) as file, progress as bar:
        task = bar.add_task("writing", total=boards)
        lines = 0
        for line in public_data.public_lines(timezone.now()):
            file.write(f"{line}\n")
            lines += 1
            bar.advance(task, int(line.startswith('{"kind": "board"')))
    if output is not None:
        click.echo(f"{lines} lines with {boards} boards in {output}.", err=True)


def export_person(userid: str, output: Path | None) -> None:
    """Write all that is kept of a player, at the player's request.

    Raises:
        UserError: There is no such player; or the file cannot be written.
    """
    player = find_any_player(userid)
    with _opened(output) as file:
        file.writelines(f"{line}\n" for line in export_lines(player))


def show_schema(output: Path | None) -> None:
    """Write the JSON Schema of a line of all public data."""
    with _opened(output) as file:
        file.write(public_data.schema())


def _written(record_file: RecordFile, form: str, *, is_first: bool) -> str:
    if form == "json":
        return f"{record_file.json_line}\n"
    if form == "sgf":
        return record_file.sgf
    return record_file.text if is_first else f"\n{record_file.text}"


@contextmanager
def _opened(output: Path | None) -> Iterator[TextIO]:
    """Open the file, which takes its name when all is in it: half an export looks like none."""
    if output is None:
        yield sys.stdout
        return
    draft = output.with_name(f"{output.name}.part")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        draft.replace(output)
    except OSError as error:
        raise UserError(
            f"{output} cannot be written: {error.strerror}.",
            code="file-not-written",
            hint="sarsen export -o records.txt",
        ) from None
    finally:
        draft.unlink(missing_ok=True)


def write_dataset(folder: Path, *, has_names: bool, licence: str, salt: str) -> None:
    """Write the set of data into a folder that is not there yet.

    Args:
        salt: For the same pseudonyms in several sets; "" for a random one, which is not kept.
    """
    naming = Naming(salt.encode() or secrets.token_bytes(32), has_names)
    origin = Origin(settings.SARSEN_URL, __version__, timezone.now(), licence, has_names)
    tallies = Tallies()
    write_folder(
        folder, _rows(naming), tallies.add, lambda hashes: write_card(tallies, hashes, origin)
    )
    games = sum(tally.games for tally in tallies.by_game.values())
    kinds = "JSON lines and Parquet" if has_parquet() else "JSON lines"
    click.echo(f"{games} games in {folder}: {kinds}, with a README.md.")
    if not has_parquet():
        line = "pip install '/path/to/sarsen[dataset]'   (a clone or a wheel)"
        click.echo(f"For Parquet, too: {line}", err=True)


def _rows(naming: Naming) -> Iterator[dict[str, Any]]:
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for game in progress.track(published_games(), count(PUBLISHED), description="writing"):
            yield row(game, naming)


@dataclass(frozen=True)
class ImportOptions:
    """How records shall be taken in.

    Attributes:
        is_dry: Only prove them.
        known: Accounts here by the names in the records.
        keys: By which signatures are checked.
    """

    is_dry: bool
    as_finished: bool
    known: Mapping[str, Player]
    keys: tuple[PublicKey, ...] = ()


@dataclass(frozen=True)
class ImportResult:
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
        facts: dict[str, object] = {"record": self.place, "state": self.state}
        if self.board is not None:
            facts["board"] = self.board
        if self.refusal is not None:
            facts |= {"code": self.refusal.code, "text": self.refusal.text}
        return facts


@dataclass
class _Batch:
    """Records that are proved and wait to be stored together."""

    waiting: dict[str, tuple[str, Proved]] = field(default_factory=dict)  # by their digest

    @property
    def is_full(self) -> bool:
        moves = sum(len(proved.record.moves) for _, proved in self.waiting.values())
        return len(self.waiting) >= MAX_RECORDS or moves >= MAX_MOVES

    def store(self, options: ImportOptions) -> Iterator[ImportResult]:
        places = [place for place, _ in self.waiting.values()]
        records = [proved for _, proved in self.waiting.values()]
        self.waiting.clear()
        boards = importing.take_in(records, options.known, timezone.now())
        for place, board in zip(places, boards, strict=True):
            yield ImportResult(place, "imported", board)


def import_files(paths: tuple[Path, ...], options: ImportOptions, *, as_json: bool) -> int:
    """Take in the records of files, and say what became of each; return the exit status."""
    counts: Counter[str] = Counter()
    for path in paths:
        for result in _import_results(path, options, shows_progress=not as_json):
            counts[result.state] += 1
            if as_json:
                click.echo(json.dumps(result.as_dict(), ensure_ascii=False))
            elif result.refusal is not None:
                click.echo(refusal_line(result.place, result.refusal))
    if not as_json:
        states = (
            ("sound", "known", "refused") if options.is_dry else ("imported", "known", "refused")
        )
        click.echo(", ".join(f"{counts[state]} {state}" for state in states) + ".")
    return DOES_NOT_HOLD if counts["refused"] else 0


def _import_results(
    path: Path, options: ImportOptions, *, shows_progress: bool
) -> Iterator[ImportResult]:
    batch, is_empty = _Batch(), True
    for piece in pieces_of(path, "importing", shows_progress=shows_progress):
        is_empty = False
        yield from _take(path, piece, batch, options)
        if batch.is_full:
            yield from batch.store(options)
    yield from batch.store(options)
    if is_empty:
        yield ImportResult(str(path), "refused", refusal=no_record())


def _take(
    path: Path, piece: RecordText, batch: _Batch, options: ImportOptions
) -> Iterator[ImportResult]:
    """Prove a record; keep it in the batch, or yield why not."""
    place = f"{path}:{piece.line}"
    try:
        proved = importing.check(
            piece.read(load),
            timezone.now(),
            as_finished=options.as_finished,
            keys=options.keys,
        )
    except UserError as refusal:
        place = f"{path}:{piece.line_of(refusal)}"
        yield ImportResult(place, "refused", refusal=refusal)
        return
    except PluginFailure:
        yield ImportResult(place, "refused", refusal=rules_failed(piece.read(load).game))
        return
    board = importing.board_of(proved)
    if board is not None or proved.digest in batch.waiting:
        yield ImportResult(place, "known", board)
    elif options.is_dry:
        yield ImportResult(place, "sound")
    else:
        batch.waiting[proved.digest] = (place, proved)


def pieces_of(path: Path, doing: str, *, shows_progress: bool) -> Iterator[RecordText]:
    """Yield the records of a file, `-` for standard input, as text.

    Args:
        doing: What the progress bar says.
    """
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


def _records(piece: RecordText) -> Iterator[RecordText]:
    """Yield a record as it is; of a line of all public data the record in it, if it has one."""
    if not piece.text.startswith('{"kind"'):
        yield piece
        return
    try:
        data = json.loads(piece.text)
    except (ValueError, RecursionError):
        yield piece  # the reader says what is wrong
        return
    if "record" in data:
        yield RecordText(piece.line, json.dumps(data["record"], ensure_ascii=False))


def refusal_line(place: str, refusal: UserError) -> str:
    """Return one line about a record that was refused; nothing in it moves the cursor."""
    return f"{place}: {one_line(refusal.text)} [{refusal.code}]"


def rules_failed(game: str) -> UserError:
    """Return the refusal of a record at which the rules of a plug-in failed."""
    return UserError(
        f"The rules of {game} failed at this record.",
        code="record.rules-failed",
        hint=f"sarsen check {game}",
    )


def no_record() -> UserError:
    """Return the refusal of a file that holds none."""
    return UserError("It contains no record.", code="record.none", hint="help records")
