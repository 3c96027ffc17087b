"""Two doors, two processes, one ply: exactly one move is played, and the other is told kindly."""

from __future__ import annotations

import itertools
import os
import random
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone
from pytest_django import Settings

from faults.one_effect import deeds
from faults.one_effect.at_once import PATIENCE, in_processes
from faults.one_effect.book import check_whole, position_of
from faults.one_effect.deeds import Deed, Parcel
from faults.one_effect.relay import Relay
from faults.one_effect.server import Server
from faults.one_effect.snapshot import take
from sarsen.doors.mail.reply import answering
from sarsen.doors.mail.send import sending
from sarsen.services.board_cache import BoardCache
from sarsen.services.mail import reply_addresses, waiting
from sarsen.storage.models import InboundMail, MatchEvent, OutgoingMail

DOORS = ("mail", "web", "api")
PAIRS = list(itertools.combinations_with_replacement(DOORS, 2))


@pytest.fixture
def server(transactional_db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Server:
    settings.SARSEN_SMTP_URL = "smtp://relay.example:25"
    settings.SARSEN_MAIL_PICTURES = False
    relay = Relay()
    monkeypatch.setattr(sending, "_backend", lambda: relay)
    server = Server(relay)
    server.now = timezone.now()
    return server


def test_f7_two_moves_for_one_ply_by_two_doors_at_once_one_is_played(server: Server) -> None:
    board = server.begin("druid", (), "ann", "bob")
    for pair in itertools.combinations(DOORS, 2):
        _race(server, board, pair, random.Random(7))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["druid", "gyges", "vasco", "visavis"])
def test_f7_long_form_two_moves_for_one_ply(
    server: Server, game: str, seed: int, amount: Callable[[str, int, int], int]
) -> None:
    races = amount("EXAMPLES", 100, 4) // 4
    print(f"SEED={seed} EXAMPLES={races * 4}")
    rng = random.Random(seed)
    board = server.begin(game, (), "ann", "bob")
    for _ in range(races):
        if take().boards[board].cached[4]:
            server.pass_time(timedelta(hours=1))  # 60 challenges a day are a player's limit
            board = server.begin(game, (), "ann", "bob")
        _race(server, board, rng.choice(PAIRS), rng)


def test_f8_same_move_with_one_key_at_once_is_played_once_and_answered_twice(
    server: Server,
) -> None:
    board = server.begin("druid", (), "ann", "bob")
    asked = {"board": board, "text": "a1", "ply": 1}
    parcel = deeds.call(Deed("move", "ann", board, "a1"), "commands/move", asked, "key")
    answers = in_processes([lambda: server.call(parcel)] * 3)
    assert answers == answers[:1] * 3
    assert answers[0][0] == 200
    assert MatchEvent.objects.filter(match=board).count() == 1
    check_whole(take())


def test_same_mail_and_same_form_at_once_have_one_effect(server: Server) -> None:
    board = server.begin("druid", (), "ann", "bob")
    mail = _parcel(server, "mail", board, "ann", "a1")
    in_processes([lambda: server.store(mail)] * 2)
    assert InboundMail.objects.count() == 1
    in_processes([server.answer_mail] * 2)
    assert OutgoingMail.objects.filter(kind="answer").count() == 1
    form = _parcel(server, "web", board, "bob", "b2")
    statuses = in_processes([lambda: server.post(form)] * 2)
    assert statuses[0] == statuses[1]
    assert statuses[0][0] == 302
    assert [event.text for event in take().boards[board].events] == ["a1", "b2"]
    check_whole(take())


def test_what_a_thread_has_left_open_is_closed_before_processes_fork(
    transactional_db: None,
) -> None:
    is_open, is_over = threading.Event(), threading.Event()

    def leave_open() -> None:
        InboundMail.objects.exists()
        is_open.set()
        is_over.wait()

    thread = threading.Thread(target=leave_open)
    thread.start()
    try:
        assert is_open.wait(PATIENCE)
        assert in_processes([_is_alone] * 2) == [True, True]
    finally:
        is_over.set()
        thread.join()


