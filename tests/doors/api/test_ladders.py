"""Ladders for programs: commands by POST, and the places in the table of the contest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from program import Program

Programs = Callable[..., Program]


def test_a_ladder_is_made_joined_climbed_and_read(world: Any, program: Programs) -> None:
    ann, bob = program("ann"), program("bob")
    made = ann.post(
        "commands/contest-new", {"game": "druid", "format": "ladder", "options": "-size=5"}
    )["reply"]
    assert (made["kind"], made["place"], made["command"]) == ("LadderMade", 1, "druid")
    joined = bob.post("commands/ladder-join", {"game": "druid"})["reply"]
    assert (joined["kind"], joined["place"], joined["nearest"]) == ("LadderJoined", 2, "ann")
    climbed = bob.post("commands/climb", {"game": "druid", "userid": "ann"})["reply"]
    assert (climbed["place"], climbed["other"], climbed["climbs"]) == (2, 1, 1)
    shown = bob.post("commands/ladder", {"game": "druid"})["reply"]
    assert shown["rows"] == [["1", "ann", "1", ""], ["2", "bob", "1", ""]]
    contest = program().get(f"contests/{made['number']}")
    assert (contest["format"], contest["state"], contest["ends_at"]) == ("ladder", "running", None)
    assert [(row["userid"], row["place"]) for row in contest["table"]] == [("ann", 1), ("bob", 2)]
    assert [one["key"] for one in contest["boards"]] == ["c1.1-2.g1"]
    bob.post("commands/climb", {"game": "druid", "userid": "ann"})
    assert bob.code == "ladder.rematch"
    left = bob.post("commands/ladder-leave", {"game": "druid"})["reply"]
    assert (left["kind"], left["boards"]) == ("LadderLeft", 1)
