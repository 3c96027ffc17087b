"""The same request twice at the same moment, as when a page is sent again too soon."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.language.commands import Accept, MakeChallenge, PlayMove
from sarsen.language.replies import Moved
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Address, AnsweredRequest, Match, MatchEvent, OutgoingMail, Player

pytestmark = pytest.mark.postgres

AT_ONCE = 6


def player(userid: str) -> Actor:
    made = Player.objects.create(key=userid, userid=userid, joined_at=timezone.now())
    Address.objects.create(player=made, address=f"{userid}@x.example", confirmed_at=timezone.now())
    return Actor(made)


def begun() -> tuple[int, list[Actor]]:
    players = [player("ann"), player("bob")]
    perform(MakeChallenge("druid", "-size=6", (), ("ann", "bob")), players[0], "", timezone.now())
    perform(Accept(1), players[1], "", timezone.now())
    return Match.objects.get().pk, players


def perform_at_once(command: PlayMove, actor: Actor, request: str) -> list[object]:
    """Perform a command from several connections at once; give what each got."""
    gate = threading.Barrier(AT_ONCE)

    def ask(_: int) -> object:
        try:
            connections["default"].ensure_connection()
            gate.wait(120)
            return perform(command, actor, request, timezone.now())
        except UserError as refusal:
            return refusal.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(ask, range(AT_ONCE)))


@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_same_request_at_the_same_moment_has_one_effect_and_one_reply() -> None:
    number, players = begun()
    for ply, move in enumerate(("a1", "b1", "c1", "d1", "e1", "f1"), 1):
        command = PlayMove("druid", number, move)
        replies = perform_at_once(command, players[1 - ply % 2], f"door:{ply}")
        assert replies == replies[:1] * AT_ONCE
        assert isinstance(replies[0], Moved)
        assert (replies[0].ply, replies[0].text) == (ply, move)
        assert MatchEvent.objects.count() == ply
        assert OutgoingMail.objects.filter(kind="board", facts__ply=ply).count() == 1
    assert AnsweredRequest.objects.filter(reply={}).count() == 0


@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_refused_request_at_the_same_moment_leaves_its_name_free() -> None:
    number, (ann, _) = begun()
    bad = PlayMove("druid", number, "zz99")
    assert {str(code)[:6] for code in perform_at_once(bad, ann, "door:1")} == {"druid."}
    assert not AnsweredRequest.objects.exists()
    assert perform(PlayMove("druid", number, "a1"), ann, "door:1", timezone.now())
