"""The analysis board by mail: asked in a line, answered when the search is over."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from doors.mail.conftest import ANN, PostOffice, played, words_of
from sarsen.doors.mail.reply import answering
from sarsen.search.analysis import Analysis, Likely
from sarsen.services.analysis import questions, searching
from sarsen.storage.models import Analyst, InboundMail

LINE = "analyse druid -size=5 c1 b2"


@pytest.fixture(autouse=True)
def _search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "are_made", lambda: True)


def search() -> None:
    now = timezone.now()
    claim = searching.claim(now)
    assert claim is not None
    searching.settle(claim, Analysis(None, ("d4",), None, (Likely("d4", 0.61),), 0.5), now)


def wait(post: PostOffice, seconds: timedelta) -> None:
    """Let the mail that was put off be due again."""
    InboundMail.objects.filter(state="new").update(
        received_at=timezone.now() - seconds, wait_until=None
    )
    post.work()


def test_a_mail_waits_for_its_search_and_is_answered_once(post: PostOffice) -> None:
    post.answer(post.join("ann"), LINE)
    assert not post.box(ANN)  # put off: the position is being searched
    search()
    wait(post, answering.SEARCH)
    letters = post.box(ANN)
    assert len(letters) == 1
    assert "Likely best for V, with the chance to win: d4 (61%)." in words_of(letters[0])
    assert "You have 300 seconds of search left in this hour." in words_of(letters[0])
    assert Analyst.objects.get().number == 1


def test_a_search_that_takes_too_long_is_told_and_may_be_asked_again(post: PostOffice) -> None:
    post.answer(post.join("ann"), LINE)
    wait(post, answering.MAX_SEARCH)
    assert "The server is searching." in words_of(post.last(ANN))
    assert Analyst.objects.get().number == 1


def test_a_refusal_is_answered_at_once(post: PostOffice) -> None:
    post.answer(post.join("ann"), "analyse druid -size=5 c3")
    assert "The first stone must be a sarsen on an edge square." in words_of(post.last(ANN))
    assert not Analyst.objects.exists()


def test_a_line_without_a_game_is_told_the_games(post: PostOffice) -> None:
    post.answer(post.join("ann"), "analyse")
    letter = words_of(post.last(ANN))
    assert "A position of which game? There are: druid," in letter
    assert letter.endswith("[analysis-game] analyse druid")


def test_an_unproved_mail_from_a_players_address_is_refused_the_game_in_play(
    post: PostOffice,
) -> None:
    moves = ("a1", "b2", "a2", "c2")
    played(post, *moves)
    line = f"analyse druid -size=4 {' '.join(moves)}"
    post.send(ANN, subject=line)
    assert "A game you are playing is not analysed" in words_of(post.last(ANN))
    post.send("dan@dan.example", subject=line)  # plays nothing
    search()
    assert not Analyst.objects.filter(player__isnull=False).exists()
