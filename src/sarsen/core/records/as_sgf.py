"""Records for programs that read SGF, the Smart Game Format, version 4.

Its properties B and W hold the moves of the first and the second seat in our own notation,
as the format leaves to each game. What it has no property for stands in properties of ours,
which the format allows: GAME, OPTIONS, TERMS, SEATS, and AT, the time of a move.
"""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.core.records.record import Ending, Record
from sarsen.core.records.text import write_time

# No list of the format has this number; a known one would have viewers draw another board.
OTHER_GAME = 1000
_SEATS = "BW"
_ENDINGS = {Ending.RESIGNATION: "R", Ending.FORFEIT: "T"}


def write(record: Record, game: Game) -> str:
    """Write a record as one SGF game tree without variations.

    Raises:
        UserError: The game has not two seats, as SGF has it.
    """
    seats = game.info.seats
    if len(seats) != len(_SEATS):
        raise UserError(
            f"SGF is for two players; {game.info.title} has {len(seats)} seats.",
            code="record.sgf-seats",
            hint="Take the text form, or the JSON form.",
        )
    root = "".join(f"{name}[{_escaped(value)}]" for name, value in _root(record, game) if value)
    nodes = [f";{root}"]
    for move in record.moves:
        at = f"AT[{write_time(move.at)}]" if move.at else ""
        nodes.append(f";{_SEATS[move.seat]}[{_escaped(move.text)}]{at}")
    return "(" + "\n".join(nodes) + ")\n"


def _root(record: Record, game: Game) -> tuple[tuple[str, str], ...]:
    first, second = record.players
    return (
        ("FF", "4"),
        ("CA", "UTF-8"),
        ("GM", str(OTHER_GAME)),
        ("AP", "sarsen"),
        ("GN", game.info.title),
        ("GAME", record.game),
        ("RU", str(record.rules_version)),
        ("OPTIONS", record.options),
        ("TERMS", record.terms),
        ("CLAIMS", record.claims),
        ("SEATS", " ".join(game.info.seats)),
        ("PB", first),
        ("PW", second),
        ("PC", record.place),
        ("DT", record.started_at.date().isoformat() if record.started_at else ""),
        ("RE", _result(record)),
        ("GC", record.reason),
    )


def _result(record: Record) -> str:
    """Return the result as SGF has it: `B+R`, `W+T`, `B+`, `0` for a draw, `?` for none."""
    if record.scores is None:
        return "?"
    if 1.0 not in record.scores:
        return "0"
    return f"{_SEATS[record.scores.index(1.0)]}+{_ENDINGS.get(record.ending, '')}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
