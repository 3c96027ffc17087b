"""The stream of a player's boards: everything, once, in order, from any item on."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import jsonschema_rs
import pytest
from django.test import Client
from django.utils import timezone

from program import Program
from sarsen.doors.api.streams import PLACES, StreamSlot
from sarsen.doors.api.urls import document
from sarsen.services.admin.cleanup import tidy_up
from sarsen.services.events import board_streams
from sarsen.services.notices import streams
from sarsen.storage.models import MatchEvent, StreamItem

pytestmark = pytest.mark.postgres

Programs = Callable[..., Program]


def read(one: Program, since: int | None = None, **headers: str) -> list[dict[str, Any]]:
    """Read what there is, without waiting."""
    after = "" if since is None else f"&since={since}"
    text = one.get(f"events?seconds=0{after}", **headers)
    assert one.status == 200, text
    return described("", text)


def described(path: str, lines: str) -> list[dict[str, Any]]:
    """Return the items of a stream, each as the OpenAPI document says and with no fact beside."""
    whole = json.loads(document())
    content = whole["paths"][f"/api/v1/events{path}"]["get"]["responses"]["200"]["content"]
    schema, components = content["application/x-ndjson"]["schema"], whole["components"]
    check = jsonschema_rs.Draft202012Validator(schema | {"components": components})
    items = [json.loads(line) for line in lines.splitlines() if line]
    for item in items:
        assert [str(error) for error in check.iter_errors(item)] == [], item
        kind = schema["discriminator"]["mapping"][item["kind"]].rpartition("/")[2]
        facts = components["schemas"][kind]["properties"]["facts"]["$ref"].rpartition("/")[2]
        assert item["facts"].keys() <= components["schemas"][facts]["properties"].keys(), item
    return items


def test_a_stream_begins_with_what_waits_and_an_id_to_go_on_from(
    world: Any, program: Programs
) -> None:
    ann = program("ann")
    board = world.board()
    number = world.challenge("gyges", "bob", "ann").number
    (hello,) = read(ann)
    assert hello["kind"] == "hello"
    asked = {
        **{"challenge": number, "game": "gyges", "options": "", "terms": ""},
        **{"names": ["bob", "ann"], "opponent": "bob", "rating": ""},
    }
    assert hello["facts"] == {"to_move": [board], "invitations": [number], "challenges": [asked]}
    (again,) = read(ann, hello["id"])
    assert again == hello | {"at": again["at"]}


def test_an_invitation_tells_what_one_needs_to_decide(world: Any, program: Programs) -> None:
    ann, bob = program("ann"), program("bob")
    (hello,) = read(ann)
    bob.line("druid challenge -size=5 --unrated me ann")
    (invitation,) = read(ann, hello["id"])[1:]
    facts = invitation["facts"]
    assert (facts["game"], facts["options"], facts["terms"]) == ("druid", "-size=5", "--unrated")
    assert (facts["names"], facts["opponent"], facts["rating"]) == (["bob", "ann"], "bob", "")
    ann.line(f"accept {facts['challenge']}")
    # An item that is read after the answer has only the number.
    late = read(ann, hello["id"])[1]
    assert late["facts"] == {"challenge": facts["challenge"]}


def test_everything_that_happens_at_a_board_is_told_in_order(world: Any, program: Programs) -> None:
    ann, bob = program("ann"), program("bob")
    (hello,) = read(ann)
    board = world.board()
    for one, line in (
        (ann, f"move {board} b8"),
        (bob, f"chat {board} Good move"),
        (bob, f"move {board} b5"),
        (bob, f"undo {board}"),
        (ann, f"druid accept {board}"),
        (bob, f"draw {board}"),
        (ann, f"druid reject {board}"),
        (bob, f"resign {board}"),
        (bob, f"confirm {board}"),
    ):
        one.line(line)
        assert one.status == 200, one.body
    told = read(ann, hello["id"])[1:]
    kinds = [item["kind"] for item in told]
    expected = ["start", "move", "chat", "move", "offer", "undo", "offer", "offer", "end"]
    assert [kind for kind in kinds if kind != "invitation"] == expected
    assert {item["board"] for item in told if item["kind"] != "invitation"} == {board}
    numbers = [item["id"] for item in told]
    assert numbers == sorted(set(numbers))
    moved = told[kinds.index("move")]
    assert (moved["facts"]["text"], moved["facts"]["ply"], moved["facts"]["event"]) == ("b8", 1, 1)
    assert (moved["players"], moved["your_seats"], moved["is_your_turn"]) == (
        ["ann", "bob"],
        [0],
        False,
    )
    # 21 days, where nothing else was agreed on.
    left = datetime.fromisoformat(moved["facts"]["due"]) - datetime.fromisoformat(moved["at"])
    assert left.days in (20, 21)
    assert told[-1]["facts"]["due"] is None
    assert told[-1]["facts"]["how"] == "resign"
    assert told[-1]["facts"]["scores"] == [1.0, 0.0]
    # The other side is told the same of the board.
    theirs = read(bob, hello["id"])[1:]
    assert [item["kind"] for item in theirs if item["board"]] == expected


def test_a_reader_that_comes_back_with_its_last_id_misses_and_repeats_nothing(
    world: Any, program: Programs
) -> None:
    ann, bob = program("ann"), program("bob")
    board = world.board()
    (hello,) = read(ann)
    last, seen = hello["id"], []
    for number in range(5):
        bob.line(f"chat {board} {number}")
        for item in read(ann, last)[1:]:
            last = item["id"]
            seen.append(item["facts"]["text"])
    assert seen == ["0", "1", "2", "3", "4"]
    whole = [item["facts"]["text"] for item in read(ann, hello["id"])[1:]]
    assert whole == seen


def test_what_commits_late_is_told_late_and_not_missed(world: Any, program: Programs) -> None:
    # Two writers: the one that began first is seen last. Its row has the lower id.
    ann = program("ann")
    player = world.player("ann")
    (hello,) = read(ann)
    now = timezone.now()
    chat = {"by": "bob", "ply": 0}
    late = StreamItem.objects.create(
        player=player, kind="chat", facts=chat | {"text": "late"}, at=now
    )
    kept = StreamItem.objects.filter(pk=late.pk).values().get()
    late.delete()
    StreamItem.objects.create(player=player, kind="chat", facts=chat | {"text": "early"}, at=now)
    first = read(ann, hello["id"])[1:]
    assert [item["facts"]["text"] for item in first] == ["early"]
    StreamItem.objects.create(**kept)
    then = read(ann, first[-1]["id"])[1:]
    assert [item["facts"]["text"] for item in then] == ["late"]


def test_server_sent_events_are_the_same_with_ids_that_a_browser_gives_back(
    world: Any, program: Programs
) -> None:
    ann = program("ann")
    (hello,) = read(ann)
    world.board()
    text = ann.get("events?seconds=0", Accept="text/event-stream", Last_Event_ID=str(hello["id"]))
    assert ann.headers["Content-Type"] == "text/event-stream"
    blocks = [block.split("\n") for block in text.split("\n\n") if block]
    assert blocks[0][1] == "event: hello"
    assert "event: start" in [block[1] for block in blocks]
    for block in blocks:
        data = json.loads(block[2].removeprefix("data: "))
        assert block[0] == f"id: {data['id']}"


def test_private_boards_are_in_the_streams_of_their_players_only(
    world: Any, program: Programs
) -> None:
    ann, eve = program("ann"), program("eve")
    since = read(eve)[0]["id"]
    world.board(moves="b8", terms=("--private",))
    assert [item["kind"] for item in read(eve, since)] == ["hello"]
    assert "move" in [item["kind"] for item in read(ann, since)]


def test_nothing_is_kept_for_who_has_no_program(world: Any) -> None:
    world.board(moves="b8 b5")
    assert not StreamItem.objects.exists()


@pytest.mark.parametrize("since", ["9" * 15, "-1", "x", "1e3", "9" * 40])
def test_an_id_of_nothing_is_refused(world: Any, program: Programs, since: str) -> None:
    ann = program("ann")
    ann.get(f"events?seconds=0&since={since}")
    assert ann.status == 422
    ann.get("events?seconds=0", Last_Event_ID=since)
    assert (ann.status, ann.code) == (422, "unknown-event")


def test_who_comes_back_after_the_items_were_tidied_away_is_told_of_the_gap(
    world: Any, program: Programs
) -> None:
    ann = program("ann")
    world.board(moves="b8")
    old = read(ann, 1)
    assert [item["kind"] for item in old][:2] == ["hello", "gap"]
    later = timezone.now() + streams.KEPT + timedelta(hours=1)
    assert tidy_up(later)["stream"] > 0
    assert not StreamItem.objects.exists()


def test_one_caller_holds_so_many_streams_and_all_together_so_many(
    world: Any, program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.doors.api.streams.STREAMS_A_CALLER", 1)
    monkeypatch.setattr("sarsen.doors.api.streams.STREAMS", 2)
    ann, bob, eve = program("ann"), program("bob"), program("eve")
    held = [PLACES.take(world.player(one).pk) for one in ("ann", "bob")]
    try:
        ann.get("events?seconds=30")
        assert (ann.status, ann.code) == (429, "too-many-streams")
        assert int(ann.headers["Retry-After"]) > 0
        # A caller that finds no place to wait in gets what there is, at once.
        assert eve.get("events?seconds=30").splitlines()
        assert (eve.status, eve.headers["Retry-After"]) == (200, "5")
        assert read(bob)[0]["kind"] == "hello"
    finally:
        for place in held:
            assert place is not None
            PLACES.give_back(place)
    assert eve.get("events/boards?seconds=1").splitlines()
    assert "Retry-After" not in eve.headers


def test_one_network_holds_so_many_streams_and_visitors_leave_room_for_players(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.doors.api.streams.STREAMS_A_CALLER", 2)
    monkeypatch.setattr("sarsen.doors.api.streams.STREAMS_OF_VISITORS", 3)
    board = world.board()

    def hold(address: str) -> Any:
        path = f"/api/v1/events/boards/{board}?seconds=9"
        return Client(REMOTE_ADDR=address, raise_request_exception=False).get(path)

    try:
        first = [hold(f"2001:db8::{number}") for number in range(3)]
        assert [one.status_code for one in first] == [200, 200, 429]
        others = [hold(f"2001:db8:0:{number}::1") for number in (1, 2)]
        assert ["Retry-After" in one.headers for one in others] == [False, True]
        assert isinstance(PLACES.take(world.player("ann").pk), StreamSlot)
    finally:
        PLACES._taken.clear()


def test_an_event_carries_the_position_the_clock_and_on_request_the_legal_moves(
    world: Any, program: Programs
) -> None:
    ann = program("ann")
    (hello,) = read(ann)
    board = world.board(moves="b8")
    moved = read(ann, hello["id"])[-1]["facts"]
    shown = ann.get(f"boards/{board}")
    assert moved["position"] == shown["position"]
    assert moved["reserves"] == shown["clock"]["reserves"]
    assert "legal_moves" not in moved
    text = ann.get(f"events?seconds=0&since={hello['id']}&legal_moves=true")
    assert described("", text)[-1]["facts"]["legal_moves"] == shown["legal_moves"]


def stream(one: Program, path: str) -> list[dict[str, Any]]:
    """Read what there is of another stream, without waiting."""
    text = one.get(f"events/{path}{'&' if '?' in path else '?'}seconds=0")
    assert one.status == 200, text
    return described("/boards/{number}" if path.startswith("boards/") else "/boards", text)


@pytest.mark.parametrize("reader", ["ann", "eve", ""])
def test_anybody_follows_a_public_board_to_its_end(
    world: Any, program: Programs, reader: str
) -> None:
    ann, bob, other = program("ann"), program("bob"), program(reader)
    board = world.board()
    (hello,) = stream(other, f"boards/{board}")
    assert (hello["kind"], hello["players"]) == ("hello", ["ann", "bob"])
    is_mine = reader == "ann"
    assert (hello["your_seats"], hello["is_your_turn"]) == ([0] if is_mine else [], is_mine)
    assert hello["facts"] == other.get(f"boards/{board}")
    for one, line in (
        (ann, f"move {board} b8"),
        (bob, f"move {board} b5"),
        (bob, f"undo {board}"),
        (ann, f"druid accept {board}"),
        (bob, f"move {board} c5"),
        (ann, f"resign {board}"),
        (ann, f"confirm {board}"),
    ):
        one.line(line)
        assert one.status == 200, one.body
    told = stream(other, f"boards/{board}?since={hello['id']}&legal_moves=true")[1:]
    assert [item["kind"] for item in told] == ["move", "move", "undo", "move", "end"]
    texts = [item["facts"].get("text") for item in told]
    assert texts == ["b8", "b5", None, "c5", None]
    # As the board stood then, also where a move was taken back since.
    alone = world.board(moves="b8 b5")
    assert told[1]["facts"]["position"] == ann.get(f"boards/{alone}")["position"]
    first = other.get(f"boards/{board}/plies/1")
    assert told[0]["facts"]["position"] == told[2]["facts"]["position"] == first["position"]
    assert list(told[0]["facts"]["legal_moves"]) == first["legal_moves"]
    assert told[-1]["facts"]["how"] == "resign"
    assert told[-1]["facts"]["scores"] == [0.0, 1.0]
    assert told[-1]["facts"]["legal_moves"] == []
    for at, item in enumerate(told):
        rest = stream(other, f"boards/{board}?since={item['id']}&legal_moves=true")[1:]
        assert rest == told[at + 1 :]


def test_a_move_that_ends_the_game_is_told_as_two_and_none_is_missed(
    world: Any, program: Programs
) -> None:
    eve = program("")
    board = world.board(moves="a1 c1 a2 b2 a3", options="-size=3")
    *_, move, end = stream(eve, f"boards/{board}?since=0")
    assert (move["kind"], move["facts"]["text"], end["kind"]) == ("move", "a3", "end")
    assert end["facts"]["scores"] == [1.0, 0.0]
    ratings = eve.get(f"boards/{board}")["ratings"]
    assert end["facts"]["ratings"] == ratings
    assert ratings[0]["change"] > 0
    assert stream(eve, f"boards/{board}?since={move['id']}")[1:] == [end]
    assert stream(eve, f"boards/{board}?since={end['id']}")[1:] == []


def test_private_boards_are_in_no_other_stream(world: Any, program: Programs) -> None:
    ann, eve = program("ann"), program("eve")
    (hello,) = stream(eve, "boards")
    private = world.board(moves="b8", terms=("--private",))
    public = world.board(moves="b8 b5")
    told = stream(eve, f"boards?since={hello['id']}")[1:]
    assert [(item["board"], item["facts"]["text"]) for item in told] == [
        (public, "b8"),
        (public, "b5"),
    ]
    eve.get(f"events/boards/{private}?seconds=0")
    assert (eve.status, eve.code) == (404, "unknown-board")
    assert stream(ann, f"boards/{private}?since=0")[1]["facts"]["text"] == "b8"
    # Each can be gone on from; those of one's own board name one's seats.
    for at, item in enumerate(told):
        assert stream(eve, f"boards?since={item['id']}")[1:] == told[at + 1 :]
    assert stream(ann, f"boards?since={hello['id']}")[1]["your_seats"] == [0]


def test_an_event_that_is_committed_late_is_told_in_its_place(
    world: Any, program: Programs
) -> None:
    eve = program("")
    (hello,) = stream(eve, "boards")
    world.board(moves="b8 b5")
    world.board(moves="c1")
    MatchEvent.objects.update(at=timezone.now())
    first = MatchEvent.objects.order_by("pk").first()
    assert first is not None
    kept = MatchEvent.objects.filter(pk=first.pk).values().get()
    first.delete()
    assert stream(eve, f"boards?since={hello['id']}")[1:] == []
    MatchEvent.objects.create(**kept)
    told = stream(eve, f"boards?since={hello['id']}")[1:]
    assert [item["facts"]["text"] for item in told] == ["b8", "b5", "c1"]
    # One that was rolled back never comes: the others are told after a while.
    MatchEvent.objects.filter(pk=told[0]["id"] // 2).delete()
    MatchEvent.objects.update(at=timezone.now() - board_streams.SETTLED)
    told = stream(eve, f"boards?since={hello['id']}")[1:]
    assert [item["facts"]["text"] for item in told] == ["b5", "c1"]


@pytest.mark.parametrize("path", ["boards", "boards/{board}"])
def test_an_id_of_no_item_of_a_board_is_refused(world: Any, program: Programs, path: str) -> None:
    eve = program("")
    path = path.format(board=world.board(moves="b8"))
    eve.get(f"events/{path}?seconds=0&since={10**14}")
    assert (eve.status, eve.code) == (422, "unknown-event")
