"""Text boards in letters: with coordinates, and without for readers who leave them out."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from doors.mail.conftest import PostOffice, text_of
from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.core.referee import replayed
from sarsen.games import load
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services.mail.reply_addresses import player_address
from sarsen.services.notices.weekly import WEEK, sweep_weekly
from sarsen.services.reviews.making import work_step
from sarsen.storage.models import Match, Player, Subscription
from short_sight import ShortSight
from web_world import World

ANN, BOB = "ann@ann.example", "bob@bob.example"


def boards_of(letter: EmailMessage, position: AnyPosition) -> tuple[bool, bool]:
    """Return whether a letter has the usual text board of a position, and the bare one."""
    text = text_of(letter).replace("\r\n", "\n")
    return drawing.text(position) in text, drawing.bare_text(position) in text


def druid(*moves: str) -> AnyPosition:
    return replayed(load("druid").start("-size=4"), moves)


def test_letters_of_one_move_have_coordinates_for_whoever_wants_them(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["bob"], "change coordinates off")
    answer = text_of(post.last(BOB))
    assert "without coordinates from now on" in answer
    post.answer(letters["bob"], "account")
    [row] = [line for line in text_of(post.last(BOB)).splitlines() if "coordinates" in line]
    assert "left out" in row
    post.answer(letters["ann"], "a1")
    assert boards_of(post.last(ANN), druid("a1")) == (True, False)
    letter = post.last(BOB)
    assert boards_of(letter, druid("a1")) == (False, True)
    page = letter.get_body(("html",))
    assert page is not None
    assert "A     B     C" not in page.get_content()
    post.answer(letter, "coordinates on")
    post.box(BOB)
    post.answer(letter, "b2")
    assert boards_of(post.last(BOB), druid("a1", "b2")) == (True, False)


@pytest.mark.django_db
def test_answers_with_several_boards_have_no_coordinates_either(post: PostOffice) -> None:
    for _ in range(2):
        World().board("druid", "a1", options="-size=4")
    Player.objects.filter(key="ann").update(wants_coordinates=False)
    address = "ann@example.org"
    post.send(address, "all show ann", to=player_address(World().player("ann")))
    answer = post.last(address)
    assert text_of(answer).count("Druid Board") == 2
    assert boards_of(answer, druid("a1")) == (False, True)


def test_games_of_a_week_are_drawn_as_each_reader_wants_them(post: PostOffice) -> None:
    letters = post.board()
    for userid in ("ann", "bob"):
        post.answer(letters[userid], "subscribe weekly")
    Player.objects.filter(key="bob").update(wants_coordinates=False)
    post.answer(letters["ann"], "a1")
    post.answer(post.last(BOB), "resign")
    post.answer(post.last(BOB), "yes")
    Match.objects.update(ended_at=F("ended_at") - WEEK)
    Subscription.objects.update(last_sent_at=F("last_sent_at") - 2 * WEEK)
    assert sweep_weekly(timezone.now()) == 2
    post.work()
    assert boards_of(post.last(ANN), druid("a1")) == (True, False)
    assert boards_of(post.last(BOB), druid("a1")) == (False, True)


@pytest.mark.django_db
def test_review_has_boards_without_coordinates(post: Any) -> None:
    board = World().board("visavis", "A3 C2 D3 D1 B4", options="-size=5")
    Player.objects.filter(key="ann").update(wants_coordinates=False)
    post.send("ann@example.org", f"review {board}", to=player_address(World().player("ann")))
    post.box("ann@example.org")
    while work_step(_think, Stop(), timezone.now()):
        pass
    post.work()
    start = load("visavis").start("-size=5")
    assert boards_of(post.last("ann@example.org"), start) == (False, True)


def _think(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
    return ShortSight(3)(position, seed)
