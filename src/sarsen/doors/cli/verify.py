"""`sarsen verify` and `sarsen key`: records and boards proved by replay; keys of servers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import click
from django.utils import timezone
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

from sarsen.core.errors import PluginFailure, UserError
from sarsen.core.phrases import quoted
from sarsen.core.records import prove
from sarsen.core.records.collection import RecordText
from sarsen.core.records.record import write_scores
from sarsen.doors.cli.record_files import no_record, pieces_of, refusal_line, rules_failed
from sarsen.games import load
from sarsen.language.grammar.typography import one_line
from sarsen.services.admin.verify import count_boards, verify, verify_board
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.services.admin.verify_totals import Difference
from sarsen.services.records import signatures
from sarsen.services.records.signatures import PublicKey, read_public
from sarsen.services.records.signatures import check as check_signature

DOES_NOT_HOLD = DIFFERS = 1
LONGEST = 400  # characters of a value that is shown: a position may have thousands
MAX_READ = 100_000  # characters of a page of keys; what is longer is none
PATH = "/.well-known/sarsen-keys"
TIMEOUT = 20  # seconds: somebody waits at a terminal
_HOW_TO_CHECK = ": give --url or --key"


@dataclass(frozen=True)
class RecordCheck:
    """The result of checking one record.

    Attributes:
        place: The file, and the line in it that is invalid, or where the record begins.
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
        signed = "not signed"
        if self.signature and self.is_checked:
            signed = f"signed by {self.signature}, which is right"
        elif self.signature:
            signed = f"its signature was not checked{_HOW_TO_CHECK}"
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
    public_keys = read_given_keys(keys, saved, url)
    fails = count = unchecked = 0
    for path in files:
        for finding in _findings(path, public_keys, shows_progress=not as_lines):
            count += 1
            fails += finding.refusal is not None
            unchecked += bool(finding.signature) and not finding.is_checked
            if as_lines:
                click.echo(json.dumps(finding.as_dict(), ensure_ascii=False))
            elif finding.refusal is not None:
                click.echo(refusal_line(finding.place, finding.refusal))
            elif len(files) == 1 and count == 1:
                first = finding
    if not as_lines:
        if (count, fails) == (1, 0) and len(files) == 1:
            click.echo(first.line)
        summary = f"{count - fails} of {count} are valid."
        if unchecked and count > 1:
            noun = "signature was" if unchecked == 1 else "signatures were"
            summary += f" {unchecked} {noun} not checked{_HOW_TO_CHECK}."
        click.echo(summary)
    return DOES_NOT_HOLD if fails else 0


def read_given_keys(
    texts: tuple[str, ...], saved: TextIO | None, url: str | None
) -> tuple[PublicKey, ...] | None:
    """Return the keys to check with; None for not to check at all."""
    if not texts and saved is None and url is None:
        return None
    public_keys = tuple(read_public(key) for key in texts)
    if saved is not None:
        public_keys += read_keys(saved.read(MAX_READ))
    return public_keys + (fetch_keys(url) if url is not None else ())


def _findings(
    path: Path, keys: tuple[PublicKey, ...] | None, *, shows_progress: bool
) -> Iterator[RecordCheck]:
    count = 0
    for piece in pieces_of(path, "proving", shows_progress=shows_progress):
        count += 1
        yield _finding(path, piece, keys)
    if not count:
        yield RecordCheck(str(path), refusal=no_record())


def _finding(path: Path, piece: RecordText, keys: tuple[PublicKey, ...] | None) -> RecordCheck:
    try:
        record = piece.read(load)
        game = load(record.game)
        proof = prove(record, game)
        if keys is not None:
            check_signature(record, game, keys)
    except UserError as refusal:
        return RecordCheck(f"{path}:{piece.line_of(refusal)}", refusal=refusal)
    except PluginFailure:
        return RecordCheck(f"{path}:{piece.line}", refusal=rules_failed(record.game))
    return RecordCheck(
        f"{path}:{piece.line}",
        record.game,
        len(record.moves),
        write_scores(record.scores or ()),
        is_ended_by_rules=proof.is_ended_by_rules,
        signature=record.signature.partition(":")[0],
        is_checked=keys is not None,
    )


