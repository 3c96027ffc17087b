"""Reports of abuse: what players tell the operators of others' words."""

from __future__ import annotations

import pytest

from sarsen.core.errors import UserError
from sarsen.games import names
from sarsen.language.commands import Report
from sarsen.language.grammar.grammar import read
from sarsen.language.grammar.tokens import Context
from sarsen.language.publishing.reports import MAX_REPORT
from sarsen.services.dispatch import perform
from sarsen.services.limits import daily
from sarsen.services.limits.daily import DAY, Flood
from sarsen.services.notices import reports
from sarsen.services.request import NOBODY, Actor
from sarsen.storage.models import AbuseReport, OutgoingMail, Player
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def world() -> World:
    world = World()
    for userid in ("ann", "bob", "eve"):
        world.player(userid)
    return world


def report(world: World, about: str, text: str = "It is spam.", userid: str = "ann") -> None:
    perform(Report(about, text), Actor(world.player(userid)), "", NOW)


def test_a_report_tells_operators_and_nobody_else(world: World) -> None:
    number = world.news("bob", "Buy my pills.")
    report(world, str(number), "  It is an\n  advertisement.")
    report(world, "BOB", "He is rude in messages.")
    kept = AbuseReport.objects.order_by("pk").values_list(
        "player__key", "about__key", "news", "text"
    )
    assert list(kept) == [
        ("ann", "bob", number, "  It is an\n  advertisement."),
        ("ann", "bob", None, "He is rude in messages."),
    ]
    assert not OutgoingMail.objects.exists()
    assert Player.objects.get(key="ann").refuses == []


def test_the_same_is_reported_again_only_when_it_is_settled(world: World) -> None:
    report(world, "bob")
    with pytest.raises(UserError) as refused:
        report(world, "bob", "Again!")
    assert refused.value.code == "reported-already"
    report(world, "bob", userid="eve")
    reports.settle(AbuseReport.objects.earliest("pk"), NOW)
    report(world, "bob", "Again!")
    assert AbuseReport.objects.filter(settled_at=None).count() == 2


@pytest.mark.parametrize(
    ("about", "text", "code"),
    [
        ("nobody", "Rude.", "unknown-player"),
        ("99", "Rude.", "unknown-news"),
        ("ann", "Rude.", "report-yourself"),
        ("bob", " \n", "text-missing"),
        ("bob", "a" * (MAX_REPORT + 1), "text-too-long"),
    ],
)
def test_what_cannot_be_reported_is_refused(world: World, about: str, text: str, code: str) -> None:
    with pytest.raises(UserError) as refused:
        report(world, about, text)
    assert refused.value.code == code
    assert not AbuseReport.objects.exists()


def test_nobody_in_particular_reports_nothing(world: World) -> None:
    with pytest.raises(UserError):
        perform(Report("bob", "Rude."), NOBODY, "", NOW)


def test_reports_of_a_day_are_bounded(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(daily.MAX_A_DAY, "report", 1)
    report(world, "bob")
    with pytest.raises(Flood) as refused:
        report(world, "eve")
    assert refused.value.code == "report-flood"
    perform(Report("eve", "Rude."), Actor(world.player("ann")), "", NOW + DAY)


@pytest.mark.parametrize("line", ["report 1 is rude", "report #1 is rude, as I find"])
def test_a_number_is_no_userid(line: str) -> None:
    reading = read(line, Context(names()))
    assert reading.command is Report
    assert reading.parsed is not None
    assert reading.parsed.credentials is None
