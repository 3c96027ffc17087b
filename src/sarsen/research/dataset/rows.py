"""Finished games as rows of a table, with or without names, and the files that hold them."""

from __future__ import annotations

import hmac
import importlib.util
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO, Any

from sarsen.core.errors import UserError
from sarsen.core.records import Record

DIGITS = 12  # of a pseudonym: 48 bits
# What a row holds, in this order; the card prints it, and the kinds are those of Parquet.
COLUMNS = {
    "id": ("string", "of the game in this set"),
    "game": ("string", "the game type"),
    "rules": ("int32", "the version of its rules"),
    "options": ("string", "as `sarsen.load(game).start(options)` takes them; empty for the usual"),
    "players": ("list<string>", "one a seat, the seat that moves first being the first"),
    "kinds": ("list<string>", "`person` or `program`, one a seat"),
    "levels": ("list<int32>", "1 to 8 for the server's own programs, else null"),
    "ratings": ("list<double>", "Glicko-2 when the game began; null without a rated game before"),
    "deviations": ("list<double>", "how uncertain that was"),
    "rated": ("bool", "whether the game counted for ratings"),
    "terms": ("string", "what else was agreed, clocks above all"),
    "day": ("string", "UTC date of the start"),
    "moves": ("list<string>", "in the one full form; those taken back are left out"),
    "seats": ("list<int32>", "who made each move: seats need not alternate"),
    "seconds": ("list<int64>", "from the start of the game to each move; null where not known"),
    "plies": ("int32", "how many moves"),
    "scores": ("list<double>", "one a seat: 1 won, 0 lost, 0.5 drawn"),
    "ending": ("string", "`move` (the rules), `resignation`, `forfeit` (time) or `agreement`"),
    "ended_by": ("int32", "the seat that resigned or ran out of time, else null"),
}
ROWS_AT_ONCE = 1000  # of a Parquet file
Row = dict[str, Any]
Tell = Callable[[Row], object]


@dataclass(frozen=True)
class SeatRow:
    """The player at a seat.

    Attributes:
        userid: As it stands in the public record.
        is_program: A program, the server's own or somebody's.
        level: Of the server's own programs; None for all others.
        has_left: The account is closed.
        rating, deviation: At the game's start; None before the first rated games counted.
    """

    userid: str
    is_program: bool = False
    level: int | None = None
    has_left: bool = False
    rating: float | None = None
    deviation: float | None = None


@dataclass(frozen=True)
class PublishedGame:
    """A finished public game.

    Attributes:
        seats: One a seat.
    """

    board: int
    record: Record
    seats: tuple[SeatRow, ...]


@dataclass(frozen=True)
class Naming:
    """How people are named.

    Attributes:
        salt: What pseudonyms are made with. With the key, names can be computed again.
        has_names: Userids and board numbers as they are. Players who have left are still not named.
    """

    salt: bytes
    has_names: bool = False

    def player(self, seat: SeatRow) -> str:
        """Name a player; the server's own programs are nobody's secret."""
        if seat.level is not None or (self.has_names and not seat.has_left):
            return seat.userid
        return f"player-{self._digest('player', seat.userid.lower())}"

    def game(self, board: int) -> str:
        """Name a game: by its board number it could be looked up, names and all."""
        return str(board) if self.has_names else self._digest("board", str(board))

    def _digest(self, kind: str, text: str) -> str:
        return hmac.digest(self.salt, f"{kind}:{text}".encode(), sha256).hex()[:DIGITS]


def row(game: PublishedGame, naming: Naming) -> dict[str, Any]:
    """Return the row of a game: a value for each of `COLUMNS`."""
    record = game.record
    return {
        "id": naming.game(game.board),
        "game": record.game,
        "rules": record.rules_version,
        "options": record.options,
        "players": [naming.player(seat) for seat in game.seats],
        "kinds": ["program" if seat.is_program else "person" for seat in game.seats],
        "levels": [seat.level for seat in game.seats],
        "ratings": [_rounded(seat.rating) for seat in game.seats],
        "deviations": [_rounded(seat.deviation) for seat in game.seats],
        "rated": "--unrated" not in record.terms.split(),
        "terms": record.terms,
        "day": f"{record.started_at:%Y-%m-%d}" if record.started_at else None,
        "moves": [move.text for move in record.moves],
        "seats": [move.seat for move in record.moves],
        "seconds": [_seconds(record.started_at, move.at) for move in record.moves],
        "plies": len(record.moves),
        "scores": list(record.scores or ()),
        "ending": str(record.ending),
        "ended_by": record.ended_by,
    }


def has_parquet() -> bool:
    """Return whether Parquet files can be written here."""
    return importlib.util.find_spec("pyarrow") is not None


def write_folder(
    folder: Path, rows: Iterable[Row], tell: Tell, card: Callable[[dict[str, str]], str]
) -> None:
    """Write a file a game type, and the card; the folder appears when all of it is there.

    Args:
        tell: Is told each row that is written.
        card: Returns the README's text once all rows are written, of each file's SHA-256.

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


def _seconds(start: datetime | None, at: datetime | None) -> int | None:
    return int((at - start).total_seconds()) if start and at else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


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
