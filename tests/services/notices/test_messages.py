"""Messages to some players, and broadcasts to all."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import Broadcast, ConfirmAccount, SendMessage
from sarsen.language.replies import (
    BroadcastAsked,
    MessageSent,
    Reply,
    decode,
    encode,
    sentence,
    sentence_to_type,
)
from sarsen.services.dispatch import perform
from sarsen.services.limits import daily
from sarsen.services.notices import announcements
from sarsen.services.notices.announcements import sweep_announcements
from sarsen.services.notices.messages import without_quotes
from sarsen.services.request import Actor
from sarsen.storage.models import Announcement, DigestItem, OutgoingMail, Player
from web_world import NOW, World


@pytest.fixture
def world(db: None) -> World:
    world = World()
    for userid in ("ann", "bob", "carla"):
        world.player(userid)
    return world


def send(world: World, to: tuple[str, ...], text: str, at: datetime = NOW) -> Reply:
    return perform(SendMessage(to, text), Actor(world.player("ann")), "", at)


def broadcast(world: World, text: str, at: datetime = NOW) -> BroadcastAsked:
    reply = perform(Broadcast(text), Actor(world.player("ann")), "", at)
    assert isinstance(reply, BroadcastAsked)
    return reply


def confirm(world: World, at: datetime = NOW, *, agrees: bool = True) -> Reply:
    return perform(ConfirmAccount("broadcast", agrees), Actor(world.player("ann")), "", at)


def letters(kind: str, **fields: Any) -> list[OutgoingMail]:
    return list(OutgoingMail.objects.filter(kind=kind, **fields).order_by("pk"))


def test_a_message_reaches_those_named_once_each(world: World) -> None:
    reply = send(world, ("Bob", "carla", "bob"), "Hello!")
    assert reply == MessageSent(("bob", "carla"), "Hello!")
    assert [one.address for one in letters("message")] == ["bob@example.org", "carla@example.org"]
    assert "bob, carla" in sentence(decode(encode(reply)))
    assert "@" not in str(letters("message")[0].facts)


def test_who_refuses_a_player_gets_no_message_and_the_sender_is_not_told(world: World) -> None:
    Player.objects.filter(key="bob").update(refuses=["ann"])
    assert send(world, ("bob",), "Hello!") == MessageSent(("bob",), "Hello!")
    assert not letters("message")


def test_a_message_may_wait_for_the_digest(world: World) -> None:
    Player.objects.filter(key="bob").update(channels={"message": "digest"})
    send(world, ("bob",), "Hello!")
    assert not letters("message")
    assert DigestItem.objects.get().facts["facts"]["text"] == "Hello!"


def test_control_characters_and_changes_of_direction_are_cleaned(world: World) -> None:
    send(world, ("bob",), "One\x00\x1b[31m\u202e  two\r\n\n\n\n\tthree\x07 \n")
    assert letters("message")[0].facts["text"] == "One[31m  two\n\n\n\n        three"


@pytest.mark.parametrize(
    ("to", "text", "code"),
    [
        (("bob",), "", "text-missing"),
        (("bob",), " \x00\n\u200b ", "text-missing"),
        (("bob",), "x" * 10_001, "text-too-long"),
        (("bob", "nobody"), "Hello!", "unknown-player"),
        (("ann",), "Hello!", "message-to-yourself"),
        (tuple(f"p{number}" for number in range(11)), "Hello!", "too-many-receivers"),
    ],
)
def test_what_cannot_be_sent_is_refused(
    world: World, to: tuple[str, ...], text: str, code: str
) -> None:
    with pytest.raises(UserError) as refusal:
        send(world, to, text)
    assert refusal.value.code == code
    assert refusal.value.hint
    assert not letters("message")


def test_the_days_messages_are_bounded_and_the_next_is_possible_later(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(daily.MAX_A_DAY, "message", 3)
    send(world, ("bob", "carla"), "Hello!")
    with pytest.raises(UserError) as flood:
        send(world, ("bob", "carla"), "Hello!", NOW + timedelta(hours=1))
    assert flood.value.code == "message-flood"
    assert "23 hours" in flood.value.text
    send(world, ("bob",), "Hello!", NOW + timedelta(hours=1))
    send(world, ("bob", "carla"), "Hello!", NOW + timedelta(hours=25))
    assert len(letters("message")) == 5


QUOTED = "\n".join(
    (
        "The server moves.",
        "",
        "On Fri, 20 Nov 2026, bob wrote:",
        "> When does it move?",
        ">> And where?",
        "On Sunday.",
        "-- ",
        "ann, of the server",
    )
)


def test_a_broadcast_is_shown_to_its_author_without_quotes_and_signature(world: World) -> None:
    asked = broadcast(world, QUOTED)
    assert asked.text == "The server moves.\n\nOn Sunday."
    assert asked.left_out
    said = sentence_to_type(decode(encode(asked)))
    assert "    On Sunday." in said
    assert "yes" in said
    sweep_announcements(NOW)
    assert not letters("broadcast")


def test_a_confirmed_broadcast_reaches_all_who_want_it_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announcements, "BATCH", 2)
    monkeypatch.setattr(announcements, "MAX_BATCHES", 1)
    for number in range(4):
        world.player(f"p{number}")
    Player.objects.filter(key="p0").update(channels={"broadcast": "none"})
    Player.objects.filter(key="p1").update(channels={"broadcast": "digest"})
    Player.objects.filter(key="p2").update(is_active=False)
    broadcast(world, "The server moves.")
    confirm(world)
    while sweep_announcements(NOW):
        pass
    reached = [(one.address, one.priority) for one in letters("broadcast")]
    assert reached == [(f"{name}@example.org", 2) for name in ("bob", "carla", "p3")]
    assert DigestItem.objects.get().player == world.player("p1")
    assert Announcement.objects.get().is_done
    with pytest.raises(UserError) as twice:
        confirm(world)
    assert twice.value.code == "nothing-to-confirm"


def test_a_no_forgets_a_broadcast(world: World) -> None:
    broadcast(world, "The server moves.")
    confirm(world, agrees=False)
    assert not Announcement.objects.exists()
    with pytest.raises(UserError):
        confirm(world)


def test_a_second_broadcast_on_a_day_is_refused_before_it_is_shown(world: World) -> None:
    broadcast(world, "One.")
    broadcast(world, "One, said better.")  # showing is free
    confirm(world)
    assert Announcement.objects.get().facts["text"] == "One, said better."
    with pytest.raises(UserError) as flood:
        broadcast(world, "Two.", NOW + timedelta(hours=2))
    assert flood.value.code == "broadcast-flood"
    assert "22 hours" in flood.value.text
    broadcast(world, "Two.", NOW + timedelta(hours=25))


@pytest.mark.parametrize("text", ["", "> only quoted\n> words", "-- \nann"])
def test_a_broadcast_needs_words_of_its_own(world: World, text: str) -> None:
    with pytest.raises(UserError) as refusal:
        broadcast(world, text)
    assert refusal.value.code == "text-missing"


def test_words_that_only_look_like_quotes_stay() -> None:
    assert without_quotes("a > b\n--nogaps\n- one") == "a > b\n--nogaps\n- one"
