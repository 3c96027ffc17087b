"""What players are told, by which channel and when; and the digest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import (
    Accept,
    AnswerOffer,
    ChangeNotices,
    Chat,
    Decline,
    Deliveries,
    OfferDraw,
    PlayMove,
)
from sarsen.language.grammar.time_zones import zone_called
from sarsen.language.notices import event_words
from sarsen.language.replies import NoticesStand, Reply, Table, decode, encode, sentence
from sarsen.services.dispatch import perform
from sarsen.services.mail import outgoing
from sarsen.services.notices import Channel, Event, channel_of, notify, notify_all
from sarsen.services.notices.channels import CHOSEN
from sarsen.services.notices.digests import sweep_digests
from sarsen.services.notices.notify import next_hour, quiet_end
from sarsen.services.request import Actor
from sarsen.storage.models import DigestItem, Match, OutgoingMail, Player
from web_world import NOW, World

pytestmark = pytest.mark.postgres


@pytest.fixture
def world(db: None) -> World:
    return World()


def wants(world: World, userid: str, event: str = "", channel: str = "") -> NoticesStand:
    reply = perform(ChangeNotices(event, channel), Actor(world.player(userid)), "", NOW)
    assert isinstance(reply, NoticesStand)
    return reply


def say(reply: Reply) -> str:
    return sentence(decode(encode(reply)))


def letters(userid: str, **fields: Any) -> list[OutgoingMail]:
    found = OutgoingMail.objects.filter(player__key=userid, **fields)
    return list(found.order_by("pk"))


def play(world: World, board: int, userid: str, text: str) -> None:
    perform(PlayMove("druid", board, text), Actor(world.player(userid)), "", NOW)


def test_every_event_has_words(world: World) -> None:
    assert all(event_words(event) for event in (*Event, "digest"))


def test_what_is_not_chosen_is_mailed_and_a_choice_is_kept_only_where_it_differs(
    world: World,
) -> None:
    assert {channel_of(world.player("ann"), event) for event in Event} == {Channel.MAIL}
    wants(world, "ann", "chat", "digest")
    assert world.player("ann").channels == {"chat": "digest"}
    wants(world, "ann", "chat", "mail")
    assert world.player("ann").channels == {}


def test_a_turn_is_a_letter_a_digest_item_or_nothing(world: World) -> None:
    board = world.board(options="-size=4")
    play(world, board, "ann", "a1")
    assert [letter.event for letter in letters("bob", event="turn")] == ["turn"]
    wants(world, "bob", "turn", "digest")
    play(world, board, "bob", "b1")
    play(world, board, "ann", "a2")
    assert len(letters("bob", event="turn")) == 1
    assert [item.event for item in DigestItem.objects.all()] == ["turn"]
    wants(world, "bob", "turn", "none")
    play(world, board, "bob", "b2")
    play(world, board, "ann", "c3")
    assert len(letters("bob", event="turn")) == 1
    assert DigestItem.objects.count() == 1


def test_all_none_keeps_the_last_warnings_and_says_so(world: World) -> None:
    stand = wants(world, "ann", "all", "none")
    ann = world.player("ann")
    silent = {event for event in Event if channel_of(ann, event) is Channel.NONE}
    assert silent == set(CHOSEN) - {Event.REMINDER, Event.ENDED}
    assert "still come" in say(stand)
    assert "lose games without being warned" not in say(stand)


@pytest.mark.parametrize("event", ["reminder", "ended"])
def test_who_stops_a_last_warning_is_told_what_that_means(world: World, event: str) -> None:
    stand = wants(world, "ann", event, "none")
    assert channel_of(world.player("ann"), Event(event)) is Channel.NONE
    assert "You could lose games without being warned" in say(stand)
    assert f"notices {event} mail" in say(stand)
    # Said again whenever the settings are shown.
    assert "You could lose games without being warned" in say(wants(world, "ann"))


@pytest.mark.parametrize(
    ("event", "channel", "code"),
    [
        ("account", "none", "notices-account"),
        ("trun", "mail", "notices-event"),
        ("turn", "pigeon", "notices-channel"),
        ("turn", "", "notices-channel"),
        ("reminder", "digest", "notices-reminder"),
        ("weekly", "digest", "notices-weekly"),
        ("quiet", "22", "notices-hours"),
        ("quiet", "7-7", "notices-hours"),
        ("quiet", "25-7", "notices-hours"),
        ("digest", "noon", "notices-hours"),
        ("webhook", "http://example.org/", "webhook-address"),
        ("webhook", "https://127.0.0.1/", "webhook-address"),
        ("webhook", "https://u:p@example.org/", "webhook-address"),
        ("webhook", "file:///etc/passwd", "webhook-address"),
        ("webhook", "https://exa mple.org/\x00", "webhook-address"),
        ("webhook", "https://example.org/" + "x" * 300, "webhook-address"),
    ],
)
def test_what_cannot_be_is_refused_with_a_line_that_works(
    world: World, event: str, channel: str, code: str
) -> None:
    before = Player.objects.filter(key=world.player("ann").key).values().get()
    with pytest.raises(UserError) as refusal:
        wants(world, "ann", event, channel)
    assert refusal.value.code == code
    assert refusal.value.hint
    assert Player.objects.filter(key="ann").values().get() == before


def test_account_letters_come_whatever_is_chosen(world: World) -> None:
    ann = world.player("ann")
    ann.channels = {"account": "none"}
    ann.quiet_from, ann.quiet_until = 0, 23
    notify(ann, Event.ACCOUNT, "account-changed", {"what": "password"}, NOW)
    assert [letter.due_at for letter in letters("ann")] == [NOW]


def test_nobody_who_left_is_told(world: World) -> None:
    ann, bob = world.player("ann"), world.player("bob")
    ann.is_active = False
    notify_all([ann, bob], Event.BROADCAST, "broadcast", {"from": "x", "text": "y"}, NOW)
    assert not letters("ann")
    assert letters("bob")


def test_quiet_hours_hold_letters_until_their_end_in_local_time(world: World) -> None:
    ann = world.player("ann")
    ann.timezone = "America/New_York"  # 12:00 UTC is 07:00 there
    ann.quiet_from, ann.quiet_until = 22, 9
    notify(ann, Event.TURN, "board", {}, NOW)
    assert letters("ann")[0].due_at == NOW + timedelta(hours=2)
    ann.quiet_from, ann.quiet_until = 22, 7
    assert quiet_end(ann, NOW) is None
    ann.quiet_from, ann.quiet_until = 6, 8
    assert quiet_end(ann, NOW) == NOW + timedelta(hours=1)


def test_a_reminder_is_not_held_back_when_little_time_is_left(world: World) -> None:
    match = Match.objects.get(pk=world.board())
    ann = world.player("ann")
    ann.quiet_from, ann.quiet_until = 10, 20
    for left, waits in ((timedelta(hours=20), False), (timedelta(days=3), True)):
        match.due_at = NOW + left
        notify(ann, Event.REMINDER, "reminder", {}, NOW, match=match)
        letter = letters("ann", event="reminder")[-1]
        assert letter.due_at == (NOW + timedelta(hours=8) if waits else NOW)


def test_the_next_hour_is_found_across_a_change_of_clocks() -> None:
    berlin = zone_called("Europe/Berlin")
    evening = datetime(2026, 10, 24, 18, 0, tzinfo=UTC)  # the clocks go back in the night
    assert next_hour(berlin, 18, evening) == datetime(2026, 10, 25, 17, 0, tzinfo=UTC)
    assert next_hour(berlin, 23, evening) == datetime(2026, 10, 24, 21, 0, tzinfo=UTC)
    assert zone_called("No/Where").utcoffset(evening) == timedelta()


def test_a_digest_comes_at_its_hour_once_with_what_waits_for_me_first(world: World) -> None:
    wants(world, "bob", "turn", "digest")
    wants(world, "bob", "invitation", "digest")
    wants(world, "bob", "started", "digest")
    world.challenge("druid", "carla", "bob")
    boards = [world.board(options="-size=4", players=("ann", "bob")) for _ in range(3)]
    for board in boards:
        play(world, board, "ann", "a1")
    Match.objects.filter(pk=boards[0]).update(due_at=NOW + timedelta(days=9))
    Match.objects.filter(pk=boards[1]).update(due_at=NOW + timedelta(days=2))
    Match.objects.filter(pk=boards[2]).update(due_at=None)
    OutgoingMail.objects.all().delete()
    assert sweep_digests(NOW + timedelta(hours=5)) == 0  # 17:00
    assert sweep_digests(NOW + timedelta(hours=6)) == 1
    assert sweep_digests(NOW + timedelta(hours=6)) == 0
    (letter,) = letters("bob")
    assert (letter.kind, letter.event, letter.priority) == ("digest", "digest", 2)
    about = [(one["about"], one.get("board")) for one in letter.facts["entries"]]
    assert about[:3] == [("board", boards[1]), ("board", boards[0]), ("board", boards[2])]
    assert about[3] == ("invitation", None)
    assert not DigestItem.objects.exists()
    assert world.player("bob").digest_due_at is None


def test_a_digest_leaves_out_what_is_settled_by_then(world: World) -> None:
    for event in ("turn", "started", "invitation"):
        wants(world, "bob", event, "digest")
    board = world.board(options="-size=4", players=("ann", "bob"))
    DigestItem.objects.all().delete()
    play(world, board, "ann", "a1")
    asked = world.challenge("druid", "carla", "bob")
    play(world, board, "bob", "b1")  # by the web: it is not bob's turn any more
    perform(Decline(asked.number, ""), Actor(world.player("bob")), "", NOW)
    assert DigestItem.objects.count() == 2
    OutgoingMail.objects.all().delete()
    assert sweep_digests(NOW + timedelta(days=1)) == 0
    assert not letters("bob")
    assert not DigestItem.objects.exists()


def test_a_digest_words_a_board_as_it_now_stands(world: World) -> None:
    wants(world, "bob", "moved", "digest")
    wants(world, "bob", "turn", "digest")
    board = world.board(options="-size=3", players=("ann", "bob"))
    for number, move in enumerate(("a1", "b1", "a2", "b2")):
        play(world, board, ("ann", "bob")[number % 2], move)
    Player.objects.filter(key="bob").update(channels={"turn": "digest", "ended": "digest"})
    play(world, board, "ann", "a3")
    OutgoingMail.objects.all().delete()
    sweep_digests(NOW + timedelta(days=1))
    (letter,) = letters("bob")
    (entry,) = letter.facts["entries"]
    assert entry["is_over"]
    assert entry["winner"] == "ann"
    assert entry["ply"] == 5


def test_a_digest_says_what_is_asked_and_passes_words_on(world: World) -> None:
    for event in ("offer", "chat"):
        wants(world, "bob", event, "digest")
    board = world.board(options="-size=4", moves="a1 b1", players=("ann", "bob"))
    ann, bob = Actor(world.player("ann")), Actor(world.player("bob"))
    perform(Chat("druid", board, "A quiet game."), ann, "", NOW)
    perform(OfferDraw("druid", board), ann, "", NOW)
    OutgoingMail.objects.all().delete()
    assert [item.event for item in DigestItem.objects.order_by("pk")] == ["chat", "offer"]
    sweep_digests(NOW + timedelta(days=1))
    (entry,) = letters("bob")[0].facts["entries"]
    assert entry["asked"] == "draw"
    assert entry["said"] == [["ann", "A quiet game."]]
    # Answered before the next digest: nothing is asked any more.
    perform(Chat("druid", board, "Still there?"), ann, "", NOW)
    perform(AnswerOffer("druid", board), bob, "", NOW)
    sweep_digests(NOW + timedelta(days=2))
    (entry,) = letters("bob")[-1].facts["entries"]
    assert entry["asked"] == ""


def test_a_new_digest_hour_moves_the_digest_that_waits(world: World) -> None:
    wants(world, "bob", "message", "digest")
    notify(world.player("bob"), Event.MESSAGE, "message", {"from": "a", "text": "b"}, NOW)
    assert world.player("bob").digest_due_at == NOW + timedelta(hours=6)
    wants(world, "bob", "digest", "20:00")
    assert world.player("bob").digest_due_at == NOW + timedelta(hours=8)
    notify(world.player("bob"), Event.MESSAGE, "message", {"from": "a", "text": "b"}, NOW)
    assert world.player("bob").digest_due_at == NOW + timedelta(hours=8)


def test_the_number_of_queries_of_a_digest_run_does_not_grow_with_the_players(
    world: World, django_assert_max_num_queries: Any
) -> None:
    for number in range(120):
        player = world.player(f"p{number}")
        player.channels = {"message": "digest"}
        notify(player, Event.MESSAGE, "message", {"from": "a", "text": "b"}, NOW)
    with django_assert_max_num_queries(40):
        assert sweep_digests(NOW + timedelta(days=1)) == 120


def test_ten_thousand_slow_letters_do_not_go_before_a_move(world: World) -> None:
    ann = world.player("ann")
    everybody = {"kind": "broadcast", "address": "x@example.org", "queued_at": NOW}
    OutgoingMail.objects.bulk_create(
        OutgoingMail(priority=2, due_at=NOW - timedelta(days=1), **everybody) for _ in range(10_000)
    )
    notify(ann, Event.TURN, "board", {}, NOW)
    assert [letter.kind for letter in outgoing.claim_due(NOW, 2)] == ["board", "broadcast"]


def test_deliveries_say_when_what_and_how_it_went(world: World) -> None:
    board = world.board(options="-size=4")
    play(world, board, "ann", "a1")
    wants(world, "bob", "message", "digest")
    notify(world.player("bob"), Event.MESSAGE, "message", {"from": "a", "text": "b"}, NOW)
    claimed = outgoing.claim_due(NOW, 10)
    mine = [letter for letter in claimed if letter.player == world.player("bob")]
    outgoing.mark_refused(mine[-1], "550 no such user", NOW, for_good=True)
    outgoing.mark_sent([letter.id for letter in mine[:-1]], NOW)
    reply = perform(Deliveries(), Actor(world.player("bob")), "", NOW)
    assert isinstance(reply, Table)
    waiting, *rows = reply.rows
    assert waiting[-1] == "1 notice waits for the digest at Fri 20 Nov 18:00 UTC"
    assert {row[3] for row in rows} == {"bob@example.org"}
    assert any(row[1] == "turn" and row[2] == str(board) for row in rows)
    assert any("given up: the mail server refused it for good (550" in row[-1] for row in rows)
    assert any(row[-1] == "sent" for row in rows)
    # Another player's log holds none of it.
    other = perform(Deliveries(), Actor(world.player("dora")), "", NOW)
    assert isinstance(other, Table)
    assert not other.rows


def test_feeds_have_new_addresses_when_asked_for(world: World) -> None:
    first = wants(world, "ann", "feeds").feeds
    assert first == wants(world, "ann", "feeds").feeds
    assert len(first) == 3
    second = wants(world, "ann", "feeds", "new").feeds
    assert not set(first) & set(second)
    assert second[0] in say(wants(world, "ann", "feeds"))


def test_settings_are_shown_without_secrets(world: World) -> None:
    wants(world, "ann", "quiet", "22-7")
    shown = wants(world, "ann", "webhook", "https://example.org/hook")
    assert world.player("ann").webhook_key in say(shown)
    text = say(wants(world, "ann"))
    assert "22-7" in text
    assert "https://example.org/hook" in text
    assert world.player("ann").webhook_key not in text
    for event in (*CHOSEN, Event.ACCOUNT):
        assert event in text


def test_the_setting_of_a_notice_that_is_gone_is_taken_and_changes_nothing(world: World) -> None:
    wants(world, "ann", "rating", "none")
    assert world.player("ann").channels == {}
    assert "rating" not in say(wants(world, "ann"))


def test_an_accepted_challenge_tells_the_other_by_event(world: World) -> None:
    asked = world.challenge("druid", "ann", "bob", options="-size=4")
    perform(Accept(asked.number), Actor(world.player("bob")), "", NOW)
    assert [letter.event for letter in letters("bob")] == ["invitation"]
    assert [letter.event for letter in letters("ann")] == ["started"]
