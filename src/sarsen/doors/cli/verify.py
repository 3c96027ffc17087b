"""`sarsen verify FILE`: prove records by replay, or name the first ply that does not hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

from sarsen.core.errors import UserError
from sarsen.core.records import prove
from sarsen.core.records.collection import Piece
from sarsen.core.records.record import write_scores
from sarsen.doors.cli.imports import no_record, pieces_of
from sarsen.games import load
from sarsen.language.grammar.typography import one_line
from sarsen.services.admin.verify import Report, count_boards, verify, verify_board
from sarsen.services.admin.verify_totals import Difference

if TYPE_CHECKING:
    from sarsen.services.records.signatures import PublicKey

DOES_NOT_HOLD = 1


@dataclass(frozen=True)
class RecordCheck:
    """The result of checking one record.

    Attributes:
        place: The file, and the line in it where the record begins.
        refusal: Why it does not hold; None if it does.
        is_ended_by_rules: False where the result is a decision, or there is none.
        signature: The name of the key it claims to be signed with; "" for none.
        is_checked: The signature was checked, and is right.
    """

    place: str
    game: str = ""
    plies: int = 0
    result: str = ""
    refusal: UserError | None = None
    is_ended_by_rules: bool = False
    signature: str = ""
    is_checked: bool = False

    def as_dict(self) -> dict[str, object]:
        """Return what `--json` prints."""
        if self.refusal is not None:
            return {
                "record": self.place,
                "holds": False,
                "code": self.refusal.code,
                "text": self.refusal.text,
            }
        return {
            "record": self.place,
            "holds": True,
            "game": self.game,
            "plies": self.plies,
            "result": self.result,
            "ended_by_rules": self.is_ended_by_rules,
            "signed_by": self.signature or None,
            "signature_checked": self.is_checked,
        }

    @property
    def line(self) -> str:
        """One line for people about a record that holds."""
        how = "by the rules" if self.is_ended_by_rules else "by decision, or none"
        signed = f"signed by {self.signature}" if self.signature else "not signed"
        if self.signature:
            signed += ", which is right" if self.is_checked else " (to check it: --url or --key)"
        return f"{self.game}, {self.plies} plies, result {self.result or 'none'} ({how}); {signed}"


def prove_files(
    files: tuple[Path, ...],
    keys: tuple[str, ...],
    saved: TextIO | None,
    url: str | None,
    *,
    as_lines: bool,
) -> int:
    """Print of each record in some files whether it holds; return the exit status.

    Args:
        keys, saved, url: Public keys, a page of them, and a server that shows one.
    """
    known = _keys(keys, saved, url)
    fails = count = 0
    for path in files:
        for finding in _findings(path, known, shows_progress=not as_lines):
            count += 1
            fails += finding.refusal is not None
            if as_lines:
                click.echo(json.dumps(finding.as_dict(), ensure_ascii=False))
            elif finding.refusal is not None:
                click.echo(f"{finding.place}: {finding.refusal.text} [{finding.refusal.code}]")
            elif len(files) == 1 and count == 1:
                first = finding
    if not as_lines:
        if (count, fails) == (1, 0) and len(files) == 1:
            click.echo(first.line)
        click.echo(f"{count - fails} of {count} hold.")
    return DOES_NOT_HOLD if fails else 0


def _keys(
    given: tuple[str, ...], saved: TextIO | None, url: str | None
) -> tuple[PublicKey, ...] | None:
    """Return the keys to check with; None for not to check at all."""
    if not given and saved is None and url is None:
        return None
    # Not above: every `sarsen` command would load cryptography.
    from sarsen.doors.cli.keys import MOST_READ, fetch_keys, read_keys
    from sarsen.services.records.signatures import read_public

    found = tuple(read_public(key) for key in given)
    if saved is not None:
        found += read_keys(saved.read(MOST_READ))
    return found + (fetch_keys(url) if url is not None else ())


def _findings(
    path: Path, keys: tuple[PublicKey, ...] | None, *, shows_progress: bool
) -> Iterator[RecordCheck]:
    count = 0
    for piece in pieces_of(path, "proving", shows_progress=shows_progress):
        count += 1
        yield _finding(f"{path}:{piece.line}", piece, keys)
    if not count:
        yield RecordCheck(str(path), refusal=no_record())


def _finding(place: str, piece: Piece, keys: tuple[PublicKey, ...] | None) -> RecordCheck:
    try:
        record = piece.read(load)
        game = load(record.game)
        proof = prove(record, game)
        if keys is not None:
            from sarsen.services.records.signatures import check

            check(record, game, keys)
    except UserError as refusal:
        return RecordCheck(place, refusal=refusal)
    return RecordCheck(
        place,
        record.game,
        len(record.moves),
        write_scores(record.scores or ()),
        is_ended_by_rules=proof.is_ended_by_rules,
        signature=record.signature.partition(":")[0],
        is_checked=keys is not None,
    )


DIFFERS = 1
LONGEST = 400  # characters of a value: a position may have thousands


def verify_server(board: int | None, *, as_json: bool) -> int:
    """Print every difference, and at last how much was looked at; return the exit status."""
    report = Report()
    found = _with_progress(report, is_shown=not as_json)
    for one in verify_board(board, report) if board is not None else found:
        click.echo(json.dumps(one.as_dict(), ensure_ascii=False) if as_json else line(one))
    if as_json:
        click.echo(json.dumps({"verified": report.as_dict()}))
    else:
        click.echo(_summary(report))
    return DIFFERS if report.differences else 0


def line(one: Difference) -> str:
    """Return one line that says what is stored, and what it should be."""
    stored, found = (one_line(text)[:LONGEST] or "nothing" for text in (one.stored, one.found))
    rules = f" (rules {one.rules})" if one.rules else ""
    return f"{one.about}, {one.what}: stored {stored}; replayed {found}{rules}"


def _with_progress(report: Report, *, is_shown: bool) -> Iterator[Difference]:
    console = Console(stderr=True)
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    is_hidden = not (is_shown and console.is_terminal)
    with Progress(*columns, console=console, disable=is_hidden, transient=True) as progress:
        task = progress.add_task("replaying", total=count_boards())
        yield from verify(report, lambda: progress.advance(task))


def _summary(report: Report) -> str:
    told = f"{report.boards:,} boards with {report.events:,} events replayed"
    if report.other_rules:
        told += f", {report.other_rules:,} of them begun under other rules than are installed"
    if not report.differences:
        return f"{told}: nothing differs."
    noun = "difference" if report.differences == 1 else "differences"
    return f"{told}: {report.differences:,} {noun}."
