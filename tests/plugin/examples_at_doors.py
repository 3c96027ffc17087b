"""Games drawn by kits, by mail and on pages; `test_example_games.py` runs this."""

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
    assert isinstance(games.load("hex"), PluginGame)


def test_hex_is_swapped_refused_and_won_by_mail(db: None) -> None:
    post = PostOffice()
    letters = post.board("-size=3 -swap", game="hex")
    post.answer(letters["ann"], "b2")
    answered = post.last(BOB)
    assert "Blue 2 .(r). Blue" in text_of(answered)
    post.answer(answered, "swap")
    swapped = post.last(ANN)
    assert "The players swap sides." in text_of(swapped)
    post.answer(swapped, "b2")
    assert "[hex.occupied]" in text_of(post.last(ANN))
    board = Match.objects.get().pk
    for sender, move in ((ANN, "c2"), (BOB, "B1"), (ANN, "c1"), (BOB, "b3")):
        name = sender.partition("@")[0]
        post.send(sender, subject=f"hex move {board} {name} secret-{name} {move}")
    match = Match.objects.get()
    assert [event.text for event in match.events.all()][-1] == "b3"
    assert match.scores == [0.0, 1.0]
    assert "Red joined top and bottom." in text_of(post.last(ANN))


@pytest.mark.parametrize(
    ("game", "first", "title"),
    [
        ("hex", "f6", "Red: f6."),
        ("breakthrough", "b2-c3", "Black is to move."),
        ("amazons", "d1-d7/g7", "arrow: g7."),
        ("dots", "a1-b1", "Red line: a1-b1."),
        ("kalah", "c1", "f1 5, store 1."),
    ],
)
def test_board_is_shown_pointed_at_and_tried_on_pages(
    db: None, client: Client, game: str, first: str, title: str
) -> None:
    post = PostOffice()
    letters = post.board("", game=game)
    post.answer(letters["ann"], first)
    page = client.get(reverse("board", args=[Match.objects.get().pk])).content.decode()
    assert title in page
    tried = client.get(reverse("practice", args=[game])).content.decode()
    assert f'data-spot="{first[:2]}"' in tried
    assert client.get(f"/games/{game}/").status_code == 200
    assert words_of(letters["ann"])
