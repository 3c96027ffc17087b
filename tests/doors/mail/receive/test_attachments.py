"""A mail with a photo is understood, and its photo is kept nowhere."""

from __future__ import annotations

import asyncio
import base64
import random
import re
import tracemalloc
from email.message import EmailMessage

import dkim
import pytest
from django.utils import timezone
from dkim.canonicalization import CanonicalizationPolicy
from pytest_django import Settings

from doors.mail.conftest import SERVER, PostOffice
from doors.mail.parse.test_senders import NOW, PEM, REJECT, Names, key_of
from doors.mail.receive.test_listener import connect, with_listener
from sarsen.doors.mail.parse import senders
from sarsen.doors.mail.parse.body_digests import BodyDigests, digest_of
from sarsen.doors.mail.parse.mail import read_mail
from sarsen.doors.mail.parse.parts import MAX_BYTES
from sarsen.doors.mail.parse.senders import SenderCheck, check_from
from sarsen.doors.mail.receive import attachments
from sarsen.doors.mail.receive.attachments import IncomingMail, ReceivedMail
from sarsen.doors.mail.receive.delivery import deliver
from sarsen.doors.mail.receive.sessions import _Reading
from sarsen.services.mail import incoming as mail_incoming
from sarsen.services.mail.incoming import Delivery
from sarsen.storage.models import InboundMail, MatchEvent

ANN = "ann@ann.example"
MB = 1_000_000


