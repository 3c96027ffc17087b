"""Reply addresses: what proves their bearer, for how long, and how they are revoked."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from email.message import EmailMessage
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from aiosmtpd.smtp import Envelope
from django.db import OperationalError, connections
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from doors.mail.conftest import PostOffice, text_of, words_of
from sarsen.doors.mail.addresses import is_ours, mailbox
from sarsen.doors.mail.receive import listener
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.reply_addresses import SPEAKS, SPEAKS_AFTER_THE_GAME
from sarsen.storage.models import CaughtMail, InboundMail, Match, MatchEvent, Player

ANN, BOB, EVE = "ann@ann.example", "bob@bob.example", "eve@eve.example"
Board = dict[str, EmailMessage]


@pytest.fixture(autouse=True)
def _no_pictures(settings: Settings) -> None:
    settings.SARSEN_MAIL_PICTURES = False  # drawing them takes most of a test's time


@pytest.fixture
def board(post: PostOffice) -> Board:
    letters = post.board()
    for address in (ANN, BOB):
        post.box(address)
    return letters


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(
        datetime(2026, 11, 21, 12, tzinfo=timezone.get_default_timezone())
    ) as to:
        yield to


def local(letter: EmailMessage) -> str:
    return str(letter["Reply-To"]).partition("@")[0]


def moves() -> list[str]:
    return list(MatchEvent.objects.order_by("pk").values_list("text", flat=True))


def test_f32_address_says_nothing_that_can_be_guessed(board: Board) -> None:
    # 80 bits; and 1,000 mails an hour to a board are taken: 10^17 years for one in a thousand.
    found = re.fullmatch(r"board-1-0-1-0-0-([a-z2-7]{16})[a-z2-7]{4}", local(board["ann"]))
    assert found
    seats = Match.objects.get().seats.values_list("letter_key", flat=True)
    assert len(set(seats)) == 2


def changed(address: str) -> Iterator[str]:
    """Yield addresses that are nearly this one."""
    head, _, mac = address.rpartition("-")
    yield f"{head}-{mac[:-1]}{'a' if mac[-1] != 'a' else 'b'}"
    yield f"{head}-{'a' * 16}"
    yield f"{head}-{'a' * 20}"
    yield f"{head}-{'b' if mac[0] != 'b' else 'c'}{mac[1:]}"
    yield f"{head}-{mac[:16]}aaaa"
    yield address.replace("board-1-0-", "board-1-1-")  # the other seat
    yield address.replace("board-1-0-1-", "board-1-0-3-")  # another ply
    yield address.replace("board-1-", "board-2-")  # another board
    yield address.replace("board-1-0-1-0-0-", "board-1-0-1-0-1-")  # asked something else
    yield address.replace("board-1-0-1-0-0-", "board-1-0-1-")  # in the older form
    yield address.replace("board-1-0-1-0-0-", "player-1-")
    yield address.replace("board-1-0-1-0-0-", "player-1-20000-")


def test_m17_f32_altered_address_is_refused_without_telling_what_is_wrong(
    post: PostOffice, board: Board
) -> None:
    said = set()
    for number, address in enumerate(changed(local(board["ann"]))):
        writer = f"eve@eve{number}.example"
        post.send(writer, "a1", to=f"{address}@sarsen.test")
        said.add(text_of(post.last(writer)))
    assert len(said) == 1
    assert "[reply-address]" in said.pop()
    assert moves() == []
    assert not post.box(ANN)


@pytest.fixture
def said_to_rcpt() -> Callable[[str], str]:
    """Name a recipient to the listener, and give its reply."""
    session = SimpleNamespace(hostname="sarsen.test")

    async def name(address: str) -> str:
        handler = listener.MailHandler(listener.BatchedStore())
        envelope = Envelope()
        envelope.mail_from = EVE
        given: Any = (session, None, envelope, f"{address}@sarsen.test", [])
        reply = await handler.handle_RCPT(*given)
        handler._batched._looking.submit(connections.close_all).result()
        return reply

    return lambda address: asyncio.run(name(address))


def test_f32_forged_address_is_refused_at_once_and_one_of_ours_is_taken_whatever_became_of_it(
    board: Board, said_to_rcpt: Callable[[str], str], settings: Settings
) -> None:
    address, player = local(board["ann"]), Player.objects.get(key="ann")
    bounce = reply_addresses.bounce_address(7).partition("@")[0]
    forged = [*changed(address), f"bounce-8{bounce[8:]}"]
    mine, settings.SECRET_KEY = settings.SECRET_KEY, "the key of another server"
    forged.append(reply_addresses.player_address(player).partition("@")[0])
    settings.SECRET_KEY = mine
    assert {said_to_rcpt(one)[:9] for one in forged} == {"550 5.1.1"}
    ours = [
        address,
        address.upper(),
        bounce,
        reply_addresses.player_address(player).partition("@")[0],
    ]
    assert {said_to_rcpt(one)[:3] for one in ours} == {"250"}
    # Revoked; of a game that is no more; of a player who is gone: each is told so by mail.
    Match.objects.get().seats.update(letter_key="new")
    Player.objects.update(letter_key="new", is_active=False)
    assert {said_to_rcpt(one)[:3] for one in ours} == {"250"}
    # With a key of the server that was replaced, and with that forgotten.
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "a newer key"
    assert {said_to_rcpt(one)[:3] for one in ours} == {"250"}
    settings.SECRET_KEY_FALLBACKS = []
    assert {said_to_rcpt(one)[:9] for one in ours} == {"550 5.1.1"}


@pytest.mark.django_db(transaction=True)  # the listener asks from a thread of its own
def test_f32_address_of_the_first_versions_is_taken_while_it_proves_something(
    board: Board, said_to_rcpt: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old = local(board["ann"])[:-4]
    assert reply_addresses.read_signed_address(old)
    assert said_to_rcpt(old)[:3] == "250"
    assert said_to_rcpt(old[:-1] + ("a" if old[-1] != "a" else "b"))[:9] == "550 5.1.1"

    def away(local_part: str) -> None:
        raise OperationalError

    # Then nothing is refused for ever: DATA is answered 451.
    monkeypatch.setattr(reply_addresses, "read_signed_address", away)
    assert said_to_rcpt(old)[:3] == "250"


def test_f32_guess_at_an_address_costs_no_look_at_the_store(
    board: Board,
    said_to_rcpt: Callable[[str], str],
    django_assert_num_queries: Callable[[int], AbstractContextManager[None]],
) -> None:
    address = local(board["ann"])
    with django_assert_num_queries(0):
        assert said_to_rcpt(address)[:3] == "250"
        assert said_to_rcpt(address.replace("board-1-", "board-2-"))[:9] == "550 5.1.1"


def test_f32_truncated_address_is_refused_in_the_session_and_upper_case_holds(
    post: PostOffice, board: Board
) -> None:
    address = str(board["ann"]["Reply-To"])
    name, _, domain = address.partition("@")
    for short in (name[:-1], name[:-5], name.rpartition("-")[0], name + "a"):
        assert not is_ours(f"{short}@{domain}")
    assert is_ours(address.upper())
    post.send(EVE, "a1", to=address.upper())
    assert moves() == ["a1"]


def test_f32_address_signed_with_an_older_key_of_the_server_holds_while_that_is_kept(
    post: PostOffice, board: Board, settings: Settings
) -> None:
    old, settings.SECRET_KEY = settings.SECRET_KEY, "a new key of the server, after a leak"
    assert reply_addresses.read_signed_address(local(board["ann"])) is None
    settings.SECRET_KEY_FALLBACKS = ["one still older", old]
    post.answer(board["ann"], "a1")
    assert moves() == ["a1"]
    assert reply_addresses.read_signed_address(local(post.last(ANN)))
    settings.SECRET_KEY_FALLBACKS = []
    assert reply_addresses.read_signed_address(local(board["ann"])) is None


def test_f32_address_of_a_board_is_answered_with_the_board_long_after_its_end(
    post: PostOffice, board: Board
) -> None:
    post.answer(board["ann"], "a1")
    post.answer(board["ann"], "resign")
    post.answer(post.last(ANN), "yes")
    post.box(ANN)
    ended = timezone.now() - SPEAKS_AFTER_THE_GAME
    Match.objects.update(ended_at=ended + timedelta(hours=1))
    post.answer(board["ann"], "chat Thank you for the game")
    assert "Thank you for the game" in text_of(post.last(BOB))
    post.box(ANN)
    Match.objects.update(ended_at=ended - timedelta(hours=1))
    post.send(EVE, "chat I am ann", to=str(board["ann"]["Reply-To"]))
    # The player is told, and not the sender.
    assert not post.box(EVE)
    assert not post.box(BOB)
    text = text_of(post.last(ANN))
    assert "The reply address you used is too old" in text
    assert "a1" in text


def test_f32_address_of_a_player_is_too_old_after_some_hundred_days(
    post: PostOffice, clock: time_machine.Traveller
) -> None:
    welcome = post.join("ann")
    challenge = "druid challenge ann anyone"
    clock.shift(SPEAKS)
    post.answer(welcome, challenge)
    assert "Challenge 1" in text_of(post.last(ANN))
    clock.shift(timedelta(days=1))
    post.answer(welcome, challenge)
    told = post.last(ANN)
    assert "The reply address you used is too old" in text_of(told)
    assert "Challenge" not in text_of(told)
    post.answer(told, challenge)
    assert "Challenge 2" in text_of(post.last(ANN))


def test_m17_address_of_one_kind_is_none_of_another(post: PostOffice) -> None:
    player = Player.objects.create(key="ann", userid="ann", joined_at=timezone.now())
    watching = reply_addresses.watching_address(player, 7).partition("@")[0]
    assert reply_addresses.read_signed_address(watching)
    assert reply_addresses.read_signed_address(watching.replace("watching", "invited")) is None


def test_address_of_a_release_that_wrote_no_days_still_speaks(post: PostOffice) -> None:
    post.join("ann")
    player = Player.objects.get(key="ann")
    for kind, numbers in (("player", (player.pk,)), ("invited", (7, player.pk))):
        address = reply_addresses._address(kind, numbers, player.letter_key)
        bearer = reply_addresses.read_signed_address(address.partition("@")[0])
        assert bearer
        assert bearer.player == player
        assert not bearer.is_too_old


def test_m23_one_tap_on_the_board_page_revokes_an_address_that_was_passed_on(
    post: PostOffice, board: Board, client: Client
) -> None:
    client.force_login(Player.objects.get(key="ann"))
    page = client.get("/boards/1/").content.decode()
    forms = re.findall(r'<form method="post" action="/do/">.*?</form>', page, re.S)
    sent = [dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form)) for form in forms]
    (fields,) = [one for one in sent if one.get("command") == "revoke"]
    client.post("/do/", fields)
    # Bob, to whom ann has passed her mail on, plays nothing with it.
    post.send(BOB, "a1", to=str(board["ann"]["Reply-To"]))
    assert moves() == []
    assert "[reply-address]" in text_of(post.last(BOB))
    # Ann has a new one, and bob's own holds as before.
    post.answer(post.last(ANN), "a1")
    post.answer(board["bob"], "chat hello")
    assert moves() == ["a1"]
    assert "hello" in text_of(post.last(ANN))


@pytest.mark.parametrize(
    ("line", "of_others"),
    [("revoke", True), pytest.param("revoke all", False, marks=pytest.mark.slow)],
)
def test_m23_an_answer_to_a_mail_revokes_its_address_or_all(
    post: PostOffice, line: str, of_others: bool
) -> None:
    welcome = post.join("ann")
    post.join("bob")
    post.answer(welcome, "druid challenge -size=4 me bob")
    post.answer(post.last(BOB), "accept")
    letter = post.last(ANN)
    post.answer(letter, line)
    assert reply_addresses.read_signed_address(local(letter)) is None
    assert (reply_addresses.read_signed_address(local(welcome)) is not None) is of_others
    boards = [one for one in post.box(ANN) if local(one).startswith("board-1-")]
    post.answer(boards[-1], "a1")
    assert moves() == ["a1"]


def test_m23_stolen_address_of_a_board_does_not_take_the_account(
    post: PostOffice, board: Board
) -> None:
    for line in ("change address eve@eve.example", "change password eves-own-words", "signoff"):
        post.send(EVE, line, to=str(board["ann"]["Reply-To"]))
        assert "[account-proof]" in text_of(post.last(ANN))
    assert not post.box(EVE)
    assert not CaughtMail.objects.filter(address=EVE).exists()
    player = Player.objects.get(key="ann")
    assert player.check_password("secret-ann")
    # Its owner is told, and goes on from there.
    post.send(EVE, "change password anns-new-words", to=str(board["ann"]["Reply-To"]))
    post.answer(post.last(ANN), "change password anns-new-words")
    player.refresh_from_db()
    assert player.check_password("anns-new-words")
    assert not InboundMail.objects.exclude(raw=b"").exists()


def test_address_with_a_tag_is_the_address_without_it(post: PostOffice) -> None:
    for local in ("sarsen+x", "Sarsen+", "druid+a+b", "postmaster+x", "play+1"):
        assert is_ours(f"{local}@sarsen.test")
    for local in ("+sarsen", "sarsen-x", "nobody+sarsen", "board-1+x"):
        assert not is_ours(f"{local}@sarsen.test")
    assert mailbox("sarsen+x@sarsen.test") == mailbox("druid+y@sarsen.test") == "sarsen"
    assert mailbox("abuse+x@sarsen.test") == "abuse"
    post.join("ann")
    post.send("ann@ann.example", subject="challenge ann", to="druid+phone@sarsen.test")
    assert "druid" in words_of(post.last("ann@ann.example")).lower()
    post.send("ann@ann.example", subject="help", to="postmaster+x@sarsen.test")
    assert not post.box("ann@ann.example")
