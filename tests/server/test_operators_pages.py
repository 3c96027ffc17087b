"""The operators' pages: who sees them, and what can be done there."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver
from django.utils import timezone

from sarsen.language.commands import Report
from sarsen.server.operators.site import site
from sarsen.services.accounts.sessions import BEGAN
from sarsen.services.admin.roles import add_operator
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.mail import incoming, outgoing
from sarsen.services.mail.incoming import Delivery
from sarsen.services.matches import matches
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import (
    AbuseReport,
    Announcement,
    GameWish,
    InboundMail,
    Match,
    OutgoingMail,
    Player,
    PuzzleReport,
)
from visitor import Visitor
from web_world import NOW, World

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return World()


def operator(world: World, hours: float = 0) -> Visitor:
    """Return the browser of an operator who logged in some hours ago."""
    world.player("olga")
    add_operator("olga", NOW)
    visitor = Visitor(Player.objects.get(key="olga"))
    session = visitor.client.session
    session[BEGAN] = (timezone.now() - timedelta(hours=hours)).isoformat()
    session.save()
    return visitor


def logged_in(player: Player) -> Client:
    """Return a browser that sends forms without their tokens, too."""
    client = Client()
    client.force_login(player)
    return client


def rows(world: World) -> dict[str, int]:
    """Make one row of each table that operators see; give their keys by the models' names."""
    board = world.board(moves="a1", options="-size=4")
    outgoing.queue(outgoing.NewLetter("ann@example.org", "sorry", {}), NOW)
    incoming.store(
        [Delivery("ann@example.org", "player-1-abc@sarsen.test", b"Subject: x\n\nhi")], NOW
    )
    entry = LogEntry.objects.create(
        user=world.player("ann"), action_flag=2, object_repr="x", change_message="y"
    )
    letter = OutgoingMail.objects.order_by("-pk")[0]
    return {
        "player": world.player("ann").pk,
        "match": board,
        "outgoingmail": letter.pk,
        "inboundmail": InboundMail.objects.get().pk,
        "logentry": entry.pk,
        "news": world.news("ann", "Words to everybody."),
        "gamewish": GameWish.objects.create(
            player=world.player("bob"), name="Twixt", key="twixt", at=NOW
        ).pk,
        "puzzlereport": PuzzleReport.objects.create(
            player=world.player("bob"), game="druid", puzzle=1, line="b4", at=NOW
        ).pk,
        "abusereport": AbuseReport.objects.create(
            player=world.player("bob"), about=world.player("ann"), text="Rude.", at=NOW
        ).pk,
    }


def addresses(keys: dict[str, int]) -> list[str]:
    """Return every address of the site, with keys of rows that are there."""
    found = []
    for outer in site.get_urls():
        if isinstance(outer, URLPattern):
            found.append(str(outer.pattern))
            continue
        assert isinstance(outer, URLResolver)
        prefix = str(outer.pattern)
        key = keys[prefix.strip("/").rpartition("/")[2]]
        for inner in outer.url_patterns:
            text = str(inner.pattern).replace("<path:object_id>", str(key))
            found.append(prefix + text.replace("<int:key>", str(key)))
    catch_all = "(?P<url>.*)$"
    plain = [one.replace(catch_all, "nothing/") for one in found if not one.startswith("r/")]
    wanted = [one.replace("^(?P<app_label>auth|storage)/$", "storage/") for one in plain]
    return sorted({f"/operator/{one}" for one in wanted if "(?P" not in one})


def test_every_address_is_there_for_operators_only(world: World) -> None:
    keys = rows(world)
    listed = addresses(keys)
    assert len(listed) > 20
    visitors = {"a visitor": Client(), "a player": logged_in(world.player("ann"))}
    for path in listed:
        for who, client in visitors.items():
            for answer in (client.get(path), client.post(path, {"reason": "x", "send": "yes"})):
                assert answer.status_code == 404, f"{who} {path}: {answer.status_code}"
    olga = operator(world)
    for path in listed:
        expected = 404 if "nothing/" in path else 200
        assert olga.client.get(path, follow=True).status_code == expected, path
    assert not Player.objects.exclude(banned_at=None).exists()


def shown(answer: Any) -> bytes:
    """Return a page without the tokens and addresses in it, which differ each time."""
    return re.sub(rb'="[^"]*"', b"", answer.content)


@pytest.mark.parametrize("path", ["/operator", "/operator/", "/operator/login/", "/operator/x"])
@pytest.mark.parametrize("method", ["get", "post", "put", "head", "options"])
def test_others_cannot_tell_the_pages_from_pages_that_there_are_not(
    world: World, path: str, method: str
) -> None:
    for browser in (Client(enforce_csrf_checks=True), logged_in(world.player("ann"))):
        found = getattr(browser, method)(path)
        missing = getattr(browser, method)("/nothing-here/")
        assert found.status_code == missing.status_code == 404
        assert found.headers.keys() == missing.headers.keys()
        assert shown(found) == shown(missing)


def test_an_operator_may_leave_the_stroke_at_the_end_out(world: World) -> None:
    olga = operator(world)
    olga.go("/operator")
    assert (olga.path, olga.status) == ("/operator/", 200)


def test_log_in_that_is_old_is_asked_for_again(world: World) -> None:
    olga = operator(world, hours=13)
    olga.client.post("/operator/announce/", {"text": "Hello!", "send": "yes"})
    olga.go("/operator/")
    assert olga.path == "/login/"
    assert not Announcement.objects.exists()


