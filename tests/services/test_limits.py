"""How much a player may do in a day, of what is bounded nowhere else in these tests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from sarsen.language import commands
from sarsen.services.dispatch import perform
from sarsen.services.limits import daily, mail_answers
from sarsen.services.limits.daily import DAY, Flood
from sarsen.services.request import Actor
from sarsen.storage.models import Challenge
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
CHANGES = (
    commands.ChangeAddress(("ann@elsewhere.example",)),
    commands.ChangeLanguage("de"),
    commands.ChangePassword("words-nobody-knows"),
    commands.ChangeTimezone("Europe/Berlin"),
    commands.ChangeWeekends(True),
    commands.ChangeCoordinates(False),
    commands.ChangePlace("Berlin"),
    commands.ChangeAbout("I like chess, too."),
    commands.Revoke(1),
    commands.Revoke(None),
    commands.TakeVacation("2026-12-01", "2026-12-02"),
)


@pytest.fixture
def ann(monkeypatch: pytest.MonkeyPatch) -> Actor:
    monkeypatch.setitem(daily.MAX_A_DAY, "account", 1)
    monkeypatch.setitem(daily.MAX_A_DAY, "withdraw", 1)
    return Actor(World().player("ann"))


@pytest.mark.django_db(reset_sequences=True)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_every_change_of_an_account_counts(ann: Actor, change: Any) -> None:
    assert World().board() == 1
    assert ann.player is not None
    daily.check(ann.player, "account", NOW)
    with pytest.raises(Flood) as refused:
        perform(change, ann, "", NOW)
    assert refused.value.code == "account-flood"
    assert perform(change, ann, "", NOW + DAY)


def test_withdrawals_of_challenges_are_bounded(ann: Actor) -> None:
    first, second = (World().challenge(game, "ann", "bob").number for game in ("druid", "vasco"))
    perform(commands.Withdraw(first), ann, "", NOW)
    with pytest.raises(Flood) as refused:
        perform(commands.Withdraw(second), ann, "", NOW)
    assert refused.value.code == "withdraw-flood"
    assert Challenge.objects.get(pk=second).state == "open"
    assert perform(commands.Withdraw(second), ann, "", NOW + DAY)


def test_challenges_of_a_day_are_bounded(ann: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(daily.MAX_A_DAY, "challenge", 1)
    challenge = commands.MakeChallenge("druid", "", (), ("ann", "anyone"))
    perform(challenge, ann, "", NOW)
    with pytest.raises(Flood) as refused:
        perform(challenge, ann, "", NOW)
    assert refused.value.code == "challenge-flood"
    assert Challenge.objects.count() == 1
    assert perform(challenge, ann, "", NOW + DAY)


@pytest.mark.django_db(transaction=True)
def test_requests_at_the_same_moment_pass_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(daily.MAX_A_DAY, "chat", 1)
    player = World().player("ann")
    begun = threading.Barrier(4)

    def act(count: Callable[[], object]) -> bool:
        try:
            begun.wait(30)
            return count() is not False
        except Flood:
            return False
        finally:
            connections.close_all()

    counts: tuple[Callable[[], object], ...] = (
        lambda: daily.check(player, "chat", NOW),
        lambda: mail_answers.may_answer("eve@eve.example", mail_answers.AnswerKind.HELP, NOW),
    )
    with ThreadPoolExecutor(4) as pool:
        for count in counts:
            assert sum(pool.map(act, [count] * 4)) == 1
