"""The text form of a record: a head of `name: value` lines, a blank line, a line a ply.

sarsen-record: 1
game: visavis
rules: 1
options: -size=5
players: O ann; X bob
result: 1 0
end: resignation X

1 O 2026-11-20T12:00:00Z C3
2 X 2026-11-20T18:30:00Z D4
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar

from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.core.options import read_options
from sarsen.core.phrases import quoted
from sarsen.core.records.record import (
    MAX_MOVES,
    Ending,
    InvalidRecord,
    Record,
    RecordedMove,
    write_scores,
)

FORMAT = 1
MAX_READ = 4_000_000  # characters; a record of MAX_MOVES moves has less
MAX_VALUE = 500  # characters of one line of the head: names and words, not texts
UNKNOWN = "-"
Value = TypeVar("Value")
_HEAD = re.compile(r"([a-z-]+):[ \t]*(.*)")
_PLY = re.compile(r"(\d{1,6}) (\S{1,40}) (\S{1,30}) (\S.*)")
# In this order they are written; others are kept out, so that one record has one text.
_NAMES = (
    "sarsen-record",
    "game",
    "rules",
    "options",
    "players",
    "terms",
    "claims",
    "place",
    "started",
    "ended",
    "result",
    "end",
    "reason",
    "signature",
)


def write(record: Record, game: Game) -> str:
    """Write a record in its one text form. The pair of `read`."""
    seats = game.info.seats
    players = (
        f"{seat} {name or UNKNOWN}" for seat, name in zip(seats, record.players, strict=True)
    )
    by = "" if record.ended_by is None else f" {seats[record.ended_by]}"
    values = (
        str(FORMAT),
        record.game,
        str(record.rules_version),
        record.options,
        "; ".join(players),
        record.terms,
        record.claims,
        record.place,
        write_time(record.started_at) if record.started_at else "",
        write_time(record.ended_at) if record.ended_at else "",
        write_scores(record.scores or ()),
        "" if record.ending is Ending.NONE else f"{record.ending}{by}",
        record.reason,
        record.signature,
    )
    head = [f"{name}: {value}" for name, value in zip(_NAMES, values, strict=True) if value]
    plies = [
        f"{ply} {seats[move.seat]} {write_time(move.at) if move.at else UNKNOWN} {move.text}"
        for ply, move in enumerate(record.moves, start=1)
    ]
    return "\n".join([*head, "", *plies, ""])


def signed_bytes(record: Record, game: Game) -> bytes:
    """Return what a signature of a record signs: its one text form without the signature."""
    return write(record.unsigned, game).encode()


def read(text: str, find: Callable[[str], Game]) -> Record:
    """Read one record. The pair of `write`; blank lines and `#` comments do no harm.

    Args:
        find: Returns a game by its name, or raises UserError.

    Raises:
        UserError: Names the line that could not be read. The moves are not judged: see
            `prove`.
    """
    check_length(text)
    if not _is_unicode(text):
        raise UserError(
            "The record is not UTF-8 text.", code="record.not-text", hint="iconv -t utf-8 FILE"
        )
    head, plies = _parts(text)
    game = _at_line(head, "game", lambda: find(head.get("game")))
    seats = game.info.seats
    options = head.get("options", "")
    ending, by = _ending(head, seats)
    return Record(
        game=game.info.name,
        rules_version=head.number("rules"),
        options=_at_line(head, "options", lambda: read_options(game.info.options, options).write()),
        players=_players(head, seats),
        moves=tuple(_moves(plies, seats)),
        ending=ending,
        ended_by=by,
        scores=_scores(head, len(seats)),
        reason=head.get("reason", ""),
        terms=head.get("terms", ""),
        claims=head.get("claims", ""),
        place=head.get("place", ""),
        started_at=head.time("started"),
        ended_at=head.time("ended"),
        signature=head.get("signature", ""),
    )


def check_length(text: str) -> None:
    """Refuse a text that is longer than any record.

    Raises:
        UserError: It is.
    """
    if len(text) > MAX_READ:
        raise UserError(
            f"A record has at most {MAX_READ} characters; this one has more.",
            code="record.too-long",
            hint="A collection is read game by game: sarsen verify FILE",
        )


def write_time(at: datetime) -> str:
    """Write a time in UTC and whole seconds: `2026-11-20T12:00:00Z`. The pair of `read_time`."""
    # Not by `strftime`, which writes the year 999 with three digits.
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def read_time(text: str) -> datetime:
    """Read a time as `write_time` writes it.

    Raises:
        ValueError: It is none.
    """
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


@dataclass
class _Head:
    """The named values of a record, and the lines they stand in."""

    values: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def get(self, name: str, default: str | None = None) -> str:
        value = self.values.get(name, default)
        if value is None:
            raise UserError(
                f"The record has no line `{name}:`.",
                code="record.head-missing",
                hint=f"{name}: {_EXAMPLES[name]}",
            )
        return value

    def number(self, name: str) -> int:
        value = self.get(name)
        if not re.fullmatch(r"[0-9]{1,6}", value):
            raise self.refusal(name)
        return int(value)

    def time(self, name: str) -> datetime | None:
        value = self.values.get(name)
        try:
            return read_time(value) if value else None
        except ValueError:
            raise self.refusal(name) from None

    def refusal(self, name: str) -> InvalidRecord:
        return _unreadable(self.lines[name], f"{name}: {self.values[name]}", _EXAMPLES[name], name)


_EXAMPLES = {
    "sarsen-record": "1",
    "game": "visavis",
    "rules": "1",
    "players": "O ann; X bob",
    "started": "2026-11-20T12:00:00Z",
    "ended": "2026-11-20T12:00:00Z",
    "result": "1 0",
    "end": "resignation X",
}


def _is_unicode(text: str) -> bool:
    """Return whether a text can be written: bytes of another encoding are read as surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _parts(text: str) -> tuple[_Head, list[tuple[int, str]]]:
    """Part the head from the plies, each with the number of its line."""
    head = _Head()
    plies: list[tuple[int, str]] = []
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if len(line.splitlines()) > 1:
            # Other readers may take a form feed or U+2028 for the end of a line.
            raise _unreadable(number, line, "a line feed ends a line, nothing else does", "head")
        if line[0].isdigit():
            plies.append((number, line))
            continue
        header = _HEAD.fullmatch(line)
        if not header or header[1] not in _NAMES or header[1] in head.values or plies:
            raise _unreadable(number, line, "1 O - C3", "head")
        if len(header[2]) > MAX_VALUE:
            raise _unreadable(number, line, f"at most {MAX_VALUE} characters", "head")
        if not head.values and header[1] != "sarsen-record":
            break
        head.values[header[1]], head.lines[header[1]] = header[2].strip(), number
    if head.number("sarsen-record") != FORMAT:
        raise InvalidRecord(
            f"The record is written in format {head.get('sarsen-record')}; this sarsen reads "
            f"format {FORMAT}.",
            code="record.newer-format",
            hint="A newer sarsen may read it.",
            line=head.lines["sarsen-record"],
        )
    if len(plies) > MAX_MOVES:
        raise UserError(
            f"A record has at most {MAX_MOVES} moves.",
            code="record.too-many-moves",
            hint="Leave out what was taken back.",
        )
    return head, plies


