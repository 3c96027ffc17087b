"""Letters speak the language of their reader's account; what is typed stays as it is typed."""

from __future__ import annotations

from doors.mail.conftest import PostOffice, text_of
from sarsen.storage.models import Player

BOB = "bob@bob.example"


def test_refusal_is_said_in_the_language_of_the_sender(post: PostOffice) -> None:
    mails = post.seat()
    Player.objects.filter(key="bob").update(language="de")
    post.answer(mails["bob"], "a1")
    text = text_of(post.last(BOB)).replace("\r\n", "\n")
    assert "Nichts wurde geändert: Auf Brett 1 bist du nicht am Zug, sondern ann." in text
    assert "[not-your-turn]" in text
    assert "\n\n    druid show 1\n" in text