def _is_alone() -> bool:
    """Return whether this process has the database open once."""
    database = str(connections["default"].settings_dict["NAME"])
    links = [os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]
    return connections["default"].vendor != "sqlite" or links.count(database) == 1


def _race(server: Server, number: int, doors: tuple[str, str], rng: random.Random) -> None:
    """Two different moves for the ply that is due, at the same moment."""
    before = take().boards[number]
    position = position_of(before)
    moves = [position.format(move) for move in position.legal_moves()]
    mover = before.players[position.seat]
    if len(moves) < 2:
        line = f"move {number} {moves[0]}"
        server.type(deeds.typed(Deed("move", mover, number, line=line)))
        return
    texts = rng.sample(moves, 2)
    parcels = [
        _parcel(server, door, number, mover, text) for door, text in zip(doors, texts, strict=True)
    ]
    works = [_work(server, parcel) for parcel in parcels]
    answers = in_processes(works)
    after = take()
    new = after.boards[number].events[len(before.events) :]
    assert len(new) == 1, f"{doors}: {new}"
    assert sorted(answer[0] for answer in answers) == [200, 409], f"{doors}: {answers}"
    won = next(at for at, answer in enumerate(answers) if answer[0] == 200)
    assert new[0].text == position.format(position.parse(texts[won]))
    told = answers[1 - won][1]
    if parcels[1 - won].door == "mail":
        told = _answers_to(server, parcels[1 - won].facts["id"])
    is_over = after.boards[number].cached[4]
    assert ("is finished" if is_over else "the game has moved on") in told, told
    check_whole(after)


def _parcel(server: Server, door: str, board: int, by: str, text: str) -> Parcel:
    """Make a move for the ply that is due, as the newest letter or page shows it."""
    state = take().boards[board]
    ply, event = state.cached[1] + 1, state.cached[0]
    deed = Deed("move", by, board, text, ply, event)
    number = next(server.numbers)
    if door == "mail":
        address = reply_addresses.board_address(server.players[by], board, ply, event=event)
        assert address is not None
        parcel = deeds.mail(deed, f"{by}@{by}.example", address, text, f"m{number}@x.example")
        return parcel
    if door == "api":
        asked = {"board": board, "text": text, "ply": ply, "event": event}
        return deeds.call(deed, "commands/move", asked, f"key{number}")
    visitor = server.visitors[by]
    visitor.go(f"/boards/{board}/")
    form, pressed = visitor._form_of("Play")
    fields = [*visitor._fields(form, {"move": text}), (pressed.get("name"), pressed.get("value"))]
    return deeds.form(deed, "/do/", fields)


def _work(server: Server, parcel: Parcel) -> Callable[[], Any]:
    """Return what a process does; it gives 200 or 409, and what its player reads."""
    if parcel.door == "mail":
        server.store(parcel)
        mail = InboundMail.objects.latest("pk").pk
        return lambda: _answer(mail)
    if parcel.door == "api":
        return lambda: (server.call(parcel)[0], server.programs[parcel.deed.by].body.decode())
    return lambda: _post(server, parcel)


def _answer(pk: int) -> tuple[int, str]:
    mail = next(one for one in waiting.waiting(50) if one.id == pk)
    assert answering.answer_alone(mail, timezone.now(), BoardCache())
    return (409 if InboundMail.objects.get(pk=pk).note else 200), ""


def _answers_to(server: Server, message_id: str) -> str:
    """Send what waits, and give the one letter that answers a mail."""
    server.send_mail()
    (row,) = OutgoingMail.objects.filter(in_reply_to=message_id)
    (letter,) = [one for one in server.relay.letters if one.number == row.pk]
    return letter.raw.decode().replace("=\r\n", "").replace("\r\n", " ")


def _post(server: Server, parcel: Parcel) -> tuple[int, str]:
    visitor = server.visitors[parcel.deed.by]
    text = visitor.send(parcel.facts["path"], parcel.facts["fields"])
    return (409 if visitor.status >= 400 else 200), text
