"""Ladders by mail: a climb from its line to its end, and the letters about it."""

from __future__ import annotations

import re

import pytest

from clock import NOW
from contest_world import DAY, ContestWorld
from doors.mail.conftest import PostOffice, text_of, words_of
from doors.mail.test_contests import address, of_board
from sarsen.language.commands import JoinLadder, MakeContest, WithdrawFromContest
from sarsen.storage.models import Contest, Match

NAMES = ("ann", "bob", "cid")


@pytest.mark.django_db(transaction=True)
def test_a_ladder_is_made_climbed_and_left_by_mail(post: PostOffice) -> None:
    welcome = {name: post.join_by_mail(name) for name in NAMES}
    post.answer(welcome["ann"], "contest new druid ladder -size=4")
    made = words_of(post.last(address("ann")))
    assert "Druid ladder: Druid -size=4, a ladder. It runs from now on, without an end." in made
    assert "You are on it, at place 1." in made
    assert "To join: druid ladder join" in made
    for name in NAMES[1:]:
        post.answer(welcome[name], "druid ladder join")
    assert "at place 3. To climb: druid climb bob" in words_of(post.last(address("cid")))
    post.answer(welcome["cid"], "druid climb ann")
    board = Match.objects.get().pk
    answer = words_of(post.last(address("cid")))
    assert f"You climb from place 3 to ann's place 1: board {board} has started." in answer
    post.work()
    letters = post.box(address("ann"))
    about = [one for one in letters if "cid climbs from place 3 to your place 1" in words_of(one)]
    assert len(about) == 1
    assert f"/boards/{board}/" in text_of(about[0])
    post.answer(of_board(letters, board), "resign")
    post.answer(post.last(address("ann")), "yes")
    assert Match.objects.get().ended_at is not None
    # Both read where they stand now: the loser in the answer, the winner in the last letter.
    assert "You are 2nd on the Druid ladder now, behind cid." in words_of(post.last(address("ann")))
    post.work()
    assert "You are 1st on the Druid ladder now, ahead of ann." in words_of(
        post.last(address("cid"))
    )
    post.answer(welcome["bob"], "druid ladder")
    table = text_of(post.last(address("bob")))
    assert re.search(r"1 +cid.*\n +2 +ann.*\n +3 +bob", table)
    post.answer(welcome["bob"], "druid ladder leave")
    assert "You have left the Druid ladder." in words_of(post.last(address("bob")))
    assert Contest.objects.get().state == "running"


@pytest.mark.parametrize(("answer", "state"), [("yes", "ended"), ("no", "running")])
def test_the_question_whether_to_close_is_answered_in_a_word(
    post: PostOffice, answer: str, state: str
) -> None:
    welcome = {name: post.join(name) for name in NAMES[:2]}
    post.answer(welcome["ann"], "contest new druid ladder -size=4")
    made = post.last(address("ann"))
    number = Contest.objects.get().pk
    post.answer(welcome["ann"], f"contest close {number} too quiet")
    asked = post.last(address("ann"))
    assert f"To close it: contest close {number} yes too quiet" in words_of(asked)
    post.answer(made, answer)  # it answers another letter
    assert Contest.objects.get().state == "running"
    post.answer(asked, answer)
    assert Contest.objects.get().state == state
    assert {"yes": "is closed", "no": "stays open"}[answer] in words_of(post.last(address("ann")))


@pytest.mark.django_db(transaction=True)
def test_letters_of_a_ladder_say_what_follows(post: PostOffice) -> None:
    for name in NAMES:
        post.join(name)
    world = ContestWorld()
    world.now = NOW - 35 * DAY  # letters of later days would wait
    world.say("ann", MakeContest("druid", "ladder", "-size=4"))
    world.number = Contest.objects.get().pk
    for name in NAMES[1:]:
        world.say(name, JoinLadder("druid"))
    world.wait(24 * DAY)
    world.now += 8 * DAY
    world.say("ann", WithdrawFromContest(world.number, "cid", "two accounts"))
    post.work()
    letters = [*post.box(address("cid")), *post.box(address("bob"))]
    found = " ".join(words_of(one) for one in letters)
    assert "your running games there go on as ordinary ones" in found
    assert "You are out of contest" in found
    assert "The reason: two accounts." in found
    assert "count as lost" not in found
