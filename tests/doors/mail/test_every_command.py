"""Every command of the language works at the mail door."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from command_lines import LINES
from doors.mail.conftest import PostOffice
from sarsen.doors.mail.reply import answering
from sarsen.language.commands import COMMANDS, Analyse
from sarsen.services.mail.reply_addresses import player_address
from sarsen.storage.models import InboundMail, Player

pytestmark = pytest.mark.django_db
# The letter that answers a confirmed sign-up goes to the address that joins.
ELSEWHERE = {"ConfirmSignup": "dora@example.org"}
SAID = {
    "SignUp": "want to play here as dora",
    "ConfirmSignup": "Your account dora is ready",
}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_command_of_the_language_works_at_the_mail_door(
    words: dict[str, Any], db: None, command: type
) -> None:
    line = LINES[command]
    post = PostOffice()

    def write(userid: str, text: str, body: str = "") -> None:
        to = player_address(Player.objects.get(key=userid))
        post.send(f"{userid}@example.org", f"{text.format(**words)}\n{body}", to=to)

    for text in line.needs:
        write("ann", text)
    for text in line.of_bob:
        write("bob", text)
    address = ELSEWHERE.get(command.__name__, "ann@example.org")
    post.box(address)
    write("ann", line.text, line.body)
    if command is Analyse:
        # What is searched for long is said to be: no thinker runs in these tests.
        long_ago = timezone.now() - answering.MAX_SEARCH
        InboundMail.objects.filter(state="new").update(received_at=long_ago, wait_until=None)
        post.work()
    letters = [
        " ".join(str(letter.get_body(("plain",)).get_content()).split())
        for letter in post.box(address)
    ]
    expected = SAID.get(command.__name__, line.answer).format(**words).lower()
    assert any(expected in letter.lower() for letter in letters), letters
    assert not any("Nothing was changed" in letter for letter in letters), letters
    assert not any(words["password"] in letter for letter in letters)
