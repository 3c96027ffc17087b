"""Pages of contests: what is open, the table of each, and the forms there."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from lxml.html import fromstring

from clock import NOW
from contest_world import DAY, ContestWorld
from league_world import ELEVEN, FIVE, league, next_season, started, tiers
from sarsen.language.commands import (
    CloseContest,
    JoinContest,
    LeaveContest,
    MakeContest,
    ShowContest,
)
from sarsen.language.contests.law import LAWS
from sarsen.language.ratings import Table
from sarsen.storage.models import (
    Contest,
    ContestBoard,
    ContestEntry,
    ContestEvent,
    Downtime,
    Match,
)
from visitor import Visitor
from web_world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def four() -> ContestWorld:
    world = ContestWorld()
    world.make("ann", "bob", "cid", "dora", game="druid", options="-size=5")
    return world


def client_of(world: ContestWorld, userid: str) -> Client:
    client = Client(SERVER_NAME="sarsen.test")
    client.force_login(world.world.player(userid))
    return client


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return str(response.content.decode())


def words(html: str) -> str:
    """Return the words of a page, without what only ears get."""
    html = re.sub(r'<span class="unseen">[^<]*</span>', " ", html)
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_the_table_links_every_board_and_says_what_each_can_reach(four: ContestWorld) -> None:
    four.win("ann", "bob")
    html = page(Client(SERVER_NAME="sarsen.test"), f"/contests/{four.number}/")
    shown = words(html)
    assert "Druid, size 5, round robin, running until" in shown
    assert "Boards over: 1 of 6." in shown
    assert re.search(r"1 ann .*1\.0 0\.00 1st to 4th", shown)
    table = html[: html.index('id="log"')]
    for board in Match.objects.values_list("pk", flat=True):
        assert table.count(f'href="/boards/{board}/"') == 2  # in both rows
    assert "won" in html  # for ears


def test_the_final_table_says_nothing_of_what_can_be_reached() -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid", game="druid", options="-size=5")
    for one, other in (("ann", "bob"), ("bob", "cid"), ("ann", "cid")):
        world.win(one, other)
    shown = words(page(Client(SERVER_NAME="sarsen.test"), f"/contests/{world.number}/"))
    assert "Final table" in shown
    assert "Can end" not in shown


def test_an_invitation_to_a_match_is_declined_by_a_button() -> None:
    world = ContestWorld()
    world.world.player("bob")
    world.say("ann", MakeContest("druid", "match", "-size=4", ("--with=bob",)))
    number = Contest.objects.get().pk
    bob, address = client_of(world, "bob"), f"/contests/{number}/"
    assert address in page(bob, "/")
    shown = words(page(bob, address))
    assert "Join Decline" in shown
    assert "Decline" not in words(page(client_of(world, "ann"), address))
    decline = next(form for form in fromstring(page(bob, address)).forms if "reason" in form.fields)
    bob.post("/do/", dict(decline.form_values()) | {"reason": "Sorry, no time"})
    assert Contest.objects.get().state == "closed"
    assert "bob has declined." in words(page(client_of(world, "ann"), address))


def test_a_contest_is_made_joined_and_left_by_forms(four: ContestWorld) -> None:
    ann, bob = client_of(four, "ann"), client_of(four, "bob")
    made = ann.post(
        "/do/",
        {
            "command": "contest new",
            "format": "round-robin",
            "game": "gyges",
            "terms": ["--most=4", "--days=60"],
            "name": "Rings",
            "back": "/contests/",
            "as": "ann",
        },
    )
    contest = Contest.objects.get(name="Rings")
    assert made.status_code == 302
    assert made["Location"] == f"/contests/{contest.pk}/"
    assert (contest.law["most"], contest.law["days"]) == (4, 60)
    address = f"/contests/{contest.pk}/"
    assert 'value="contest join"' in page(bob, address)
    fields = {"number": str(contest.pk), "back": address, "as": "bob"}
    bob.post("/do/", {"command": "contest join", **fields})
    assert ContestEntry.objects.filter(contest=contest).count() == 2
    assert 'value="contest join"' not in page(bob, address)
    bob.post("/do/", {"command": "contest leave", **fields})
    assert ContestEntry.objects.filter(contest=contest).count() == 1


def test_the_form_makes_matches_and_contests_with_conditions(four: ContestWorld) -> None:
    ann = client_of(four, "ann")

    def send(kind: str, **filled: Any) -> Contest:
        tree = fromstring(page(ann, f"/contests/?kind={kind}"))
        (form,) = [one for one in tree.forms if one.fields.get("command") == "contest new"]
        sent = [(name, value) for name, value in form.form_values() if name != "terms"]
        assert set(filled["terms"]) - {""} <= set(form.xpath(".//@value"))
        ann.post("/do/", dict(sent) | {name.replace("__", "--"): v for name, v in filled.items()})
        return Contest.objects.latest("pk")

    terms = ["", "--games=4", "--help=allowed", "--reliability=90"]
    match = send("match", game="druid", name="Two", __with="bob", terms=terms)
    assert (match.format, match.law["games"], match.law["help"]) == ("match", 4, "allowed")
    assert match.law["with"] == four.world.player("bob").pk
    assert match.law["reliability"] == 90
    terms = ["--most=4", "--bots=fill"]
    open_one = send("round-robin", game="druid", name="Four", terms=terms)
    assert (open_one.law["bots"], "with" in open_one.law) == ("fill", False)


def test_who_leaves_a_running_contest_is_asked_by_two_buttons(four: ContestWorld) -> None:
    dora, address = client_of(four, "dora"), f"/contests/{four.number}/"
    fields = {"number": str(four.number), "back": address, "as": "dora"}
    asked = dora.post("/do/", {"command": "contest leave", **fields}).content.decode()
    assert "Yes, leave" in asked
    assert "Games finished: 0 of 3" in words(asked)
    dora.post("/do/", {"command": "contest leave", "confirmed": "on", **fields})
    assert ContestEntry.objects.get(player__key="dora").is_out
    assert "x" in words(page(dora, address))


def test_the_list_has_each_contest_once_under_how_far_it_has_come(four: ContestWorld) -> None:
    html = page(Client(SERVER_NAME="sarsen.test"), "/contests/")
    assert html.count(f'href="/contests/{four.number}/"') == 1
    assert words(html).index("Open for entry") < words(html).index("Running")


def test_the_home_page_names_contests_that_one_can_join() -> None:
    world = ContestWorld()
    world.make("ann", most=3, game="druid", options="-size=5", terms=())
    html = page(Client(SERVER_NAME="sarsen.test"), "/")
    assert f'href="/contests/{world.number}/"' in html


def test_a_board_of_a_contest_leads_to_it(four: ContestWorld) -> None:
    board = Match.objects.earliest("pk").pk
    assert f'href="/contests/{four.number}/"' in page(client_of(four, "ann"), f"/boards/{board}/")


def test_a_table_in_german(four: ContestWorld) -> None:
    client = Client(SERVER_NAME="sarsen.test", headers={"accept-language": "de"})
    shown = words(page(client, f"/contests/{four.number}/"))
    assert "Druid, Größe 5, Rundenturnier, läuft bis" in shown
    assert "1. bis 4." in shown
    assert "Dates are days" not in shown


def test_a_league_shows_one_tier_at_a_time_the_own_one_first() -> None:
    world = started(*ELEVEN)
    upper, lower = tiers(world)
    address = f"/contests/{world.number}/"
    for client, shown, hidden in (
        (Client(SERVER_NAME="sarsen.test"), upper, lower),
        (client_of(world, lower[0]), lower, upper),
    ):
        html = page(client, address)
        assert all(f">{name}<" in html for name in shown)
        assert not any(f">{name}<" in html.replace('class="own"', "") for name in hidden[1:])
    html = page(Client(SERVER_NAME="sarsen.test"), f"{address}?tier=2")
    assert all(f">{name}<" in html for name in lower)
    assert '<a href="?tier=1">1</a>' in html
    assert "Druid, size 4, league, season 1, running until" in words(html)
    for odd in ("?tier=9", "?tier=0"):
        assert all(
            f">{name}<" in page(Client(SERVER_NAME="sarsen.test"), address + odd) for name in upper
        )


def test_the_pages_of_seasons_link_each_other_and_one_can_join_for_one_only() -> None:
    world = started(*FIVE)
    following = next_season(world)
    first, second = f"/contests/{world.number}/", f"/contests/{following}/"
    assert f'href="{second}">The next season' in page(client_of(world, "ann"), first)
    html = page(client_of(world, "flo"), second)
    assert f'href="{first}">The season before' in html
    assert "Join for this season only" in html
    fields = {"number": str(following), "back": second, "as": "flo"}
    client_of(world, "flo").post("/do/", {"command": "contest join", "once": "on", **fields})
    assert ContestEntry.objects.get(player__key="flo").once


def test_a_league_is_made_by_the_form() -> None:
    world = ContestWorld()
    world.world.player("ann")
    ann = client_of(world, "ann")
    assert 'href="?kind=league#make"' in page(ann, "/contests/")
    fields = {"game": "gyges", "terms": ["", ""], "name": "", "back": "/contests/", "as": "ann"}
    ann.post("/do/", {"command": "contest new", "format": "league", **fields})
    contest = Contest.objects.get(format="league")
    assert (contest.law["most"], contest.law["days"]) == (1000, 84)
    assert "1 player ·" in words(page(ann, "/contests/"))


@pytest.mark.parametrize("kind", LAWS)
def test_the_form_of_each_kind_offers_what_that_kind_takes(kind: str) -> None:
    visitor = Visitor(World().player("ann"))
    visitor.go(f"/contests/?kind={kind}")
    # With every list at its last value, so that all options are sent.
    lists = visitor.tree.xpath("//form//select[@name='terms']")
    chosen = {one.get("id"): one.xpath("./option/@value")[-1] for one in lists}
    visitor.press("Make the contest", options="-size=6", name="Four Corners", **chosen)
    contest = Contest.objects.get()
    assert visitor.path == f"/contests/{contest.pk}/"
    assert (contest.format, contest.options, contest.name) == (kind, "-size=6", "Four Corners")
    assert {f"--{name}={contest.law[name]}" for name in chosen} == set(chosen.values())
    visitor.go(f"/contests/?kind={kind}")
    ticks = visitor.tree.xpath("//input/@value")
    assert "--help=allowed" in ticks
    assert ("--bots=fill" in ticks) == (kind != "match")


def test_a_match_with_somebody_begins_at_their_page() -> None:
    world = World()
    visitor, bob = Visitor(world.player("ann")), world.player("bob")
    visitor.go("/players/bob/")
    (link,) = visitor.tree.xpath("//main//a[normalize-space()='Match']/@href")
    visitor.go(link)
    visitor.press("Make the contest")
    assert Contest.objects.get().law["with"] == bob.pk


def test_the_table_of_a_match_has_a_column_for_each_game() -> None:
    world = ContestWorld()
    world.say("ann", MakeContest("druid", "match", "-size=5", ("--games=3",)))
    world.number = Contest.objects.get().pk
    world.say("bob", JoinContest(world.number))
    world.sweep()
    world.win("ann", "bob")
    html = page(client_of(world, "ann"), f"/contests/{world.number}/")
    assert "Player 1 2 3 Points Can end" in words(html)
    table = words(html[html.index("<tbody") : html.index("</tbody")])
    assert re.fullmatch(r"1 ann (\* 1|1 \*) \* 1\.0 .* 2 bob (\* 0|0 \*) \* 0\.0 .*", table)


def test_a_visitor_joins_the_waiting_list_of_a_contest_that_has_started(
    four: ContestWorld,
) -> None:
    client = client_of(four, "eva")
    html = page(client, f"/contests/{four.number}/")
    assert "Join the waiting list" in html
    client.post("/do/", {"command": "contest join", "number": four.number, "waits": "true"})
    shown = words(page(client, f"/contests/{four.number}/"))
    assert "Waiting for a free seat: eva." in shown
    assert "Join the waiting list" not in shown
    assert "Leave" in shown


def test_the_page_says_what_is_forecast_settled_and_moved(four: ContestWorld) -> None:
    start = Contest.objects.get().starts_at
    assert start is not None
    Downtime.objects.create(starts_at=start, ends_at=start + timedelta(hours=30))
    four.now += 2 * DAY
    for one, others in (("ann", "bob cid dora"), ("bob", "cid dora"), ("cid", "dora")):
        for other in others.split():
            if other != "dora" or one != "cid":
                four.win(one, other)
    shown = words(page(Client(SERVER_NAME="sarsen.test"), f"/contests/{four.number}/"))
    assert "(forecast: " in shown
    assert "The server was away: the end date moved by 2 days." in shown
    assert "Settled" not in shown
    match = four.board("cid", "dora")
    for _ in range(2):
        four.move(match.pk)
    assert four.view().is_settled is False
    four.win("cid", "dora")
    assert four.view().is_settled is True


def test_a_proof_is_linked_and_reliability_stands_below_players(four: ContestWorld) -> None:
    client = Client(SERVER_NAME="sarsen.test")
    assert "% on time" not in words(page(client, f"/contests/{four.number}/"))  # under ten games
    board = Match.objects.earliest("pk").pk
    ContestBoard.objects.filter(match=board).update(proof="a1\na1 b2 c3")
    ContestBoard.objects.exclude(match=board).update(proof="-")
    Contest.objects.update(ends_at=four.now)
    ends = ContestEvent.objects.get(kind="opened")
    ends.facts |= {"ends_at": NOW.isoformat()}
    ends.save()
    html = page(client, f"/contests/{four.number}/")
    (address,) = re.findall(r'href="([^"]*/proofs/[^"]*)"', html)
    assert address.endswith(f"/api/v1/contests/{four.number}/proofs/{board}")
    assert client.get(address).content == b"a1\na1 b2 c3\n"
    assert client.get(address.replace(str(board), str(board + 1))).status_code == 404


def test_points_are_parted_by_a_comma_in_german(four: ContestWorld) -> None:
    four.win("ann", "bob")
    client = Client(SERVER_NAME="sarsen.test", headers={"accept-language": "de"})
    shown = words(page(client, f"/contests/{four.number}/"))
    assert re.search(r"1 ann .*1,0 0,00", shown)


def test_a_contest_says_the_number_that_a_mail_needs(four: ContestWorld) -> None:
    number = four.make("ann", "bob", most=4, game="druid", options="-size=5")
    client = Client(SERVER_NAME="sarsen.test")
    for address in ("/contests/", "/contests/calendar/", "/players/ann/"):
        assert f"Contest {number} " in words(page(client, address)), address
    shown = words(page(client, f"/contests/{number}/"))
    assert f"Contest {number}" in shown


def test_a_closed_contest_shows_who_had_joined_and_no_places() -> None:
    world = ContestWorld()
    number = world.make("ann", "bob", most=4, game="druid", options="-size=5")
    world.say("ann", CloseContest(number))
    shown = words(page(Client(SERVER_NAME="sarsen.test"), f"/contests/{number}/"))
    assert "Who had joined" in shown
    assert "1 ann 2 bob" in shown
    assert "Can end" not in shown
    table = world.say("ann", ShowContest(number))
    assert isinstance(table, Table)
    assert (table.columns, table.rows) == (("player",), (("ann",), ("bob",)))
    assert (world.view().entrants, world.view().table) == (("ann", "bob"), ())


def test_a_league_has_room_for_all_and_never_says_how_many_at_the_most() -> None:
    world = league("ann", "bob")
    client = client_of(world, "ann")
    for address in ("/contests/", f"/contests/{world.number}/", "/players/ann/", "/"):
        shown = words(page(client, address))
        assert "of 1000" not in shown, address
    assert "2 players" in words(page(client, "/players/ann/"))


def test_boards_that_were_closed_are_no_draws_and_none_of_the_last_results(
    four: ContestWorld,
) -> None:
    four.say("dora", LeaveContest(four.number, confirmed=True))
    html = page(Client(SERVER_NAME="sarsen.test"), "/players/dora/")
    assert Match.objects.exclude(ended_at=None).count() == 3  # closed
    assert "on time in every recent game" not in words(html)
    assert "½" not in html
    four.win("bob", "ann")
    html = page(Client(SERVER_NAME="sarsen.test"), "/players/ann/")
    assert "½" not in html
    assert 'class="lost"' in html


def test_the_contest_stands_in_the_heading_of_its_boards(four: ContestWorld) -> None:
    html = page(client_of(four, "ann"), f"/boards/{four.board('ann', 'bob').pk}/")
    heading = html[html.index("<h1") : html.index("</h1>")]
    assert f"Game of contest {four.number}," in words(heading)
