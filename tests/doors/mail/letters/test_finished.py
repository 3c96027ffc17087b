"""After a game, by mail: the record, the ratings, the tables."""

from __future__ import annotations

from email.message import EmailMessage

from django.utils import timezone

from doors.mail.conftest import PostOffice, text_of, words_of
from sarsen.language.commands import Resign
from sarsen.services.dispatch import perform
from sarsen.services.records.recording import view_record
from sarsen.services.request import Actor
from sarsen.storage.models import Player

ANN, BOB = "ann@ann.example", "bob@bob.example"
MOVES = ("a1", "b1", "a2", "b2")


def finish(post: PostOffice, options: str = "-size=4") -> None:
    """Let bob resign by mail after four plies."""
    letters = post.board(options)
    for number, move in enumerate(MOVES):
        post.answer(letters[("ann", "bob")[number % 2]], move)
        letters = {"ann": post.last(ANN), "bob": post.last(BOB)}
    post.answer(letters["bob"], "resign")
    post.answer(post.last(BOB), "yes")


def record_in(letter: EmailMessage) -> str:
    """Return the record that is attached to the last letter of a game."""
    (file,) = letter.iter_attachments()
    assert file.get_filename() == "druid-1.txt"
    return str(file.get_content()).replace("\r\n", "\n")


def test_last_letter_has_result_ratings_and_rematch_and_the_record_as_a_file(
    post: PostOffice,
) -> None:
    finish(post)
    for address in (ANN, BOB):
        letter = post.last(address)
        text = words_of(letter)
        assert "ann wins. H resigned." in text
        assert "ann: rating 1500? → 1662? (+162) bob: rating 1500? → 1338? (−162)" in text
        assert "The record of the game is attached." in text
        assert "`rematch`" in text
        assert "http://sarsen.test/boards/1/" in text
        record = record_in(letter)
        assert record.startswith("sarsen-record: 1\ngame: druid\n")
        assert "\noptions: -size=4\nplayers: V ann; H bob\n" in record
        assert "\nresult: 1 0\nend: resignation H\nreason: H resigned.\nsignature: " in record
        today = f"{timezone.now():%Y-%m-%d}"
        for ply, move in enumerate(MOVES, start=1):
            assert f"\n{ply} {'HV'[ply % 2]} {today}" in record
            assert f"Z {move}\n" in record


def test_record_in_the_last_letter_is_verified_as_it_stands(post: PostOffice) -> None:
    finish(post)
    ann = Player.objects.get(key="ann")
    assert record_in(post.last(ANN)) == view_record(1, ann).text


def test_neither_part_of_the_last_letter_has_the_signature_of_the_record(post: PostOffice) -> None:
    finish(post)
    letter = post.last(ANN)
    page = letter.get_body(("html",))
    assert page is not None
    assert "signature:" not in text_of(letter)
    assert "signature:" not in page.get_content()


def test_letter_of_a_running_game_has_no_record(post: PostOffice) -> None:
    letters = post.board()
    assert list(letters["ann"].iter_attachments()) == []


def test_unrated_game_says_why_it_does_not_count(post: PostOffice) -> None:
    finish(post, "-size=4 --unrated")
    assert "The game is not rated: agreed unrated." in text_of(post.last(ANN))


def test_who_ends_a_game_at_another_door_gets_its_record_by_mail(post: PostOffice) -> None:
    letters = post.board()
    assert letters
    bob = Player.objects.get(key="bob")
    perform(Resign("", 1, confirmed=True), Actor(bob), "", timezone.now())
    post.work()
    for address in (ANN, BOB):
        (letter,) = post.box(address)
        assert "end: resignation" in record_in(letter)


def test_who_ends_a_game_by_mail_gets_one_answer_with_the_record(post: PostOffice) -> None:
    finish(post)
    (letter,) = post.box(BOB)
    assert "end: resignation" in record_in(letter)


def test_tables_come_by_mail(post: PostOffice) -> None:
    finish(post)
    post.box(ANN)
    post.send(ANN, subject="druid standings")
    assert "ann     1      1    0     0" in text_of(post.last(ANN))
    post.send(ANN, subject="druid standings ann bob")
    assert "druid  V       1      1    0     0" in text_of(post.last(ANN))
    post.send(ANN, subject="ratings ann")
    assert "1662?" in text_of(post.last(ANN))
    post.send(ANN, subject="druid history ann")
    assert "(+162)" in text_of(post.last(ANN))
    post.send(ANN, subject="druid history")
    assert "resigned." in text_of(post.last(ANN))
    post.send(ANN, subject="druid ratings")
    assert "ann     1662?   +162" in text_of(post.last(ANN))
    post.send(ANN, subject="druid history ann bob cat")
    assert "at most 2 names" in text_of(post.last(ANN))
