"""F21: rules that never end, or raise, stop their own move and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from faults.one_effect import deeds, endless
from faults.one_effect.deeds import Deed
from faults.one_effect.endless import Plugin
from faults.one_effect.relay import Relay
from faults.one_effect.server import GAMES, Server
from sarsen import games
from sarsen.core.errors import PluginBusy, PluginFailure
from sarsen.doors.mail import jobs
from sarsen.doors.mail.send import sending
from sarsen.isolation.allowance import (
    Allowance,
    Turn,
    allowance_in_force,
    plugins_within,
)
from sarsen.isolation.process import PluginProcess
from sarsen.isolation.stand_in import isolated
from sarsen.language.commands import Chat, PlayMove, QueueMoves, Resign
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.board_cache import forget_rules
from sarsen.services.clocks import running
from sarsen.services.dispatch import perform
from sarsen.services.mail import reply_addresses
from sarsen.services.matches import openings
from sarsen.services.plans import exploring
from sarsen.services.request import Actor
from sarsen.storage.models import InboundMail, Match, MatchEvent, OutgoingMail

LONG, SHORT = 60.0, 0.1  # seconds: for honest answers on a busy machine, and for none at all


@pytest.fixture
def turn(monkeypatch: pytest.MonkeyPatch) -> Turn:
    """The place of all plug-ins; one who finds it taken does not wait."""
    monkeypatch.setattr("sarsen.isolation.allowance.TURN_SECONDS", 0.0)
    return Turn()


@pytest.fixture
def server(
    db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch, turn: Turn
) -> Iterator[Server]:
    """A server with the broken game among the others, where nobody waits long for it."""
    let_plugins_take(LONG, monkeypatch)
    settings.SARSEN_SMTP_URL = "smtp://relay.example:25"
    settings.SARSEN_MAIL_PICTURES = False
    relay = Relay()
    monkeypatch.setattr(sending, "_backend", lambda: relay)
    module = isolated(Plugin(endless.__name__), turn)
    monkeypatch.setitem(games._modules(), "endless", module)
    monkeypatch.setitem(GAMES, "endless", "")
    games.names.cache_clear()
    forget_rules()
    server = Server(relay)
    server.now = timezone.now()
    module.GAME.start()  # loaded, whatever a question may take
    asked_in_transactions: list[bool] = []
    depth, ask = len(connection.atomic_blocks), PluginProcess.ask

    def note(process: PluginProcess, question: tuple[Any, ...], seconds: float) -> Any:
        if len(connection.atomic_blocks) > depth:
            asked_in_transactions.append(allowance_in_force().is_of_lock)
        return ask(process, question, seconds)

    monkeypatch.setattr(PluginProcess, "ask", note)
    yield server
    # A question asked in a transaction takes no longer than other writers can wait.
    assert all(asked_in_transactions)
    for process in module.GAME._processes:
        process.end()
    games.names.cache_clear()


def write(server: Server, board: int, move: str) -> None:
    """Take a mail to a board of ann's, who moves first."""
    address = reply_addresses.board_address(server.players["ann"], board, 1, event=0)
    assert address is not None
    name = f"{move}{next(server.numbers)}@ann.example"
    server.store(deeds.mail(Deed("move", "ann"), "ann@ann.example", address, move, name))


