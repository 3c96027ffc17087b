"""Notices by mail: digests, watching, messages, broadcasts, the weekly letter."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest
from django.db.models import F
from django.utils import timezone

from doors.mail.conftest import PostOffice, text_of
from sarsen.services.mail.reply_addresses import read_unsubscribe_token
from sarsen.services.notices.announcements import sweep_announcements
from sarsen.services.notices.digests import sweep_digests
from sarsen.services.notices.weekly import WEEK, sweep_weekly
from sarsen.storage.models import Challenge, Match, Player, Subscription

ANN, BOB, CARLA = "ann@ann.example", "bob@bob.example", "carla@carla.example"


def send_digest(post: PostOffice) -> None:
    Player.objects.filter(digest_due_at__isnull=False).update(digest_due_at=timezone.now())
    assert sweep_digests(timezone.now()) == 1
    post.work()


def lines_of(letter: EmailMessage) -> str:
    return "\n".join(text_of(letter).splitlines())


def stops(letter: EmailMessage) -> str:
    """Return the kind of letter that the one-click address of a letter stops."""
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    found = re.fullmatch(r"<http://sarsen\.test/unsubscribe/([\w-]+)/>", letter["List-Unsubscribe"])
    assert found
    bearer = read_unsubscribe_token(found[1])
    assert bearer
    return bearer[1]


def test_the_matrix_is_set_and_shown_by_mail(post: PostOffice) -> None:
    welcome = post.join("ann")
    post.answer(welcome, "notices chat digest")
    answer = post.last(ANN)
    assert re.search(r"chat +digest", text_of(answer))
    assert answer["List-Unsubscribe"] is None
    post.answer(welcome, "notices reminder none")
    assert "You could lose games without being warned" in text_of(post.last(ANN))
    post.answer(welcome, "notices trun none")
    assert "[notices-event]" in text_of(post.last(ANN))


def test_a_digest_comes_instead_of_mails_and_can_be_answered(post: PostOffice) -> None:
    letters = post.board("-size=4")
    post.answer(letters["bob"], "notices turn digest")
    post.box(BOB)
    post.answer(letters["ann"], "a1")
    assert not post.box(BOB)
    send_digest(post)
    digest = post.last(BOB)
    assert digest["Subject"] == "Your digest: 1 board is waiting for you"
    assert stops(digest) == "digest"
    text = text_of(digest)
    assert "Druid Board 1, ann v bob, after 1 move: you must move" in text
    line = re.search(r"druid move 1 MOVE#2", text)
    assert line
    post.answer(digest, line.group().replace("MOVE", "b1"))
    assert Match.objects.get().ply == 2


def test_every_notice_can_be_stopped_by_one_click_for_its_kind(post: PostOffice) -> None:
    letters = post.board("-size=4")
    assert stops(letters["ann"]) == "started"
    post.answer(letters["ann"], "a1")
    answer = post.last(ANN)
    assert answer["List-Unsubscribe"] is None
    assert stops(post.last(BOB)) == "turn"
    post.answer(letters["ann"], "message bob: Hello!")
    message = post.last(BOB)
    assert stops(message) == "message"
    assert str(message["List-Unsubscribe"]).strip("<>") in text_of(message)


def test_a_watcher_gets_the_board_as_observer_and_leaves_by_one_word(post: PostOffice) -> None:
    letters = post.board("-size=4")
    carla = post.join("carla")
    post.answer(carla, "subscribe 1")
    assert "board 1" in text_of(post.last(CARLA))
    post.answer(letters["ann"], "a1")
    seen = post.last(CARLA)
    assert seen["Subject"] == "Druid Board 1"
    text = text_of(seen)
    assert text.startswith("You follow Druid Board 1.")
    assert "reply with `unsubscribe`" in text
    assert seen["Reply-To"].startswith("watching-1-")
    assert stops(seen) == "watched"
    post.answer(seen, "b1")
    assert Match.objects.get().ply == 1
    assert "[not-your-board]" in text_of(post.last(CARLA))
    post.answer(seen, "unsubscribe")
    assert not Subscription.objects.exists()
    post.box(CARLA)
    post.answer(post.last(BOB), "b1")
    assert Match.objects.get().ply == 2
    assert not post.box(CARLA)


def test_a_message_hides_both_addresses_and_is_answered_by_a_command_too(post: PostOffice) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "message bob:\nShall we play?\nOr not.")
    assert "on its way to bob" in text_of(post.last(ANN))
    letter = post.last(BOB)
    assert "Shall we play?\nOr not." in lines_of(letter)
    assert ANN not in letter.as_string()
    assert letter["Reply-To"].startswith("talk-1-2-")
    post.answer(letter, "message ann: Yes!")
    answer = post.last(ANN)
    assert "Yes!" in text_of(answer)
    assert "Shall we play" not in text_of(answer)
    assert BOB not in answer.as_string()


def test_a_message_with_a_password_holds_the_password_nowhere(post: PostOffice) -> None:
    post.join("ann", "secret-ann")
    post.join("bob")
    post.send("ann@else.example", "Hello, Bob.", subject="message ann secret-ann bob")
    letter = post.last(BOB)
    assert "Hello, Bob." in text_of(letter)
    assert "secret-ann" not in letter.as_string()


def test_a_broadcast_goes_out_after_its_author_has_seen_it_and_said_yes(post: PostOffice) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "broadcast\nThe server moves on Sunday.\nNor does it stop.\n> not this")
    asked = post.last(ANN)
    assert "    The server moves on Sunday." in text_of(asked)
    assert "not this" not in text_of(asked).split("Send it?")[0].split("would get this")[1]
    assert sweep_announcements(timezone.now()) == 0
    assert not post.box(BOB)
    post.answer(asked, "yes")
    assert "on its way" in text_of(post.last(ANN))
    assert sweep_announcements(timezone.now()) == 1
    assert sweep_announcements(timezone.now()) == 0
    post.work()
    (letter,) = post.box(BOB)
    assert "The server moves on Sunday.\nNor does it stop." in lines_of(letter)
    assert stops(letter) == "broadcast"
    assert ANN not in letter.as_string()
    assert not post.box(ANN)


def test_a_broadcast_says_in_its_header_which_list_it_is_of_and_where_it_can_be_read(
    post: PostOffice,
) -> None:
    ann, bob = post.join("ann"), post.join("bob")
    post.answer(ann, "broadcast\nWho comes to Bern?\nWrite to me.")
    post.answer(post.last(ANN), "yes")
    post.answer(bob, "broadcast --re=1\nI do.")
    post.answer(post.last(BOB), "yes")
    while sweep_announcements(timezone.now()):
        pass
    post.work()
    first, reply = post.last(BOB), post.last(ANN)
    assert first["Subject"] == "[sarsen] ann: Who comes to Bern?"
    assert first["List-Archive"] == "<http://sarsen.test/news/1/>"
    assert first["List-Post"] == "<mailto:sarsen@sarsen.test?subject=broadcast>"
    assert "http://sarsen.test/news/1/" in text_of(first)
    assert reply["List-Archive"] == "<http://sarsen.test/news/2/>"
    assert reply["In-Reply-To"] == first["In-Reply-To"] == "<news.1@sarsen.test>"
    assert ann["List-Archive"] is None


@pytest.mark.parametrize("names", ["{thread} {own}", "{own}", ""])  # programs name what they like
def test_a_reply_of_play_to_the_letter_that_announces_a_game_begins_it(
    post: PostOffice, names: str
) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "announce druid -size=5\nIt needs some testing.")
    post.answer(post.last(ANN), "yes")
    while sweep_announcements(timezone.now()):
        pass
    post.work()
    letter = post.last(BOB)
    assert letter["Subject"] == "[sarsen] ann: New game: Druid, by Cameron Browne (2004)"
    assert "    druid challenge -size=5 bob ann" in lines_of(letter)
    assert "    druid challenge -size=5 ann bob" in lines_of(letter)
    assert stops(letter) == "newgame"
    references = names.format(thread=letter["References"], own=letter["Message-ID"])
    to, subject = str(letter["Reply-To"]), f"Re: {letter['Subject']}"
    post.send(BOB, "Play!", to=to, subject=subject, References=references)
    made = Challenge.objects.get()
    assert (made.game, made.options, made.challenger.userid) == ("druid", "-size=5", "bob")
    assert "would like to play Druid" in text_of(post.last(ANN))


@pytest.mark.parametrize("yes", ["confirm broadcast", "confirm broadcast ann secret-ann"])
def test_a_broadcast_is_confirmed_by_its_command_too(post: PostOffice, yes: str) -> None:
    ann = post.join("ann", "secret-ann")
    post.join("bob")
    post.answer(ann, "broadcast The server moves.")
    if "secret" in yes:
        post.send("ann@else.example", subject=yes)
    else:
        post.answer(ann, yes)
    sweep_announcements(timezone.now())
    post.work()
    assert "The server moves." in text_of(post.last(BOB))


def test_the_weekly_letter_draws_the_final_positions(post: PostOffice) -> None:
    letters = post.board("-size=4")
    post.answer(post.join("carla"), "subscribe weekly")
    post.answer(letters["ann"], "a1")
    post.answer(post.last(BOB), "resign")
    post.answer(post.last(BOB), "yes")
    post.box(CARLA)
    assert Match.objects.get().ended_at
    Match.objects.update(ended_at=F("ended_at") - WEEK)
    Subscription.objects.update(last_sent_at=F("last_sent_at") - 2 * WEEK)
    assert sweep_weekly(timezone.now()) == 1
    post.work()
    letter = post.last(CARLA)
    assert "1 game ended" in text_of(letter)
    assert "H resigned" in text_of(letter)
    assert "http://sarsen.test/boards/1/" in text_of(letter)
    assert stops(letter) == "weekly"
    post.answer(letter, "unsubscribe weekly")
    assert not Subscription.objects.exists()


def test_a_log_of_deliveries_comes_by_mail(post: PostOffice) -> None:
    letters = post.board("-size=4")
    post.answer(letters["ann"], "a1")
    post.answer(letters["bob"], "deliveries")
    text = text_of(post.last(BOB))
    assert re.search(r"turn +1 +bob@bob\.example", text)
    assert ANN not in text
    assert "sent" in text


def test_a_digest_of_many_kinds_can_be_worded(post: PostOffice) -> None:
    letters = post.board("-size=4")
    Player.objects.filter(key="bob").update(
        channels=dict.fromkeys(("turn", "message", "broadcast", "invitation", "chat"), "digest")
    )
    carla = post.join("carla")
    post.answer(carla, "druid challenge carla bob")
    post.answer(carla, "message bob: Hello from Carla!")
    post.answer(letters["ann"], "a1")
    send_digest(post)
    digest = post.last(BOB)
    text = text_of(digest)
    assert digest["Subject"] == "Your digest: 1 board and 1 challenge are waiting for you"
    assert (
        text.index("you must move")
        < text.index("carla would like to play druid")
        < text.index("Hello")
    )
    assert "    accept 2\n" in lines_of(digest)
