"""Contests beside their pages: calendars, feeds, players, boards, and pages that are open."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from icalendar import Calendar
from lxml import etree, html

from contest_world import ContestWorld
from doors.web.contests.test_pages import client_of, page, words
from sarsen.games import load
from sarsen.language.commands import ChangeNotices, CorrectContest, LeaveContest, ShowContest
from sarsen.language.ratings import Table
from sarsen.language.replies import NoticesStand, decode, encode
from sarsen.language.translating import sentence, use_language
from sarsen.services.admin.roles import add_operator
from sarsen.services.admin.verify_contests import contest_differences
from sarsen.services.contests.views.calendar import dates_of_contests
from sarsen.services.events.live_updates import contest_stamp, new_key
from sarsen.services.matches import history
from sarsen.storage.models import Contest, ContestEntry, Match, Player

pytestmark = pytest.mark.django_db
ATOM = {"a": "http://www.w3.org/2005/Atom"}
GAME = {"game": "druid", "options": "-size=5"}


def anybody(language: str = "en") -> Client:
    return Client(SERVER_NAME="sarsen.test", headers={"accept-language": language})


@pytest.fixture
def world() -> ContestWorld:
    return ContestWorld()


def events(body: bytes) -> dict[str, tuple[object, str]]:
    """Return the end and the summary of each entry of a calendar, by its name."""
    return {
        str(event["UID"]): (event["DTEND"].dt, str(event["SUMMARY"]))
        for event in Calendar.from_ical(body).walk("VEVENT")
    }


def titles(body: bytes) -> list[str]:
    found = etree.fromstring(body).xpath("//a:entry/a:title/text()", namespaces=ATOM)
    return [str(title) for title in found]


def test_one_sees_ones_own_contests_first_and_none_twice(world: ContestWorld) -> None:
    mine = world.make("ann", "bob", most=4, **GAME)
    other = world.make("cid", "dora", most=4, **GAME)
    client = client_of(world, "ann")
    shown = page(client, "/contests/")
    tree = html.fromstring(shown)
    sections = {
        str(section.get("aria-labelledby")): section.xpath(".//li/a/@href")
        for section in tree.xpath("//section")
    }
    assert sections["mine"] == [f"/contests/{mine}/"]
    assert sections["open"] == [f"/contests/{other}/"]
    assert "Yours" not in words(page(anybody(), "/contests/"))


def test_e4_the_calendar_shows_days_of_utc_and_the_time_of_the_readers_zone(
    world: ContestWorld,
) -> None:
    number = world.make("ann", "bob", most=4, **GAME)
    shown = words(page(anybody(), "/contests/calendar/"))
    contest = Contest.objects.get()
    assert contest.ends_at is not None
    assert contest.ends_at.hour == 0
    last = contest.ends_at - timedelta(days=1)
    assert f"{last:%a %-d %b %Y} 24:00 UTC {contest.name}" in shown
    client = client_of(world, "ann")
    Player.objects.filter(key="ann").update(timezone="Europe/Berlin")
    shown = words(page(client, "/contests/calendar/"))
    assert f"{contest.ends_at:%a %-d %b %Y} 01:00 your time {contest.name}" in shown
    assert f'href="/contests/{number}/"' in page(client, "/contests/calendar/")


def test_dates_for_calendars_have_names_that_stay_when_they_move(world: ContestWorld) -> None:
    number = world.make("ann", "bob", most=4, **GAME)
    response = anybody().get("/contests/calendar.ics")
    assert response["Content-Type"].startswith("text/calendar")
    before = events(response.content)
    contest = Contest.objects.get()
    names = [f"contest-{number}-{kind}@sarsen.test" for kind in ("entry-ends", "ends")]
    assert [before[name][0] for name in names] == [contest.starts_at, contest.ends_at]
    assert before[names[0]][1] == (f"Entry ends: {contest.name} (Druid, size 5, round robin)")
    world.wait(timedelta(days=16))  # put off by a week
    after = events(anybody().get("/contests/calendar.ics").content)
    contest.refresh_from_db()
    assert [after[name][0] for name in names] == [contest.starts_at, contest.ends_at]
    assert before.keys() == after.keys()
    assert before != after


def test_ones_own_calendar_has_ones_own_contests_under_a_secret(world: ContestWorld) -> None:
    mine = world.make("ann", "bob", "cid", most=4, **GAME)
    world.make("cid", "dora", most=4, **GAME)
    stand = world.say("ann", ChangeNotices("feeds", ""))
    assert isinstance(stand, NoticesStand)
    address = stand.feeds[2].removeprefix("http://sarsen.test")
    assert address.endswith("/contests.ics")
    own = events(anybody().get(address).content)
    assert {name.split("-")[1] for name in own} == {str(mine)}
    assert anybody().get(f"/feeds/{'0' * 20}/contests.ics").status_code == 404
    world.say("ann", LeaveContest(mine))
    assert not events(anybody().get(address).content)


def test_the_feed_tells_what_happened_and_what_has_not_changed_is_not_sent_again(
    world: ContestWorld,
) -> None:
    number = world.make("ann", "bob", "cid", "dora", **GAME)
    world.world.player("olga")
    add_operator("olga", world.now)
    world.win("ann", "bob")
    board = world.board("ann", "cid")
    world.say("olga", CorrectContest(number, board.pk, "1-0", "wrong board"))
    world.say("dora", LeaveContest(number, confirmed=True))
    address = f"/contests/{number}/feed/"
    response = anybody().get(address)
    assert response["Content-Type"].startswith("application/atom+xml")
    told = titles(response.content)
    first, second = (seat.player.userid for seat in board.seat_rows)
    assert "dora is out of the contest." in told
    assert f"{first} v {second}: corrected to 1-0. The reason: wrong board." in told
    assert "The contest has started." in told
    won = world.board("ann", "bob").seat_rows[0].player.userid == "ann"
    assert f"{'ann v bob: 1-0' if won else 'bob v ann: 0-1'}." in told
    again = anybody().get(address, headers={"if-none-match": response["ETag"]})
    assert again.status_code == 304
    world.wait(timedelta(days=120), step=timedelta(days=60))
    assert titles(anybody().get(address).content)[0] == "The contest has ended."
    assert anybody().get("/contests/99/feed/").status_code == 404


def test_the_page_shows_the_last_events_and_leads_to_the_whole_log(world: ContestWorld) -> None:
    number = world.make("ann", "bob", "cid", "dora", **GAME)
    shown = page(anybody(), f"/contests/{number}/")
    tree = html.fromstring(shown)
    log = [
        " ".join(one.split()) for one in tree.xpath("//ol[@class='log sheet-of-paper']/li//text()")
    ]
    assert "The contest was made." in log
    assert "dora has joined." in log
    assert len(tree.xpath("//ol[@class='log sheet-of-paper']/li")) <= 20
    assert f"/api/v1/contests/{number}/log" in shown


def test_an_open_page_hears_of_every_event_and_result(world: ContestWorld) -> None:
    number = world.make("ann", "bob", "cid", **GAME)
    tree = html.fromstring(page(anybody(), f"/contests/{number}/"))
    address, stamp = tree.body.get("data-news"), tree.body.get("data-stamp")
    assert {"state", "choices", "table", "log"} <= set(tree.xpath("//@data-part"))

    def asked() -> str:
        contest_stamp(number)  # forgets what is kept for a second
        return str(json.loads(anybody().get(address).content)["stamp"])

    assert asked() == stamp
    world.win("ann", "bob")
    after_result = asked()
    assert after_result != stamp
    world.say("cid", LeaveContest(number, confirmed=True))
    assert asked() not in (stamp, after_result)


def test_keys_of_pages_that_an_older_release_made_stay_good(world: ContestWorld) -> None:
    board = world.world.board(options="-size=5")
    key = new_key(board, None)
    assert key.split(":")[0] == f"{board}.0.0"
    assert anybody().get(f"/live/{key}/").status_code == 200


def test_a_board_says_of_which_contest_it_is_with_one_query_for_those_alone(
    world: ContestWorld,
) -> None:
    number = world.make("ann", "bob", "cid", **GAME)
    name = Contest.objects.get().name
    board, plain = world.board("ann", "bob").pk, world.world.board(options="-size=5")
    assert f"Game of contest {number}, {name}" in words(page(anybody(), f"/boards/{board}/"))
    with CaptureQueriesContext(connection) as asked:
        page(anybody(), f"/boards/{plain}/")
    assert not [one for one in asked.captured_queries if "contest" in one["sql"].lower()]


def test_a_players_page_shows_entries_and_medals_as_the_table_shows_places(
    world: ContestWorld,
) -> None:
    over = world.make("ann", "bob", "cid", "dora", **GAME)
    for winner, loser in (("ann", "bob"), ("bob", "cid"), ("cid", "ann")):
        world.win(winner, loser)
    for winner in ("ann", "bob", "cid"):
        world.win(winner, "dora")
    running = world.make("ann", "bob", "cid", **GAME)
    shown = words(page(anybody(), "/players/ann/"))
    assert f"Place 1-3 {Contest.objects.get(pk=over).name}" in shown  # E17: ann, bob and cid
    assert f'href="/contests/{running}/"' in page(anybody(), "/players/ann/")
    assert "Contests" not in words(page(anybody(), "/players/dora/")).split("In play")[0]


def test_a_contest_that_one_has_left_is_no_entry_any_more(world: ContestWorld) -> None:
    number = world.make("ann", "bob", "cid", **GAME)
    world.say("cid", LeaveContest(number, confirmed=True))
    link = f'href="/contests/{number}/"'
    assert link in page(anybody(), "/players/ann/")
    assert link not in page(anybody(), "/players/cid/")
    assert "Yours" not in words(page(client_of(world, "cid"), "/contests/"))
    assert "Yours" in words(page(client_of(world, "ann"), "/contests/"))


def test_three_entrants_are_too_few_for_medals(world: ContestWorld) -> None:
    world.make("ann", "bob", "cid", **GAME)
    for winner, loser in (("ann", "bob"), ("ann", "cid"), ("bob", "cid")):
        world.win(winner, loser)
    assert "Place 1" not in words(page(anybody(), "/players/ann/"))


def test_e36_a_correction_after_the_end_moves_the_medals_and_verify_agrees(
    world: ContestWorld,
) -> None:
    number = world.make("ann", "bob", "cid", "dora", **GAME)
    pairs = [("ann", "bob"), ("ann", "cid"), ("ann", "dora"), ("bob", "cid")]
    for winner, loser in [*pairs, ("bob", "dora"), ("cid", "dora")]:
        world.win(winner, loser)
    world.world.player("olga")
    add_operator("olga", world.now)
    board = world.board("ann", "bob")
    ann_is_first = board.seat_rows[0].player.userid == "ann"
    result = "0-1" if ann_is_first else "1-0"
    world.say("olga", CorrectContest(number, board.pk, result, "wrong board"))
    places = dict(ContestEntry.objects.values_list("player__key", "place"))
    assert places == {"bob": 1, "ann": 2, "cid": 3, "dora": 4}
    assert not list(contest_differences(lambda _: None))
    ContestEntry.objects.filter(player__key="ann").update(place=1)
    assert [found.what for found in contest_differences(lambda _: None)] == ["places"]


def test_a_players_page_and_the_lists_ask_as_much_for_many_contests(world: ContestWorld) -> None:
    counted = []
    for _ in range(2):
        world.make("ann", "bob", "cid", **GAME)
        asked = {}
        for address in ("/players/ann/", "/contests/", "/contests/calendar/"):
            page(client_of(world, "ann"), address)
            with CaptureQueriesContext(connection) as captured:
                page(client_of(world, "ann"), address)
            asked[address] = sum("contest" in one["sql"] for one in captured.captured_queries)
        counted.append(asked)
    assert counted[0] == counted[1]
    assert max(counted[0].values()) <= 4


def test_the_page_of_a_contest_and_its_feed_ask_as_much_for_many_boards(
    world: ContestWorld,
) -> None:
    counted = []
    for players in (("ann", "bob", "cid"), ("ann", "bob", "cid", "dora", "eve", "fay")):
        number = world.make(*players, **GAME)
        world.win("ann", "bob")
        asked = []
        for address in (f"/contests/{number}/", f"/contests/{number}/feed/"):
            page(anybody(), address)
            with CaptureQueriesContext(connection) as captured:
                page(anybody(), address)
            asked.append(len(captured))
        counted.append(asked)
    assert counted[0] == counted[1]
    assert max(counted[0]) <= 10


@pytest.mark.parametrize("address", ["/contests/", "/contests/calendar/", "/contests/{number}/"])
def test_pages_of_contests_in_german_without_english(world: ContestWorld, address: str) -> None:
    number = world.make("ann", "bob", "cid", **GAME)
    client = anybody("de")
    shown = words(page(client, address.format(number=number)))
    for english in ("Calendar", "Coming", "started", "What happened", "has joined", "Running"):
        assert english not in shown, english


def test_titles_that_the_server_has_found_are_in_the_language_of_the_reader(
    world: ContestWorld,
) -> None:
    first = world.make("ann", "bob", "cid", **GAME)
    second = world.make("ann", "bob", "cid", **GAME)
    own = world.make("ann", "bob", "cid", **GAME, name="Our round robin")
    client, board = anybody("de"), world.board("ann", "bob").pk
    shown = words(page(client, "/contests/"))
    for title in ("Druid-Rundenturnier 2", "Druid-Rundenturnier", "Our round robin"):
        assert title in shown
    assert "Druid round robin" not in shown
    for number, title in ((first, "Druid-Rundenturnier"), (second, "Druid-Rundenturnier 2")):
        tree = html.fromstring(page(client, f"/contests/{number}/"))
        assert tree.findtext(".//h1").strip() == title
        assert tree.findtext(".//title").strip().startswith(title)
    assert "Our round robin" in words(page(client, f"/boards/{board}/"))
    for address in ("/", "/players/ann/", "/contests/calendar/", f"/contests/{first}/"):
        assert "Druid round robin" not in words(page(client, address)), address
    dates = client.get("/contests/calendar.ics?language=de").content.decode()
    assert "Druid-Rundenturnier 2" in dates
    facts = client.get(f"/api/v1/contests/{own - 1}").json()
    assert facts["name"] == "Druid round robin 2"  # programs read the name as it is stored
    asked = world.say("ann", LeaveContest(second))
    with use_language("de"):
        assert "Druid-Rundenturnier 2" in sentence(asked)
        assert "Druid-Rundenturnier 2" in sentence(decode(encode(asked, with_templates=True)))


def test_guests_read_all_pages_and_are_led_to_an_account(world: ContestWorld) -> None:
    number = world.make("ann", "bob", most=4, **GAME)
    guest = world.world.player("guest1")
    Player.objects.filter(pk=guest.pk).update(is_guest=True)
    client = client_of(world, "guest1")
    for address in ("/contests/", "/contests/calendar/", f"/contests/{number}/"):
        assert client.get(address).status_code == 200
    assert 'value="contest join"' not in page(client, f"/contests/{number}/")
    assert Match.objects.count() == 0


def test_ended_contests_leave_the_calendar(world: ContestWorld) -> None:
    world.make("ann", "bob", "cid", **GAME)
    assert len(dates_of_contests(None)) == 2
    for winner, loser in (("ann", "bob"), ("ann", "cid"), ("bob", "cid")):
        world.win(winner, loser)
    assert not dates_of_contests(None)


def test_the_start_of_a_contest_is_no_time_before_it(world: ContestWorld) -> None:
    number = world.make("ann", "bob", "cid", **GAME)
    starts = Contest.objects.get().starts_at
    body = anybody().get("/contests/calendar.ics").content
    (event,) = [
        one
        for one in Calendar.from_ical(body).walk("VEVENT")
        if str(one["UID"]).startswith(f"contest-{number}-started@")
    ]
    assert event["DTSTART"].dt == starts


def test_the_log_names_players_and_boards_and_the_result_of_a_correction(
    world: ContestWorld,
) -> None:
    number = world.make("ann", "bob", "cid", **GAME)
    board = world.board("ann", "bob").pk
    world.win("ann", "bob")
    world.world.player("olga")
    add_operator("olga", world.now)
    world.say("olga", CorrectContest(number, board, "=", "a bug"))
    table = world.say("ann", ShowContest(number, "log"))
    assert isinstance(table, Table)
    rows = [tuple(map(str, row)) for row in table.rows]
    assert all(row[1].endswith(" UTC") for row in rows)
    (corrected,) = [row[3] for row in rows if row[2] == "corrected"]
    assert re.fullmatch(rf"(ann v bob|bob v ann) at board {board}: ½-½", corrected)
    assert not any(".g1" in row[3] for row in rows)


def test_e30_no_program_plays_on_where_ones_own_board_stands(world: ContestWorld) -> None:
    for terms, status in ((("--help=allowed",), 302), ((), 422)):
        number = world.make("ann", "bob", "cid", **GAME, terms=terms)
        match = world.board("ann", "bob")
        for _ in range(4):
            world.move(match.pk)
        texts = [move.text for move in history.moves_of(Match.objects.get(pk=match.pk))]
        start = load("druid").start(GAME["options"])
        move = next(start.format(one) for one in reversed(start.legal_moves()))
        fields = {"options": "-size=5", "partner": "on", "moves": " ".join(texts), "move": move}
        answers = {
            name: client_of(world, name).get("/games/druid/try/", fields) for name in ("ann", "cid")
        }
        assert answers["ann"].status_code == status
        assert answers["cid"].status_code == 302  # it is not their board
        # Moves that a player tries alone are the player's own notes.
        alone = client_of(world, "ann").get("/games/druid/try/", fields | {"partner": ""})
        assert alone.status_code == 302
    refused = answers["ann"].content.decode()
    assert f"in contest {number} without help" in refused
