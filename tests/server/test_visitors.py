"""What visitors ask for is bounded: each request, each place on the net, long ones in all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from sarsen.core.errors import PluginBusy, UserError
from sarsen.doors.web.site import monitoring
from sarsen.isolation.allowance import VISITOR_SECONDS, allowance_in_force
from sarsen.server import visitors
from sarsen.services.limits.processor_time import PAGE_THREADS, SECONDS, SHORT, ProcessorBudget
from sarsen.services.matches.practice import make_practice
from web_world import World

HERE, THERE = "192.0.2.1", "198.51.100.7"
MANY = 500  # a page takes more than a ten-thousandth of a second


@pytest.fixture
def world(db: None) -> World:
    return World()


@dataclass
class Threads:
    """Page threads that work for others, or for nobody else."""

    is_idle: bool = False
    seconds: float = 0.0

    def standstill(self) -> float:
        return self.seconds


@pytest.fixture
def threads() -> Threads:
    return Threads()


@pytest.fixture
def browser(settings: Any, monkeypatch: pytest.MonkeyPatch, threads: Threads) -> Client:
    """A browser at a busy server where a place has a twentieth of a second."""
    monkeypatch.setattr("sarsen.server.visitors.PROCESSOR_SECONDS", 0.05)
    settings.ALLOWED_HOSTS = ["*"]
    return Client(REMOTE_ADDR=HERE, **{PAGE_THREADS: threads})


def use_up(browser: Client, path: str, **more: str) -> None:
    assert any(browser.get(path, **more).status_code == 429 for _ in range(MANY))


def test_a_place_that_has_used_up_its_time_is_served_while_nobody_else_asks(
    world: World, browser: Client, threads: Threads
) -> None:
    use_up(browser, "/games/druid/")
    threads.is_idle = True
    for _ in range(3):
        assert browser.get("/games/druid/").status_code == 200
    threads.is_idle = False
    assert browser.get("/games/druid/").status_code == 429


def test_one_visitor_of_places_that_have_used_up_their_time_is_served_at_once(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors, "PROCESSOR_SECONDS", 1e-9)
    found: list[HttpResponse | None] = []

    def ask_once_more(request: HttpRequest) -> HttpResponse:
        found.append(bound.process_view(request))
        if len(found) == 2:
            bound(rf.get("/", REMOTE_ADDR=THERE))  # while the second one is at work
        return HttpResponse()

    bound = visitors.BoundVisitors(ask_once_more)
    monkeypatch.setattr(visitors.SiteAllowances, "has_room", lambda *_: False)
    for address in (HERE, HERE):
        bound(rf.get("/", REMOTE_ADDR=address))
    assert [answer and answer.status_code for answer in found] == [None, None, 429]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/join/", 200),
        ("/unsubscribe/nobodys/", 404),
        ("/feeds/nobodys/boards.atom", 404),
        ("/boards/{}/embed/", 200),
        ("/boards/{}/embed/1.svg", 200),
        ("/login/", 200),
    ],
)
def test_what_proves_its_reader_or_takes_little_is_open_at_a_place_that_has_used_up_its_time(
    world: World, browser: Client, path: str, status: int
) -> None:
    board = world.board(moves="a1")
    use_up(browser, "/games/druid/")
    assert browser.get(path.format(board)).status_code == status


def test_what_stays_open_has_a_small_limit_of_its_own(
    world: World, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors, "OPEN_SECONDS", 0.05)
    use_up(browser, "/games/druid/")
    use_up(browser, "/join/")
    assert browser.get("/login/").status_code == 200
    assert browser.get("/join/", REMOTE_ADDR=THERE).status_code == 200


def test_health_tells_that_pages_wait_although_it_is_answered(
    browser: Client, threads: Threads, db: None
) -> None:
    assert browser.get("/health/").status_code == 200
    threads.seconds = monitoring.MAX_STANDSTILL_SECONDS + 1
    answer = browser.get("/health/")
    assert (answer.status_code, answer.content) == (503, b"pages wait\n")


def test_a_place_that_has_used_up_its_time_is_asked_to_wait_and_others_are_not(
    world: World, browser: Client
) -> None:
    use_up(browser, "/games/druid/")
    refused = browser.get("/games/druid/")
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert "log in" in refused.content.decode()
    api = browser.get("/api/v1/games")
    assert (api.status_code, api.json()["code"]) == (429, "too-much")
    assert browser.post("/do/", {"line": "list"}).status_code == 429
    assert browser.get("/games/druid/", REMOTE_ADDR=THERE).status_code == 200


def test_stream_of_a_visitor_ends_when_the_place_has_used_up_its_time(
    world: World, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.server.visitors.PROCESSOR_SECONDS", 30.0)
    board = world.board()
    stream, elsewhere = (
        browser.get(f"/api/v1/events/boards/{board}", REMOTE_ADDR=place) for place in (HERE, THERE)
    )
    assert stream.held.has_room()
    stream.held.spend(40.0)
    assert not stream.held.has_room()
    assert elsewhere.held.has_room()
    assert len(list(stream)) == 1  # what there is; then it ends
    elsewhere.held.close()


def test_a_player_who_logs_in_goes_on_at_a_place_that_has_used_up_its_time(
    world: World, browser: Client
) -> None:
    ann = world.player("ann")
    use_up(browser, "/games/druid/")
    assert browser.get("/health/").status_code == 200
    assert browser.get("/login/").status_code == 200
    browser.force_login(ann)
    assert browser.get("/games/druid/").status_code == 200


def test_a_guest_counts_as_a_visitor(
    world: World, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors, "_CHEAP", 0.0)
    guest = world.player("guest")
    guest.is_guest = True
    guest.save()
    browser.force_login(guest)
    use_up(browser, "/games/druid/")


def test_all_addresses_of_one_line_are_one_place(world: World, browser: Client) -> None:
    use_up(browser, "/games/druid/", REMOTE_ADDR="2001:db8:0:1::1")
    assert browser.get("/games/", REMOTE_ADDR="2001:db8:0:1:ffff::2").status_code == 429
    assert browser.get("/games/", REMOTE_ADDR="2001:db8:0:2::1").status_code == 200


def test_a_cookie_that_is_nobodys_session_makes_no_member(
    world: World, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors, "_CHEAP", 0.0)
    browser.cookies["sessionid"] = "x" * 32
    use_up(browser, "/games/druid/")


def test_time_of_plugins_is_charged_to_the_visitor_who_asked(
    db: None, rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors, "PROCESSOR_SECONDS", 30.0)

    def wait_for_rules(request: HttpRequest) -> HttpResponse:
        assert allowance_in_force().begin() == VISITOR_SECONDS
        allowance_in_force().used += 2 * visitors.PROCESSOR_SECONDS
        return HttpResponse()

    bound = visitors.BoundVisitors(wait_for_rules)
    here, there = (
        rf.get("/games/", REMOTE_ADDR=address, **{PAGE_THREADS: Threads()})
        for address in (HERE, THERE)
    )
    assert bound.process_view(here) is None
    bound(here)
    refused = bound.process_view(here)
    assert refused is not None
    assert refused.status_code == 429
    assert bound.process_view(there) is None


def test_place_that_has_used_up_its_time_asks_no_plugin_while_nobody_else_asks_for_a_page(
    db: None, rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors, "PROCESSOR_SECONDS", 30.0)

    def ask(request: HttpRequest) -> HttpResponse:
        refused = bound.process_view(request)
        assert refused is None
        allowance_in_force().begin()
        allowance_in_force().used += 2 * visitors.PROCESSOR_SECONDS
        return HttpResponse()

    bound = visitors.BoundVisitors(ask)
    here = rf.get("/games/", REMOTE_ADDR=HERE, **{PAGE_THREADS: Threads(is_idle=True)})
    assert bound(here).status_code == 200
    for _ in range(2):
        with pytest.raises(PluginBusy):
            bound(here)


@pytest.mark.parametrize("page", ["", "moves.json", "reason.json"])
def test_practice_boards_are_at_most_twice_the_usual_size(
    world: World, browser: Client, page: str, threads: Threads
) -> None:
    threads.is_idle = True  # the largest board may take all the time of a place
    largest = browser.get(f"/games/vasco/try/{page}?options=-size%3D108")
    assert largest.status_code == 200
    larger = browser.get(f"/games/vasco/try/{page}?options=-size%3D109")
    assert larger.status_code == 422
    assert "-size=108" in larger.content.decode()


def test_every_game_may_be_tried_at_every_size_that_its_page_offers() -> None:
    for options in ("", "-size=12"):
        assert make_practice("druid", options, ["a1"]).moves == ("a1",)
    assert make_practice("visavis", "-size=25", []).at == 0


def stepping(seconds: float) -> Callable[[], float]:
    """Return a clock on which each look takes some seconds."""
    at = 0.0

    def clock() -> float:
        nonlocal at
        at += seconds
        return at

    return clock


def test_a_request_that_tries_moves_stops_by_itself_after_a_second_of_the_processor() -> None:
    budget = ProcessorBudget(SECONDS, stepping(0.3), threading.Lock())
    moves = ["a1", "b2", "a2", "c3", "d4"]
    assert make_practice("druid", "", moves[:3], None, budget).at == 3
    with pytest.raises(UserError) as refused:
        make_practice("druid", "", moves, None, budget)
    assert refused.value.code == "takes-too-long"


def test_what_is_loaded_before_moves_are_tried_uses_up_no_time_of_a_visitor() -> None:
    at = 0.0
    budget = ProcessorBudget(SECONDS, lambda: at, threading.Lock())
    at = 10 * SECONDS  # the first request of a process loads all pages
    budget.check()
    at += SECONDS / 2
    budget.check()
    at += SECONDS
    with pytest.raises(UserError) as refused:
        budget.check()
    assert refused.value.code == "takes-too-long"


def test_one_long_request_is_worked_on_at_a_time_and_short_ones_beside_it() -> None:
    turn = threading.Lock()
    first, second = (ProcessorBudget(SECONDS, stepping(0.07), turn) for _ in range(2))
    assert SHORT < 2 * 0.07
    for _ in range(2):  # both are short until now
        first.check()
        second.check()
    first.check()
    with pytest.raises(UserError) as refused:
        second.check()
    assert refused.value.code == "busy"
    first.close()
    second.check()


@pytest.mark.parametrize(
    "path",
    [
        "/games/druid/try/?moves=a1+a2+a3+a4+a5",
        "/games/druid/try/moves.json?moves=a1+a2+a3+a4+b5",
        "/games/druid/try/?moves=a1&move=a2&partner=on",
        "/boards/{}/variations/?try=a1+a2+a3",
        "/boards/{}/variations/moves.json?try=a1+a2+a3",
        "/boards/{}/?try=a1+a2+a3",
        "/boards/{}/moves.json?try=a1+a2+a3",
        "/boards/{}/text/?try=a1+a2+a3",
    ],
)
def test_every_page_that_tries_moves_for_visitors_stops_and_lets_the_next_long_one_begin(
    world: World, browser: Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr("sarsen.server.visitors.PROCESSOR_SECONDS", 0)
    made: list[ProcessorBudget] = []

    def budget() -> ProcessorBudget:
        made.append(ProcessorBudget(SECONDS, stepping(0.6)))
        return made[-1]

    monkeypatch.setattr(visitors, "ProcessorBudget", budget)
    here = path.format(world.board())
    for _ in range(2):  # what the first one held is free again
        answer = browser.get(here)
        assert "would take the server too long" in answer.content.decode()
        assert answer.status_code in (422, 503)
    browser.force_login(world.player("ann"))
    assert browser.get(here).status_code in (200, 302)
    assert all(not one._has_turn for one in made)


def test_programs_without_a_token_have_a_second_too(
    world: World,
    browser: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sarsen.server.visitors.PROCESSOR_SECONDS", 0)
    monkeypatch.setattr(
        visitors, "ProcessorBudget", lambda: ProcessorBudget(SECONDS, stepping(0.6))
    )
    asked = {"game": "druid", "board": world.board(), "moves": ["a1", "a2", "a3"]}
    for path, body in (
        ("commands/preview", asked),
        ("line", {"line": f"preview {asked['board']} a1 a2 a3"}),
    ):
        answer = browser.post(f"/api/v1/{path}", body, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (503, "takes-too-long")
