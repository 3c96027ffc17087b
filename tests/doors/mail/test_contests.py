"""A contest by mail, from its first line to its final table."""

from __future__ import annotations

import random

import pytest

from doors.mail.conftest import PostOffice, text_of, words_of
from sarsen.games import load
from sarsen.storage.models import Contest, Match
from sarsen.workers import jobs

NAMES = ("ann", "bob", "cid", "dora")


def address(name: str) -> str:
    return f"{name}@{name}.example"


@pytest.mark.django_db(transaction=True)
def test_four_people_play_a_round_robin_by_mail(post: PostOffice) -> None:
    welcome = {name: post.join_by_mail(name) for name in NAMES}
    post.answer(
        welcome["ann"], "contest new visavis round-robin -size=5 --solved --most=4 Four Corners"
    )
    print(text_of(post.last(address("ann"))))
    contest = Contest.objects.get()
    for name in NAMES[1:]:
        post.answer(welcome[name], f"contest join {contest.pk}")
        print(text_of(post.last(address(name))))
    jobs.run_contests.call()
    post.work()
    letters = {name: post.box(address(name)) for name in NAMES}
    for name in NAMES:
        starts = [one for one in letters[name] if "Four Corners" in str(one["Subject"])]
        assert len(starts) == 1
        print(text_of(starts[0]))
    chance = random.Random(5)
    while running := list(Match.objects.filter(ended_at=None)):
        for match in running:
            seat = match.seat_rows[match.seat_to_move]
            name = seat.player.userid
            board_letters = [
                one
                for one in letters[name]
                if str(one["Reply-To"]).startswith(f"board-{match.pk}-")
            ]
            position = load(match.game).read(match.position)
            move = position.format(chance.choice(list(position.legal_moves())))
            post.answer(board_letters[-1], move)
            jobs.run_contests.call()
            post.work()
            for one in NAMES:
                letters[one] += post.box(address(one))
    for name in NAMES:
        ends = [one for one in letters[name] if "final table" in words_of(one)]
        assert len(ends) == 1
    print(text_of(ends[0]))
    post.answer(welcome["ann"], f"contest {contest.pk} log")
    print(text_of(post.last(address("ann"))))
