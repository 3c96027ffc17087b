"""The JSON form of a record: the same facts under the same names, one object a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.core.records import text as text_form
from sarsen.core.records.record import Record

_PLAIN = ("game", "options", "terms", "place", "reason", "signature")


def write(record: Record, game: Game) -> dict[str, Any]:
    """Give what `json.dumps` takes. The pair of `read`.

    Returns:
        Names as in the text form. `players` has the userid (or null) by the seat's name,
        `result` the scores by the seat's name, `moves` a list of `[seat, time, move]`.
        What is unknown is left out.
    """
    seats = game.info.seats
    found: dict[str, Any] = {"sarsen-record": text_form.FORMAT, "rules": record.rules_version}
    found |= {name: value for name in _PLAIN if (value := getattr(record, name))}
    found["players"] = {
        seat: name or None for seat, name in zip(seats, record.players, strict=True)
    }
    if record.scores is not None:
        found["result"] = dict(zip(seats, record.scores, strict=True))
    if record.ending != "none":
        by = "" if record.ended_by is None else f" {seats[record.ended_by]}"
        found["end"] = f"{record.ending}{by}"
    for name, at in (("started", record.started_at), ("ended", record.ended_at)):
        if at is not None:
            found[name] = text_form.write_time(at)
    found["moves"] = [
        [seats[move.seat], text_form.write_time(move.at) if move.at else None, move.text]
        for move in record.moves
    ]
    return found


def read(found: Mapping[str, Any], find: Callable[[str], Game]) -> Record:
    """Read what `write` gave.

    Raises:
        UserError: Something is missing or of another kind.
    """
    try:
        return text_form.read(_as_text(found), find)
    except (TypeError, ValueError, AttributeError) as wrong:
        raise UserError(
            f"The record is not of the JSON form: {wrong}.",
            code="record.json",
            hint='{"sarsen-record": 1, "game": "visavis", "rules": 1, "players": {…}, "moves": []}',
        ) from None


def _as_text(found: Mapping[str, Any]) -> str:
    """Write the text form, which `read` checks; one reader judges both forms."""
    head = {name: found[name] for name in ("sarsen-record", "game", "rules") if name in found}
    head |= {
        name: found[name] for name in (*_PLAIN[1:], "started", "ended", "end") if name in found
    }
    players = found.get("players", {}).items()
    head["players"] = "; ".join(f"{seat} {name or text_form.UNKNOWN}" for seat, name in players)
    if "result" in found:
        head["result"] = " ".join(f"{float(score):g}" for score in found["result"].values())
    lines = [f"{name}: {_line(value)}" for name, value in head.items()]
    lines.append("")
    for ply, (seat, at, move) in enumerate(found.get("moves", ()), start=1):
        lines.append(_line(f"{ply} {seat} {at or text_form.UNKNOWN} {move}"))
    return "\n".join(lines)


def _line(value: object) -> str:
    line = str(value)
    if len(line.splitlines()) > 1:
        raise ValueError("a value has more than one line")
    return line
