"""`Idempotency-Key`: the same request again gets the same answer and is done once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from program import Program
from sarsen.storage.models import AnsweredRequest, Match, Player

pytestmark = pytest.mark.postgres

Programs = Callable[..., Program]


def test_the_same_move_with_the_same_key_is_played_once(world: Any, program: Programs) -> None:
    board = world.board(moves="b8 b5")
    ann, bob = program("ann"), program("bob")
    asked = {"board": board, "text": "b4"}
    first = ann.post("commands/move", asked, Idempotency_Key="one")
    bob.line(f"move {board} a5")
    again = ann.post("commands/move", asked, Idempotency_Key="one")
    assert (ann.status, again["reply"]) == (200, first["reply"])
    assert Match.objects.get(pk=board).ply == 4


def test_a_key_used_for_another_request_is_refused(world: Any, program: Programs) -> None:
    board = world.board(moves="b8 b5")
    ann = program("ann")
    ann.post("commands/chat", {"board": board, "text": "one"}, Idempotency_Key="k")
    for path, asked in (
        ("commands/chat", {"board": board, "text": "two"}),
        ("commands/notes", {"board": board, "text": "one"}),
        ("line", {"line": f"chat {board} one"}),
    ):
        ann.post(path, asked, Idempotency_Key="k")
        assert (ann.status, ann.code) == (422, "request-reused")
    assert Match.objects.get(pk=board).chat.count() == 1


def test_keys_of_two_players_are_two_keys(world: Any, program: Programs) -> None:
    board = world.board()
    for userid in ("ann", "bob"):
        one = program(userid)
        one.post("commands/chat", {"board": board, "text": "hi"}, Idempotency_Key="k")
        assert one.status == 200
    assert Match.objects.get(pk=board).chat.count() == 2


def test_without_a_key_the_same_words_are_said_twice(world: Any, program: Programs) -> None:
    board = world.board()
    ann = program("ann")
    for _ in range(2):
        ann.post("commands/chat", {"board": board, "text": "hi"})
    assert Match.objects.get(pk=board).chat.count() == 2


def test_what_was_refused_may_be_tried_again_under_its_key(world: Any, program: Programs) -> None:
    board = world.board(moves="b8")
    ann, bob = program("ann"), program("bob")
    asked = {"board": board, "text": "b4"}
    ann.post("commands/move", asked, Idempotency_Key="k")
    assert (ann.status, ann.code) == (409, "not-your-turn")
    bob.line(f"move {board} b5")
    ann.post("commands/move", asked, Idempotency_Key="k")
    assert ann.status == 200


def test_lines_of_a_multiple_are_each_done_once(world: Any, program: Programs) -> None:
    board = world.board()
    ann = program("ann")
    asked = {"lines": [f"chat {board} one", f"chat {board} two"]}
    first = ann.post("commands/multiple", asked, Idempotency_Key="k")
    again = ann.post("commands/multiple", asked, Idempotency_Key="k")
    assert first == again
    assert Match.objects.get(pk=board).chat.count() == 2


def test_somebody_who_joins_twice_with_one_key_joins_once(world: Any, program: Programs) -> None:
    visitor = program()
    asked = {"userid": "dora", "password": "brand-new-words", "addresses": ["d@example.org"]}
    first = visitor.post("commands/signup", asked, Idempotency_Key="k")
    assert first == visitor.post("commands/signup", asked, Idempotency_Key="k")
    assert visitor.status == 200
    # What is kept of a request tells nobody the password in it.
    kept = AnsweredRequest.objects.get()
    assert "brand" not in f"{kept.key}{kept.said}{kept.reply}"
    other = visitor.post("commands/signup", {**asked, "userid": "dory"}, Idempotency_Key="k")
    assert other["reply"]["userid"] == "dory"
    assert not Player.objects.filter(key="dora").exists()


@pytest.mark.parametrize("key", ["two words", "x" * 201])
def test_a_key_that_is_none_is_refused(world: Any, program: Programs, key: str) -> None:
    ann = program("ann")
    ann.post("commands/limit", {"most": 5}, Idempotency_Key=key)
    assert (ann.status, ann.code) == (422, "key-form")
