"""Whatever a program sends, the answer is one that the OpenAPI document describes.

Schemathesis reads the document and makes up requests of it, right ones and wrong ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from program import Program
from sarsen.doors.api.urls import api, document
from sarsen.language.commands import OfferDraw, Resign, SignOff, Subscribe
from sarsen.services.dispatch import perform
from sarsen.services.limits import daily
from sarsen.services.request import Actor
from web_world import NOW

Programs = Callable[..., Program]
OURS = ("content-type", "accept-encoding")  # set by the test itself, or by nobody
AIMED = 0.8  # of the names in a request are of what there is, in a right one
REACHED = 67  # operations, of 70 that can be: the draw of cases may miss some
# What no right request reaches by the document alone, and why.
UNREACHED = {
    "login-code": "the code stands in a letter",
    "welcome": "the code stands in a letter",
}
EXAMPLES = 15  # of each operation, right ones; and again wrong ones


def test_operations_share_the_models_of_their_answers() -> None:
    operations = [
        operation
        for _, router in api._routers
        for view in router.path_operations.values()
        for operation in view.operations
    ]
    models = {
        model
        for operation in operations
        for model in operation.response_models.values()
        if model is not None
    }
    kinds = {repr(model.model_fields["response"].annotation) for model in models}
    assert len(operations) > 100
    assert len(models) == len(kinds) < 40


@pytest.mark.slow
@pytest.mark.parametrize("is_right", [True, False], ids=["right", "wrong"])
def test_whatever_is_sent_is_answered_as_the_document_says(
    world: Any, program: Programs, monkeypatch: pytest.MonkeyPatch, is_right: bool
) -> None:
    import schemathesis
    from schemathesis.generation import GenerationMode

    for kind in daily.MAX_A_DAY:
        monkeypatch.setitem(daily.MAX_A_DAY, kind, 100_000)
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
            with transaction.atomic():  # what one operation ends, the next one needs
                aim = aim_at(world, name) if is_right else None
                seen |= try_out(cases, ann, visitor, name, described["components"], aim)
                transaction.set_rollback(True)
        except Unsatisfiable:
            # It takes nothing that could be wrong.
            asked = operation.definition.raw
            assert not is_right
            assert not asked.get("parameters")
            assert "requestBody" not in asked
    assert len({name for name, _ in seen}) > 60
    # The requests reach what they are for.
    reached = {name for name, status in seen if status < 300}
    left = {name for name, _ in seen} - reached
    assert not is_right or (len(reached) >= REACHED and left >= set(UNREACHED)), sorted(left)


def aim_at(world: Any, name: str) -> Callable[[Any, Random], None]:
    """Return a function that puts names of what there is into a case: else most is unknown.

    Args:
        name: Of the operation, which may ask for other boards than most do.
    """
    ann, bob = Actor(world.player("ann")), Actor(world.player("bob"))
    running, ended = world.board(moves="b8 b5"), world.board(moves="b8 b5 c3 d4")
    perform(Resign("", ended, confirmed=True), ann, "", NOW)
    mine = world.challenge("druid", "ann", "bob").number
    asked = world.challenge("druid", "bob", "ann").number
    perform(OfferDraw("", running), bob, "", NOW)
    known: dict[str, list[Any]] = {
        "board": [running, running, ended],
        "number": [running, mine, asked],
        "challenge": [mine, asked],
        "userid": ["bob", "bot1"],
        "player": ["bob"],
        "opponent": ["bob"],
        "userids": [["bob"]],
        "names": [["me", "bob"], ["bob", "me"]],
        "game": ["druid"],
        "games": [["druid"]],
        "options": ["", "-size=5"],
        "terms": [[], ["--unrated"]],
        "text": ["c4", "Hello."],
        "moves": [["c4"]],
        "event": [None],
        "ply": [None, 0, 1],
        "language": ["de"],
        "zone": ["Europe/Berlin"],
        "addresses": [["ann@else.example"]],
        "boards": [[running]],
        "subjects": [["move"]],
        "address": ["ann@else.example"],
        "code": [""],
        "starts": ["tomorrow"],
        "ends": ["tomorrow"],
        "name": ["druid"],
        "to": [["bob"]],
        "key": [""],
        "matter": [""],
        "line": [f"druid show {running}"],
        "body": [""],
    }
    own: dict[str, Any] = {}  # of this operation, put in also where a case leaves them out
    if name in ("rematch", "review"):
        own = {"board": ended}
    elif name == "read-record":
        own = {"number": ended}
    elif name in ("move", "submit", "queue"):
        own = {"board": running, "text": "c4", "ply": None, "event": None}
    elif name == "undo":  # where no offer stands
        own = {"board": world.board(moves="b8 b5")}
    elif name == "accept":
        own = {"number": asked, "game": ""}
    elif name == "signup":
        own = {"userid": "newcomer", "password": "", "addresses": ["ann@else.example"]}
    elif name == "unsubscribe":
        perform(Subscribe(("bob",)), ann, "", NOW)
        own = {"names": ["bob"]}
    elif name == "confirm-signoff":
        perform(SignOff(), ann, "", NOW)
        own = {"what": "signoff"}
    elif name == "show":
        own = {"boards": [[running, None]], "userids": [], "game": ""}
    elif name == "challenge":
        own = {"game": "druid", "options": "", "terms": [], "names": ["me", "bob"]}
    elif name == "read-position":
        own = {"number": running, "ply": 1}
    elif name == "change-address":
        own = {"addresses": ["ann@else.example"]}
    elif name == "profile":
        own = {"userid": "bob"}
    elif name in ("confirm", "reject"):
        own = {"board": running, "game": "", "matter": "", "event": None}
    elif name == "draw":  # where no offer stands
        own = {"board": world.board(moves="b8 b5"), "game": ""}
    elif name == "vacation":
        own = {"starts": "tomorrow", "ends": "tomorrow", "is_off": False}

    def aim(case: Any, chance: Random) -> None:
        for part in (case.body, case.path_parameters, case.query):
            for name in part if isinstance(part, dict) else ():
                if name in known and chance.random() < AIMED:
                    part[name] = chance.choice(known[name])
        part = case.body if isinstance(case.body, dict) else case.path_parameters
        if chance.random() < AIMED:
            part.update(own)

    return aim


def try_out(
    cases: Any,
    ann: Program,
    visitor: Program,
    name: str,
    components: Any,
    aim: Callable[[Any, Random], None] | None,
) -> set[tuple[str, int]]:
    """Send cases of one operation, with a token and without; give the statuses."""
    seen = set()

    @settings(
        max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    @given(
        case=cases,
        is_known=st.sampled_from([True, True, False]),
        chance=st.randoms(use_true_random=False),
    )
    def send(case: Any, is_known: bool, chance: Random) -> None:
        one = ann if is_known else visitor
        if aim is not None:
            aim(case, chance)
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
