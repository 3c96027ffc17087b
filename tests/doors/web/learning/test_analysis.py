"""The analysis board on pages: a line played and taken back, and the answer beside it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest
from django.test import Client
from django.utils import timezone

from sarsen.doors.web.learning import analysis_stream
from sarsen.search.analysis import Analysis, Likely
from sarsen.services.analysis import questions, searching
from sarsen.storage.models import Analyst
from visitor import Visitor
from web_world import World

pytestmark = pytest.mark.django_db
Visit = Callable[..., Visitor]
PAGE = "/analyse/druid/?options=-size%3D5"
LINE = "c1+b2+b3+c3"


@pytest.fixture(autouse=True)
def _search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "are_made", lambda: True)
    monkeypatch.setattr(analysis_stream, "PLACES", analysis_stream.Places())


def search(proved: float | None = None) -> None:
    claim = searching.claim(timezone.now())
    assert claim is not None
    likely = () if proved is not None else (Likely("d4", 0.61), Likely("a5", 0.3))
    found = Analysis(proved, ("d4", "d5"), 3, likely, 0.5)
    searching.settle(claim, found, timezone.now())


def line_of(visitor: Visitor) -> str:
    """Return the moves up to the position shown."""
    record = visitor.tree.xpath("string(//details//input[@readonly]/@value)")
    return str(record).removeprefix("analyse druid -size=5").strip()


def follow(visitor: Visitor, words: str) -> None:
    (link,) = visitor.tree.xpath(f"//main//a[normalize-space()='{words}']/@href")
    visitor.go(link)


def said(visitor: Visitor) -> str:
    return " ".join(visitor.tree.xpath("string(//*[@class='said'])").split())


def test_a_line_is_played_taken_back_and_branched_without_scripts(visit: Visit) -> None:
    nobody = visit()
    nobody.go(PAGE)
    assert "V to move." in nobody.text
    for move in ("c1", "b2"):
        nobody.press("Play", move=move)
    assert line_of(nobody) == "c1 b2"
    follow(nobody, "Take back")
    assert line_of(nobody) == "c1"
    nobody.press("Play", move="d2")
    assert line_of(nobody) == "c1 d2"
    follow(nobody, "c1")  # back on the line: another move goes on from there
    assert "1 / 2" in nobody.text
    nobody.press("Play", move="b2")
    assert line_of(nobody) == "c1 b2"


def test_a_move_that_the_rules_refuse_says_why_and_the_board_stays(visit: Visit) -> None:
    nobody = visit()
    nobody.go(PAGE)
    nobody.press("Play", move="c3")
    assert nobody.status == 422
    assert "The first stone must be a sarsen on an edge square." in nobody.text
    assert nobody.tree.xpath("//input[@id='move']/@value") == ["c3"]


def test_without_scripts_a_link_asks_and_the_page_shows_what_is_found(visit: Visit) -> None:
    nobody = visit()
    nobody.go(f"{PAGE}&moves={LINE}")
    assert not Analyst.objects.exists()  # a page that is only looked at asks nothing
    follow(nobody, "Search this position")
    assert nobody.tree.xpath("//noscript//meta[@http-equiv='refresh']")
    assert Analyst.objects.get().state == Analyst.State.WAITING
    search()
    nobody.go(f"{PAGE}&moves={LINE}&ask=on")
    assert "Likely best for V, with the chance to win d4" in said(nobody)
    assert "61%" in said(nobody)
    assert "You have 20 seconds of search left in this hour." in said(nobody)
    follow(nobody, "d4")
    assert line_of(nobody) == f"{LINE.replace('+', ' ')} d4"


def test_what_is_proven_is_said_with_its_line(visit: Visit) -> None:
    nobody = visit()
    nobody.go(f"{PAGE}&moves={LINE}&ask=on")
    search(proved=0.0)
    nobody.go(f"{PAGE}&moves={LINE}")
    assert said(nobody).startswith("Proven: H wins, by this line in 3 moves. d4 d5")


def test_a_running_game_is_not_analysed_from_its_link(world: World, visit: Visit) -> None:
    world.board("druid", LINE.replace("+", " "), options="-size=5")
    ann, eve = visit("ann"), visit("eve")
    for visitor in (ann, eve):
        visitor.go(f"{PAGE}&moves={LINE}")
    assert said(ann).startswith("A game you are playing is not analysed until it is over")
    assert not ann.tree.xpath("//*[@data-stream]")
    assert eve.tree.xpath("//*[@data-stream]")


def stream(client: Client, line: str = LINE) -> analysis_stream.AnswerStream:
    response = client.get(f"/analyse/druid/answer/?options=-size%3D5&moves={line}")
    assert response.headers["Content-Type"] == "text/event-stream"
    held = response.held  # type: ignore[attr-defined]
    assert isinstance(held, analysis_stream.AnswerStream)
    return held


def test_a_stream_waits_for_the_search_and_sends_its_answer() -> None:
    held = stream(Client())
    first = held._read()
    assert (first.text, first.is_over) == (b":\n\n", False)
    assert not held._read().text
    search()
    last = held._read()
    assert last.is_over
    assert last.text.startswith(b"event: answer\ndata: ")
    assert b"d4</a>" in last.text
    assert f"moves={LINE}+d4".encode() in last.text
    held.close()
    assert Analyst.objects.get().state == Analyst.State.DONE


def test_a_stream_speaks_the_language_of_its_page() -> None:
    held = stream(Client(headers={"Accept-Language": "de"}))
    held._charged()
    search()
    text = held._charged().text.decode()
    for words in ("Wohl am besten für V, mit der Gewinnchance", "Bewiesen ist hier nichts."):
        assert words in text


def test_a_stream_that_is_closed_ends_its_search() -> None:
    held = stream(Client())
    held._read()
    claim = searching.claim(timezone.now())
    assert claim is not None
    held.close()
    held.close()
    assert not searching.is_wanted(claim)
    assert not Analyst.objects.get().reserved


def test_a_second_page_waits_for_the_question_of_the_first() -> None:
    client = Client()
    first, second = stream(client), stream(client, "c1")
    first._read()
    second._read()
    assert Analyst.objects.get().number == 1
    first.close()
    second._read()
    row = Analyst.objects.get()
    assert (row.number, row.state) == (2, Analyst.State.WAITING)


def test_streams_are_bounded_and_a_refusal_is_an_answer(
    monkeypatch: pytest.MonkeyPatch, world: World
) -> None:
    monkeypatch.setattr(analysis_stream, "MAX_OF_ASKER", 2)
    client = Client()
    held = [stream(client) for _ in range(3)]
    assert b"Too many people are searching right now." in held[2]._read().text
    for one in held:
        one.close()
    assert not analysis_stream.PLACES._taken
    assert b"There is no square z9 here" in stream(client, "z9")._read().text


def test_a_server_that_knows_no_held_streams_sends_it_as_well() -> None:
    held = stream(Client())
    pieces = iter(held)
    assert list(islice(pieces, 1)) == [b":\n\n"]
    search()
    assert b"d4</a>" in next(pieces)
    pieces.close()  # type: ignore[attr-defined]


def test_the_games_are_listed(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/analyse/")
    for title in ("Druid", "Gyges", "Vasco", "Visavis"):
        assert title in nobody.text


GYGES = "S 231123/f/f/f/f/321123"


def test_a_position_is_set_up_played_on_and_shared(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/analyse/gyges/")
    nobody.press("Set up", setup=GYGES)
    assert "South to move." in nobody.text
    assert nobody.tree.xpath("string(//textarea)") == GYGES
    (move, *_) = nobody.tree.xpath("//datalist//option/@value")
    nobody.press("Play", move=move)
    assert "North to move." in nobody.text
    record = nobody.tree.xpath("string(//details//input[@readonly]/@value)")
    assert record == f"analyse gyges from {GYGES} then {move}"
    follow(nobody, "Search this position")
    claim = searching.claim(timezone.now())
    assert claim is not None
    assert claim.game == "gyges"
    follow(nobody, "Take back")
    assert nobody.tree.xpath("string(//textarea)") == GYGES


def test_a_position_that_is_none_stays_in_its_field_with_the_reason(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/analyse/gyges/?moves=231123")
    nobody.press("Set up", setup=f"{GYGES[:-1]}")
    assert nobody.status == 422
    assert "'32112' is not a row of six slots" in nobody.text
    assert nobody.tree.xpath("string(//details[@open]//textarea)") == GYGES[:-1]
    assert line_of(nobody) == "analyse gyges 231123"  # the board is as it was


@pytest.mark.parametrize(
    "query",
    [
        "position=xx",
        "position=S",
        "options=-size%3D99",
        "moves=z99",
        "position=S&options=-x",
        "position=" + "S" * 801,
    ],
)
def test_what_cannot_be_analysed_is_no_page_that_is_not_found(visit: Visit, query: str) -> None:
    nobody = visit()
    nobody.go(f"/analyse/gyges/?{query}")
    assert nobody.status == 422
    assert nobody.tree.xpath("//h1/text()") == ["That does not work"]


def test_the_best_moves_are_drawn_over_the_board(visit: Visit) -> None:
    nobody = visit()
    nobody.go(f"{PAGE}&moves={LINE}&ask=on")
    held = stream(Client())
    search()
    nobody.go(f"{PAGE}&moves={LINE}")
    # Of d4 (61%) and a5 (30%) the second is not nearly as good.
    assert len(nobody.tree.xpath("//*[@class='view']/*[@class='advised']/*")) == 1
    assert b'<template><div class="advised"' in held._read().text
    held.close()
