"""A match of Nim by mail; `test_plugin.py` runs this where the package is installed."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from doors.mail.conftest import PostOffice, text_of, words_of
from sarsen import games
from sarsen.isolation.stand_in import PluginGame
from sarsen.storage.models import Match

ANN, BOB = "ann@ann.example", "bob@bob.example"


@pytest.fixture(autouse=True)
def plugins_are_isolated() -> None:
    """Do as processes of the server do."""
    games.isolate_plugins()
    assert isinstance(games.load("nim"), PluginGame)


def test_nim_is_challenged_played_and_won_by_mail(db: None) -> None:
    post = PostOffice()
    letters = post.board("-rows=2", game="nim")
    assert letters["bob"]["Subject"].startswith("Nim ")
    post.answer(letters["ann"], "b4")
    assert "[nim.too-few-sticks]" in text_of(post.last(ANN))
    post.answer(letters["ann"], "b2")
    assert {"a  |", "b  |"} <= set(text_of(post.last(BOB)).splitlines())
    board = Match.objects.get().pk
    post.send(BOB, subject=f"nim move {board} bob secret-bob A1")
    post.answer(post.last(ANN), "b1")
    match = Match.objects.get()
    assert [event.text for event in match.events.all()] == ["b2", "a1", "b1"]
    assert match.scores == [1.0, 0.0]
    assert "First took the last stick." in text_of(post.last(BOB))


def test_nim_has_its_help_by_mail(db: None) -> None:
    post = PostOffice()
    post.send(ANN, subject="help nim")
    assert "In turn, take as many as you like" in words_of(post.last(ANN))


def test_nim_is_shown_and_tried_on_pages(db: None, client: Client) -> None:
    post = PostOffice()
    letters = post.board("-rows=2", game="nim")
    post.answer(letters["ann"], "b2")
    board = client.get(reverse("board", args=[Match.objects.get().pk]))
    assert board.status_code == 200
    assert "Sticks left: 1 in a, 1 in b." in board.content.decode()
    tried = client.get(reverse("practice", args=["nim"]))
    assert tried.status_code == 200
    assert ">a1<" in tried.content.decode() or "&quot;a1&quot;" in tried.content.decode()
    assert client.get("/games/nim/").status_code == 200
