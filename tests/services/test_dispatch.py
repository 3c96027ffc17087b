"""One request, one effect."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.language.commands import Accept, Help, MakeChallenge, Multiple, PlayMove
from sarsen.language.replies import ChallengeStands, Moved
from sarsen.services.dispatch import HANDLERS, perform
from sarsen.services.request import NOBODY, Actor
from sarsen.storage.models import Address, Match, MatchEvent, OutgoingMail, Player

pytestmark = pytest.mark.postgres


def player(userid: str) -> Player:
    made = Player.objects.create(key=userid, userid=userid, joined_at=timezone.now())
    Address.objects.create(player=made, address=f"{userid}@x.example", confirmed_at=timezone.now())
    return made


def board() -> tuple[Actor, Actor]:
    ann, bob = Actor(player("ann")), Actor(player("bob"))
    perform(MakeChallenge("druid", "-size=4", (), ("ann", "bob")), ann, "", timezone.now())
    stands = perform(Accept(1), bob, "", timezone.now())
    assert isinstance(stands, ChallengeStands)
    return ann, bob


@pytest.mark.django_db(reset_sequences=True)
def test_same_request_gives_the_same_reply_and_one_effect() -> None:
    ann, _ = board()
    number = Match.objects.get().pk
    replies = {
        perform(PlayMove("druid", number, "a1"), ann, "door:1", timezone.now()) for _ in range(3)
    }
    assert replies == {Moved(number, 1, "a1", event=1)}
    assert MatchEvent.objects.count() == 1
    assert OutgoingMail.objects.filter(kind="board", facts__ply=1).count() == 1


@pytest.mark.django_db(reset_sequences=True)
def test_refused_command_leaves_nothing_behind() -> None:
    ann, bob = board()
    number = Match.objects.get().pk
    before = OutgoingMail.objects.count()
    for actor, text in ((bob, "a1"), (ann, "b2"), (ann, "zz"), (NOBODY, "a1")):
        with pytest.raises(UserError):
            perform(PlayMove("druid", number, text), actor, "door:2", timezone.now())
    assert MatchEvent.objects.count() == 0
    assert OutgoingMail.objects.count() == before
    assert perform(PlayMove("druid", number, "a1"), ann, "door:2", timezone.now())


@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_two_moves_for_one_ply_at_once_play_one() -> None:
    ann, _ = board()
    number = Match.objects.get().pk

    def play(text: str) -> str:
        try:
            perform(PlayMove("druid", number, text, 1), ann, f"door:{text}", timezone.now())
            return "played"
        except UserError as refusal:
            return refusal.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(play, ("a1", "b1", "c1", "d1")))
    assert sorted(results) == ["played", "stale-ply", "stale-ply", "stale-ply"]
    assert MatchEvent.objects.count() == 1


@pytest.mark.django_db
def test_every_command_but_multiple_has_one_handler() -> None:
    from sarsen.language.commands import COMMANDS

    assert set(HANDLERS) == set(COMMANDS) - {Multiple}
    assert perform(Help(("tutorial",)), NOBODY, "", timezone.now())
