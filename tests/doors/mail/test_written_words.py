"""Texts of people arrive line by line as written: by mail, in letters and digests."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest
from django.utils import timezone

from doors.mail.conftest import BOB, PostOffice, said, text_of
from doors.mail.letters.test_notices import send_digest
from sarsen.services.notices.announcements import sweep_announcements
from sarsen.storage.models import ChatLine, Note, Player
from written_words import changed, each_text, in_parts, lines_of_html, text_named


def html_of(letter: EmailMessage) -> str:
    part = letter.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def changed_in(letter: EmailMessage, text: str) -> list[str]:
    return [*changed(text, text_of(letter)), *changed(text, lines_of_html(html_of(letter)))]


@each_text
def test_a_message_by_mail_changes_no_line(post: PostOffice, name: str) -> None:
    welcome, _ = post.join("ann"), post.join("bob")
    post.answer(welcome, f"message bob\n{text_named(name)}")
    assert changed_in(post.last(BOB), text_named(name)) == []


@each_text
def test_a_broadcast_by_mail_changes_no_line_and_may_be_said_anew(
    post: PostOffice, name: str
) -> None:
    welcome, _ = post.join("ann"), post.join("bob")
    post.answer(welcome, f"broadcast\n{text_named(name)}")
    asked = post.last("ann@ann.example")
    indented = "\n".join(f"    {line}" for line in text_named(name).split("\n"))
    assert changed(indented, text_of(asked)) == []
    # The letter that asks repeats the text; its author may send that once more.
    post.answer(welcome, f"broadcast\n{text_named(name)}\nP.S. Have fun!")
    post.answer(post.last("ann@ann.example"), "yes")
    sweep_announcements(timezone.now())
    post.work()
    assert changed_in(post.last(BOB), f"{text_named(name)}\nP.S. Have fun!") == []


@each_text
def test_a_digest_changes_no_line(post: PostOffice, name: str) -> None:
    welcome, _ = post.join("ann"), post.join("bob")
    Player.objects.filter(key="bob").update(channels={"message": "digest"})
    post.answer(welcome, f"message bob\n{text_named(name)}")
    send_digest(post)
    assert changed_in(post.last(BOB), text_named(name)) == []


@each_text
def test_chat_and_notes_by_mail_change_no_line(post: PostOffice, name: str) -> None:
    letters = post.board()
    for part in in_parts(text_named(name), 1900):
        post.answer(letters["ann"], f"chat\n{part}")
        assert changed_in(post.last(BOB), part) == []
        post.answer(letters["ann"], f"notes 1\n{part}")
        assert changed(part, Note.objects.latest("pk").text) == []
    post.answer(letters["ann"], "notes 1")
    shown = said(post, "ann@ann.example")
    indented = "\n".join(f"    {line}" for line in text_named(name).split("\n"))
    assert changed(indented, shown) == []


def test_text_in_an_html_mail_keeps_its_blanks(post: PostOffice) -> None:
    letters = post.board()
    rows = "<div>chat</div><pre>  A B\n1 . x\n</pre><div>two&nbsp; blanks</div>"
    message = post.write(BOB, to=str(letters["bob"]["Reply-To"]), subject="Re: Druid Board 1")
    message.set_content(f"<body>{rows}</body>", subtype="html")
    post.deliver(message.as_bytes(), BOB, str(letters["bob"]["Reply-To"]))
    assert ChatLine.objects.get().text == "  A B\n1 . x\ntwo  blanks"


@pytest.mark.parametrize(
    "line", ["chat: “Well  played” – really…", "chat “Well  played” – really…"]
)
def test_words_in_the_line_of_the_command_arrive_as_written(post: PostOffice, line: str) -> None:
    letters = post.board()
    post.answer(letters["ann"], line)
    assert ChatLine.objects.get().text == "“Well  played” – really…"
    post.send(BOB, to=str(letters["bob"]["Reply-To"]), subject=line)
    assert ChatLine.objects.latest("pk").text == "“Well  played” – really…"


def test_a_drawn_line_of_more_than_1000_characters_is_refused_whole(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], f"chat\n{'word ' * 199}last.")
    assert ChatLine.objects.get().text.endswith("last.")
    post.answer(letters["ann"], f"chat\nHello\n{'word  ' * 250}")
    assert "[text-line-too-long]" in said(post, "ann@ann.example")
    assert ChatLine.objects.count() == 1


@each_text
def test_a_broadcast_read_again_by_mail_changes_no_line(post: PostOffice, name: str) -> None:
    welcome, bob = post.join("ann"), post.join("bob")
    post.answer(welcome, f"broadcast\n{text_named(name)}")
    post.answer(post.last("ann@ann.example"), "yes")
    sweep_announcements(timezone.now())
    post.work()
    post.answer(bob, "news 1")
    letter = post.last(BOB)
    indented = "\n".join(f"    {line}" for line in text_named(name).split("\n"))
    assert changed(indented, text_of(letter)) == []
    # Further right in the text than in HTML, and alike in both but for that.
    flush = [re.sub(r"(?m)^ +", "", text) for text in (indented, lines_of_html(html_of(letter)))]
    assert changed(*flush) == []