def verify_server(board: int | None, *, as_json: bool) -> int:
    """Print every difference, and at last how much was looked at; return the exit status."""
    report = VerifyReport()
    differences = _with_progress(report, is_shown=not as_json)
    for difference in verify_board(board, report) if board is not None else differences:
        click.echo(
            json.dumps(difference.as_dict(), ensure_ascii=False)
            if as_json
            else difference_line(difference)
        )
    if as_json:
        click.echo(json.dumps({"verified": report.as_dict()}))
    else:
        click.echo(_summary(report))
    return DIFFERS if report.differences else 0


def difference_line(difference: Difference) -> str:
    """Return one line that says what is stored, and what it should be."""
    stored, replayed = (
        one_line(text)[:LONGEST] or "nothing" for text in (difference.stored, difference.recomputed)
    )
    rules = f" (rules {difference.rules})" if difference.rules else ""
    return f"{difference.about}, {difference.what}: stored {stored}; replayed {replayed}{rules}"


def _with_progress(report: VerifyReport, *, is_shown: bool) -> Iterator[Difference]:
    console = Console(stderr=True)
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    is_hidden = not (is_shown and console.is_terminal)
    with Progress(*columns, console=console, disable=is_hidden, transient=True) as progress:
        task = progress.add_task("replaying", total=count_boards())
        yield from verify(report, lambda: progress.advance(task))


def _summary(report: VerifyReport) -> str:
    summary = _counted("board", report.boards, report.events)
    if report.contests:
        summary += f" and {_counted('contest', report.contests, report.contest_events)}"
    summary += " replayed"
    if report.other_rules:
        summary += f", {report.other_rules:,} of them begun under other rules than those installed"
    if not report.differences:
        return f"{summary}: nothing differs."
    noun = "difference" if report.differences == 1 else "differences"
    return f"{summary}: {report.differences:,} {noun}."


def _counted(noun: str, count: int, events: int) -> str:
    nouns, happened = noun if count == 1 else f"{noun}s", "event" if events == 1 else "events"
    return f"{count:,} {nouns} with {events:,} {happened}"


def read_keys(text: str) -> tuple[PublicKey, ...]:
    """Read the page of keys of a server.

    Raises:
        UserError: It is none.
    """
    try:
        entries = json.loads(text)["keys"]
        return tuple(
            read_public(str(key["public"]), str(key.get("since", "")), str(key.get("until", "")))
            for key in entries
            if key["kind"] == "Ed25519"
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(
            "That is not a page of keys.",
            code="record.keys",
            hint=f"https://play.example.org{PATH}",
        ) from None


def fetch_keys(url: str) -> tuple[PublicKey, ...]:
    """Ask the server at an address for its keys.

    Raises:
        UserError: It cannot be reached, or has none.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("https", "http") or not parts.netloc:
        raise _unreached(url, "it is not a web address")
    try:
        page = f"{parts.scheme}://{parts.netloc}{PATH}"
        request = Request(page, headers={"User-Agent": "sarsen"})  # noqa: S310
        with urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310 (http or https, see above)
            text = answer.read(MAX_READ).decode(errors="replace")
    except (URLError, OSError, ValueError) as error:
        raise _unreached(url, one_line(str(getattr(error, "reason", error)))) from None
    return read_keys(text)


def show_keys(keys: tuple[PublicKey, ...], *, as_pem: bool) -> None:
    """Print the keys of this server, the present one first."""
    for key in keys:
        if as_pem:
            click.echo(key.pem.rstrip())
            continue
        period = f"from {key.since}" if key.since else ""
        period += f" to {key.until}" if key.until else ""
        click.echo(f"{key.name}  {key.public}  {period}".rstrip())


def change_key() -> None:
    """Sign with a new key from now on, and say so."""
    key = signatures.change_key(timezone.now())
    click.echo(f"Records are signed with {key.name} from now on; older keys stay listed.")


def _unreached(url: str, reason: str) -> UserError:
    return UserError(
        f"The keys of {quoted(url, 200)} cannot be loaded: {reason}.",
        code="record.keys-away",
        hint="sarsen verify FILE --url https://play.example.org",
    )