def test_deed_needs_a_reason_and_is_logged(world: World) -> None:
    ann = world.player("ann")
    world.board(moves="a1", options="-size=4")
    olga = operator(world)
    olga.go(f"/operator/storage/player/{ann.pk}/ban/")
    refused = olga.press("Ban this player", reason=" ")
    assert "Give a reason" in refused
    assert olga.press("Ban this player", reason="Insults.").startswith(
        "Banned ann; boards resigned: 1,"
    )
    entry = LogEntry.objects.get()
    assert (entry.user.userid, entry.object_repr) == ("olga", "ann")
    assert entry.change_message.endswith("Reason: Insults.")
    ann.refresh_from_db()
    assert (ann.is_active, ann.ban_reason) == (False, "Insults.")
    assert "Insults." in olga.go("/operator/")
    assert "banned" in olga.go("/operator/storage/player/?state=barred")


def test_forfeit_is_undone_and_addresses_are_shown_for_a_reason_only(world: World) -> None:
    match = Match.objects.get(pk=world.board(moves="a1 d4 a2 c4", options="-size=4"))
    matches.record_forfeit(match, Request(NOBODY, timezone.now(), AFTER_EVENTS))
    ann, olga = world.player("ann"), operator(world)
    olga.go(f"/operator/storage/match/{match.pk}/undo-forfeit/")
    olga.press("Undo the forfeit", reason="The relay was away.")
    match.refresh_from_db()
    assert match.ended_at is None
    assert "ann@example.org" not in olga.go(f"/operator/storage/player/{ann.pk}/change/")
    olga.go(f"/operator/storage/player/{ann.pk}/addresses/")
    assert "ann@example.org" in olga.press("Show the addresses", reason="A court asks.")
    assert "ann@example.org" not in olga.go("/operator/admin/logentry/")
    assert LogEntry.objects.count() == 2


def test_announcement_is_shown_first_and_told_once(world: World) -> None:
    world.player("ann")
    olga = operator(world)
    olga.go("/operator/announce/")
    shown = olga.press("Look at it", text="We move on Sunday.")
    assert "We move on Sunday." in shown
    assert not Announcement.objects.exists()
    olga.press("Send it to everybody")
    olga.send(*olga.last)
    assert olga.status == 422
    assert Announcement.objects.count() == 1
    assert LogEntry.objects.count() == 1


def test_news_are_hidden_for_a_reason_that_everybody_reads(world: World) -> None:
    number, olga = world.news("ann", "Buy my pills."), operator(world)
    olga.go(f"/operator/storage/news/{number}/hide/")
    olga.press("Hide it", reason="An advertisement.")
    shown = olga.go(f"/news/{number}/")
    assert "An advertisement." in shown
    assert "pills" not in shown
    assert "Buy my pills." in olga.go("/operator/storage/news/?state=hidden")
    olga.go(f"/operator/storage/news/{number}/unhide/")
    olga.press("Show it again", reason="It was a joke.")
    assert "Buy my pills." in olga.go(f"/news/{number}/")


def test_reports_of_abuse_need_attention_until_they_are_settled(world: World) -> None:
    number = world.news("ann", "Buy my pills.")
    perform(
        Report(str(number), "An advertisement."), Actor(world.player("bob")), "", timezone.now()
    )
    olga = operator(world)
    assert "Reports of abuse 1 to settle" in olga.go("/operator/")
    assert "An advertisement." in olga.go("/operator/storage/abusereport/?state=open")
    olga.go(f"/operator/storage/abusereport/{AbuseReport.objects.get().pk}/settle/")
    olga.press("Settle it", reason="I have hidden it.")
    assert "Reports of abuse 0 to settle" in olga.go("/operator/")
    assert "An advertisement." not in olga.go("/operator/storage/abusereport/?state=open")


def test_lists_show_no_signed_address_and_nothing_that_a_letter_says(world: World) -> None:
    rows(world)
    olga = operator(world)
    pages = [olga.go(f"/operator/storage/{name}/") for name in ("inboundmail", "outgoingmail")]
    assert "player-…" in pages[0]
    assert not [page for page in pages if "player-1-abc" in page or "ann@example.org" in page]


def test_mails_set_aside_are_counted_and_listed_behind_the_number(world: World) -> None:
    rows(world)
    olga = operator(world)
    assert "Mails set aside 0 in 24 hours" in olga.go("/operator/")
    InboundMail.objects.update(state=InboundMail.State.FAILED, received_at=timezone.now())
    count = InboundMail.objects.count()
    assert f"Mails set aside {count} in 24 hours" in olga.go("/operator/")
    (link,) = olga.tree.xpath("//a[text()='Mails set aside']/@href")
    olga.go(link)
    assert len(olga.tree.xpath("//table[@id='result_list']/tbody/tr")) == count > 0


def test_letters_are_chosen_by_their_kind_without_looking_at_all_of_them(world: World) -> None:
    for kind in ("sorry", "goodbye"):
        outgoing.queue(outgoing.NewLetter("ann@example.org", kind, {}), NOW)
    visitor = operator(world)
    with CaptureQueriesContext(connection) as asked:
        visitor.go("/operator/storage/outgoingmail/?kind=goodbye")
    assert visitor.tree.xpath("//td[@class='field-kind']/text()") == ["goodbye"]
    assert "?kind=sorry" in visitor.tree.xpath("//a/@href")
    assert "DISTINCT" not in str(asked.captured_queries)


def test_search_finds_by_userid_address_and_board(world: World) -> None:
    board = world.board(options="-size=4")
    olga = operator(world)
    assert "1 found" in olga.go("/operator/storage/player/?q=bob@example")
    assert "1 found" in olga.go(f"/operator/storage/match/?q={board}")
    assert "ann v bob" in olga.go("/operator/storage/match/?state=runs")
    assert "0 found" in olga.go("/operator/storage/match/?q=nobody&state=forfeit")
    assert "refused" in olga.go("/operator/storage/inboundmail/?reason=some")
