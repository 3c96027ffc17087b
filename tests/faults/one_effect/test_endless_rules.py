"""F21: rules that never end, or raise, stop their own move and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone
from pytest_django import Settings

from faults.one_effect import deeds, endless
from faults.one_effect.deeds import Deed
from faults.one_effect.endless import Plugin
from faults.one_effect.relay import Relay
from faults.one_effect.server import GAMES, Server
from sarsen import games
from sarsen.core.errors import PluginFailure
from sarsen.doors.mail.send import sending
from sarsen.games.isolation import isolated
from sarsen.language.commands import PlayMove
from sarsen.services.dispatch import perform
from sarsen.services.mail import reply_addresses
from sarsen.services.request import Actor
from sarsen.storage.models import InboundMail, Match, OutgoingMail


@pytest.fixture
def server(db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server with the broken game among the others, where nobody waits long for it."""
    monkeypatch.setattr("sarsen.games.isolation.WORK_SECONDS", 0.3)
    settings.SARSEN_SMTP_URL = "smtp://relay.example:25"
    settings.SARSEN_MAIL_PICTURES = False
    relay = Relay()
    monkeypatch.setattr(sending, "_backend", lambda: relay)
    monkeypatch.setitem(games._modules(), "endless", isolated(Plugin(endless.__name__)))
    monkeypatch.setitem(GAMES, "endless", "")
    games.names.cache_clear()
    server = Server(relay)
    server.now = timezone.now()
    yield server
    games.names.cache_clear()


def write(server: Server, board: int, move: str) -> None:
    """Take a mail with a move of ann's, who moves first."""
    address = reply_addresses.board_address(server.players["ann"], board, 1, event=0)
    assert address is not None
    name = f"{move}{next(server.numbers)}@ann.example"
    server.store(deeds.mail(Deed("move", "ann"), "ann@ann.example", address, move, name))


BROKEN = ["loop", "raise", pytest.param("stubborn", marks=pytest.mark.slow)]


@pytest.mark.parametrize("move", BROKEN)
def test_f21_mail_that_meets_broken_rules_is_set_aside_after_three_tries_and_others_are_answered(
    server: Server, move: str
) -> None:
    stuck, druid = (server.begin(game, (), "ann", "bob") for game in ("endless", "druid"))
    write(server, stuck, move)
    write(server, druid, "a1")
    server.answer_mail()
    assert Match.objects.get(pk=druid).ply == 1
    for _ in range(3):
        server.answer_mail()
    bad, good = InboundMail.objects.order_by("pk")
    assert (good.state, bad.state, bad.attempts) == ("answered", "failed", 3)
    assert OutgoingMail.objects.filter(kind="sorry", address="ann@ann.example").count() == 1
    # The board itself goes on.
    write(server, stuck, "on")
    server.answer_mail()
    assert Match.objects.get(pk=stuck).ply == 1


def test_f21_page_that_meets_rules_without_an_end_gives_its_thread_back(
    server: Server,
) -> None:
    stuck, druid = (server.begin(game, (), "ann", "bob") for game in ("endless", "druid"))
    visitor = server.visitors["ann"]
    visitor.client.raise_request_exception = False
    visitor.type(f"endless move {stuck} loop")
    assert visitor.status == 500
    assert Match.objects.get(pk=stuck).ply == 0
    visitor.type(f"druid move {druid} a1")
    assert Match.objects.get(pk=druid).ply == 1


def test_f21_rules_that_would_not_end_are_not_asked_again_while_the_store_is_held(
    server: Server,
) -> None:
    stuck = server.begin("endless", (), "ann", "bob")
    ann = Actor(server.players["ann"])
    for _ in range(2):
        with pytest.raises(PluginFailure):
            perform(PlayMove("", stuck, "loop"), ann, "", timezone.now())
