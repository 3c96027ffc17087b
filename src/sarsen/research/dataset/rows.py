"""One finished game as a row of a table, with or without the names of those who played."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sarsen.core.records import Record

DIGITS = 12  # of a pseudonym: 48 bits


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


def _seconds(start: datetime | None, at: datetime | None) -> int | None:
    return int((at - start).total_seconds()) if start and at else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
