"""Letters speak the language of their reader's account; what is typed stays as it is typed."""

from __future__ import annotations

from django.db.models import F
from django.utils import timezone

from doors.mail.conftest import PostOffice, text_of
from sarsen.services.notices.weekly import WEEK, sweep_weekly
from sarsen.storage.models import Match, Player, Subscription

ANN, BOB = "ann@ann.example", "bob@bob.example"


def test_refusal_is_said_in_the_language_of_the_sender(post: PostOffice) -> None:
    mails = post.board()
    Player.objects.filter(key="bob").update(language="de")
    post.answer(mails["bob"], "a1")
    text = text_of(post.last(BOB)).replace("\r\n", "\n")
    assert "Es wurde nichts geändert: Auf Brett 1 bist du nicht am Zug, sondern ann." in text
    assert "[not-your-turn]" in text
    assert "\n\n    druid show 1\n" in text


def test_password_in_a_wrong_place_comes_back_in_no_language(post: PostOffice) -> None:
    mails = post.board()
    Player.objects.filter(key="bob").update(language="de")
    post.answer(mails["bob"], "mvoo bob secret-bob a1")
    post.send(BOB, subject="druid move 1 nobody Hunter-27!x a1")
    refused = [text_of(letter) for letter in post.box(BOB)]
    assert len(refused) == 2
    assert "Diese Zeile enthält dein Passwort" in refused[0]
    assert "secret-bob" not in "".join(refused)
    assert "Hunter" not in "".join(refused)


def test_help_comes_in_the_language_of_the_account(post: PostOffice) -> None:
    mails = post.board()
    Player.objects.filter(key="bob").update(language="de")
    post.answer(mails["bob"], "help druid")
    assert "Zwei Druidenorden" in text_of(post.last(BOB))
    post.answer(mails["ann"], "help druid")
    assert "Two sects of druids" in text_of(post.last(ANN))


def test_stranger_and_english_account_are_refused_in_english(post: PostOffice) -> None:
    post.answer(post.board()["bob"], "a1")
    assert "It is not your turn on board 1: ann is to move." in text_of(post.last(BOB))


def test_games_of_a_week_are_worded_in_the_language_of_each_reader(post: PostOffice) -> None:
    letters = post.board("-size=4")
    post.answer(letters["ann"], "subscribe weekly")
    post.answer(letters["bob"], "subscribe weekly")
    Player.objects.filter(key="bob").update(language="de")
    post.answer(letters["ann"], "a1")
    post.answer(post.last(BOB), "resign")
    post.answer(post.last(BOB), "yes")
    Match.objects.update(ended_at=F("ended_at") - WEEK)
    Subscription.objects.update(last_sent_at=F("last_sent_at") - 2 * WEEK)
    assert sweep_weekly(timezone.now()) == 2
    post.work()
    assert "ann wins." in text_of(post.last(ANN))
    assert "ann gewinnt." in text_of(post.last(BOB))


def test_subjects_are_german_and_their_answers_are_known_by_them(post: PostOffice) -> None:
    mails = post.board("-size=4")
    Player.objects.filter(key="bob").update(language="de")
    post.answer(mails["ann"], "a1")
    assert post.last(BOB)["Subject"] == "Druid Brett 1"
    assert post.last(ANN)["Subject"] == "Druid Board 1"
    # Not signed, so only the subject tells of which board the mail speaks.
    post.send(BOB, "show", subject="AW: Druid Brett 1")
    assert "Druid Board 1 (-size=4), after 1 move" in text_of(post.last(BOB))
    post.answer(mails["ann"], "druid challenge ann bob")
    asked = post.last(BOB)
    assert asked["Subject"].startswith("Druid Herausforderung ")
    assert "ann gegen bob" in " ".join(text_of(asked).split())


def test_tables_are_german_in_title_headings_and_cells(post: PostOffice) -> None:
    mails = post.board("-size=4")
    Player.objects.filter(key="bob").update(language="de")
    post.answer(mails["ann"], "resign")
    post.answer(post.last(ANN), "yes")
    post.answer(mails["bob"], "druid history bob")
    text = " ".join(text_of(post.last(BOB)).split())
    assert "Druid: frühere Partien von bob" in text
    assert "Wertung: ungewertet" in text
    assert "Spieler: ann gegen bob" in text
    assert "hat aufgegeben." in text
    post.answer(mails["bob"], "account")
    text = " ".join(text_of(post.last(BOB)).split())
    assert "Konto bob" in text
    assert "Zeitzone" in text
    assert "niemand" in text


def test_what_was_not_read_is_told_in_german(post: PostOffice) -> None:
    mails = post.board("-size=4")
    Player.objects.filter(key="ann").update(language="de")
    post.answer(mails["ann"], "a1\nd4")
    text = " ".join(text_of(post.last(ANN)).split())
    assert "Nur die erste Zeile wurde als Befehl gelesen. Nicht gelesen: d4." in text
