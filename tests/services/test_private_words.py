"""No text to others carries an address that acts for its writer, or lines of a mail to them."""

from __future__ import annotations

import pytest

from doors.mail.conftest import ANN, PostOffice, post, text_of
from sarsen.core.errors import UserError
from sarsen.language import commands
from sarsen.language.commands import Command
from sarsen.services.dispatch import perform
from sarsen.services.mail.fingerprints import encode, words_of
from sarsen.services.mail.private_words import refuse_private
from sarsen.services.request import Actor
from sarsen.storage.models import Announcement, ChatLine, Note, OutgoingMail, Player, SentLetter

__all__ = ["post"]

SECRETS = {
    "board": "board-1-0-3-2-0-7odoe63j4irybt4y4sxp@sarsen.test",
    "board of the first version": "board-1-0-3-7odoe63j4irybt4y",
    "player": "write to PLAYER-5-20783-7ODOE63J4IRYBT4Y4SXP@sarsen.test, please",
    "invited": "invited-7-42-20778-7odoe63j4irybt4y4sxp",
    "watching": "watching-12-42-20778-7odoe63j4irybt4y4sxp",
    "talk": "talk-12-42-20778-7odoe63j4irybt4y4sxp",
    "lesson": "lesson-9-42-1357-24-20778-7odoe63j4irybt4y4sxp",
    "sign-up": "welcome-0123456789abcdef0123@sarsen.test",
    "link of a sign-up": "http://sarsen.test/welcome/0123456789abcdef0123/",
    "unsubscribe": "http://sarsen.test/unsubscribe/1-rpznue77quwrfaa6/",
    "unsubscribe from messages": "<http://sarsen.test/unsubscribe/1-message-rpznue77quwrfaa6/>",
    "broken in two": "http://sarsen.test/unsubscribe/1-rpzn\nue77quwrfaa6/",
    "broken and quoted": "> http://sarsen.test/unsubscribe/1-rpzn=\n> ue77quwrfaa6/",
    "invisible signs": "board-1-0-3\u200b-2-0-7odoe63j\u00ad4irybt4y4sxp@sarsen.test",
    "other dashes": "board\u20131\u20110\u22123\u20142\u20100-7odoe63j4irybt4y4sxp@sarsen.test",
    "full width": "\uff42\uff4f\uff41\uff52\uff44\uff0d\uff11-0-3-2-0-7odoe63j4irybt4y4sxp",
    "mathematical letters": "http://sarsen.test/\U0001d42e\U0001d427subscribe/1-rpznue77quwrfaa6/",
    "escaped": "board%2D1-0-3-2-0-7odoe63j4irybt4y4sxp%40sarsen.test",
    "of HTML": "board&#45;1-0-3-2-0-7odoe63j4irybt4y4sxp&#64;sarsen.test",
    "of Markdown": r"board\-1\-0\-3\-2\-0\-7odoe63j4irybt4y4sxp",
    "login": "http://sarsen.test/login/12-0123456789abcdef0123456789abcdef/",
}
HARMLESS = (
    "Hello bob, good luck!",
    "http://sarsen.test/boards/1/",
    "http://sarsen.test/challenges/12/0123456789abcdef/",
    "See /unsubscribe/ in the help, and /welcome/ too",
    "board-1-0 is a player-2 game, welcome-back",
    "ann@ann.example",
)


def texts(words: str) -> list[Command]:
    return [
        commands.Chat("druid", 1, words),
        commands.WriteNote("druid", 1, words),
        commands.SendMessage(("bob",), words),
        commands.Broadcast(words),
        commands.ChangeAbout(words),
        commands.ChangePlace(words),
        commands.Decline(1, words),
    ]


def test_private_address_is_refused_in_every_text(post: PostOffice) -> None:
    post.board()
    ann = Player.objects.get(userid="ann")
    letters = OutgoingMail.objects.count()
    passed = []
    for name, secret in SECRETS.items():
        for command in texts(f"Look here: {secret}"):
            try:
                perform(command, Actor(ann), "", ann.joined_at)
            except UserError as refusal:
                if refusal.code == "private-address":
                    continue
            passed.append((name, type(command).__name__))
    assert passed == []
    assert not ChatLine.objects.exists()
    assert not Note.objects.exists()
    assert not Announcement.objects.exists()
    assert OutgoingMail.objects.count() == letters


def test_other_addresses_are_no_secret() -> None:
    for text in HARMLESS:
        refuse_private(text, None)


@pytest.mark.parametrize("mark", ["", "> ", "| ", "  "])
def test_pasted_letter_is_refused_at_every_door(post: PostOffice, mark: str) -> None:
    letter = post.board()["ann"]
    ann = Player.objects.get(userid="ann")
    rows = [row for row in text_of(letter).splitlines() if "http" not in row]
    pasted = "Look:\n" + "\n".join(f"{mark}{row}" for row in rows)
    with pytest.raises(UserError) as refused:
        perform(commands.Chat("druid", 1, pasted), Actor(ann), "", ann.joined_at)
    assert refused.value.code == "quoted-letter"
    perform(
        commands.Chat("druid", 1, "Your move!\nIt is your turn."), Actor(ann), "", ann.joined_at
    )


def test_single_row_of_a_letter_is_refused(post: PostOffice) -> None:
    letter = post.board()["ann"]
    ann = Player.objects.get(userid="ann")
    rows = [row for row in text_of(letter).splitlines() if "http" not in row]
    long_rows = [row for row in rows if len(words_of(row)) >= 8 and row[:1].isalpha()]
    assert long_rows
    for row in long_rows:
        for text in (row, f"Look: \n{row}", f"> {row}", f"My move.\n{row}\nThat is it."):
            with pytest.raises(UserError) as refused:
                refuse_private(text, ann)
            assert refused.value.code == "quoted-letter"


def test_single_row_with_a_plan_is_refused_however_short_it_is(post: PostOffice) -> None:
    post.board()
    ann = Player.objects.get(userid="ann")
    plan = "Planned: if e4 then d4."
    SentLetter.objects.filter(letter__player=ann).update(
        fingerprints=encode([f"It is your turn.\n\n{plan}"])
    )
    odd = plan.replace(" ", "\u00a0")
    for text in (plan, f"> {plan}", f"Good luck!\n{plan}", plan.upper(), odd):
        with pytest.raises(UserError) as refused:
            refuse_private(text, ann)
        assert refused.value.code == "quoted-letter"
    for text in ("if e4 then d4", "I planned: d4", "It is your turn."):
        refuse_private(text, ann)


def test_mail_that_forwards_an_address_is_answered_with_the_reason(post: PostOffice) -> None:
    letter = post.board()["ann"]
    post.send(ANN, f"chat write to {letter['Reply-To']}", to=str(letter["Reply-To"]))
    assert "[private-address]" in text_of(post.last(ANN))
    assert not ChatLine.objects.exists()
