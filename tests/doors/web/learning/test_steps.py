"""Steps of lessons on pages, without script: a try, its answer, and what leads on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sarsen.core.errors import UserError
from sarsen.drawing.taps import tapped
from sarsen.games import load
from sarsen.language.translating import translated, use_language
from sarsen.learning.lessons import Success, lesson_of, taught
from sarsen.learning.tries import judge_line, move_to_show
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.limits.processor_time import ProcessorBudget
from sarsen.storage.models import AnsweredRequest, LessonProgress, Match
from visitor import Visitor
from web_world import NOW, World

pytestmark = pytest.mark.django_db
Visit = Callable[..., Visitor]


def said(visitor: Visitor) -> str:
    return " ".join(visitor.tree.xpath("string(//*[@class='said'])").split())


def dots(visitor: Visitor) -> list[str]:
    links = visitor.tree.xpath("//ol[@class='dots']//a")
    return [link.text_content().split(",")[-1].strip() for link in links]


def test_a_right_move_is_answered_and_the_next_step_is_one_press_away(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/learn/druid/")
    assert nobody.path == "/learn/druid/win/"
    assert dots(nobody) == ["you are here", *["still to do"] * 7]
    nobody.press("Try", move="b4")
    assert (nobody.path, nobody.status) == ("/learn/druid/win/", 200)
    assert said(nobody) == "Right. That is the whole aim. H tries the same from left to right."
    assert dots(nobody)[0] == "done"
    (ahead,) = nobody.tree.xpath("//button[@autofocus]")
    assert ahead.text_content() == "Continue"
    nobody.press("Continue")
    assert nobody.path == "/learn/druid/own-ground/"
    assert "step 2 of 8" in nobody.text


def test_a_wrong_move_stands_on_a_copy_with_its_answer_and_the_position_comes_back(
    visit: Visit,
) -> None:
    nobody = visit()
    nobody.go("/learn/druid/block/")
    before = nobody.tree.xpath("//svg")[0].text_content()
    nobody.press("Try", move="a1")
    assert nobody.status == 422
    assert said(nobody) == "Not yet. H plays d3 and has joined left and right."
    assert "joined left and right" in nobody.tree.xpath("string(//svg/title)")
    assert not nobody.tree.xpath("//input[@id='move']")
    nobody.press("Try again")
    assert nobody.status == 200
    assert nobody.tree.xpath("//svg")[0].text_content() == before


def test_a_move_that_the_rules_refuse_is_said_beside_the_field_and_no_try(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/learn/druid/win/")
    nobody.press("Try", move="d2")
    assert nobody.status == 422
    assert "the top stone on d2 is H's" in nobody.tree.xpath("string(//*[@role='alert'])")
    assert nobody.tree.xpath("//input[@id='move']/@value") == ["d2"]
    assert "lessons" not in nobody.client.cookies


def test_a_refusal_may_be_what_is_asked_for(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/learn/druid/own-ground/")
    nobody.press("Try", move="a2")
    assert said(nobody).startswith("Refused, as meant. V builds on the ground")
    nobody.press("Continue")
    assert nobody.path == "/learn/druid/lintel/"


def test_a_step_of_several_moves_goes_on_after_the_answer(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/learn/druid/level/")
    nobody.press("Try", move="a3")
    assert said(nobody) == "Right. c1 is played."
    nobody.press("Try", move="a1-a3")
    assert said(nobody) == "Right. You may always build on your own stones."


def test_after_too_many_tries_the_move_is_shown_with_an_arrow(world: World, visit: Visit) -> None:
    for somebody in (visit(), visit("ann")):
        somebody.go("/learn/druid/lintel-wins/")
        assert "An arrow" not in somebody.text
        for at, move in enumerate(("d4", "b1", "c1"), start=1):
            somebody.press("Try", move=move)
            assert ("The move is a1-a3" in said(somebody)) == (at == 3)
            somebody.press("Try again")
        assert "An arrow leads from a1 to a3." in somebody.text
        somebody.press("Try", move="a1-a3")
        assert said(somebody).startswith("Right.")


def test_hint_and_show_are_addresses_that_change_nothing(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/learn/druid/win/?ask=hint")
    assert said(nobody) == "Follow your stones up from the bottom: where does the chain stop?"
    nobody.go("/learn/druid/win/?ask=show")
    assert said(nobody) == "The move is b4: play it and see."
    assert "lessons" not in nobody.client.cookies


def test_every_step_of_every_lesson_can_be_finished_by_typing(visit: Visit) -> None:
    nobody = visit()
    for game in taught():
        nobody.go(f"/learn/{game}/")
        lesson = lesson_of(game)
        for step in lesson.steps:
            assert nobody.path == f"/learn/{game}/{step.id}/"
            own: tuple[str, ...] = ()
            while not nobody.tree.xpath("//*[@data-ahead]"):
                move = move_to_show(game, step, judge_line(game, step, own))
                own = (*own, move)
                nobody.press("Try", move=move)
                assert nobody.status == 200, (game, step.id, own, nobody.text)
            if step != lesson.steps[-1]:
                nobody.press("Continue")
        assert "Lesson finished." in said(nobody)
        assert dots(nobody) == ["done"] * len(lesson.steps)


@pytest.mark.parametrize("game", taught())
def test_the_game_after_a_lesson_is_the_one_that_the_words_name(visit: Visit, game: str) -> None:
    make_accounts(NOW)
    last, nobody = lesson_of(game).steps[-1], visit()
    _finish(nobody, game)
    nobody.press("Play a beginner")
    board = Match.objects.get()
    assert board.options == load(game).info.quick
    assert sorted(seat.player.is_bot for seat in board.seat_rows) == [False, True]
    named = re.findall(r"size (\d+)", last.right)
    assert named == re.findall(r"size=(\d+)", board.options)
    with use_language("de"):
        assert re.findall(r"Größe (\d+)", translated(last.right)) == named
    # As long as it runs, it is offered again.
    _finish(nobody, game)
    assert "Play a beginner" not in nobody.text
    (link,) = nobody.tree.xpath("//a[@data-ahead]")
    assert (link.get("href"), link.text.strip()) == (
        f"/boards/{board.pk}/",
        f"Go to board {board.pk}",
    )


def _finish(visitor: Visitor, game: str) -> None:
    """Solve the last step of a lesson."""
    step, own = lesson_of(game).steps[-1], tuple[str, ...]()
    visitor.go(f"/learn/{game}/{step.id}/")
    while "Lesson finished." not in said(visitor):
        own = (*own, move_to_show(game, step, judge_line(game, step, own)))
        visitor.press("Try", move=own[-1])


def test_tries_of_a_player_are_stored_once_for_one_form(world: World, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/learn/druid/win/")
    form = ann.filled("Try", move="a1")
    for _ in range(2):  # a double tap
        ann.send(*form)
    row = LessonProgress.objects.get()
    assert (row.step, row.tries, row.done) == ("win", 1, [])
    assert AnsweredRequest.objects.count() == 1
    ann.go("/learn/druid/win/")
    ann.press("Try", move="b4")
    assert LessonProgress.objects.get().done == ["win"]


def test_a_visitor_writes_nothing_to_the_database(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/learn/druid/win/")
    with CaptureQueriesContext(connection) as asked:
        nobody.press("Try", move="a1")
        nobody.press("Try again")
        nobody.press("Try", move="b4")
        nobody.go("/learn/")
    assert asked.captured_queries == []


def test_the_answer_is_in_no_page_before_it_is_shown(visit: Visit) -> None:
    nobody = visit()
    for game in taught():
        for step in lesson_of(game).steps:
            nobody.go(f"/learn/{game}/{step.id}/")
            assert step.right not in nobody.page


def test_the_script_may_tap_the_move_that_is_to_be_refused(visit: Visit) -> None:
    client = visit().client
    for game in taught():
        for step in lesson_of(game).steps:
            tree = json.loads(client.get(f"/learn/{game}/{step.id}/moves.json").content)["moves"]
            texts = {text for _, text in tapped(tree)}
            assert (step.shown in texts) == (step.success is Success.REFUSED)
    reason = client.get("/learn/druid/own-ground/reason.json?try=a2").json()
    assert reason == {"move": "a2"}
    other = client.get("/learn/druid/win/reason.json?try=d2").json()
    assert other["code"] == "druid.sarsen-on-enemy"


def test_addresses_of_no_step_say_so(visit: Visit) -> None:
    nobody = visit()
    for path in ("/learn/chess/", "/learn/druid/nothing/", "/learn/druid/99/"):
        nobody.go(path)
        assert nobody.status == 404, path
    nobody.go("/learn/druid/3/")
    assert nobody.path == "/learn/druid/lintel/"
    nobody.go("/learn/druid/win/?moves=b4&moves=a1")  # after the end
    assert nobody.status == 404


def test_tries_of_visitors_are_bound_to_the_processor_time_of_a_request(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: ProcessorBudget) -> None:
        raise UserError("This would take the server too long.", code="takes-too-long")

    monkeypatch.setattr(ProcessorBudget, "check", refuse)
    nobody = visit()
    nobody.go("/learn/druid/win/?moves=b4")
    assert nobody.status == 503


def test_a_lesson_speaks_german(visit: Visit) -> None:
    nobody = visit()
    nobody.client.cookies["language"] = "de"
    nobody.go("/learn/druid/win/")
    with use_language("de"):
        assert "Schritt 1 von 8" in nobody.text
    assert "Hint" not in nobody.text
