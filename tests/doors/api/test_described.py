"""Whatever a program sends, the answer is one that the OpenAPI document describes.

Schemathesis reads the document and makes up requests of it, right ones and wrong ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from program import Program
from sarsen.doors.api.urls import document
from sarsen.services import limits

Programs = Callable[..., Program]
OURS = ("content-type", "accept-encoding")  # set by the test itself, or by nobody
EXAMPLES = 15  # of each operation, right ones; and again wrong ones


@pytest.mark.slow
@pytest.mark.parametrize("is_right", [True, False], ids=["right", "wrong"])
def test_whatever_is_sent_is_answered_as_the_document_says(
    world: Any, program: Programs, monkeypatch: pytest.MonkeyPatch, is_right: bool
) -> None:
    import schemathesis
    from schemathesis.generation import GenerationMode

    for kind in limits.MOST_A_DAY:
        monkeypatch.setitem(limits.MOST_A_DAY, kind, 100_000)
    ann, visitor = program("ann"), program()
    world.board(moves="b8 b5")
    described = json.loads(document())
    schema = schemathesis.openapi.from_dict(described)
    mode = GenerationMode.POSITIVE if is_right else GenerationMode.NEGATIVE
    seen: set[tuple[str, int]] = set()
    for found in schema.get_all_operations():
        operation = found.ok()
        cases = operation.as_strategy(generation_mode=mode)
        name = operation.definition.raw["operationId"]
        if name in ("signoff", "revoke-token") or cases.is_empty:
            continue
        try:
            seen |= try_out(cases, ann, visitor, name, described["components"])
        except Unsatisfiable:
            # It takes nothing that could be wrong.
            asked = operation.definition.raw
            assert not is_right
            assert not asked.get("parameters")
            assert "requestBody" not in asked
    assert len({name for name, _ in seen}) > 60
    # The requests reach what they are for.
    reached = {name for name, status in seen if status < 300}
    assert len(reached) > 15 or not is_right, seen


def try_out(
    cases: Any, ann: Program, visitor: Program, name: str, components: Any
) -> set[tuple[str, int]]:
    """Send cases of one operation, with a token and without; give the statuses."""
    seen = set()

    @settings(
        max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    @given(case=cases, is_known=st.booleans())
    def send(case: Any, is_known: bool) -> None:
        one = ann if is_known else visitor
        status, kind, body = sent(one, case)
        told = f"{name} {case.formatted_path} {case.query} {case.body!r}: {status} {body[:300]!r}"
        assert status < 500, told
        seen.add((name, status))
        if status in (304, 204):
            return
        if status >= 400:
            assert kind == "application/problem+json", told
            assert set(json.loads(body)) == {
                "type",
                "title",
                "status",
                "code",
                "detail",
                "hint",
            }, told
        if status == 405:
            return
        content = case.operation.definition.raw["responses"][str(status)]["content"]
        wrong = errors_in(body, kind, content[kind].get("schema", {}) | {"components": components})
        assert wrong == [], told

    send()
    return seen


def errors_in(body: bytes, kind: str, schema: dict[str, Any]) -> list[str]:
    """Return what the schema of an answer, or of each of its lines, does not allow."""
    if "json" not in kind:
        return []
    import jsonschema_rs

    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    parts = body.splitlines() if kind.endswith(("ndjson", "jsonl")) else [body]
    found = [json.loads(part) for part in parts if part.strip()]
    return [str(error) for one in found for error in validator.iter_errors(one)]


def sent(one: Program, case: Any) -> tuple[int, str, bytes]:
    """Send a case; give status, kind and body of the answer."""
    plain = case.as_transport_kwargs(base_url="http://sarsen.test")
    # As `requests` would write it, with what it names of its own.
    import requests

    ready = requests.Request(
        **{
            key: plain[key]
            for key in ("method", "url", "headers", "params", "data", "json")
            if key in plain
        }
    ).prepare()
    headers = {key: value for key, value in ready.headers.items() if key.lower() not in OURS}
    if one.token:
        headers["Authorization"] = f"Bearer {one.token}"
    url = str(ready.url).removeprefix("http://sarsen.test")
    if "/events" in url:
        url += ("&" if "?" in url else "?") + "seconds=0"
    response = one.client.generic(
        str(ready.method),
        url,
        ready.body or b"",
        content_type=ready.headers.get("Content-Type", ""),
        headers=headers,
    )
    kind = response.headers.get("Content-Type", "").partition(";")[0]
    return response.status_code, kind, response.getvalue()
