"""Between the proof of a speaker and the transaction an account may be closed: nothing is written.

Every command, and every change that a page makes without one, is done for a player as a door has
read them before the account was closed, forgotten, disabled, or given another password.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, connections
from django.utils import timezone
from pytest_django import Settings

from command_lines import LINES
from every_command import ENDED, prepared
from faults.one_effect.relay import Relay
from sarsen.core.errors import UserError
from sarsen.doors.mail.send import sending
from sarsen.games import names
from sarsen.language.commands import Chat, PlayMove
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.services import task_queue
from sarsen.services.accounts import leaving, passkeys, tokens
from sarsen.services.admin import actions
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.notices import push
from sarsen.services.plans import exploring
from sarsen.services.request import Actor
from sarsen.storage.models import (
    CaughtMail,
    ChatLine,
    OutgoingMail,
    Player,
    StreamItem,
    Subscription,
)
from web_world import NOW, World


def _commands(words: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for kind, line in LINES.items():
        body = tuple(line.body.split("\n")) if line.body else ()
        context = Context(names(), speaker="ann", body=body)
        found[kind.__name__] = read_line(line.text.format(**words), context).command
    return found


def _prepared() -> dict[str, Any]:
    """Prepare what commands speak of; operators are not forgotten."""
    words = prepared(World())
    Player.objects.filter(key="ann").update(is_staff=False)
    return words


def _rows() -> dict[str, list[Any]]:
    return {
        model.__name__: list(model._base_manager.order_by("pk").values())
        for model in apps.get_app_config("storage").get_models()
    }


def _refusal(deed: Callable[[], object]) -> str:
    try:
        deed()
    except UserError as refusal:
        return refusal.code
    return "done"


def _close(player: Player) -> None:
    leaving.leave({}, leaving.Request(Actor(player), NOW, AFTER_EVENTS))


def _forget(player: Player) -> None:
    leaving.forget(player, NOW, AFTER_EVENTS)


def _disable(player: Player) -> None:
    actions.ban(player, "Spam.", NOW, resigns=False)


@pytest.mark.django_db
@pytest.mark.parametrize("close", [_close, _forget, _disable])
def test_no_command_of_an_account_that_was_closed_meanwhile_writes_anything(
    close: Callable[[Player], None],
) -> None:
    wanted = _commands(_prepared())
    as_read = Player.objects.get(key="ann")
    close(Player.objects.get(key="ann"))
    before = _rows()
    codes = {
        name: _refusal(lambda command=command: perform(command, Actor(as_read), "", NOW))
        for name, command in wanted.items()
        if not command.is_query and name != "Multiple"
    }
    assert {name: code for name, code in codes.items() if code != "account-closed"} == {}
    assert _rows() == before


@pytest.mark.django_db
def test_no_page_changes_an_account_that_was_closed_meanwhile() -> None:
    words = _prepared()
    as_read = Player.objects.get(key="ann")
    _forget(Player.objects.get(key="ann"))
    before = _rows()
    board, ended = words["board"], words["ended"]
    deeds: dict[str, Callable[[], object]] = {
        "token": lambda: tokens.make(as_read, "mine", ["read"], NOW),
        "passkey": lambda: passkeys.add(as_read, {}, "{}", "mine", NOW),
        "device": lambda: push.add_device(as_read, "", "", "", "mine", NOW),
        "variation": lambda: exploring.add(board, (), ("b4",), as_read, NOW),
        "publishing": lambda: exploring.publish(ended, as_read, NOW),
    }
    codes = {name: _refusal(deed) for name, deed in deeds.items()}
    assert set(codes.values()) == {"account-closed"}, codes
    assert _rows() == before


@pytest.mark.django_db
def test_proof_by_a_password_ends_with_it_and_that_of_a_letter_does_not() -> None:
    words = prepared(World())
    as_read = Player.objects.get(key="ann")
    now = Player.objects.get(key="ann")
    now.set_password("another-one-of-hers")
    now.save()
    move = PlayMove("druid", words["board"], "b4")
    chat = Chat("druid", words["ended"], "Hello!")
    for command in (move, chat):
        by_password = Actor(as_read, by_password=True)
        code = _refusal(lambda command=command, by=by_password: perform(command, by, "", NOW))
        assert code == "password-changed"
        assert _refusal(lambda command=command: perform(command, Actor(as_read), "", NOW)) == "done"


@pytest.mark.django_db(transaction=True, reset_sequences=True)
@pytest.mark.postgres
def test_player_who_is_forgotten_while_chatting_at_many_boards_leaves_no_line() -> None:
    world = World()
    boards = [world.board(moves="b8"), world.board(moves=ENDED)] * 3
    ann = world.player("ann")
    Player.objects.filter(key="bob").update(has_stream=True)
    begun = threading.Barrier(len(boards) + 1)

    def chat(board: int) -> list[str]:
        codes = []
        try:
            begun.wait(120)
            as_read, line = Player.objects.get(pk=ann.pk), Chat("", board, "zugzwang")
            while not codes or codes[-1] == "done":
                codes.append(_refusal(lambda: perform(line, Actor(as_read), "", timezone.now())))
        finally:
            connections.close_all()
        return codes

    with ThreadPoolExecutor(len(boards)) as pool:
        talking = [pool.submit(chat, board) for board in boards]
        begun.wait(120)
        leaving.forget(Player.objects.get(pk=ann.pk), timezone.now(), AFTER_EVENTS)
        ends = [talk.result(120)[-1] for talk in talking]
    assert set(ends) == {"account-closed"}
    assert not ChatLine.objects.filter(text="zugzwang").exists()
    for model in (StreamItem, OutgoingMail):
        left = [row for row in model._base_manager.all() if "zugzwang" in str(row.facts)]
        assert not left


@pytest.mark.django_db(transaction=True, reset_sequences=True)
@pytest.mark.postgres
@pytest.mark.parametrize("deed", ["message", "chat", "challenge", "move"])
def test_what_others_write_while_a_player_is_forgotten_does_not_name_that_player(
    deed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their transaction has read the name and not yet ended when the forgetting begins."""
    world = World()
    ended = world.board(moves=ENDED, players=("quentin", "bob"))
    gone, bob = world.player("quentin"), world.player("bob")
    Player.objects.filter(pk=gone.pk).update(has_stream=True)
    running = world.board(moves="", players=("bob", "ann"))
    Subscription.objects.create(player=gone, match_id=running, made_at=NOW)
    line = {
        "move": f"druid move {running} b8",
        "message": "message quentin: hello",
        "chat": f"chat {ended} hello",
        "challenge": "druid challenge -size=5 bob quentin",
    }[deed]
    command = read_line(line, Context(names(), speaker="bob")).command
    has_written, goes_on, wake = threading.Event(), threading.Event(), task_queue.wake

    def pause(*given: Any) -> None:
        if threading.current_thread().name.startswith("bob"):
            has_written.set()
            assert goes_on.wait(120)
        wake(*given)

    def alone(do: Callable[[], object]) -> None:
        try:
            do()
        finally:
            connections.close_all()

    monkeypatch.setattr(task_queue, "wake", pause)
    with ThreadPoolExecutor(1, "bob") as others, ThreadPoolExecutor(1, "forgetting") as operator:
        writing = others.submit(alone, lambda: perform(command, Actor(bob), "one", timezone.now()))
        assert has_written.wait(120)
        forgetting = operator.submit(
            alone, lambda: leaving.forget(gone, timezone.now(), AFTER_EVENTS)
        )
        while connection.vendor == "postgresql" and not (forgetting.done() or _is_waiting()):
            pass  # until it is through, or waits for bob
        goes_on.set()
        writing.result(120)
        forgetting.result(120)
    left = {
        model: [row for row in rows if "quentin" in str(row)] for model, rows in _rows().items()
    }
    assert {model: rows for model, rows in left.items() if rows} == {}


