"""Contests by mail: from the first line to the final table, and the letters between."""

from __future__ import annotations

import random
import re
from email.message import EmailMessage

import pytest

from contest_world import ContestWorld
from doors.mail.conftest import PostOffice, text_of, words_of
from sarsen.games import load
from sarsen.storage.models import Contest, ContestEntry, Match
from sarsen.workers import jobs

NAMES = ("ann", "bob", "cid", "dora")


def address(name: str) -> str:
    return f"{name}@{name}.example"


def of_board(letters: list[EmailMessage], board: int) -> EmailMessage:
    """Return the newest letter whose answer is a move at a board."""
    return [one for one in letters if str(one["Reply-To"]).startswith(f"board-{board}-")][-1]


@pytest.mark.django_db(transaction=True)
def test_four_people_play_a_round_robin_by_mail(post: PostOffice) -> None:
    welcome = {name: post.join_by_mail(name) for name in NAMES}
    line = "contest new visavis round-robin -size=5 --solved --most=4 Four Corners"
    post.answer(welcome["ann"], line)
    made = words_of(post.last(address("ann")))
    assert "Four Corners: Visavis -size=5, round robin of 4, one game each." in made
    assert "You are in (1 of 4). It starts when 4 have joined, or on Fri 4 Dec with 3" in made
    assert "ends on Thu 4 Mar 2027 at 24:00 UTC" in made
    contest = Contest.objects.get()
    for name in NAMES[1:]:
        post.answer(welcome[name], f"contest join {contest.pk}")
        assert "You are in contest" in words_of(post.last(address(name)))
    jobs.run_contests.call()
    post.work()
    letters = {name: post.box(address(name)) for name in NAMES}
    for name in NAMES:
        starts = [one for one in letters[name] if str(one["Subject"]).startswith("Contest")]
        assert len(starts) == 1
        assert "(Visavis -size=5, round robin, solved), has started." in words_of(starts[0])
        boards = re.findall(r"/boards/(\d+)/", text_of(starts[0]))
        assert len(set(boards)) == 3  # one against each of the others
    play_to_the_end(post, letters)
    for name in NAMES:
        ends = [one for one in letters[name] if "This is the final table." in words_of(one)]
        assert len(ends) == 1
        table = text_of(ends[0])
        assert "rank  player  1  2  3  4  points  SB" in table
        assert all(one in table for one in NAMES)
        # One letter for the start and one for the end, besides those of boards.
        about = [one for one in letters[name] if str(one["Subject"]).startswith("Contest")]
        assert len(about) == 2


def play_to_the_end(post: PostOffice, letters: dict[str, list[EmailMessage]]) -> None:
    """Answer each board's letter with a legal move until all boards are over."""
    chance = random.Random(5)
    while running := list(Match.objects.filter(ended_at=None)):
        for match in running:
            name = match.seat_rows[match.seat_to_move].player.userid
            position = load(match.game).read(match.position)
            move = position.format(chance.choice(list(position.legal_moves())))
            post.answer(of_board(letters[name], match.pk), move)
            jobs.run_contests.call()
            post.work()
            for one in NAMES:
                letters[one] += post.box(address(one))


@pytest.mark.parametrize(("answer", "is_out"), [("yes", True), ("no", False)])
def test_the_question_whether_to_leave_is_answered_in_a_word(
    post: PostOffice, answer: str, is_out: bool
) -> None:
    welcome = {name: post.join(name) for name in NAMES[:3]}
    world = ContestWorld()
    world.make(*NAMES[:3], game="druid", options="-size=4")
    post.answer(welcome["cid"], f"contest leave {world.number}")
    asked = post.last(address("cid"))
    assert "Do you want to leave contest" in words_of(asked)
    post.answer(asked, answer)
    assert ContestEntry.objects.get(player__key="cid").is_out == is_out


def test_who_is_out_and_why_is_told_to_the_others_in_a_table(post: PostOffice) -> None:
    welcome = {name: post.join(name) for name in NAMES[:3]}
    world = ContestWorld()
    world.make(*NAMES[:3], game="druid", options="-size=4")
    post.answer(welcome["cid"], f"contest leave {world.number} yes")
    post.work()
    told = [one for one in post.box(address("ann")) if "cid is out of" in words_of(one)]
    assert len(told) == 1
    assert "Fewer than half of the games were finished" in words_of(told[0])
    assert re.search(r"3 +cid +x +x", text_of(told[0]))


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("decline", "You decline contest"),
        ("no thanks", "You decline contest"),
        ("No, I have no time", "You decline contest"),
        ("yes, gladly", "You are in contest"),
        ("join", "You are in contest"),
        ("accept", "You are in contest"),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_one_word_answers_an_invitation_to_a_match(
    post: PostOffice, word: str, answer: str
) -> None:
    welcome = {name: post.join_by_mail(name) for name in NAMES[:2]}
    post.answer(welcome["ann"], "contest new druid match --with=bob")
    invitation = post.last(address("bob"))
    assert str(invitation["Subject"]).startswith("Contest ")
    post.answer(invitation, word)
    assert answer in words_of(post.last(address("bob")))
    # It was answered, so that a word means nothing any more.
    post.answer(invitation, word)
    assert answer not in words_of(post.last(address("bob")))
