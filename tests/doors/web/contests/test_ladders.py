"""Pages of ladders: the list of places, and the form to climb."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from lxml.html import fromstring

from contest_world import ContestWorld
from doors.web.contests.test_pages import client_of, page, words
from sarsen.language.commands import ClimbLadder, JoinLadder, MakeContest
from sarsen.language.contests.ladders import LadderMade
from sarsen.storage.models import Contest, ContestEntry, Match

pytestmark = pytest.mark.django_db
YES = "Yes, close it"


@pytest.fixture
def three() -> ContestWorld:
    world = ContestWorld()
    made = world.say("ann", MakeContest("druid", "ladder", "-size=5"))
    assert isinstance(made, LadderMade)
    world.number = made.number
    for name in ("bob", "cid"):
        world.say(name, JoinLadder("druid"))
    return world


def test_the_page_has_a_button_beside_each_whom_the_visitor_may_climb(three: ContestWorld) -> None:
    address = f"/contests/{three.number}/"
    nobody = page(Client(SERVER_NAME="sarsen.test"), address)
    assert 'value="climb"' not in nobody
    assert "It is open to everybody, and never ends. Running boards: 0." in words(nobody)
    cid = client_of(three, "cid")
    html = page(cid, address)
    assert html.count('value="climb"') == 2
    assert 'aria-label="Climb ann"' in html
    fields = {"command": "climb", "game": "druid", "userid": "ann", "back": address, "as": "cid"}
    done = cid.post("/do/", fields)
    assert done["Location"].startswith(address)
    html = page(cid, done["Location"])
    assert "You climb from place 3 to ann" in words(html)
    assert html.count('value="climb"') == 1
    assert Match.objects.count() == 1
    assert re.search(r"1 ann 1 2 bob .* 3 cid 1", words(html))


def test_a_host_closes_a_ladder_with_a_reason_and_its_places_stay(three: ContestWorld) -> None:
    address = f"/contests/{three.number}/"
    assert 'value="contest close"' not in page(client_of(three, "bob"), address)
    ann = client_of(three, "ann")
    assert 'name="reason"' in page(ann, address)
    fields = {"number": str(three.number), "back": address, "as": "ann", "reason": "too quiet"}
    asked = ann.post("/do/", {"command": "contest close", **fields}).content.decode()
    assert "Do you want to close contest" in words(asked)
    assert three.view().state == "running"
    yes = next(form for form in fromstring(asked).forms if form.text_content().strip() == YES)
    ann.post("/do/", dict(yes.form_values()))
    html = page(client_of(three, "cid"), address)
    shown = words(html)
    assert "Final table" in shown
    assert re.search(r"1 ann .*2 bob .*3 cid", shown)
    assert "these are its last places. The reason: too quiet." in shown
    assert "The ladder was closed. The reason: too quiet." in shown
    for command in ("contest join", "contest leave", "contest close", "climb"):
        assert f'value="{command}"' not in html


def test_the_board_of_a_climb_says_where_its_players_stand_after_it(three: ContestWorld) -> None:
    three.say("cid", ClimbLadder("druid", "ann"))
    three.win("cid", "ann")
    address = f"/boards/{three.board('cid', 'ann').pk}/"
    assert "You are 1st on the Druid ladder now, ahead of ann." in words(
        page(client_of(three, "cid"), address)
    )
    assert "You are 2nd on the Druid ladder now, behind cid." in words(
        page(client_of(three, "ann"), address)
    )
    assert "1st on" not in words(page(client_of(three, "bob"), address))


def test_a_visitor_joins_and_leaves_by_forms(three: ContestWorld) -> None:
    address = f"/contests/{three.number}/"
    dora = client_of(three, "dora")
    assert 'value="contest join"' in page(dora, address)
    fields = {"number": str(three.number), "back": address, "as": "dora"}
    dora.post("/do/", {"command": "contest join", **fields})
    assert 'value="contest join"' not in page(dora, address)
    dora.post("/do/", {"command": "contest leave", **fields})
    assert ContestEntry.objects.get(player__key="dora").is_out
    html = page(dora, address)
    assert 'value="contest join"' in html
    assert "4 dora" not in words(html)


def test_a_ladder_is_linked_from_its_game_and_from_the_list(three: ContestWorld) -> None:
    client = Client(SERVER_NAME="sarsen.test")
    link = f'href="/contests/{three.number}/"'
    assert link in page(client, "/games/druid/")
    assert link in page(client, "/contests/")
    assert "ends on" not in words(page(client, "/contests/"))
    assert link not in page(client, "/games/gyges/")


def test_a_ladder_in_german(three: ContestWorld) -> None:
    client = client_of(three, "cid")
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    three.world.player("cid")
    shown = words(
        page(
            Client(SERVER_NAME="sarsen.test", headers={"accept-language": "de"}),
            f"/contests/{three.number}/",
        )
    )
    assert "Rangliste. Sie steht allen offen und endet nie." in shown
    assert "Neue beginnen am Ende." in shown


def test_the_form_offers_no_second_ladder_of_a_game(three: ContestWorld) -> None:
    ann = client_of(three, "ann")
    html = page(ann, "/contests/?kind=ladder")
    offered = {
        one.get("value") for one in fromstring(html).get_element_by_id("game").iter("option")
    }
    assert "gyges" in offered
    assert "druid" not in offered
    assert f'href="/contests/{three.number}/">Druid</a>' in html
    for game in offered:
        three.say("bob", MakeContest(str(game), "ladder"))
    html = page(ann, "/contests/?kind=ladder")
    assert "There is a ladder already for: Druid" in words(html)
    for number in Contest.objects.filter(format="ladder").values_list("pk", flat=True):
        assert f'href="/contests/{number}/"' in html[html.index("There is a ladder") :]
    assert 'value="contest new"' not in html
    assert '<option value="druid">' in page(ann, "/contests/?kind=league")
