"""Contests for programs: the number at a board, the table, and what streams tell."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from contest_world import ContestWorld
from doors.api.test_events import read
from program import Program
from sarsen.language.commands import CorrectContest, LeaveContest
from sarsen.services.admin.roles import add_operator
from sarsen.services.contests.streamed import STREAMED
from sarsen.storage.models import Player, StreamItem

pytestmark = pytest.mark.django_db
SCOPES = ["read", "play", "chat", "account"]


@pytest.fixture
def now_world() -> ContestWorld:
    """Return a server of today: streams number their items by the time."""
    return ContestWorld(timezone.now())


def listening(world: ContestWorld, userid: str) -> tuple[Program, int]:
    """Return a program of a player whose stream is open, and the id to go on from."""
    program = Program(world.world.player(userid), SCOPES)
    return program, read(program)[0]["id"]


def contest_items(program: Program, since: int) -> list[dict[str, Any]]:
    return [item["facts"] for item in read(program, since) if item["kind"] == "contest"]


def test_the_stream_tells_each_kind_with_the_number_of_its_event(
    now_world: ContestWorld,
) -> None:
    ann, since = listening(now_world, "ann")
    number = now_world.make("ann", "bob", "cid", "dora", game="druid", options="-size=5")
    board = now_world.board("ann", "bob").pk
    now_world.world.player("olga")
    add_operator("olga", now_world.now)
    now_world.say("dora", LeaveContest(number, confirmed=True))
    now_world.say("olga", CorrectContest(number, board, "1-0", "wrong board"))
    other = now_world.board("ann", "cid").pk
    now_world.say("olga", CorrectContest(number, other, "void", "wrong board"))
    now_world.wait(timedelta(days=120), step=timedelta(days=60))
    told = contest_items(ann, since)
    log = {event["number"]: event for event in ann.get(f"contests/{number}/log")["events"]}
    assert [log[facts["event"]]["event"] for facts in told] == [facts["what"] for facts in told]
    assert {facts["contest"] for facts in told} == {number}
    whats = [(facts["what"], facts["board"], facts["player"]) for facts in told]
    assert whats[:4] == [
        ("started", None, ""),
        ("withdrawn", None, "dora"),
        ("corrected", board, ""),
        ("closed", other, ""),
    ]
    assert "ended" in [what for what, _, _ in whats]
    assert {what for what, _, _ in whats} <= set(STREAMED)


def test_a_board_that_the_law_decides_is_told_to_its_players_alone(
    now_world: ContestWorld,
) -> None:
    ann, since = listening(now_world, "ann")
    number = now_world.make("ann", "bob", "cid", game="druid", options="-size=5")
    own = {now_world.board("ann", other).pk for other in ("bob", "cid")}
    for _ in range(6):
        Player.objects.update(last_login=now_world.now)
        now_world.now += timedelta(days=20)
        now_world.sweep()  # of contests alone: no clock ends a board before the end date
    told = contest_items(ann, since)
    assert {one["board"] for one in told if one["what"] == "decided"} == own
    log = ann.get(f"contests/{number}/log")["events"]
    assert len([one for one in log if one["event"] == "decided"]) == 3
    assert [one["what"] for one in told] == ["started", "decided", "decided", "ended"]


def test_nothing_is_stored_for_players_whose_programs_do_not_listen(
    now_world: ContestWorld,
) -> None:
    now_world.make("ann", "bob", "cid", game="druid", options="-size=5")
    assert not StreamItem.objects.exists()


def test_a_board_names_its_contest_and_others_cost_no_query_more(now_world: ContestWorld) -> None:
    ann = Program(now_world.world.player("ann"), SCOPES)
    plain = now_world.world.board(options="-size=5")
    assert ann.get(f"boards/{plain}")["contest"] is None
    number = now_world.make("ann", "bob", "cid", game="druid", options="-size=5")
    board = now_world.board("ann", "bob").pk
    assert ann.get(f"boards/{board}")["contest"] == number
    with CaptureQueriesContext(connection) as asked:
        ann.get(f"boards/{plain}")
    assert not [one for one in asked.captured_queries if "contest" in one["sql"].lower()]


def test_the_table_is_csv_or_text_as_the_caller_accepts(now_world: ContestWorld) -> None:
    anybody = Program(None, [])
    number = now_world.make("ann", "bob", "cid", game="druid", options="-size=5")
    now_world.win("ann", "bob")
    anybody.get(f"contests/{number}/table")
    assert anybody.headers["Content-Type"].startswith("text/csv")
    lines = anybody.body.decode().splitlines()
    assert lines[0] == "place,shared_to,player,points,sb,best,worst,tier"
    assert lines[1].startswith("1,1,ann,1.0,")
    anybody.get(f"contests/{number}/table", Accept="text/plain")
    assert anybody.headers["Content-Type"].startswith("text/plain")
    text = anybody.body.decode()
    assert text.startswith(f"Contest {number}, ")
    assert "rank  player  1  2  3  points  SB" in text
    assert max(map(len, text.splitlines())) <= 72
    anybody.get("contests/99/table", Accept="text/plain")
    assert (anybody.status, json.loads(anybody.body)["code"]) == (404, "unknown-contest")
