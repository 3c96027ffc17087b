"""Every golden mail, brought to a real board, is answered as its file says.

ada plays camb on Druid board 123, and it is her turn. Each mail comes from her address to the
one that speaks for her seat, or as the line `envelope:` of its reply says; what happens is
undone before the next one; of mails that read the same only one is brought. A reply tells why
a mail is ignored, or what was played and said, and what people are written; `like NAME` stands
for the reply to another mail.

With SARSEN_WRITE_REPLIES=1 the replies are written anew, to be read before they are kept.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import Settings

from databases import number_anew
from doors.mail.conftest import PostOffice
from doors.mail.golden_mails import MAILS
from sarsen.doors.mail.jobs import answer_mails
from sarsen.doors.mail.letters import write_letter
from sarsen.doors.mail.parse.mail import UnreadableMail, read_mail
from sarsen.services.mail import incoming, outgoing, waiting
from sarsen.services.mail.incoming import Delivery
from sarsen.services.mail.outgoing import DueLetter
from sarsen.storage.models import ChatLine, InboundMail, Match, MatchEvent

ADA, CAMB = "ada@example.org", "camb@example.net"
OPENING = ((ADA, "b1"), (CAMB, "h5"), (ADA, "b2"), (CAMB, "h6"), (ADA, "b4"), (CAMB, "h7"))
WORDED: dict[str, str] = {}
DOMAIN = "sarsen.example"  # of the addresses in the corpus
NOON = datetime(2026, 11, 3, 12, tzinfo=UTC)
_ENVELOPE = re.compile(r"envelope: (\S*) > (\S+)\n")
_SIGNED = re.compile(
    r"\b(?:board|player|invited|talk|watching|lesson|welcome)-[a-z0-9-]+@sarsen\.\w+"
)
_CODE = re.compile(r"(?<=/welcome/)[0-9a-f]{20}")


class Undone(Exception):
    """End a transaction so that nothing of it stays."""


@pytest.fixture
def seat(post: PostOffice, settings: Settings) -> Iterator[str]:
    """Set the board up; give the address that speaks for ada's seat."""
    table = Match._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"ALTER SEQUENCE {table}_id_seq RESTART WITH 123")
        else:
            cursor.execute(f"DELETE FROM sqlite_sequence WHERE name = '{table}'")
            cursor.execute(f"INSERT INTO sqlite_sequence (name, seq) VALUES ('{table}', 122)")
    with time_machine.travel(NOON):
        for userid, address in (("ada", ADA), ("camb", CAMB)):
            post.send(address, subject=f"signup {userid} SECRET")
            post.answer(post.last(address), "yes")
        post.answer(post.last(ADA), "druid challenge ada camb")
        post.answer(post.last(CAMB), "accept")
        for mover, move in OPENING:
            post.answer(post.last(mover), move)
        local_part, _, _ = str(post.last(ADA)["Reply-To"]).partition("@")
        settings.SARSEN_DOMAIN = DOMAIN
        yield f"{local_part}@{DOMAIN}"


def reply(raw: bytes, sender: str, recipient: str) -> str:
    """Return what a mail does, in words, and undo it."""
    number_anew()
    try:
        with transaction.atomic():
            said = "\n".join(happened(raw, sender, recipient))
            raise Undone
    except Undone:
        return said + "\n"


def happened(raw: bytes, sender: str, recipient: str) -> Iterator[str]:
    now = timezone.now()
    incoming.store([Delivery(sender, recipient, raw)], now)
    answer_mails(waiting.waiting(2), now)
    mail = InboundMail.objects.latest("pk")
    assert mail.state in (InboundMail.State.ANSWERED, InboundMail.State.IGNORED), mail.state
    if mail.state == InboundMail.State.IGNORED:
        yield f"ignored: {mail.note}"
    for event in MatchEvent.objects.filter(ply__gt=len(OPENING)):
        yield f"{event.kind}: {event.text}"
    for line in ChatLine.objects.all():
        yield f"{line.player.userid} says: {line.text}"
    for letter in outgoing.claim_due(now, 50):
        if letter.address == CAMB:
            yield f"camb is told: {letter.kind}"
            continue
        yield worded(letter)


def worded(letter: DueLetter) -> str:
    """Word a letter; one that tells the same of the same board is worded once."""
    facts = repr((letter.address, letter.kind, letter.facts, Match.objects.get().position))
    if facts not in WORDED:
        written = write_letter(letter)
        text = _CODE.sub("CODE", _SIGNED.sub("REPLY-ADDRESS", written.text.rstrip()))
        WORDED[facts] = f"\nto: {letter.address}\nsubject: {written.subject}\n\n{text}"
    return WORDED[facts]


def envelope(name: str, seat: str) -> tuple[str, str]:
    """Return from and to whom a mail comes."""
    found = _ENVELOPE.match(MAILS[name].reply)
    if not found:
        return ADA, seat
    return found[1], seat if found[2] == "seat" else f"{found[2]}@{DOMAIN}"


def expected(name: str) -> str:
    text = _ENVELOPE.sub("", MAILS[name].reply)
    return expected(text[5:].strip()) if text.startswith("like ") else text


def test_every_mail_is_answered_as_its_file_says(seat: str) -> None:
    replies = replies_to_all(seat)
    if os.environ.get("SARSEN_WRITE_REPLIES"):
        write(replies)
    differing = {name: text for name, text in replies.items() if text != expected(name)}
    for name, text in differing.items():
        assert text == expected(name), name


def replies_to_all(seat: str) -> dict[str, str]:
    """Bring every mail; of several that read the same, one."""
    known: dict[object, str] = {}
    replies: dict[str, str] = {}
    for name, mail in MAILS.items():
        way = envelope(name, seat)
        key = (said(mail.raw), way)
        if key not in known:
            known[key] = reply(mail.raw, *way)
        replies[name] = known[key]
    return replies


def said(raw: bytes) -> object:
    try:
        return replace(read_mail(raw, own_domain=DOMAIN), message_id="")
    except UnreadableMail as refusal:
        return refusal.code


def write(replies: dict[str, str]) -> None:
    first: dict[str, str] = {}
    for name, text in replies.items():
        found = _ENVELOPE.match(MAILS[name].reply)
        same = first.setdefault(text, name)
        told = text if same == name else f"like {same}\n"
        replace(MAILS[name], reply=(found[0] if found else "") + told).write()