def let_plugins_take(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sarsen.isolation.allowance.PLAYER_SECONDS", seconds)
    monkeypatch.setattr(jobs, "FIRST_PLUGIN_SECONDS", seconds)


def let_wait_no_more() -> None:
    InboundMail.objects.update(wait_until=None)
    OutgoingMail.objects.update(due_at=timezone.now())


BROKEN = ["loop", "raise", pytest.param("stubborn", marks=pytest.mark.slow)]


@pytest.mark.parametrize("move", BROKEN)
def test_f21_mail_that_meets_broken_rules_is_set_aside_after_three_tries_and_others_are_answered(
    server: Server, move: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, druid = (server.begin(game, (), "ann", "bob") for game in ("endless", "druid"))
    write(server, stuck, move)
    write(server, druid, "a1")
    let_plugins_take(LONG if move == "raise" else SHORT, monkeypatch)
    server.answer_mail()
    assert Match.objects.get(pk=druid).ply == 1
    for _ in range(3):
        let_wait_no_more()
        server.answer_mail()
    bad, good = InboundMail.objects.order_by("pk")
    assert (good.state, bad.state, bad.attempts) == ("answered", "failed", 3)
    assert OutgoingMail.objects.filter(kind="sorry", address="ann@ann.example").count() == 1
    # The board itself goes on.
    let_plugins_take(LONG, monkeypatch)
    write(server, stuck, "on")
    server.answer_mail()
    assert Match.objects.get(pk=stuck).ply == 1


def test_f21_page_that_meets_rules_without_an_end_gives_its_thread_back(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, druid = (server.begin(game, (), "ann", "bob") for game in ("endless", "druid"))
    visitor = server.visitors["ann"]
    visitor.client.raise_request_exception = False
    visitor.go("/do/")
    let_plugins_take(SHORT, monkeypatch)
    visitor.type(f"endless move {stuck} loop")
    assert (visitor.status, "would take the server too long" in visitor.page) == (503, True)
    assert Match.objects.get(pk=stuck).ply == 0
    visitor.type(f"druid move {druid} a1")
    assert Match.objects.get(pk=druid).ply == 1


def test_f21_rules_that_would_not_end_are_not_asked_again_while_the_store_is_held(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = server.begin("endless", (), "ann", "bob")
    ann = Actor(server.players["ann"])
    let_plugins_take(SHORT, monkeypatch)
    for _ in range(2):
        with pytest.raises(PluginFailure):
            perform(PlayMove("", stuck, "loop"), ann, "", timezone.now())


def test_f21_no_writer_waits_long_for_rules_that_are_asked_in_a_transaction(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = server.begin("endless", (), "ann", "bob")
    asked: list[float] = []
    ask = PluginProcess.ask

    def note(process: PluginProcess, question: tuple[Any, ...], seconds: float) -> Any:
        asked.append(seconds)
        return ask(process, question, seconds)

    monkeypatch.setattr(PluginProcess, "ask", note)
    monkeypatch.setattr("sarsen.isolation.allowance.LOCKED_SECONDS", 30.0)
    ann, outer = Actor(server.players["ann"]), Allowance()
    forget_rules()
    with plugins_within(outer):
        perform(QueueMoves("", stuck, "on"), ann, "", timezone.now())
    assert asked
    assert max(asked) <= 30.0 < LONG
    assert outer.used > 0
    # Together they have no more, either.
    monkeypatch.setattr("sarsen.isolation.allowance.LOCKED_SECONDS", 0.0)
    forget_rules()
    with pytest.raises(PluginBusy):
        perform(QueueMoves("", stuck, "on"), Actor(server.players["bob"]), "", timezone.now())


@pytest.mark.parametrize("change", ["add", "comment", "mark", "unmark", "cut"])
def test_f21_variations_ask_rules_no_longer_than_writers_wait(server: Server, change: str) -> None:
    board, ann, now = (
        server.begin("endless", (), "ann", "bob"),
        server.players["ann"],
        timezone.now(),
    )
    exploring.add(board, (), ("on",), ann, now)
    forget_rules()
    view = {
        "add": lambda: exploring.add(board, ("on",), ("on",), ann, now),
        "comment": lambda: exploring.comment(board, ("on",), "strong?", ann, now),
        "mark": lambda: exploring.mark(board, ("on",), ann, now),
        "unmark": lambda: exploring.unmark(board, ("on",), ann, now),
        "cut": lambda: exploring.cut(board, ("on",), ann, now),
    }[change]()
    assert view.board == board  # the fixture looks at the questions


def test_f21_commands_of_one_mail_have_one_time_together(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = server.begin("endless", (), "ann", "bob")
    write(server, board, "multiple\nqueue on\nshow\nqueue any on")
    allowances: list[Allowance] = []
    ask = PluginProcess.ask

    def note(process: PluginProcess, question: tuple[Any, ...], seconds: float) -> Any:
        forget_rules()  # each command asks
        if allowance_in_force().is_of_lock:
            allowances.append(allowance_in_force())
        return ask(process, question, seconds)

    monkeypatch.setattr(PluginProcess, "ask", note)
    server.answer_mail()
    assert InboundMail.objects.get().state == "answered"
    assert len(allowances) > 1
    assert all(one is allowances[0] for one in allowances)


def test_f21_clocks_and_openings_ask_rules_no_longer_than_writers_wait(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, now = server.begin("endless", (), "ann", "bob"), timezone.now()
    long_ago = now - timedelta(days=365)
    Match.objects.update(turn_began_at=long_ago, warned_at=now - timedelta(days=30), look_at=now)
    forget_rules()
    running.sweep(now, AFTER_EVENTS)
    assert Match.objects.get(pk=board).ended_at is not None
    forget_rules()
    assert openings.store_some() == 1


def test_f21_opening_with_broken_rules_holds_up_no_other_board(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, druid = (server.begin(game, (), "ann", "bob") for game in ("endless", "druid"))
    (ann, bob), now = (Actor(server.players[name]) for name in ("ann", "bob")), timezone.now()
    for game, board, move in (("endless", stuck, "on"), ("druid", druid, "a1")):
        perform(PlayMove(game, board, move), ann, "", now)
        perform(Resign(game, board, confirmed=True), bob, "", now)
    MatchEvent.objects.filter(match=stuck, text="on").update(text="raise")
    openings.store_some()
    assert Match.objects.get(pk=druid).has_opening
    assert openings.store_some() == 0


@pytest.mark.parametrize("text", ["on", "submit on"])
@pytest.mark.parametrize("attempts", [0, 1])
def test_f21_move_by_mail_is_judged_before_the_transaction(
    server: Server, monkeypatch: pytest.MonkeyPatch, text: str, attempts: int
) -> None:
    board = server.begin("endless", (), "ann", "bob")
    write(server, board, text)
    InboundMail.objects.update(attempts=attempts)
    depths, outside, ask = [], len(connection.atomic_blocks), PluginProcess.ask

    def note(process: PluginProcess, question: tuple[Any, ...], seconds: float) -> Any:
        depths.append(len(connection.atomic_blocks))
        return ask(process, question, seconds)

    forget_rules()
    monkeypatch.setattr(PluginProcess, "ask", note)
    server.answer_mail()
    assert InboundMail.objects.get().state == "answered"
    assert depths
    assert set(depths) == {outside}


def test_f21_two_moves_without_an_end_keep_no_other_mail_waiting_for_longer_than_one(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, druid = (
        server.begin(game, (), "ann", "bob") for game in ("endless", "endless", "druid")
    )
    for board, text in ((first, "loop"), (second, "wait"), (druid, "a1"), (druid, "show")):
        write(server, board, text)
    let_plugins_take(SHORT, monkeypatch)
    server.answer_mail()
    mails = list(InboundMail.objects.order_by("pk"))
    assert [mail.state for mail in mails] == ["new", "new", "answered", "answered"]
    # The first was tried in vain, the second not at all; neither is tried before others.
    assert [mail.attempts for mail in mails[:2]] == [1, 0]
    assert all(mail.wait_until and mail.wait_until > timezone.now() for mail in mails[:2])


def test_f21_mail_that_finds_another_worker_at_a_plugin_is_put_back_and_counts_for_nothing(
    server: Server, turn: Turn
) -> None:
    stuck, druid = (server.begin(game, (), "ann", "bob") for game in ("endless", "druid"))
    write(server, stuck, "on")
    write(server, druid, "a1")
    with turn.taken():
        server.answer_mail()
    waiting, answered = InboundMail.objects.order_by("pk")
    assert (waiting.state, waiting.attempts, answered.state) == ("new", 0, "answered")
    let_wait_no_more()
    server.answer_mail()
    assert Match.objects.get(pk=stuck).ply == 1


def test_f21_move_that_takes_longer_than_a_first_try_is_played_by_the_second(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = server.begin("endless", (), "ann", "bob")
    write(server, stuck, "on")
    monkeypatch.setattr(jobs, "FIRST_PLUGIN_SECONDS", 1e-6)
    server.answer_mail()
    assert InboundMail.objects.get().attempts == 1
    let_wait_no_more()
    server.answer_mail()
    assert Match.objects.get(pk=stuck).ply == 1


def test_f21_letters_about_a_busy_plugin_wait_in_order_and_others_are_sent(
    server: Server, turn: Turn
) -> None:
    stuck = server.begin("endless", (), "ann", "bob")
    server.send_mail()
    ann, now = Actor(server.players["ann"]), timezone.now()
    perform(PlayMove("", stuck, "on"), ann, "", now)
    perform(Chat("", stuck, "after the move"), ann, "", now)
    druid = server.begin("druid", (), "ann", "bob")
    forget_rules()
    with turn.taken():
        server.send_mail()
    left = OutgoingMail.objects.filter(state="waiting")
    assert {letter.match_id for letter in left} == {stuck}
    assert {letter.attempts for letter in left} == {0}
    assert OutgoingMail.objects.filter(match=druid, state="sent").exists()
    let_wait_no_more()
    relay_letters = len(server.relay.letters)
    server.send_mail()
    sent = [letter.number for letter in server.relay.letters[relay_letters:]]
    assert sent == sorted(letter.pk for letter in left) != []


def test_f21_every_door_says_that_a_plugin_is_busy_and_when_to_come_again(
    server: Server, turn: Turn, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    board = server.begin("endless", (), "ann", "bob")
    client = server.visitors["ann"].client
    moves = {"game": "endless", "board": board, "moves": ["on"]}
    program = Client()
    doors = {
        "a board that is tried": lambda: Client().get("/games/endless/try/"),
        "its moves": lambda: Client().get("/games/endless/try/moves.json"),
        "a player's board": lambda: client.get(f"/boards/{board}/"),
        "moves of a board": lambda: client.get(f"/boards/{board}/moves.json"),
        "its picture": lambda: Client().get(f"/boards/{board}/0.svg"),
        "a preview": lambda: program.post(
            "/api/v1/commands/preview", moves, content_type="application/json"
        ),
        "a board of the API": lambda: program.get(f"/api/v1/boards/{board}"),
    }
    wrong = {}
    for name, ask in doors.items():
        forget_rules()
        with turn.taken():
            answer = ask()
        is_json = answer.headers["Content-Type"].endswith("json")
        text = answer.json().get("code", "busy") if is_json else answer.content.decode()
        if (answer.status_code, "busy" in text) != (503, True) or not (
            int(answer.headers.get("Retry-After", 0)) > 0
        ):
            wrong[name] = (answer.status_code, text[:80], answer.headers.get("Retry-After"))
    assert wrong == {}
