"""Accounts through the mail door: changing, leaving, and whose challenges are wanted."""

from __future__ import annotations

import json

import pytest

from doors.mail.conftest import PostOffice, text_of
from sarsen.storage.models import Match, Player


@pytest.fixture
def ann(post: PostOffice):
    return post.join("ann", "secret-ann")


def test_a_new_password_holds_and_all_addresses_are_told(post: PostOffice, ann) -> None:
    post.send("ann@ann.example", subject="change password ann secret-ann another-one")
    told, answer = sorted(post.box("ann@ann.example"), key=lambda letter: letter["Subject"][0])[
        ::-1
    ]
    assert "was changed" in text_of(told)
    assert "password is changed" in text_of(answer)
    post.send("ann@ann.example", subject="account ann another-one")
    assert "Account ann" in text_of(post.last("ann@ann.example"))
    post.send("ann@ann.example", subject="account ann secret-ann")
    assert "name or the password is wrong" in text_of(post.last("ann@ann.example"))


def test_a_signed_answer_may_set_a_password_or_take_none(post: PostOffice, ann) -> None:
    post.answer(ann, "change password a-better-one")
    post.box("ann@ann.example")
    post.send("ann@ann.example", subject="account ann a-better-one")
    assert "Account ann" in text_of(post.last("ann@ann.example"))
    post.answer(ann, "change password off")
    post.box("ann@ann.example")
    assert not Player.objects.get(key="ann").has_usable_password()


def test_a_new_address_counts_only_after_it_has_answered(post: PostOffice, ann) -> None:
    post.answer(ann, "change address new@home.example")
    texts = [text_of(letter) for letter in post.box("ann@ann.example")]
    assert any("was changed" in text or "were requested" in text for text in texts)
    asked = post.last("new@home.example")
    assert "wants to use this address" in text_of(asked)
    player = Player.objects.get(key="ann")
    assert [one.address for one in player.addresses.all()] == ["ann@ann.example"]
    post.answer(asked, "yes")
    assert [one.address for one in player.addresses.all()] == ["new@home.example"]
    # What was mailed to the old address speaks for nobody any more.
    post.answer(ann, "account")
    assert "not valid" in text_of(post.last("ann@ann.example"))


def test_boards_that_wait_are_written_anew_to_a_new_address(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "change address new@home.example")
    # A board's letter speaks for no account; the answer to it does.
    post.answer(post.last("ann@ann.example"), "change address new@home.example")
    post.answer(post.last("new@home.example"), "yes")
    boards = [one for one in post.box("new@home.example") if "Board" in one["Subject"]]
    post.answer(boards[-1], "a1")
    assert "ann played a1" in text_of(post.last("bob@bob.example"))


def test_signing_off_asks_offers_export_and_then_resigns(post: PostOffice) -> None:
    letters = post.board()
    post.send("ann@ann.example", subject="signoff ann secret-ann")
    asked = post.last("ann@ann.example")
    assert "export" in text_of(asked)
    assert "resign on board" in text_of(asked)
    assert Player.objects.get(key="ann").is_active
    post.answer(asked, "yes")
    assert "closed" in text_of(post.last("ann@ann.example"))
    assert not Player.objects.get(key="ann").is_active
    assert "bob wins" in text_of(post.last("bob@bob.example"))
    post.answer(letters["ann"], "a1")
    assert "not valid" in text_of(post.last("ann@ann.example"))


def test_a_no_to_signing_off_changes_nothing(post: PostOffice, ann) -> None:
    post.answer(ann, "signoff")
    post.answer(post.last("ann@ann.example"), "no")
    assert "is cancelled" in text_of(post.last("ann@ann.example"))
    post.answer(ann, "confirm signoff")
    assert "There is no signoff to confirm" in text_of(post.last("ann@ann.example"))
    assert Player.objects.get(key="ann").is_active


