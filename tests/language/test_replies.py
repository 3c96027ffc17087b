"""Replies survive being written as JSON."""

import dataclasses
import json

from sarsen.language import replies
from sarsen.language.preferences import AcceptanceList
from sarsen.language.replies import (
    Answer,
    BoardsShown,
    ChallengeStands,
    Moved,
    Refusal,
    Several,
    Table,
    decode,
    encode,
)


def test_replies_read_back_as_they_were_written() -> None:
    replies = (
        Moved(123, 14, "b2-b4"),
        BoardsShown(((123, None), (124, 13))),
        ChallengeStands(5, "druid", "-size=4", ("ann", "anyone"), ("anyone",), None),
        Table("Boards", ("a", "b"), (("1", "2"), ("3", "4"))),
        Several((Answer("c3", Moved(1, 2, "c3")), Answer("zz", Refusal("No.", "no", "c3")))),
    )
    for reply in replies:
        assert decode(json.loads(json.dumps(encode(reply)))) == reply


def test_no_reply_has_a_field_that_hides_its_kind() -> None:
    for kind in replies._KINDS.values():
        assert "kind" not in {one.name for one in dataclasses.fields(kind)}


def test_a_reply_whose_class_was_renamed_keeps_its_name_in_json() -> None:
    stored = {"kind": "WishesStand", "about": "refuse", "names": ["bob"]}
    reply = AcceptanceList("refuse", ("bob",))
    assert decode(stored) == reply
    assert encode(reply) == stored
