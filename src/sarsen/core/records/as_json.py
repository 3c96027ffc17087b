"""The JSON form of a record: the same facts under the same names, one object a game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.core.phrases import quoted
from sarsen.core.records import text as text_form
from sarsen.core.records.record import InvalidRecord, Record, write_scores

_PLAIN = ("game", "options", "terms", "claims", "place", "reason", "signature")
_HEAD = ("sarsen-record", "rules", *_PLAIN, "started", "ended", "end")
_LINE = re.compile(r"^Line \d+ of the record")
_NAMES = (*_HEAD, "players", "result", "moves")


def write(record: Record, game: Game) -> dict[str, Any]:
    """Return what `json.dumps` takes. The pair of `read`.

    Returns:
        Names as in the text form. `players` has the userid (or null) by the seat's name,
        `result` the scores by the seat's name, `moves` a list of `[seat, time, move]`.
        What is unknown is left out.
    """
    seats = game.info.seats
    fields: dict[str, Any] = {"sarsen-record": text_form.FORMAT, "rules": record.rules_version}
    fields |= {name: value for name in _PLAIN if (value := getattr(record, name))}
    fields["players"] = {
        seat: name or None for seat, name in zip(seats, record.players, strict=True)
    }
    if record.scores is not None:
        fields["result"] = dict(zip(seats, record.scores, strict=True))
    if record.ending != "none":
        by = "" if record.ended_by is None else f" {seats[record.ended_by]}"
        fields["end"] = f"{record.ending}{by}"
    for name, at in (("started", record.started_at), ("ended", record.ended_at)):
        if at is not None:
            fields[name] = text_form.write_time(at)
    fields["moves"] = [
        [seats[move.seat], text_form.write_time(move.at) if move.at else None, move.text]
        for move in record.moves
    ]
    return fields


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
        value = json.loads(line, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as wrong:
        raise _refusal(f"is not JSON: {wrong}") from None
    if not isinstance(value, dict):
        raise _refusal("is no JSON object")
    return read(value, find)


def read(value: Mapping[str, Any], find: Callable[[str], Game]) -> Record:
    """Read what `write` gave.

    Raises:
        UserError: Something is missing, unknown, or of another kind.
    """
    try:
        return text_form.read(_as_text(value, find), find)
    except InvalidRecord as wrong:
        # The line is one of the text form, which the sender has not seen.
        raise InvalidRecord(
            _LINE.sub("A value", wrong.text), code=wrong.code, hint=wrong.hint
        ) from None
    except (TypeError, ValueError, AttributeError, OverflowError, RecursionError) as wrong:
        raise _refusal(f"is not of the JSON form: {wrong}") from None


def _as_text(value: Mapping[str, Any], find: Callable[[str], Game]) -> str:
    """Write the text form, which `read` checks; one reader judges both forms."""
    unknown = [name for name in value if name not in _NAMES]
    if unknown:
        raise ValueError(f"it has no {quoted(unknown[0])}")
    head = {name: value[name] for name in _HEAD if name in value}
    if isinstance(value.get("game"), str):
        seats = find(value["game"]).info.seats
        names = _by_seat(value, "players", seats)
        head["players"] = "; ".join(
            f"{seat} {name or text_form.UNKNOWN}" for seat, name in zip(seats, names, strict=True)
        )
        if "result" in value:
            head["result"] = write_scores(tuple(map(float, _by_seat(value, "result", seats))))
    lines = [f"{name}: {_line(entry)}" for name, entry in head.items()]
    lines.append("")
    for ply, (seat, at, move) in enumerate(value.get("moves", ()), start=1):
        lines.append(_line(f"{ply} {seat} {at or text_form.UNKNOWN} {move}"))
    return "\n".join(lines)


def _by_seat(value: Mapping[str, Any], name: str, seats: tuple[str, ...]) -> list[Any]:
    """Return the values of an object in the order of the seats: JSON objects have none."""
    values = value.get(name)
    if not isinstance(values, Mapping) or set(values) != set(seats):
        raise ValueError(f"{quoted(name)} names each of the seats {', '.join(seats)} once")
    return [values[seat] for seat in seats]


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name stands twice in an object")
    return members


def _refusal(fault: str) -> UserError:
    return UserError(
        f"The record {fault}.",
        code="record.json",
        hint='{"sarsen-record": 1, "game": "visavis", "rules": 1, "players": {…}, "moves": []}',
    )


def _line(value: object) -> str:
    line = str(value)
    if len(line.splitlines()) > 1:
        raise ValueError("a value has more than one line")
    return line