def photo(octets: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(octets)


def with_photo(octets: int, text: str = "help\n") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = ANN, SERVER
    message["Message-ID"] = "<photo@ann.example>"
    message.set_content(text)
    message.add_alternative(f"<p>{text}</p>", subtype="html")
    message.add_attachment(photo(octets), "image", "jpeg", filename="board.jpg")
    return message


def wire(message: EmailMessage) -> bytes:
    return message.as_bytes().replace(b"\n", b"\r\n")


def kept(raw: bytes, piece: int = 4096) -> ReceivedMail | None:
    incoming = IncomingMail()
    for start in range(0, len(raw), piece):
        incoming.feed(raw[start : start + piece])
    return incoming.finish()


def content(raw: bytes, piece: int = 4096) -> bytes:
    found = kept(raw, piece)
    assert found is not None
    return found.content


@pytest.mark.django_db(transaction=True)
def test_move_in_a_reply_with_a_photo_of_five_megabytes_is_played(post: PostOffice) -> None:
    board = post.board()
    message = with_photo(5 * MB, "a1\n\nThe board on my table:\n")
    to = str(board["ann"]["Reply-To"])

    async def talk(port: int, stopped: asyncio.Event) -> None:
        client = await connect(port)
        await client.hear()
        await client.say(f"EHLO {'a' * 10}", f"MAIL FROM:<{ANN}> SIZE=7000000", f"RCPT TO:<{to}>")
        await client.say("DATA")
        client.writer.write(wire(message).replace(b"\r\n.", b"\r\n..") + b".\r\n")
        assert (await client.hear())[:16] == "250 2.0.0 Stored"

    asyncio.run(with_listener(talk))
    stored = InboundMail.objects.latest("pk")
    assert len(stored.raw) < 10_000
    assert b"a1" in bytes(stored.raw)
    assert b"board.jpg" in bytes(stored.raw)
    post.work()
    assert MatchEvent.objects.filter(text="a1").exists()


@pytest.mark.django_db
def test_mail_with_a_photo_through_a_pipe_is_stored_without_it() -> None:
    raw = wire(with_photo(5 * MB))
    pieces = (raw[start : start + 65_536] for start in range(0, len(raw), 65_536))
    assert deliver(pieces, ANN, (SERVER,)) == 1
    assert len(InboundMail.objects.get().raw) < 10_000


def test_size_that_the_listener_announces_is_the_one_it_takes() -> None:
    async def talk(port: int, stopped: asyncio.Event) -> None:
        client = await connect(port)
        await client.hear()
        client.writer.write(b"EHLO ann.example\r\n")
        said = [await client.reader.readline() for _ in range(3)]
        assert f"SIZE {attachments.MAX_RECEIVED}\r\n".encode() in b"".join(said)
        await client.hear()
        too_large = f"MAIL FROM:<{ANN}> SIZE={attachments.MAX_RECEIVED + 1}"
        assert (await client.say(too_large))[:3] == "552"

    asyncio.run(with_listener(talk))


def test_too_much_text_and_a_mail_over_the_maximum_are_refused_with_552(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(attachments, "MAX_RECEIVED", 1 * MB)

    async def talk(port: int, stopped: asyncio.Event) -> None:
        for line, count in ((b"x" * 70, MAX_BYTES // 60), (b"", 0)):
            client = await connect(port)
            await client.hear()
            await client.say("EHLO ann.example", f"MAIL FROM:<{ANN}>")
            await client.say(f"RCPT TO:<{SERVER}>", "DATA")
            client.writer.write(b"\r\n" + (line + b"\r\n") * count)
            if not count:
                raw = wire(with_photo(1 * MB))
                client.writer.write(raw[: -len(b"--\r\n")] + b"A" * 70 + b"\r\n")
            client.writer.write(b".\r\n")
            assert (await client.hear()).startswith("552 5.3.4 A mail may have 256 kB of text")
            assert await client.say("NOOP") == "250 OK"

    asyncio.run(with_listener(talk))


def test_memory_for_a_mail_does_not_grow_with_its_attachment() -> None:
    head, tail = wire(with_photo(12)).split(base64.b64encode(photo(12)))
    line = base64.b64encode(photo(57)) + b"\r\n"
    tracemalloc.start()
    try:
        incoming = IncomingMail()
        incoming.feed(head)
        for _ in range(10 * MB // 79_000):
            incoming.feed(line * 1000)
        incoming.feed(tail)
        assert incoming.finish() is not None
        assert tracemalloc.get_traced_memory()[1] < 4 * MB
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("unit", [b"X-A: b\r\n", b"X-A: b\n", b"x"])
def test_head_over_the_bound_is_known_before_the_mail_ends(unit: bytes) -> None:
    mail = IncomingMail()
    for _ in range(70):
        mail.feed((unit * 4096)[:4096])
        assert mail.is_head_too_large == (mail.size > 256 * 1024)
    mail.feed(b"\r\n\r\nhelp\r\n")
    assert mail.finish() is None


def test_mail_within_the_bound_is_kept_to_the_octet() -> None:
    raw = wire(with_photo(100_000))
    assert kept(raw) == ReceivedMail(raw)


@pytest.mark.parametrize("piece", [1000, 4097, 70_000])
def test_what_is_left_of_a_mail_says_what_the_whole_mail_says(
    piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    forwarded = with_photo(200_000, "resign\n")
    message = with_photo(200_000, "a1\n")
    message.add_attachment(forwarded)
    message.add_attachment("resign\n" * 30_000, filename="log.txt")
    message.add_attachment(photo(300_000), "application", "pdf", filename="rules.pdf")
    raw = wire(message)
    rest = content(raw, piece)
    assert len(rest) < 2 * attachments.MAX_ENCLOSED
    found = read_mail(rest)
    monkeypatch.setattr("sarsen.doors.mail.parse.mail.check_bytes", lambda raw: None)
    assert found == read_mail(raw)
    assert found.lines == ("a1",)
    assert found.attachments == 4


def test_bounce_that_encloses_a_large_mail_keeps_its_report() -> None:
    report = b"Final-Recipient: rfc822; x@x.example\r\nAction: failed\r\nStatus: 5.1.1\r\n"
    inside = b"Subject: a letter\r\n\r\n" + b"x" * 60 + b"\r\n"
    raw = (
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: message/delivery-status\r\n\r\n" + report + b"\r\n"
        b"--b\r\nContent-Type: message/rfc822\r\n\r\n" + inside + b"y\r\n" * 200_000 + b"--b--\r\n"
    )
    rest = content(raw)
    assert report in rest
    assert inside in rest
    assert len(rest) < 2 * attachments.MAX_ENCLOSED


@pytest.mark.parametrize(
    "raw",
    [
        b"Subject: x\r\n\r\n" + b"x" * MAX_BYTES * 2,
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\n" * MAX_BYTES,
        b"Content-Type: multipart/mixed; boundary*0*=b\r\n\r\n" + b"--b\r\n\r\n" * MAX_BYTES,
        b"Content-Type: multipart/mixed; boundary=b\r\n" * MAX_BYTES,
        b"\r\n" * MAX_BYTES,
        b"\n" * MAX_BYTES * 2,
    ],
)
def test_mail_without_anything_to_leave_out_is_too_large(raw: bytes) -> None:
    assert kept(raw) is None


@pytest.mark.parametrize("seed", range(10))
def test_digests_of_a_body_are_those_of_the_library(seed: int) -> None:
    chance = random.Random(seed)
    words = [b"a", b" ", b"\t", b"  ", b"\r\n", b"\n", b"\r\n\r\n", b".", b"\r\n \r\n", b"\r"]
    body = b"".join(chance.choices(words, k=chance.choice((0, 3, 400))))
    digests = BodyDigests()
    for line in re.findall(rb"[^\n]*\n|[^\n]+\Z", body):
        digests.update(line)
    found = digests.finish()
    for form in ("simple", "relaxed"):
        library = CanonicalizationPolicy.from_c_value(f"simple/{form}".encode())
        whole = library.canonicalize_body(re.sub(rb"\r?\n", b"\r\n", body))
        assert digest_of(found, form) == dkim.HASH_ALGORITHMS[b"rsa-sha256"](whole).digest()


@pytest.mark.parametrize("form", [b"relaxed/relaxed", b"simple/simple", b"relaxed"])
def test_signature_of_a_mail_whose_photo_is_gone_is_verified(form: bytes) -> None:
    message = with_photo(400_000)
    message.replace_header("From", "eve@bank.example")
    raw = wire(message)
    signed = bytes(
        dkim.sign(
            raw,
            b"s",
            b"bank.example",
            PEM.encode(),
            canonicalize=tuple((form + b"/simple").split(b"/")[:2]),
        )
    )
    names = Names(REJECT | key_of("bank.example"))
    good = kept(signed + raw)
    assert good is not None
    assert check_from(good.content, "bank.example", names, good.body_digests) is SenderCheck.PASS
    forged = kept(signed + raw.replace(base64.b64encode(photo(48)), base64.b64encode(b"x" * 48)))
    assert forged is not None
    for digests in (forged.body_digests, ""):
        verdict = check_from(forged.content, "bank.example", names, digests)
        assert verdict is SenderCheck.FAIL


@pytest.mark.django_db
def test_stranger_with_a_photo_is_answered_when_the_domain_signed_it(
    post: PostOffice, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SARSEN_CHECK_SENDERS = True
    zone = REJECT | key_of("bank.example")
    monkeypatch.setattr(senders, "_resolve", Names(zone))
    eve = "eve@bank.example"
    message = with_photo(400_000)
    message.replace_header("From", eve)
    raw = wire(message)
    found = kept(bytes(dkim.sign(raw, b"s", b"bank.example", PEM.encode())) + raw)
    assert found is not None
    for digests, letters in (("", 0), (found.body_digests, 1)):
        one = Delivery(eve, SERVER, found.content, body_digests=digests)
        mail_incoming.store([one], timezone.now())
        post.work()
        assert len(post.box(eve)) == letters
        InboundMail.objects.all().delete()
    assert senders.judge(found.content, eve, NOW, found.body_digests) is SenderCheck.PASS


@pytest.mark.parametrize("seed", range(10))
def test_dots_at_the_beginning_of_lines_are_undone_wherever_the_pieces_part(seed: int) -> None:
    chance = random.Random(seed)
    parts = [b".", b"..", b"\r\n", b"a", b"\r\n.", b"\r\n\r\n"]
    said = b"".join(chance.choices(parts, k=300)) + b"\r\n"
    sent = (b"\r\n" + said).replace(b"\r\n.", b"\r\n..")[2:]
    reading = _Reading()
    while sent:
        end = chance.randint(1, 5)
        reading.take(sent[:end])
        sent = sent[end:]
    assert reading.incoming.finish() == ReceivedMail(said)
    assert not reading.has_bare_line_end
