"""What is refused, and how a program learns of it: as a problem, with the codes of every door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from program import Program
from sarsen.services.limits import daily
from sarsen.storage.models import AuditEntry, Match, Player

Programs = Callable[..., Program]


def test_an_illegal_move_has_the_code_and_the_hint_of_every_door(
    world: Any, program: Programs
) -> None:
    board = world.board(moves="b8 b5")
    ann = program("ann")
    found = ann.post("commands/move", {"board": board, "text": "z9"})
    assert ann.status == 422
    assert ann.headers["Content-Type"] == "application/problem+json"
    assert found["code"].startswith("druid.")
    assert found["type"] == f"urn:sarsen:{found['code']}"
    assert found["hint"]
    assert "z9" in found["detail"]


def test_a_typed_line_is_answered_in_the_language_of_the_account_and_its_facts_in_english(
    world: Any, program: Programs
) -> None:
    board = world.board(moves="b8 b5")
    Player.objects.filter(key="ann").update(language="de")
    ann = program("ann")
    found = ann.line(f"druid show {board}")
    assert f"Druid Brett {board}: " in found["text"]
    assert ann.headers["Content-Language"] == "de"
    assert "Druid: Wertungen" in ann.line("druid ratings")["text"]
    refused = ann.line("druid show 9999")
    assert refused["detail"] == "Ein Brett 9999 gibt es nicht."
    refused = ann.post("commands/move", {"board": 9999, "text": "a1"})
    assert refused["detail"] == "There is no board 9999."


def test_a_move_for_another_position_is_409_and_changes_nothing(
    world: Any, program: Programs
) -> None:
    board = world.board(moves="b8 b5")
    ann = program("ann")
    for stale in ({"ply": 1}, {"ply": 4}, {"ply": 3, "event": 1}):
        ann.post("commands/move", {"board": board, "text": "b4", **stale})
        assert ann.status == 409, ann.body
        assert ann.code in ("stale-ply", "stale-board")
    assert Match.objects.get(pk=board).ply == 2
    ann.post("commands/move", {"board": board, "text": "b4", "ply": 3, "event": 2})
    assert ann.status == 200, ann.body


def test_commands_that_need_a_speaker_are_401_without_a_token(
    world: Any, program: Programs
) -> None:
    board = world.board()
    visitor = program()
    found = visitor.post("commands/move", {"board": board, "text": "b8"})
    assert (visitor.status, found["code"]) == (401, "who-speaks")
    assert "Authorization: Bearer" in found["detail"]
    assert visitor.headers["WWW-Authenticate"] == "Bearer"
    visitor.token = "sarsen_" + "x" * 32
    visitor.get(f"boards/{board}")
    assert (visitor.status, visitor.code) == (401, "unknown-token")
    visitor.get("boards", Authorization="Basic YW5uOmFubg==")
    assert (visitor.status, visitor.code) == (401, "who-speaks")


def test_a_missing_scope_is_403_and_named(world: Any, program: Programs) -> None:
    board = world.board()
    reader = program("ann", "read")
    for send in (
        lambda: reader.post("commands/move", {"board": board, "text": "b8"}),
        lambda: reader.line(f"move {board} b8"),
    ):
        found = send()
        assert (reader.status, found["code"]) == (403, "scope-missing")
        assert "`play`" in found["detail"]
    several = reader.line("multiple", f"move {board} b8\nhelp move")
    codes = [one["reply"].get("code") for one in several["reply"]["answers"]]
    assert codes == ["scope-missing", None]
    assert Match.objects.get(pk=board).ply == 0


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{", 400, "json"),
        ("[]", 400, "json"),
        ("nonsense", 400, "json"),
        (b"\xff\xfe", 400, "json"),
        ('{"board": NaN, "text": "b8"}', 400, "json"),
        ('{"board": 1e999, "text": "b8"}', 400, "json"),
        ('{"board": 1, "text": "b8", "text": "b7"}', 400, "json"),
        ('{"board": 1, "board": 1, "text": "b8"}', 400, "json"),
        ('{"board": 1, "text": "\\ud800"}', 400, "json"),
        ('{"board": 1, "text": "b8\\u0000"}', 400, "json"),
        ("[" * 100_000, 400, "json"),
        ('{"a":' * 50 + "1" + "}" * 50, 400, "json"),
        ('{"board": "1", "text": "b8"}', 422, "invalid"),
        ('{"board": true, "text": "b8"}', 422, "invalid"),
        ('{"board": 1e99, "text": "b8"}', 422, "invalid"),
        ('{"board": 99999999999999999999, "text": "b8"}', 422, "invalid"),
        ('{"board": -1, "text": "b8"}', 422, "invalid"),
        ('{"board": 1}', 422, "invalid"),
        ('{"board": 1, "text": "b8", "speaker": "bob"}', 422, "invalid"),
        ('{"board": 1, "text": ""}', 422, "invalid"),
        ('{"board": 1, "text": " \\t"}', 422, "invalid"),
        ('{"board": 1, "ply": -1, "text": "b8"}', 422, "invalid"),
        ('{"board": 0, "text": "b8"}', 404, "unknown-board"),
        ("x" * 400_000, 413, "body-too-large"),
    ],
    ids=range(24),
)
def test_a_body_that_is_none_is_refused_in_words(
    world: Any, program: Programs, body: Any, status: int, code: str
) -> None:
    ann = program("ann")
    found = ann.post("commands/move", body)
    assert (ann.status, found["code"]) == (status, code), ann.body
    assert ann.headers["Content-Type"] == "application/problem+json"
    assert found["detail"]


def test_a_form_of_a_web_page_cannot_speak_here(world: Any, program: Programs) -> None:
    visitor = program()
    found = visitor.client.post("/api/v1/line", {"line": "help"})
    assert found.status_code == 415


def test_json_is_held_to_the_bounds_of_a_typed_line(world: Any, program: Programs) -> None:
    world.player("bob")
    ann = program("ann")
    for name, asked in (
        ("refuse", {"names": ["-bob"]}),
        ("refuse", {"names": ["bob ann"]}),
        ("show", {"which": "some", "userids": ["ann"]}),
        ("accept", {"number": 1, "key": "none"}),
        ("challenge", {"game": "druid", "options": "size=5", "names": ["ann", "bob"]}),
        ("challenge", {"game": "druid", "names": ["ann", "bob", "--unrated"]}),
        ("challenge", {"game": "druid", "names": ["ann"]}),
        ("challenge", {"names": ["ann", "bob"]}),
        ("limit", {"most": 10**9}),
        ("chat", {"game": "help", "board": 1, "text": "x"}),
        ("confirm-signoff", {"what": "everything"}),
        ("refuse", {"names": ["x" * 999, "y"]}),
        ("multiple", {"lines": []}),
        ("multiple", {"lines": ["multiple"]}),
    ):
        ann.post(f"commands/{name}", asked)
        is_refused = ann.status in (404, 422) or "nested-multiple" in ann.body.decode()
        assert is_refused or "lines-missing" in ann.body.decode(), (name, asked, ann.body)


@pytest.mark.parametrize("text", ["resign", "accept", "b8 #3", "b8.b5", "draw"])
def test_a_move_in_json_is_a_move_and_nothing_else(
    world: Any, program: Programs, text: str
) -> None:
    board = world.board()
    ann = program("ann")
    ann.post("commands/move", {"board": board, "text": text})
    assert ann.status == 422, ann.body
    match = Match.objects.get(pk=board)
    assert (match.ply, match.offer) == (0, None)


def test_words_that_begin_with_ones_own_userid_are_words(world: Any, program: Programs) -> None:
    board = world.board()
    ann = program("ann")
    ann.post("commands/chat", {"board": board, "text": "ann is late today"})
    assert ann.status == 200, ann.body
    assert Match.objects.get(pk=board).chat.get().text == "ann is late today"
    # In a line these would be a userid and a password.
    world.player("bob")
    ann.post("commands/refuse", {"names": ["ann", "bob"]})
    assert ann.status == 200, ann.body


def test_too_much_is_429_and_says_when_again(
    world: Any, program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = world.board()
    monkeypatch.setitem(daily.MAX_A_DAY, "chat", 1)
    ann = program("ann")
    ann.post("commands/chat", {"board": board, "text": "one"})
    for send in (
        lambda: ann.post("commands/chat", {"board": board, "text": "two"}),
        lambda: ann.line(f"chat {board} two"),
    ):
        send()
        assert (ann.status, ann.code) == (429, "chat-flood")
        assert 0 < int(ann.headers["Retry-After"]) <= 86_400
    assert AuditEntry.objects.filter(kind="chat").count() == 1


def test_addresses_and_methods_that_do_not_exist_are_problems_too(
    world: Any, program: Programs
) -> None:
    visitor = program()
    for path in ("nothing", "boards/99999999999", "games/"):
        visitor.get(path)
        assert (visitor.status, visitor.code) == (404, "unknown-address") or visitor.status == 422
    for method, path in (("delete", "boards"), ("put", "line"), ("post", "openapi.json")):
        visitor.send(method, path)
        assert (visitor.status, visitor.code) == (405, "method"), path
        assert visitor.headers["Content-Type"] == "application/problem+json"
        assert visitor.headers["Allow"] in ("GET", "POST", "GET, HEAD")
    visitor.get("boards/99999999999999999999")
    assert visitor.status in (404, 422)
    visitor.get("players/%00")
    assert visitor.status == 422


def test_a_challenge_needs_no_options_and_a_whole_number_may_be_written_as_a_float(
    world: Any, program: Programs
) -> None:
    world.player("bob")
    ann = program("ann")
    ann.post("commands/challenge", {"game": "druid", "names": ["me", "bob"]})
    assert ann.status == 200
    # JSON has one kind of number: 7.0 is an integer to its schema.
    board = world.board()
    found = ann.post("commands/move", {"board": float(board), "text": "b8"})
    assert ann.status == 200, found
    ann.post("commands/move", {"board": board + 0.5, "text": "b8"})
    assert ann.status == 422
