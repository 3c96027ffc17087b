"""Bounds of the document are those at which a service refuses: no value more, none less."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from program import Program
from sarsen.doors.api.commands import name_of
from sarsen.doors.api.urls import document
from sarsen.language import commands
from sarsen.language.commands import COMMANDS
from sarsen.language.schema.fields import UNBOUNDED
from sarsen.language.schema.schemas import (
    MAX_NAMED,
    Kind,
    ListKind,
    OptionalKind,
    TextKind,
    schema_of,
)
from sarsen.services.limits import daily

Programs = Callable[..., Program]
# What a service calls a value beyond a bound, by the bound.
CODES = {
    (commands.SignUp, "userid"): "userid-form",
    (commands.SignUp, "password"): "password-length",
    (commands.SignUp, "addresses"): "too-many-addresses",
    (commands.ChangePassword, "new"): "password-length",
    (commands.ChangeAddress, "addresses"): "too-many-addresses",
    (commands.ChangePlace, "text"): "text-too-long",
    (commands.ChangeAbout, "text"): "text-too-long",
    (commands.SendMessage, "text"): "text-too-long",
    (commands.SendMessage, "to"): "too-many-receivers",
    (commands.Broadcast, "text"): "text-too-long",
    (commands.Announce, "text"): "text-too-long",
    (commands.ShowNews, "search"): "search-too-long",
    (commands.Report, "text"): "text-too-long",
    (commands.Wish, "name"): "wish-too-long",
    (commands.MakeContest, "name"): "contest.name",
    (commands.CloseContest, "reason"): "reason-too-long",
    (commands.LeaveContest, "reason"): "reason-too-long",
    (commands.WithdrawFromContest, "reason"): "reason-too-long",
    (commands.CorrectContest, "reason"): "reason-too-long",
    (commands.Chat, "text"): "chat-too-long",
    (commands.WriteNote, "text"): "note-too-long",
    (commands.Decline, "reason"): "reason-too-long",
    (commands.PlayMove, "text"): "move-too-long",
    (commands.Submit, "text"): "move-too-long",
    (commands.Preview, "moves"): "move-too-long",
    (commands.QueueMoves, "text"): "plan-too-long",
    (commands.TakeLesson, "moves"): "move-too-long",
    (commands.TakePuzzle, "moves"): "move-too-long",
    (commands.Analyse, "moves"): "move-too-long",
    (commands.Analyse, "position"): "setup-long",
    (commands.VotePuzzle, "moves"): "move-too-long",
    (commands.ShowReview, "move"): "move-too-long",
    **dict.fromkeys(
        (
            *((command, "userids") for command in (commands.Show, commands.Games)),
            *((command, "names") for command in (commands.Subscribe, commands.Unsubscribe)),
            (commands.Ratings, "userids"),
            (commands.Standings, "userids"),
            (commands.History, "userids"),
        ),
        "too-many-names",
    ),
}


def test_every_text_list_and_number_that_a_program_sends_has_bounds() -> None:
    described = json.loads(document())
    schemas = described["components"]["schemas"]
    unbounded: list[str] = []
    for operations in described["paths"].values():
        for asked in operations.values():
            for part in asked.get("parameters", ()):
                unbounded += list(missing(part["schema"], f"{asked['operationId']} {part['name']}"))
            for kind in asked.get("requestBody", {}).get("content", {}).values():
                body = schemas[kind["schema"]["$ref"].rpartition("/")[2]]
                unbounded += list(missing(body, asked["operationId"]))
    assert unbounded == []


def missing(schema: dict[str, Any], place: str) -> Iterator[str]:
    """Yield the parts of a schema that hold values of any size."""
    bounds_of_kind = {
        "string": ({"maxLength"}, {"pattern"}, {"enum"}, {"const"}),
        "integer": ({"minimum", "maximum"},),
        "array": ({"maxItems"},),
    }
    wanted = bounds_of_kind.get(schema.get("type", ""), ())
    if wanted and not any(some <= set(schema) for some in wanted):
        yield place
    for part in (*schema.get("anyOf", ()), *schema.get("prefixItems", ())):
        yield from missing(part, place)
    if "items" in schema:
        yield from missing(schema["items"], place)
    for name, part in schema.get("properties", {}).items():
        yield from missing(part, f"{place} {name}")


def test_every_bound_of_a_service_is_known_here() -> None:
    told = {
        (command, field.name)
        for command in COMMANDS
        for field in schema_of(command)
        if has_bounds(field.kind)
    }
    assert set(CODES) == told


def has_bounds(kind: Kind) -> bool:
    match kind:
        case OptionalKind(inner):
            return has_bounds(inner)
        case ListKind(inner, most):
            return most < MAX_NAMED or has_bounds(inner)
        case TextKind():
            return kind.bounds != UNBOUNDED
    return False


def test_value_beyond_its_bound_is_refused_for_that_and_one_at_the_bound_is_not(
    world: Any, program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in daily.MAX_A_DAY:
        monkeypatch.setitem(daily.MAX_A_DAY, kind, 1_000)
    known = dict(VALUES, board=world.board(moves="b8 b5"))
    schemas = json.loads(document())["components"]["schemas"]
    ann, wrong = program("ann"), []
    for (command, field), code in CODES.items():
        schema = schemas[f"{command.__name__}Command"]
        others = {name: known[name] for name in known if name in schema.get("required", ())}
        for value, is_beyond in values(field, schema["properties"][field]):
            if command in OF_A_GAME:
                others["game"] = "druid"
            if command in (commands.TakePuzzle, commands.VotePuzzle):
                others["puzzle"] = 1
            if command is commands.VotePuzzle:
                others["opinion"] = "refused"
            if command is commands.Decline:
                others["number"] = world.challenge("druid", "bob", "ann").number
            ann.post(f"commands/{name_of(command)}", {**others, field: value})
            refused = ann.code if ann.status >= 400 else ""
            if (refused == code) != is_beyond:
                told = refused or "taken"
                wrong.append(f"{command.__name__}.{field} {str(value)[:30]!r}: {told}")
    assert wrong == []


# What they take is of one game.
OF_A_GAME = (
    commands.MakeContest,
    commands.TakeLesson,
    commands.TakePuzzle,
    commands.VotePuzzle,
    commands.Analyse,
)
VALUES = {
    "addresses": ["ann@x.example"],
    "text": "Hello.",
    "to": ["bob"],
    "userid": "newcomer",
    "about": "bob",
    "format": "round-robin",
    "number": 99,
    "result": "1-0",
}


def values(field: str, schema: dict[str, Any]) -> Iterator[tuple[Any, bool]]:
    """Yield the largest value that a schema takes, and a larger one; the same of the smallest."""
    if schema["type"] == "string":
        yield "a" * schema["maxLength"], False
        yield "a" * (schema["maxLength"] + 1), True
        if schema.get("minLength", 1) > 1:
            yield "a" * schema["minLength"], False
            yield "a" * (schema["minLength"] - 1), True
    elif field == "moves":
        yield from (([text], is_beyond) for text, is_beyond in values("", schema["items"]))
    else:
        form = "a{}@x.example" if field == "addresses" else "p{}"
        for count, is_beyond in ((schema["maxItems"], False), (schema["maxItems"] + 1, True)):
            yield [form.format(number) for number in range(count)], is_beyond
        # The document counts what is sent, not what is different in it.
        same = VALUES.get(field, "bob")
        yield (same if isinstance(same, list) else [same]) * (schema["maxItems"] + 1), True


def test_what_nobody_sees_counts_as_well(world: Any, program: Programs) -> None:
    ann = program("ann")
    for name in ("a" * 39 + "\x1b", "a" * 40):
        ann.post("commands/wish", {"name": name})
        assert ann.status == 200
    for name in ("a" * 40 + "\x1b", " " + "a" * 40):
        ann.post("commands/wish", {"name": name})
        assert ann.status == 422
        assert "at most 40 characters" in ann.body.decode()
