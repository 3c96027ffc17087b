"""A request with a wrong field is told what the field takes, and a value that it would take."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs

import pytest

from program import Program
from sarsen.doors.api.field_problems import describe
from sarsen.doors.api.urls import document
from sarsen.services.accounts import tokens
from sarsen.storage.models import Token

Programs = Callable[..., Program]
WRONG: tuple[Any, ...] = ({"x": 1}, [], None, "", 10**12, True, "§ §", [[1]])
# Of what addresses name.
PLACES = {"name": "druid", "step": "win", "number": "1", "game": "druid", "puzzle": "1"}
SCOPES = "read play chat account"
# The fields that an error would be about before the one that is asked for.
BEFORE: dict[str, dict[str, object]] = {
    **{name: {"board": 1} for name in ("move", "submit", "preview", "queue", "review")},
    "message": {"text": "hello"},
    "analyse": {"game": "druid"},
}


def described() -> Any:
    return json.loads(document())


def bodies() -> Iterator[tuple[str, list[str]]]:
    """Yield the address and the fields of every operation that takes a body."""
    found = described()
    for path, methods in found["paths"].items():
        for method, asked in methods.items():
            if method == "post" and "requestBody" in asked:
                schema = asked["requestBody"]["content"]["application/json"]["schema"]
                name = schema["$ref"].rpartition("/")[2]
                fields = list(found["components"]["schemas"][name]["properties"])
                named = path.replace("puzzles/{name}", "puzzles/druid-1")
                named = re.sub(r"\{(\w+)\}", lambda found: PLACES[found[1]], named)
                yield named.removeprefix("/api/v1/"), fields


def test_whoever_follows_the_hints_gets_an_answer_from_every_operation(
    world: Any, program: Programs
) -> None:
    """From an empty body and from wrong values: each hint mends the field it names."""
    player, visitor = program("ann", SCOPES), program()
    operations = list(bodies())
    assert len(operations) > 80
    for path, fields in operations:
        ann = visitor if path.startswith("login") else player
        for start in ({}, *({field: {"x": 1}} for field in fields)):
            body: dict[str, Any] = dict(start)
            for _ in range(len(fields) + 2):
                # A body that is right is not sent: it might leave the server.
                found = ann.post(path, {**body, "no-such-field": 1})
                assert (ann.status, found["code"]) == (422, "invalid"), f"{path} {body}: {found}"
                if "`no-such-field`" in found["detail"]:
                    break
                hint = json.loads(found["hint"])
                (name,) = hint
                assert f"`{name}" in found["detail"]
                assert body.get(name) != hint[name], f"{path}: {found}"
                body |= hint
            else:
                pytest.fail(f"{path}: {body} is refused after all")
            smallest = json.loads(found["hint"])
            assert set(smallest) <= set(fields)


def test_every_wrong_value_is_refused_by_the_name_of_its_field_and_what_it_takes(
    world: Any, program: Programs
) -> None:
    player, visitor = program("ann", SCOPES), program()
    for path, fields in bodies():
        ann = visitor if path.startswith("login") else player
        for field in fields:
            for value in WRONG:
                found = ann.post(path, {field: value, "no-such-field": 1})
                assert found["code"] == "invalid"
                assert "docs" not in found["hint"]
                assert "Input should" not in found["detail"]
                assert "Field required" not in found["detail"]


def test_query_parameters_are_described_too(world: Any, program: Programs) -> None:
    ann = program("ann", SCOPES)
    refused = 0
    for path, methods in described()["paths"].items():
        asked = methods.get("get")
        # A stream waits for what happens.
        if asked is None or "{" in path or "event" in json.dumps(asked["responses"]["200"]):
            continue
        for parameter in asked.get("parameters", ()):
            name = parameter["name"]
            if parameter["in"] != "query":
                continue
            address = path.removeprefix("/api/v1/") + "?"
            needed = ann.get(address)
            if ann.status == 422 and needed["code"] == "invalid" and name not in needed["hint"]:
                address += f"{needed['hint']}&"
            found = ann.get(f"{address}{name}=%C2%A7%20-1")
            if ann.status != 422 or found["code"] != "invalid":
                continue
            refused += 1
            assert f"`{name}`" in found["detail"]
            assert list(parse_qs(found["hint"])) == [name]
            again = ann.get(f"{address}{found['hint']}")
            assert not (ann.status == 422 and again["code"] == "invalid"), again
    assert refused > 10


def test_the_label_of_a_token_has_one_limit_and_one_sentence(world: Any, program: Programs) -> None:
    ann = program("ann", SCOPES)
    said = set()
    for label in ("", " ", "x" * 61, "x" * 200, "x" * 201, "x" * 5000):
        found = ann.post("account/tokens", {"label": label, "scopes": ["read"]})
        assert (ann.status, found["code"]) == (422, "token-label")
        said.add(found["detail"])
        found = ann.post("login/code", {"label": label, "userid": "ann", "code": "123456"})
        assert found["code"] in ("token-label", "who-speaks")
    assert len(said) == 1
    assert str(tokens.MAX_LABEL) in said.pop()
    made = Token.objects.count()
    ann.post("account/tokens", {"label": "x" * tokens.MAX_LABEL, "scopes": ["read"]})
    assert Token.objects.count() == made + 1


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ('{"label":"a\\u0000b"}', "json", "'label' holds the character U+0000"),
        ('{"label":"a\\ud800b"}', "json", "'label' holds the character U+D800"),
        ('{"scopes":["a","\\u0000"]}', "json", "'scopes' holds the character U+0000"),
        ('{"\\u0000":1}', "json", "'<U+0000>' holds"),
        ('{"label":' + "[" * 30 + "]" * 30 + "}", "json", "'label' is nested too deeply"),
        ("[1]", "json", "JSON, but no object"),
        ('"text"', "json", "JSON, but no object"),
        ("{x", "json", "not a valid JSON object"),
        ('{"a":NaN}', "json", "not a valid JSON object"),
    ],
)
def test_a_body_that_cannot_be_read_is_told_why(
    world: Any, program: Programs, body: str, code: str, words: str
) -> None:
    ann = program("ann", SCOPES)
    found = ann.post("account/tokens", body.encode())
    assert found["code"] == code
    assert words in found["detail"]
    assert ("not a valid JSON" in found["detail"]) == words.startswith("not a valid")


def test_a_rule_of_ours_keeps_its_own_words() -> None:
    schema = {"properties": {"name": {"type": "string", "examples": ["druid"]}}}
    error = {"loc": ("name",), "type": "value_error", "ctx": {"error": "at most 3 characters"}}
    found = describe(schema, "query", error)
    assert (found.detail, found.hint) == ("`name`: at most 3 characters.", "name=druid")


@pytest.mark.parametrize(
    ("path", "field", "example"),
    [
        ("move", "text", "c1"),
        ("submit", "text", "c1"),
        ("preview", "moves", ["c1", "b2"]),
        ("analyse", "moves", ["c1", "b2"]),
        ("review", "move", "c1"),
        ("queue", "text", "d3; if e4 then f5"),
        ("message", "to", ["bob"]),
        ("multiple", "lines", ["list", "help"]),
    ],
)
def test_hint_for_a_move_is_a_move_and_for_a_name_a_name(
    world: Any, program: Programs, path: str, field: str, example: object
) -> None:
    ann = program("ann", SCOPES)
    found = ann.post(f"commands/{path}", {**BEFORE.get(path, {}), field: 7})
    assert found["code"] == "invalid"
    assert json.loads(found["hint"]) == {field: example}