def _at_line(head: _Head, name: str, read_value: Callable[[], Value]) -> Value:
    """Return a value that a part of `core` or a game reads, and name its line if it is refused."""
    try:
        return read_value()
    except InvalidRecord:
        raise
    except UserError as refusal:
        raise InvalidRecord(
            refusal.text, code=refusal.code, hint=refusal.hint, line=head.lines.get(name, 0)
        ) from refusal


def _players(head: _Head, seats: tuple[str, ...]) -> tuple[str, ...]:
    parts = [part.split() for part in head.get("players").split(";")]
    if [part[0] if part else "" for part in parts] != list(seats):
        raise head.refusal("players")
    if any(len(part) != 2 for part in parts):
        # A name is one word. Of `V Zoë Example` it has to become `Zoë-Example`.
        names = ("-".join(part[1:]) or UNKNOWN for part in parts)
        example = "; ".join(f"{seat} {name}" for seat, name in zip(seats, names, strict=True))
        line = f"players: {head.get('players')}"
        raise _unreadable(head.lines["players"], line, f"players: {example}", "players")
    return tuple("" if name == UNKNOWN else name for _, name in parts)


def _scores(head: _Head, seats: int) -> tuple[float, ...] | None:
    text = head.get("result", "")
    if not text:
        return None
    if not all(re.fullmatch(r"0|1|0\.[0-9]{1,6}", score) for score in text.split(" ")):
        raise head.refusal("result")
    scores = tuple(float(score) for score in text.split())
    if len(scores) != seats or abs(sum(scores) - 1) > 1e-5:
        raise head.refusal("result")
    return scores


def _ending(head: _Head, seats: tuple[str, ...]) -> tuple[Ending, int | None]:
    words = head.get("end", "none").split()
    ending = Ending(words[0]) if words and words[0] in tuple(Ending) else None
    if ending is None or len(words) != 1 + ending.is_by_a_seat:
        raise head.refusal("end")
    if not ending.is_by_a_seat:
        return ending, None
    if words[1] not in seats:
        raise head.refusal("end")
    return ending, seats.index(words[1])


def _moves(lines: Iterable[tuple[int, str]], seats: tuple[str, ...]) -> Iterable[RecordedMove]:
    for ply, (number, line) in enumerate(lines, start=1):
        fields = _PLY.fullmatch(line)
        example = f"{ply} {seats[0]} 2026-11-20T12:00:00Z MOVE"
        if not fields or int(fields[1]) != ply or fields[2] not in seats:
            raise _unreadable(number, line, example, "ply")
        try:
            at = None if fields[3] == UNKNOWN else read_time(fields[3])
        except ValueError:
            raise _unreadable(number, line, example, "ply") from None
        yield RecordedMove(seats.index(fields[2]), fields[4], at)


def _unreadable(number: int, line: str, example: str, kind: str) -> InvalidRecord:
    return InvalidRecord(
        f"Line {number} of the record cannot be read: {quoted(line, 80)}.",
        code=f"record.{kind}",
        hint=example,
        line=number,
    )
