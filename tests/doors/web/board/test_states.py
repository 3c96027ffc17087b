"""What a board's page says of time, terms, ends and questions, and of refused moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from sarsen.doors.web.board.aims import aim_words
from sarsen.language.commands import Resign
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.boards.view import view_board
from sarsen.services.clocks import running
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Match, Player, Vacation
from visitor import Visitor
from web_world import NOW

Visit = Callable[..., Visitor]


def at(visitor: Visitor, board: int) -> Visitor:
    visitor.go(f"/boards/{board}/")
    return visitor


def texts(visitor: Visitor, path: str) -> list[str]:
    return [" ".join(one.text_content().split()) for one in visitor.tree.xpath(path)]


def test_a_refused_move_leaves_its_player_at_the_board_with_what_was_typed(
    world: Any, visit: Visit
) -> None:
    board = world.board()
    for button in ("Preview", "Play"):
        ann = at(visit("ann"), board)
        ann.press(button, move="c3")
        assert ann.status == 422
        assert "Druid Board" in texts(ann, "//h1")[0]
        assert "The first stone must be a sarsen on an edge square" in ann.text
        assert ann.tree.xpath("//input[@id='move']/@value") == ["c3"]
        # The form there works: the next try is typed where this one was.
        ann.press("Play", move="b8")
        assert ann.path == f"/boards/{board}/"
        Match.objects.filter(pk=board, ply=1).get()
        board = world.board()


def test_a_move_of_an_old_page_shows_the_board_as_it_is_now(world: Any, visit: Visit) -> None:
    board = world.board()
    first, second = at(visit("ann"), board), at(visit("ann"), board)
    first.press("Play", move="b8")
    second.press("Play", move="c8")
    assert second.status == 422
    assert "but move 2 is due" in second.text
    assert "bob to move" in second.text
    assert Match.objects.get(pk=board).ply == 1


def test_a_move_at_a_board_of_others_shows_nothing_of_it(world: Any, visit: Visit) -> None:
    hidden = world.board(terms=("--private",), players=("cyd", "dan"))
    ann = at(visit("ann"), world.board())
    form = [
        (name, f"druid move {hidden}#1" if name == "line" else value)
        for name, value in _form(ann, move="b8")
    ]
    ann.send("/do/", form)
    assert ann.status == 422
    assert f"There is no board {hidden}." in ann.text
    assert "cyd" not in ann.text


def _form(visitor: Visitor, **filled: str) -> list[tuple[str, str]]:
    form, button = visitor._form_of("Play")
    return [*visitor._fields(form, filled), (button.get("name"), button.get("value"))]


def test_each_player_is_told_the_aim_during_the_first_moves(world: Any, visit: Visit) -> None:
    aims = "//p[contains(@class, 'aim')]"
    board = world.board(moves="b8 b5 a1")
    assert texts(at(visit("ann"), board), aims) == ["You are V, red: join top and bottom."]
    assert texts(at(visit("bob"), board), aims) == ["You are H, blue: join left and right."]
    assert texts(at(visit("cyd"), board), aims) == []
    assert texts(at(visit("ann"), world.board(moves="b8 b5 a1 a5")), aims) == []


def test_the_aim_is_that_of_the_side_after_a_swap_in_the_colours_of_the_reader(
    world: Any, visit: Visit
) -> None:
    board = world.board("druid", "b8 swap", options="-swap")
    world.player("bob")
    Player.objects.filter(userid="bob").update(colours="ebony", language="de")
    aims = texts(at(visit("bob"), board), "//p[contains(@class, 'aim')]")
    assert aims == ["Du bist V, Weiß: verbinde oben und unten."]


def test_a_game_whose_package_tells_no_aim_has_its_board_without_one(world: Any) -> None:
    view = view_board(world.board())
    assert aim_words(view, 1, "") == "You are H, blue: join left and right."
    assert aim_words(replace(view, game=replace(view.game, aims=())), 1, "") == ""


def test_the_code_of_a_refusal_is_on_no_page_for_eyes(world: Any, visit: Visit) -> None:
    ann = at(visit("ann"), world.board())
    ann.press("Play", move="c3")
    assert ann.tree.xpath("//div[@role='alert']/@data-code") == ["druid.opening"]
    assert "druid.opening" not in ann.text
    ann.type("druid move 99 a1")
    [code] = ann.tree.xpath("//div[@class='refusal']/@data-code")
    assert code == "unknown-board"
    assert code not in ann.text


def test_a_guest_is_told_so_once_after_the_first_move(world: Any, visit: Visit) -> None:
    boards = [world.board(), world.board(moves="b8 b5")]
    ann = visit("ann")
    Player.objects.filter(userid="ann").update(is_guest=True)
    said = [at(ann, board).text.count("You are playing as a guest") for board in boards]
    assert said == [0, 1]


def test_backticks_of_a_refusal_are_never_shown_raw(world: Any, visit: Visit) -> None:
    ann = at(visit("ann"), world.board())
    ann.press("Play", move="zz9")
    assert "`" not in ann.text
    assert "pass" in texts(ann, "//div[@class='refusal']//code")
    ann.type("druid move 1 zz9")
    assert "`" not in ann.text


def test_questions_are_gone_when_the_game_is_over(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5")
    bob = at(visit("bob"), board)
    bob.press("Draw")
    ann = at(visit("ann"), board)
    ann.press("Resign")
    ann.press("Yes, resign")
    assert "Do you really want to resign" not in ann.text
    assert "Accept" not in ann.text
    assert "bob won" in " ".join(texts(ann, "//div[contains(@class, 'seats')]/div")).replace(
        " H", ""
    )


def test_the_end_of_a_game_says_when_it_was_in_the_readers_zone(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5")
    ann = world.player("ann")
    perform(Resign("druid", board, confirmed=True), Actor(ann), "", timezone.now())
    match = Match.objects.get(pk=board)
    ann.timezone = "Asia/Kolkata"
    ann.save()
    assert match.ended_at is not None
    local = match.ended_at.astimezone(timezone.get_fixed_timezone(330))
    assert f"{local:%H:%M} IST" in texts(at(visit("ann"), board), "//p[@class='state']")[0]


def test_reserves_terms_and_vacations_are_shown_in_words(world: Any, visit: Visit) -> None:
    terms = ("--totaltime=30", "--increment=0.5", "--unrated")
    board = world.board(terms=terms)
    now = timezone.now()
    Vacation.objects.create(
        player=world.player("bob"),
        starts_at=now - timedelta(hours=1),
        ends_at=now + timedelta(days=3),
        first_day=now.date(),
        last_day=now.date() + timedelta(days=2),
    )
    ann = at(visit("ann"), board)
    sides = texts(ann, "//div[contains(@class, 'seats')]/div")
    assert "(reserve: 30 days)" in sides[1]
    assert "away until" in sides[0]
    assert "unrated; 30 days of reserve per player; 0.5 days more with each move" in ann.text
    assert "--totaltime" not in ann.text


def test_a_board_without_exploration_offers_no_looking_ahead(world: Any, visit: Visit) -> None:
    board = world.board(options="-size=3", terms=("--exploration=off",))
    ann = at(visit("ann"), board)
    buttons = texts(ann, "//form//button")
    assert "Preview" not in buttons
    assert not ann.tree.xpath("//details[@class='legal']")
    ann.press("Play", move="a1")
    assert "You played a1" in ann.text
    assert "Try moves" not in ann.text


def test_ones_own_offer_is_told_as_ones_own(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5 b4")
    ann = at(visit("ann"), board)
    ann.press("Take back")
    assert "You ask to take back move 3" in ann.text
    assert "ann asks to take back move 3" in at(visit("bob"), board).text
    ann.press("Withdraw the request")
    ann.press("Draw")
    assert "You offer a draw" in ann.text


def test_nothing_can_be_taken_back_by_who_has_not_moved(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8")
    assert "Take back" not in texts(at(visit("bob"), board), "//form//button")
    assert "Take back" in texts(at(visit("ann"), board), "//form//button")


def test_a_forfeit_is_told_with_its_winner(
    world: Any, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.services.clocks.turns.AWAY_AFTER", timedelta(minutes=90))
    board = world.board(moves="b8 b5", terms=("--forfeittime=2",))
    for hour in range(24 * 4):
        running.sweep(NOW + timedelta(hours=hour), AFTER_EVENTS)
    page = at(visit("bob"), board)
    assert "won" in texts(page, "//div[contains(@class, 'seats')]/div")[1]
    assert texts(page, "//p[@class='state']")[0].startswith("V ran out of time.")
    assert "Your move" not in page.text


def test_a_visitor_reads_how_to_move_only_of_people_who_read_mail(world: Any, visit: Visit) -> None:
    board = world.board()
    told = "ann replies to the board&#x27;s mail"
    assert told in at(visit(), board).text.replace("'", "&#x27;")
    Player.objects.filter(key="ann").update(userid="guest-000001", key="guest-000001")
    assert "replies to the board" not in at(visit(), board).text
    Player.objects.filter(key="guest-000001").update(userid="ann", key="ann", is_bot=True)
    assert "replies to the board" not in at(visit(), board).text
