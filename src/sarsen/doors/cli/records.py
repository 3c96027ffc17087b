"""`sarsen verify`: prove recorded games by replay, or name the first ply that does not hold."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from sarsen.core.errors import UserError
from sarsen.core.records import Record, as_json, prove, text
from sarsen.games import load

MOST_BYTES = 500_000_000
DOES_NOT_HOLD = 1


@dataclass(frozen=True)
class Finding:
    """What the proof of one record came to.

    Attributes:
        place: The file, and the line in it where the record begins.
        refusal: Why it does not hold; None if it does.
        is_ended_by_rules: False where the result is a decision, or there is none.
    """

    place: str
    game: str = ""
    plies: int = 0
    result: str = ""
    refusal: UserError | None = None
    is_ended_by_rules: bool = False

    def as_dict(self) -> dict[str, object]:
        """Give what `--json` prints."""
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
        }


@click.command("verify")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--json", "as_lines", is_flag=True, help="Print one JSON object a record.")
def verify_command(files: tuple[Path, ...], as_lines: bool) -> None:
    """Prove records by replay: every move legal, and the result what the rules say.

    A file holds one record in the text form, or one JSON object a line; docs/records.md
    specifies both. Ends with 1 when a record does not hold.
    """
    fails = count = 0
    for path in files:
        for finding in _findings(path, shows_progress=not as_lines):
            count += 1
            fails += finding.refusal is not None
            if as_lines:
                click.echo(json.dumps(finding.as_dict(), ensure_ascii=False))
            elif finding.refusal is not None:
                click.echo(f"{finding.place}: {finding.refusal.text} [{finding.refusal.code}]")
            elif len(files) == 1 and count == 1 and path.suffix != ".jsonl":
                how = "by the rules" if finding.is_ended_by_rules else "by decision, or none"
                result = f"result {finding.result or 'none'} ({how})"
                click.echo(f"{finding.game}, {finding.plies} plies, {result}")
    if not as_lines:
        click.echo(f"{count - fails} of {count} hold.")
    sys.exit(DOES_NOT_HOLD if fails else 0)


def _findings(path: Path, *, shows_progress: bool) -> Iterator[Finding]:
    if path.stat().st_size > MOST_BYTES:
        raise UserError(
            f"{path} has more than {MOST_BYTES} bytes.",
            code="file-too-large",
            hint="split -l 100000 FILE",
        )
    try:
        content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(
            f"{path} is not UTF-8 text.", code="file-not-text", hint=f"iconv -t utf-8 {path}"
        ) from None
    if not content.lstrip().startswith("{"):
        yield _finding(str(path), content)
        return
    # Not above: every `sarsen` command would load it.
    from rich.console import Console
    from rich.progress import track

    lines = [(number, line) for number, line in enumerate(content.splitlines(), 1) if line.strip()]
    for number, line in track(
        lines, "proving", console=Console(stderr=True), disable=not shows_progress, transient=True
    ):
        yield _finding(f"{path}:{number}", line)


def _finding(place: str, content: str) -> Finding:
    try:
        record = _read(content)
        proof = prove(record, load(record.game))
    except UserError as refusal:
        return Finding(place, refusal=refusal)
    result = " ".join(f"{score:g}" for score in record.scores or ())
    return Finding(
        place, record.game, len(record.moves), result, is_ended_by_rules=proof.is_ended_by_rules
    )


def _read(content: str) -> Record:
    if not content.lstrip().startswith("{"):
        return text.read(content, load)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as wrong:
        raise UserError(
            f"Not JSON: {wrong}.",
            code="record.json",
            hint='{"sarsen-record": 1, "game": "visavis"}',
        ) from None
    return as_json.read(found, load)