def test_an_export_holds_my_games_and_nobody_elses_address(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "a1")
    post.box("ann@ann.example")
    post.send("ann@ann.example", subject="export ann secret-ann")
    letter = post.last("ann@ann.example")
    (attached,) = letter.iter_attachments()
    lines = [json.loads(line) for line in attached.get_content().decode().splitlines()]
    kinds = {line["kind"] for line in lines}
    assert {"account", "address", "board"} <= kinds
    (board,) = [line for line in lines if line["kind"] == "board"]
    assert board["players"] == ["ann", "bob"]
    assert [event["text"] for event in board["events"]] == ["a1"]
    assert "bob.example" not in json.dumps(lines)
    assert Player.objects.get(key="ann").password not in json.dumps(lines)


def test_refused_challengers_are_told_and_the_refuser_is_not_bothered(post: PostOffice) -> None:
    ann, bob = post.join("ann"), post.join("bob")
    post.answer(bob, "refuse ann")
    assert "ann" in text_of(post.last("bob@bob.example"))
    post.answer(ann, "druid challenge ann bob")
    refused = text_of(post.last("ann@ann.example"))
    assert "does not want to be challenged" in refused
    assert "\r\n    list\r\n" in refused
    assert post.box("bob@bob.example") == []
    post.answer(bob, "refuse ann off")
    assert "You get challenges from everyone" in text_of(post.last("bob@bob.example"))
    post.answer(ann, "druid challenge ann bob")
    assert "would like to play" in text_of(post.last("bob@bob.example"))


def test_a_refused_player_cannot_take_the_open_challenge(post: PostOffice) -> None:
    ann, bob = post.join("ann"), post.join("bob")
    post.answer(bob, "refuse ann")
    post.answer(bob, "druid challenge bob anyone")
    post.answer(ann, "accept 1")
    assert "does not want to be challenged" in text_of(post.last("ann@ann.example"))


def test_autoaccept_starts_a_proved_players_challenge_at_once(post: PostOffice) -> None:
    ann, bob = post.join("ann"), post.join("bob")
    post.answer(bob, "autoaccept ann")
    post.box("bob@bob.example")
    post.answer(ann, "druid challenge ann bob")
    assert "started as board 1" in text_of(post.last("ann@ann.example"))
    assert "has started" in text_of(post.last("bob@bob.example"))


def test_a_challenge_that_proves_nobody_starts_nothing_by_autoaccept(post: PostOffice) -> None:
    post.join("ann")
    bob = post.join("bob")
    post.answer(bob, "autoaccept anyone")
    post.box("bob@bob.example")
    post.send("eve@eve.example", subject="druid challenge ann bob")
    assert "would like to play" in text_of(post.last("bob@bob.example"))
    post.box("ann@ann.example")
    post.send("ann@ann.example", subject="druid challenge ann bob")
    assert post.box("bob@bob.example") == []
    assert not Match.objects.exists()
    post.answer(post.last("ann@ann.example"), "yes")
    assert "has started" in text_of(post.last("bob@bob.example"))


def test_a_limit_of_games_holds_until_one_is_over(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["bob"], "limit 1")
    assert "while you have 1 running games" in text_of(post.last("bob@bob.example"))
    post.answer(letters["ann"], "druid challenge ann bob")
    assert "has enough games" in text_of(post.last("ann@ann.example"))
    post.answer(letters["ann"], "resign")
    post.answer(post.last("ann@ann.example"), "yes")
    post.box("bob@bob.example")
    post.answer(letters["ann"], "druid challenge ann bob")
    assert "would like to play" in text_of(post.last("bob@bob.example"))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("change password x", "password-length"),
        ("change password", "password-words"),
        ("change address nonsense", "address-form"),
        ("refuse nobody-i-know", "unknown-player"),
        ("limit many", "number-missing"),
        ("limit 99999999", "limit-range"),
    ],
)
def test_what_cannot_be_set_is_refused_with_its_code(
    post: PostOffice, ann, line: str, code: str
) -> None:
    post.answer(ann, line)
    assert f"[{code}]" in text_of(post.last("ann@ann.example"))
