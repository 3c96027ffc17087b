"""The JSON form of a record: the same facts under the same names, one object a game."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.core.records import text as text_form
from sarsen.core.records.record import Record, write_scores

_PLAIN = ("game", "options", "terms", "place", "reason", "signature")
_HEAD = ("sarsen-record", "rules", *_PLAIN, "started", "ended", "end")
_NAMES = (*_HEAD, "players", "result", "moves")


def write(record: Record, game: Game) -> dict[str, Any]:
    """Return what `json.dumps` takes. The pair of `read`.

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


def write_line(record: Record, game: Game) -> str:
    """Write a record as one line of JSON. The pair of `read_line`."""
    return json.dumps(write(record, game), ensure_ascii=False)


def read_line(line: str, find: Callable[[str], Game]) -> Record:
    """Read one record from JSON as it stands in a file.

    Raises:
        UserError: It is no JSON, names something twice, or `read` refuses it.
    """
    text_form.check_length(line)
    try:
        found = json.loads(line, object_pairs_hook=_once)
    except (ValueError, RecursionError) as wrong:
        raise _refusal(f"is not JSON: {wrong}") from None
    if not isinstance(found, dict):
        raise _refusal("is no JSON object")
    return read(found, find)


def read(found: Mapping[str, Any], find: Callable[[str], Game]) -> Record:
    """Read what `write` gave.

    Raises:
        UserError: Something is missing, unknown, or of another kind.
    """
    try:
        return text_form.read(_as_text(found, find), find)
    except (TypeError, ValueError, AttributeError) as wrong:
        raise _refusal(f"is not of the JSON form: {wrong}") from None


def _as_text(found: Mapping[str, Any], find: Callable[[str], Game]) -> str:
    """Write the text form, which `read` checks; one reader judges both forms."""
    unknown = [name for name in found if name not in _NAMES]
    if unknown:
        raise ValueError(f"it has no {unknown[0][:40]!r}")
    head = {name: found[name] for name in _HEAD if name in found}
    if isinstance(found.get("game"), str):
        seats = find(found["game"]).info.seats
        names = _by_seat(found, "players", seats)
        head["players"] = "; ".join(
            f"{seat} {name or text_form.UNKNOWN}" for seat, name in zip(seats, names, strict=True)
        )
        if "result" in found:
            head["result"] = write_scores(tuple(map(float, _by_seat(found, "result", seats))))
    lines = [f"{name}: {_line(value)}" for name, value in head.items()]
    lines.append("")
    for ply, (seat, at, move) in enumerate(found.get("moves", ()), start=1):
        lines.append(_line(f"{ply} {seat} {at or text_form.UNKNOWN} {move}"))
    return "\n".join(lines)


def _by_seat(found: Mapping[str, Any], name: str, seats: tuple[str, ...]) -> list[Any]:
    """Return the values of an object in the order of the seats: JSON objects have none."""
    values = found.get(name)
    if not isinstance(values, Mapping) or set(values) != set(seats):
        raise ValueError(f"{name!r} names each of the seats {', '.join(seats)} once")
    return [values[seat] for seat in seats]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


def _refusal(what: str) -> UserError:
    return UserError(
        f"The record {what}.",
        code="record.json",
        hint='{"sarsen-record": 1, "game": "visavis", "rules": 1, "players": {…}, "moves": []}',
    )


def _line(value: object) -> str:
    line = str(value)
    if len(line.splitlines()) > 1:
        raise ValueError("a value has more than one line")
    return line