def _is_waiting() -> bool:
    """Return whether a process waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])


def test_letter_of_a_player_forgotten_while_it_is_sent_stops_no_other(
    transactional_db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows of letters go, or lose what a forgotten player wrote, between claim and sending."""
    relay = Relay()
    monkeypatch.setattr(sending, "_backend", lambda: relay)
    write = sending._write
    for url in ("", "smtp://relay.example:25"):
        settings.SARSEN_SMTP_URL = url
        world = World()
        board = world.board(players=(f"quentin{len(url)}", "bob"))
        ann = world.player(f"quentin{len(url)}")
        sending.send_due(NOW, 100)
        perform(Chat("druid", board, "zugzwang"), Actor(ann), "", NOW)
        perform(Chat("druid", board, "Hello!"), Actor(world.player("bob")), "", NOW)

        def forget_first(*given: Any, ann: Player = ann) -> Any:
            _forget(Player.objects.get(pk=ann.pk))
            monkeypatch.setattr(sending, "_write", write)
            return write(*given)

        sent = len(relay.letters)
        monkeypatch.setattr(sending, "_write", forget_first)
        while sending.send_due(NOW, 100):
            pass
        assert not OutgoingMail.objects.filter(state="waiting").exists()
        told = [letter.raw for letter in relay.letters[sent:]]
        caught = CaughtMail.objects.filter(address="bob@example.org")
        told += [bytes(raw) for raw in caught.values_list("raw", flat=True)]
        assert told
        assert not [raw for raw in told if b"zugzwang" in raw or b"quentin" in raw]
