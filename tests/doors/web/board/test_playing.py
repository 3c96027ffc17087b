"""A game at the web door: look first, play, offer, take back, resign, talk, look on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from sarsen.storage.models import Challenge, Match, MatchEvent
from visitor import Visitor

Visit = Callable[..., Visitor]
ENDED = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"


def at(visitor: Visitor, board: int) -> Visitor:
    visitor.go(f"/boards/{board}/")
    return visitor


def match(board: int) -> Match:
    return Match.objects.get(pk=board)


def test_a_move_is_looked_at_first_and_then_played(world: Any, visit: Visit) -> None:
    board = world.board()
    ann = at(visit("ann"), board)
    ann.press("Preview", move="b8")
    assert "Preview: b8" in ann.text
    assert "Done" not in ann.text
    assert match(board).ply == 0
    ann.press("Play b8")
    assert match(board).ply == 1
    assert ann.path == f"/boards/{board}/"
    assert "You played b8" in ann.text


def test_a_page_that_another_tab_fetches_leaves_the_answer_to_a_move(
    world: Any, visit: Visit
) -> None:
    board = world.board()
    ann = at(visit("ann"), board)
    path, fields = ann.filled("Play", move="b8")
    ann.client.post(path, dict(fields))
    fetched = ann.client.get(ann.path, headers={"Sarsen-Background": "yes"})
    assert b"You played b8" not in fetched.content
    assert "You played b8" in ann.go(ann.path)


def test_a_move_and_the_page_after_it_write_no_session(world: Any, visit: Visit) -> None:
    ann = at(visit("ann"), world.board())
    with CaptureQueriesContext(connection) as asked:
        ann.press("Play", move="b8")
    assert "You played b8" in ann.text
    written = [one["sql"] for one in asked if not one["sql"].lstrip().startswith("SELECT")]
    assert any("storage_match" in sql for sql in written)
    assert not any("storage_websession" in sql for sql in written)


def test_a_page_reads_its_board_once(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    board = world.board(moves="b8 b5")
    with CaptureQueriesContext(connection) as asked:
        ann.go(f"/boards/{board}/")
    of_players = [one["sql"] for one in asked if "FROM storage_matchseat\n" in one["sql"]]
    assert len(of_players) == 1
    # One of them asks, during the first moves, whether the lesson of the game is to be offered.
    assert len(asked) <= 10


def test_moves_are_tried_one_after_the_other_and_change_nothing(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8")
    nobody = visit()
    nobody.go(f"/boards/{board}/?try=b5")
    nobody.press("Try", further_move="b4 a5")
    assert "Preview: b5 b4 a5" in nobody.text
    assert match(board).ply == 1
    nobody.go(f"/boards/{board}/?try=b5&try=b5")
    assert nobody.status == 422
    assert "Preview:" not in nobody.text


def test_nothing_is_tried_where_exploration_is_off(world: Any, visit: Visit) -> None:
    board = world.board(terms=("--exploration=off",))
    nobody = visit()
    nobody.go(f"/boards/{board}/?try=b5")
    assert nobody.status == 422
    assert "Preview:" not in nobody.text


def test_few_legal_moves_are_buttons_and_many_are_in_the_field(world: Any, visit: Visit) -> None:
    small = at(visit("ann"), world.board("druid", options="-size=3"))
    assert small.tree.xpath("//details[@class='legal']//button")
    wide = at(visit("ann"), world.board("druid", "b8 b5"))
    assert not wide.tree.xpath("//details[@class='legal']//button")
    assert "b4" in wide.tree.xpath("//datalist[@id='legal']/option/@value")
    # Nobody else is offered a move.
    assert not at(visit("bob"), world.board("druid")).tree.xpath("//input[@id='move']")


def test_a_draw_is_offered_and_agreed(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5")
    at(visit("ann"), board).press("Draw")
    bob = at(visit("bob"), board)
    assert "ann offers a draw" in bob.text
    bob.press("Accept")
    assert match(board).scores == [0.5, 0.5]


def test_an_offer_made_before_a_move_is_agreed_to_after_it(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5")
    ann = at(visit("ann"), board)
    ann.press("Draw")
    at(ann, board).press("Play", move="b4")
    at(visit("bob"), board).press("Accept")
    assert match(board).scores == [0.5, 0.5]


def test_a_button_of_an_old_page_does_not_agree_to_a_newer_offer(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5")
    ann, bob = visit("ann"), visit("bob")
    at(ann, board).press("Draw")
    at(bob, board)
    at(ann, board).press("Withdraw the offer")
    at(ann, board).press("Take back")
    bob.press("Accept")
    assert bob.status == 422
    assert match(board).ply == 2
    assert match(board).ended_at is None


def test_a_move_is_taken_back_when_the_other_side_agrees(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5")
    at(visit("bob"), board).press("Take back")
    at(visit("ann"), board).press("Accept")
    assert match(board).ply == 1


def test_a_form_from_before_a_move_was_taken_back_plays_nothing(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5")
    old = at(visit("ann"), board)
    at(visit("ann"), board).press("Play", move="b4")
    at(visit("ann"), board).press("Take back")
    at(visit("bob"), board).press("Accept")
    assert match(board).ply == 2
    old.press("Play", move="a1")
    assert old.status == 422
    assert match(board).ply == 2


def test_resigning_is_asked_once_and_confirmed_by_a_button(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5")
    ann = at(visit("ann"), board)
    ann.press("Resign")
    assert f"Do you really want to resign on board {board}?" in ann.text
    assert "Reply" not in ann.text
    assert match(board).ended_at is None
    ann.press("Yes, resign")
    assert match(board).scores == [0.0, 1.0]
    assert MatchEvent.objects.filter(match=board, kind="resign").count() == 1


def test_a_no_to_the_question_lets_the_game_go_on(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5")
    ann = at(visit("ann"), board)
    ann.press("Resign")
    ann.press("No, play on")
    ann.go(f"/boards/{board}/")
    assert "Do you mean" not in ann.text
    assert match(board).ended_at is None


def test_chat_is_for_all_and_notes_for_their_writer(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8")
    ann, bob = at(visit("ann"), board), visit("bob")
    ann.press("Send", say="A fine opening.\nIs it not?")
    ann.press("Save", note="He always answers so.")
    assert "He always answers so." in ann.text
    assert "A fine opening." in at(bob, board).text
    assert "always answers" not in bob.page
    nobody = at(visit(), board)
    assert "A fine opening." in nobody.text
    assert "always answers" not in nobody.page


def test_words_that_begin_with_the_own_userid_are_words(world: Any, visit: Visit) -> None:
    board = world.board()
    at(visit("ann"), board).press("Send", say="ann is here, and glad of it")
    assert match(board).chat.get().text == "ann is here, and glad of it"


def test_a_page_speaks_of_no_line_to_type_where_it_has_a_button(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5")
    ann = at(visit("ann"), board)
    ann.press("Draw")
    assert "It stands until bob accepts, declines or moves." in ann.text
    ann.press("Withdraw the offer")
    ann.press("Take back")
    assert "The request stands until bob answers or you move." in ann.text
    ann.press("Withdraw the request")
    told = ann.press("Save plan", queue="b4; if c4 then c3")
    assert "Planned: if c4 then c3." in told
    ann.type(f"druid submit {board} c5")
    asked = at(ann, board).press("Resign")
    questions = told_by(ann, board)
    assert "signoff" not in questions[-1]
    for page in (*questions, told, asked):
        for hint in ("To withdraw", "To drop it", "Reply `yes`", "Reply yes", "To leave:"):
            assert hint not in page, (hint, page)


def told_by(ann: Visitor, board: int) -> list[str]:
    """Return the pages after further buttons that ask, or say what they did."""
    pages = [at(ann, board).press("Draw")]
    ann.go("/account/more/")
    pages.append(ann.press("Preview", words="Hello, everyone!"))
    ann.go("/account/more/")
    return [*pages, ann.press("Close my account …")]


def test_planned_moves_are_kept_shown_to_their_owner_alone_and_played(
    world: Any, visit: Visit
) -> None:
    board = world.board(moves="b8")
    ann = at(visit("ann"), board)
    ann.press("Save plan", queue="if b5 then b4")
    assert "if b5 then b4" in ann.tree.xpath("string(//textarea[@id='queue'])")
    (plan,) = ann.tree.xpath("//h2[@id='moves']/..//a[@class='planned']")
    assert " ".join(plan.text_content().split()) == "planned: if b5 then b4"
    assert plan.get("href") == f"/boards/{board}/variations/"
    for other in (at(visit("bob"), board), at(visit(), board)):
        assert "b4" not in other.text
        assert not other.tree.xpath("//*[@class='planned']")
    bob = at(visit("bob"), board)
    bob.press("Play", move="b5")
    assert match(board).ply == 3


def test_a_watcher_watches_and_stops(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8")
    eve = at(visit("eve"), board)
    eve.press("Follow this board")
    eve.go("/my/")
    assert eve.tree.xpath(f"//section[@aria-labelledby='watched']//a[@href='/boards/{board}/']")
    at(eve, board).press("Unfollow")
    eve.go("/my/")
    assert not eve.tree.xpath("//section[@aria-labelledby='watched']")


def test_a_finished_board_offers_a_rematch_with_seats_exchanged(world: Any, visit: Visit) -> None:
    board = world.board(moves=ENDED)
    ann = at(visit("ann"), board)
    assert "V joined top and bottom." in ann.text
    assert not ann.tree.xpath("//input[@id='move']")
    ann.press("Rematch")
    assert ann.path.startswith("/challenges/")
    seats = Challenge.objects.latest("pk").seats.order_by("seat")
    assert [seat.player.userid for seat in seats] == ["bob", "ann"]


def test_private_boards_are_there_for_their_players_alone(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5", terms=("--private",))
    ann = at(visit("ann"), board)
    assert ann.status == 200
    picture = ann.client.get(f"/boards/{board}/2.svg")
    assert picture.status_code == 200
    assert picture["Cache-Control"] == "private, no-store"
    for other in (visit("eve"), visit()):
        for path in ("", "1/", "2.svg", "2-dark.svg", "?try=b4"):
            other.go(f"/boards/{board}/{path}")
            assert other.status == 404, path
        assert f"/boards/{board}/" not in other.go("/players/ann/")


def test_the_clock_is_said_in_one_sentence_in_the_readers_time_zone(
    world: Any, visit: Visit
) -> None:
    board = world.board(moves="b8")
    player = world.player("ann")
    player.timezone = "Europe/Berlin"
    player.save()
    assert "bob must move by" in at(visit("ann"), board).text or "had to move" in visit().go(
        f"/boards/{board}/"
    )
    assert "your time" in at(visit("ann"), board).text


def test_my_boards_stand_by_what_waits_for_whom(world: Any, visit: Visit) -> None:
    mine, theirs = world.board(moves="b8 b5"), world.board(moves="b8")
    ended = world.board(moves=ENDED)
    invited = world.challenge("gyges", "bob", "ann").number
    ann = visit("ann")
    ann.go("/my/")

    def linked(part: str) -> list[str]:
        return sorted(set(ann.tree.xpath(f"//section[@aria-labelledby='{part}']//a/@href")))

    assert linked("to-move") == [f"/boards/{mine}/"]
    assert linked("waiting") == [f"/boards/{theirs}/"]
    assert f"/boards/{ended}/" in linked("ended")
    assert f"/challenges/{invited}/" in linked("invitations")


def test_after_the_game_the_page_has_result_rating_and_the_whole_record(
    world: Any, visit: Visit
) -> None:
    board = world.board(moves=ENDED)
    nobody = at(visit(), board)
    assert "V joined top and bottom." in nobody.tree.xpath("normalize-space(//p[@class='state'])")
    said = nobody.tree.xpath("normalize-space(//details[@class='ended'])")
    assert "ann: rating 1500? → 1662? (+162)" in said
    beside = nobody.tree.xpath("//span[@data-rating]/text()")
    assert beside == ["1338? (−162)", "1662? (+162)"]
    again = at(visit(), world.board())
    assert again.tree.xpath("//span[@data-rating]/text()") == ["1338?", "1662?"]
    record = nobody.client.get(f"/boards/{board}/record.txt")
    assert record["Content-Type"].startswith("text/plain")
    assert "\n25 V 2026-11-20T12:00:00Z d3\n" in record.content.decode()
    running = visit()
    running.go(f"/boards/{world.board(moves='b8')}/record.txt")
    assert running.status == 404


def test_an_unrated_game_says_so(world: Any, visit: Visit) -> None:
    board = world.board(moves=ENDED, terms=("--unrated",))
    assert "The game is not rated" in at(visit(), board).text
