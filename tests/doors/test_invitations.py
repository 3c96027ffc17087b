"""A match for one player: no door offers it to anybody else."""

from __future__ import annotations

import pytest
from django.test import Client

from contest_world import ContestWorld
from sarsen.language.commands import JoinContest, ListContests, MakeContest, ShowContest
from sarsen.language.contests.answers import ContestMade
from sarsen.language.ratings import Table
from sarsen.language.translating import translated
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor

pytestmark = pytest.mark.django_db
NAME = "Two Of Us"
# Wherever contests are listed.
LISTS = (
    "/",
    "/contests/",
    "/contests/calendar/",
    "/players/ann/",
    "/api/v1/contests",
    "/api/v1/contests?state=open",
    "/api/v1/contests?player=ann",
)


@pytest.fixture
def world() -> ContestWorld:
    world = ContestWorld()
    for userid in ("bob", "cid"):
        world.world.player(userid)
    words = ("--with=bob",)
    made = world.say("ann", MakeContest("druid", "match", "-size=4", words, NAME))
    assert isinstance(made, ContestMade)
    world.number = made.number
    return world


def client_of(world: ContestWorld, userid: str) -> Client:
    client = Client(SERVER_NAME="sarsen.test")
    if userid:
        client.force_login(world.world.player(userid))
    return client


def read(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return str(response.content.decode())


def listed(world: ContestWorld, userid: str, which: str) -> list[str]:
    actor = Actor(world.world.player(userid) if userid else None)
    table = perform(ListContests(which=which), actor, f"list {userid} {which}", world.now)
    assert isinstance(table, Table)
    return [row[1] for row in table.rows]


@pytest.mark.parametrize("userid", ["", "cid"])
def test_a_match_for_one_player_is_offered_to_nobody_else(world: ContestWorld, userid: str) -> None:
    client = client_of(world, userid)
    for address in (*LISTS, "/contests/calendar.ics"):
        assert NAME not in read(client, address), address
    for which in ("", "open"):
        assert NAME not in listed(world, userid, which)
    html = read(client, f"/contests/{world.number}/")
    assert "bob is invited, and can join until" in html
    for offer in ('value="contest join"', "Create an account and join"):
        assert offer not in html


@pytest.mark.parametrize("userid", ["ann", "bob"])
def test_its_two_players_find_it_in_lists(world: ContestWorld, userid: str) -> None:
    client = client_of(world, userid)
    for address in ("/contests/", "/contests/calendar/", "/players/ann/"):
        assert NAME in read(client, address), address
    for which in ("", "open"):
        assert NAME in listed(world, userid, which)
    may_join = userid == "bob"
    assert (NAME in read(client, "/")) == may_join
    assert ('value="contest join"' in read(client, f"/contests/{world.number}/")) == may_join


def test_it_is_everybodys_to_see_once_it_runs(world: ContestWorld) -> None:
    world.say("bob", JoinContest(world.number))
    world.sweep()
    for address in ("/contests/", "/contests/calendar/", "/players/ann/", "/api/v1/contests"):
        assert NAME in read(client_of(world, "cid"), address), address
    shown = world.say("cid", ShowContest(world.number))
    assert isinstance(shown, Table)
    assert "is invited" not in translated(shown.title)
