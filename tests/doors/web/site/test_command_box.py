"""The command box: what is typed is done once, refused in words, and never lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sarsen.services.accounts import attempts
from sarsen.storage.models import AnsweredRequest, Match, OutgoingMail, Player, WebSession
from visitor import Visitor

Visit = Callable[..., Visitor]


def ply(board: int) -> int:
    return int(Match.objects.get(pk=board).ply)


def test_a_move_typed_into_the_box_is_played_and_its_board_shown(world: Any, visit: Visit) -> None:
    board = world.board()
    ann = visit("ann")
    said = ann.type(f"druid move {board} b8")
    assert "You played b8" in said
    assert ann.tree.xpath("//main//svg")
    assert ply(board) == 1


def test_a_refused_move_names_its_rule_and_stands_in_the_box_again(
    world: Any, visit: Visit
) -> None:
    board = world.board()
    ann = visit("ann")
    said = ann.type(f"druid move {board} z99")
    assert ann.status == 422
    assert "Nothing was changed" in said
    assert ann.tree.xpath("starts-with(//*[@data-code]/@data-code, 'druid.')")
    assert ann.tree.xpath("//input[@id='line']/@value") == [f"druid move {board} z99"]


def test_a_userid_and_password_work_without_log_in_and_are_never_shown(
    world: Any, visit: Visit
) -> None:
    board = world.board()
    player = world.player("ann")
    player.set_password("open-sesame")
    player.save()
    nobody = visit()
    nobody.type(f"druid move {board} ann wrong-words b8")
    assert "name or the password is wrong" in nobody.text
    assert "wrong-words" not in nobody.page
    assert nobody.tree.xpath("//input[@id='line']/@value") == [
        f"druid move {board} ann PASSWORD b8"
    ]
    nobody.type(f"druid mvoo {board} ann open-sesame b8")
    assert "open-sesame" not in nobody.page
    nobody.type(f"druid move {board} ann open-sesame b8")
    assert ply(board) == 1
    assert "open-sesame" not in nobody.page
    assert "open-sesame" not in str(list(AnsweredRequest.objects.values()))


def test_wrong_passwords_and_sign_ups_of_one_place_are_counted_in_the_box_too(
    world: Any, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(attempts.MAX_A_DAY, "signup", 2)
    monkeypatch.setitem(attempts.MAX_A_DAY, "login", 3)
    guesses = "\n".join(f"account ghost{number} wrong-words" for number in range(5))
    said = visit().type("multiple", guesses)
    assert said.count("name or the password is wrong") == 3
    assert said.count("too many attempts") == 2
    joining = "\n".join(f"signup dora{number} dora{number}@example.org" for number in range(5))
    assert visit().type("multiple", joining).count("too many attempts") == 3
    assert OutgoingMail.objects.filter(kind="signup").count() == 2


def test_so_many_visitors_of_one_place_are_remembered_a_day(
    world: Any, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(attempts.MAX_A_DAY, "visit", 2)
    line = f"move {world.board()} b8"
    visitors = [visit() for _ in range(4)]
    for visitor in visitors:
        assert "needs to know who you are" in visitor.type(line)
    assert WebSession.objects.count() == 2
    visitors[0].type("chat 1 hello")  # goes on in the session it has
    kept = [
        visitor.go("/do/") and visitor.tree.xpath("//input[@id='line']/@value")
        for visitor in visitors
    ]
    assert kept == [["chat 1 hello"], [line], [""], [""]]


def test_a_double_click_has_one_effect_and_shows_the_same_answer(world: Any, visit: Visit) -> None:
    board = world.board()
    ann = visit("ann")
    first = ann.type(f"druid chat {board} hello there")
    assert ann.send(*ann.last) == first
    assert Match.objects.get(pk=board).chat.count() == 1


def test_who_goes_back_and_changes_the_words_asks_for_something_else(
    world: Any, visit: Visit
) -> None:
    board = world.board()
    ann = visit("ann")
    ann.type(f"druid chat {board} hello there")
    path, fields = ann.last
    changed = [(name, value.replace("there", "Bob")) for name, value in fields]
    ann.send(path, changed)
    assert Match.objects.get(pk=board).chat.count() == 2


def test_what_somebody_types_before_log_in_is_kept_until_it_is_sent(
    world: Any, visit: Visit
) -> None:
    board = world.board()
    player = world.player("ann")
    player.set_password("open-sesame")
    player.save()
    nobody = visit()
    said = nobody.type(f"druid notes {board}", "a long thought\nof two lines")
    assert "What you typed is still here" in said
    nobody.go("/login/?next=/boards/1/")
    nobody.press("Log in", name="ann", password="open-sesame")
    assert nobody.path == "/do/"
    assert nobody.tree.xpath("//input[@id='line']/@value") == [f"druid notes {board}"]
    assert "a long thought" in nobody.tree.xpath("string(//textarea[@id='body'])")
    nobody.press("Run")
    assert Match.objects.get(pk=board).notes.count() == 1
    nobody.go("/do/")
    assert nobody.tree.xpath("//input[@id='line']/@value") == [""]


def test_a_page_of_an_ended_session_does_nothing_in_another_players_name(
    world: Any, visit: Visit
) -> None:
    board = world.board()
    ann = visit("ann")
    ann.go(f"/boards/{board}/")
    path, fields = "/do/", []
    ann.press("Send", say="what only ann would say")
    path, fields = ann.last
    Match.objects.get(pk=board).chat.all().delete()
    AnsweredRequest.objects.all().delete()
    ann.client.logout()
    ann.client.force_login(world.player("bob"))
    ann.go("/do/")
    token = ann.tree.xpath("//input[@name='csrfmiddlewaretoken']/@value")[0]
    again = [(n, token if n == "csrfmiddlewaretoken" else v) for n, v in fields]
    said = ann.send(path, again)
    assert "belongs to ann" in said
    assert Match.objects.get(pk=board).chat.count() == 0
    # What Ann typed does not wait for Bob.
    ann.go("/do/")
    assert "only ann" not in ann.page


def test_a_form_without_its_csrf_token_does_nothing_and_gives_the_words_back(
    world: Any, visit: Visit
) -> None:
    board = world.board()
    ann = visit("ann")
    ann.go("/do/")
    ann.send("/do/", [("line", f"druid move {board} b8"), ("body", "kept <b>words</b>")])
    assert ann.status == 403
    assert ply(board) == 0
    assert ann.tree.xpath("//input[@id='line']/@value") == [f"druid move {board} b8"]
    assert ann.tree.xpath("string(//textarea)").strip() == "kept <b>words</b>"


def test_settings_without_their_csrf_token_give_back_what_was_changed(visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/mail/")
    form = ann.tree.xpath("//main//form[.//input[@name='was-quiet']]")[0]
    fields = dict(form.form_values()) | {"quiet": "22-7", "csrfmiddlewaretoken": "old"}
    ann.send("/account/mail/", list(fields.items()))
    assert ann.status == 403
    kept = [" ".join(one.text_content().split()) for one in ann.tree.xpath("//main//dd")]
    assert kept == ["22-7"]


def test_every_post_of_the_door_needs_a_csrf_token(world: Any) -> None:
    client = Client(enforce_csrf_checks=True, SERVER_NAME="sarsen.test")
    client.force_login(world.player("ann"))
    for path in (
        *("/do/", "/login/", "/login/code/", "/login/1-x/", "/logout/"),
        *("/account/export/", "/account/sessions/end/"),
    ):
        assert client.post(path, {"line": "list"}).status_code == 403, path


def test_two_tabs_play_one_move(world: Any, visit: Visit) -> None:
    board = world.board()
    first, second = visit("ann"), visit("ann")
    first.go(f"/boards/{board}/")
    second.go(f"/boards/{board}/")
    first.press("Play", move="b8")
    assert ply(board) == 1
    second.press("Play", move="c3")
    assert second.status == 422
    assert ply(board) == 1


def test_multiple_answers_each_line_and_a_failing_one_stops_nothing(
    world: Any, visit: Visit
) -> None:
    board = world.board()
    ann = visit("ann")
    said = ann.type("multiple", f"move {board} b8\nmove {board} b7\nlist druid")
    assert "You played b8" in said
    assert "not your turn" in said
    assert "Druid: running" in said
    assert ann.send(*ann.last).count("You played") == 1
    assert ply(board) == 1


def test_texts_of_players_are_escaped(world: Any, visit: Visit) -> None:
    board = world.board()
    ann = visit("ann")
    ann.go(f"/boards/{board}/")
    ann.press("Send", say="<script>alert(1)</script> & <img src=x>")
    page = visit("bob")
    page.go(f"/boards/{board}/")
    assert "<script>" not in page.page
    assert "&lt;script&gt;" in page.page
    ann.type("<script>alert(1)</script>")
    assert "<script>" not in ann.page


def test_too_long_a_line_or_text_is_refused_and_given_back(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.type("chat " + "x" * 10_000)
    assert ann.status == 422
    assert "x" * 10_000 in ann.page
    ann.type("broadcast", "y" * 20_001)
    assert ann.status == 422
    assert "y" * 20_001 in ann.page
    assert Player.objects.count() == 1


def test_a_form_leads_back_only_to_pages_of_this_server(world: Any, visit: Visit) -> None:
    board = world.board()
    ann = visit("ann")
    for back in ("//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:x"):
        ann.go("/do/")
        token = ann.tree.xpath("//input[@name='csrfmiddlewaretoken']/@value")[0]
        fields = [("line", f"chat {board} hello"), ("back", back), ("csrfmiddlewaretoken", token)]
        response = ann.client.post("/do/", dict(fields))
        assert response.status_code == 200, back
        assert "evil" not in response.content.decode()


def test_passwords_in_lines_that_cannot_be_read_are_hidden_too(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    for line in (
        "change password my very secret phrase",
        "signup dora very secret phrase",
        "mvoo 3 ann secret c3",
    ):
        ann.type(line)
        assert ann.status == 422, line
        assert "secret" not in ann.page, line
        assert "PASSWORD" in ann.tree.xpath("string(//input[@id='line']/@value)")


def test_pages_of_a_player_are_kept_by_no_shared_cache(world: Any, visit: Visit) -> None:
    board = world.board()
    ann, nobody = visit("ann"), visit()
    for path in ("/", f"/boards/{board}/", "/games/druid/"):
        assert "private" in ann.client.get(path)["Cache-Control"], path
        assert not nobody.client.get(path).has_header("Cache-Control"), path


def test_a_hint_that_is_a_line_is_put_into_the_box_by_a_link(world: Any, visit: Visit) -> None:
    board = world.board()
    bob = visit("bob")
    bob.type(f"druid move {board} b8")
    link = bob.tree.xpath("//a[text()='Use this']/@href")
    assert link
    bob.go(link[0])
    assert bob.tree.xpath("//input[@id='line']/@value") == [f"druid show {board}"]
    assert ply(board) == 0


def test_a_line_to_be_filled_in_is_not_said_to_work_as_it_stands(visit: Visit) -> None:
    nobody = visit()
    nobody.type("limit 7")
    assert "In this form: limit USERID PASSWORD" in nobody.text
    assert "This would work" not in nobody.text
    ann = visit("ann")
    ann.type("change timezone Berlin")
    assert "This would work: change timezone Europe/Berlin" in ann.text
    ann.go(ann.tree.xpath("//a[text()='Use this']/@href")[0])
    ann.press("Run")
    assert ann.status == 200
    assert "Your time zone is Europe/Berlin" in ann.text


def test_a_page_that_is_not_there_gives_a_line_to_press(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/boards/99/")
    assert nobody.status == 404
    assert "Hint" not in nobody.text
    nobody.go(nobody.tree.xpath("//a[text()='Use this']/@href")[0])
    nobody.press("Run")
    assert nobody.status == 200


def test_who_joins_is_told_to_look_for_the_link(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/join/")
    nobody.press("Join", **_join_fields(nobody))
    assert "Check your mail" in nobody.text
    assert "The link in the mail works anywhere" in nobody.text
    # The next thing to do is not a command.
    assert not nobody.tree.xpath("//input[@id='line']")
    nobody.type("signup carla carla@example.org")
    assert "Open the link in the mail" in nobody.text
    assert not nobody.tree.xpath("//input[@id='line']")


def _join_fields(visitor: Visitor) -> dict[str, str]:
    keys = [key.replace("-", "_") for key in visitor.tree.xpath("//main//input[@id]/@id")]
    return dict(zip(keys, ("dora", "dora@example.org"), strict=False))
