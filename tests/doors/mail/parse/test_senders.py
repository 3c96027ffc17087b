"""What is known of a From by DKIM and DMARC, with a stub of the DNS; and what follows from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from types import SimpleNamespace

import dkim
import pytest
from pytest_django import Settings

from doors.mail.conftest import SERVER, PostOffice, text_of
from sarsen.doors.mail.parse import senders
from sarsen.doors.mail.parse.senders import (
    NameServerAway,
    SenderCheck,
    check_from,
    judge,
    trusted_verdict,
)
from sarsen.doors.mail.send.dkim_signing import dns_record, new_key
from sarsen.storage.models import InboundMail, MatchEvent, OutgoingMail

EVE = "eve@bank.example"
PEM = new_key()
NOW = datetime(2026, 11, 21, tzinfo=UTC)
RAW = (
    b"From: Eve <eve@bank.example>\r\nTo: sarsen@sarsen.test\r\nSubject: help\r\n"
    b"Message-ID: <1@bank.example>\r\n\r\nhelp\r\n"
)
REJECT = {"_dmarc.bank.example": b"v=DMARC1; p=reject"}


@pytest.fixture(autouse=True)
def _no_pictures(settings: Settings) -> None:
    settings.SARSEN_MAIL_PICTURES = False  # drawing them takes most of a test's time


def signed(raw: bytes = RAW, domain: str = "bank.example", **more: object) -> bytes:
    return bytes(dkim.sign(raw, b"s", domain.encode(), PEM.encode(), **more)) + raw


def key_of(domain: str) -> dict[str, bytes]:
    name, text = dns_record(PEM, "s", domain)
    return {name: text.encode()}


class Names:
    """Answer from a zone, and count how often."""

    def __init__(self, zone: Mapping[str, bytes | None]) -> None:
        self.zone = zone
        self.asked: list[str] = []

    def __call__(self, name: str, seconds: float) -> bytes | None:
        self.asked.append(name)
        found = self.zone.get(name, b"")
        if found is None:
            raise NameServerAway
        return found or None


def verdict(raw: bytes, *zones: Mapping[str, bytes | None]) -> SenderCheck:
    zone: dict[str, bytes | None] = {}
    for one in zones:
        zone |= one
    return check_from(raw, "bank.example", Names(zone))


def test_mail_with_a_signature_of_its_own_domain_passes() -> None:
    assert verdict(signed(), REJECT, key_of("bank.example")) is SenderCheck.PASS


@pytest.mark.parametrize("raw", [RAW, signed().replace(b"\r\nhelp\r\n", b"\r\nhelp us\r\n")])
def test_m19_mail_without_a_good_signature_fails_where_its_domain_wants_one(raw: bytes) -> None:
    assert verdict(raw, REJECT, key_of("bank.example")) is SenderCheck.FAIL


@pytest.mark.parametrize("policy", [None, b"v=DMARC1; p=none", b"v=spf1 -all", b"v=DMARC1; p"])
def test_mail_of_a_domain_that_asks_nothing_is_neither_good_nor_bad(policy: bytes | None) -> None:
    zone = {"_dmarc.bank.example": policy} if policy else {}
    assert verdict(RAW, zone) is SenderCheck.NONE


def test_f51_signature_of_a_part_of_the_body_counts_as_none() -> None:
    raw = signed(length=True) + b"appended by somebody\r\n"
    zone = key_of("bank.example")
    assert dkim.verify(raw, dnsfunc=lambda name, timeout=5: zone.get(name.decode().rstrip(".")))
    assert verdict(raw, REJECT, zone) is SenderCheck.FAIL


def test_f52_valid_signature_of_another_domain_proves_nothing() -> None:
    raw = signed(domain="evil.example")
    assert verdict(raw, REJECT, key_of("evil.example")) is SenderCheck.FAIL


def test_signature_of_the_organisation_counts_unless_the_policy_is_strict() -> None:
    raw = signed(domain="mail.bank.example")
    assert verdict(raw, REJECT, key_of("mail.bank.example")) is SenderCheck.PASS
    strict = {"_dmarc.bank.example": b"v=DMARC1; p=reject; adkim=s"}
    assert verdict(raw, strict, key_of("mail.bank.example")) is SenderCheck.FAIL


@pytest.mark.parametrize(
    ("domain", "registered"),
    [
        ("mail.bank.example", "bank.example"),
        ("bank.example", "bank.example"),
        ("a.b.players.co.uk", "players.co.uk"),
        ("M.Gmail.com", "gmail.com"),
        ("localhost", "localhost"),
        ("", ""),
    ],
)
def test_organisation_is_what_somebody_has_registered(domain: str, registered: str) -> None:
    assert senders.organisation(domain) == registered


def test_policy_of_the_parent_counts_for_a_domain_without_one() -> None:
    zone = {"_dmarc.bank.example": b"v=DMARC1; p=none; sp=reject"}
    assert check_from(RAW, "lost.bank.example", Names(zone)) is SenderCheck.FAIL


def test_f53_three_signatures_are_tried_and_no_more() -> None:
    raw = RAW
    for _ in range(10):
        raw = signed(raw)
    names = Names(REJECT | {"s._domainkey.bank.example": b"v=DKIM1; p="})
    assert check_from(raw, "bank.example", names) is SenderCheck.FAIL
    assert names.asked == ["_dmarc.bank.example", *["s._domainkey.bank.example"] * 3]


@pytest.mark.parametrize("size", [8_192, 1_000_000])
def test_f53_giant_records_are_not_there(size: int) -> None:
    key = {"s._domainkey.bank.example": b"v=DKIM1; p=" + b"A" * size}
    assert verdict(signed(), REJECT, key) is SenderCheck.FAIL
    policy = {"_dmarc.bank.example": b"v=DMARC1; p=reject; rua=" + b"x" * size}
    assert verdict(RAW, policy) is SenderCheck.NONE


@pytest.mark.parametrize("name", ["_dmarc.bank.example", "s._domainkey.bank.example"])
def test_f53_name_server_that_does_not_answer_decides_nothing(name: str) -> None:
    assert verdict(signed(), REJECT | {name: None}) is SenderCheck.LATER


def test_f53_all_questions_together_have_five_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100, 3))
    monkeypatch.setattr(senders.time, "monotonic", lambda: float(next(clock)))
    names = Names(REJECT)
    assert check_from(signed(), "bank.example", names) is SenderCheck.LATER
    assert len(names.asked) == 1


@pytest.mark.parametrize(
    "field",
    [
        b"v=1; a=rsa-sha256; d=bank.example; s=s; h=from; bh=x; b=" + b"=" * 50,
        b"v=1; a=klingon; d=bank.example; s=s; h=from; bh=eA==; b=eA==",
        b"v=1; a=rsa-sha256; d=bank.example; s=\xff\xfe; h=from; bh=eA==; b=eA==",
        b"d=bank.example; d=bank.example",
        b";;;=;",
        b"v=1; a=rsa-sha256; c=x/y/z; d=bank.example; s=s; h=:::; bh=eA==; b=eA==",
    ],
)
def test_f53_nonsense_is_no_signature(field: bytes) -> None:
    raw = b"DKIM-Signature: " + field + b"\r\n" + RAW
    assert verdict(raw, REJECT, key_of("bank.example")) is SenderCheck.FAIL


def trusted(*fields: str) -> SenderCheck:
    header = "".join(f"Authentication-Results: {field}\r\n" for field in fields)
    return trusted_verdict(message_from_bytes(header.encode() + RAW), "mx.sarsen.test")


def test_f54_word_of_our_own_mail_server_is_taken_and_no_others() -> None:
    assert trusted("mx.sarsen.test; dkim=pass; dmarc=fail header.from=x") is SenderCheck.FAIL
    assert trusted("MX.sarsen.test; dmarc=pass header.from=bank.example") is SenderCheck.PASS
    assert trusted("mx.evil.example; dmarc=pass") is SenderCheck.NONE
    assert trusted() is SenderCheck.NONE


def test_f54_field_that_came_with_the_mail_stands_below_and_is_not_read() -> None:
    assert trusted("mx.sarsen.test; dmarc=fail", "mx.sarsen.test; dmarc=pass") is SenderCheck.FAIL


@pytest.mark.parametrize(
    "field", ["", "mx", ";", "mx.sarsen.test; dmarc", "(" * 1_900, "a" * 9_999]
)
def test_f54_field_that_cannot_be_read_says_nothing(field: str) -> None:
    assert trusted(field) is SenderCheck.NONE
    assert trusted(field, "mx.sarsen.test; dmarc=fail") is SenderCheck.FAIL


def test_answer_to_somebody_else_than_from_is_refused_where_senders_are_checked(
    settings: Settings,
) -> None:
    assert judge(RAW, "victim@home.example", NOW) is SenderCheck.NONE
    settings.SARSEN_AUTHSERV_ID = "mx.sarsen.test"
    assert judge(RAW, "victim@home.example", NOW) is SenderCheck.FAIL
    assert judge(RAW, "eve@mail.bank.example", NOW) is SenderCheck.NONE


def test_f53_waiting_for_name_servers_is_bounded_for_all_mails_together(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SARSEN_CHECK_SENDERS = True
    names, seconds = Names(REJECT), [0.0]

    def resolve(name: str, most: float) -> bytes | None:
        seconds[0] += senders.SECONDS
        return names(name, most)

    monkeypatch.setattr(senders, "_resolve", resolve)
    monkeypatch.setattr(senders, "time", SimpleNamespace(monotonic=lambda: seconds[0]))
    senders._waiting.cache_clear()
    found = [judge(RAW, EVE, NOW) for _ in range(10)]
    senders._waiting.cache_clear()
    assert found == [SenderCheck.FAIL] * 4 + [SenderCheck.LATER] * 6


def forged(post: PostOffice, line: str, to: str = SERVER) -> None:
    # The mail server before us has proved that it is none of bank.example's.
    result = "mx.sarsen.test; dmarc=fail header.from=bank.example"
    post.send(EVE, line, to=to, Authentication_Results=result)


def test_m19_forged_sender_gets_no_letter_and_what_it_said_is_not_done(
    post: PostOffice, settings: Settings
) -> None:
    board = post.board()
    settings.SARSEN_AUTHSERV_ID = "mx.sarsen.test"
    letters = OutgoingMail.objects.count()
    for line in ("help", "nonsense", "signup eve", "list", "druid challenge ann bob"):
        forged(post, line)
    forged(post, "a1", to="board-1-0-1-0-0-aaaaaaaaaaaaaaaa@sarsen.test")
    assert OutgoingMail.objects.count() == letters
    notes = InboundMail.objects.order_by("-pk").values_list("note", flat=True)[:6]
    assert set(notes) == {"forged sender"}
    # F55: whatever forwarding did to signatures, an address of ours proves its player.
    forged(post, "a1", to=str(board["ann"]["Reply-To"]))
    assert MatchEvent.objects.filter(text="a1").exists()
    # And so does a password.
    forged(post, "account bob secret-bob")
    assert "bob@bob.example" in text_of(post.last(EVE))


@pytest.mark.slow
def test_m19_no_verdict_gives_a_right_that_rests_on_from(
    post: PostOffice, settings: Settings
) -> None:
    post.board()
    settings.SARSEN_AUTHSERV_ID = "mx.sarsen.test"
    good = "mx.sarsen.test; dmarc=pass header.from=ann.example"
    post.send("ann@ann.example", "druid move 1 a1", Authentication_Results=good)
    assert "[who-speaks]" in text_of(post.last("ann@ann.example"))
    assert not MatchEvent.objects.exists()


def test_f53_mail_waits_while_name_servers_are_away_and_others_do_not(
    post: PostOffice, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = post.board()
    settings.SARSEN_CHECK_SENDERS = True
    monkeypatch.setattr(senders, "_resolve", Names({"_dmarc.bank.example": None}))
    senders._waiting.cache_clear()
    post.send(EVE, "list")
    post.answer(board["ann"], "a1")
    assert MatchEvent.objects.filter(text="a1").exists()
    waiting = InboundMail.objects.get(state=InboundMail.State.NEW)
    assert bytes(waiting.raw)
    assert waiting.wait_until is not None
    monkeypatch.setattr(senders, "_resolve", Names({}))
    InboundMail.objects.update(wait_until=waiting.received_at - timedelta(minutes=1))
    post.work()
    assert re.search("druid", text_of(post.last(EVE)), re.IGNORECASE)
