"""The doctor asks a real name server, on this machine, with packets as they are on the net."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import dns.flags
import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest

from sarsen.server.doctor import mail
from sarsen.server.doctor.configuration import State
from sarsen.server.doctor.mail import ask, expected_records, look_at_names

DOMAIN, HOST = "play.example.org", "www.example.org"
KEY = "v=DKIM1; k=rsa; p=" + "MIIB" * 98  # longer than one string of a record may be
DKIM = ("2026._domainkey.play.example.org", KEY)
Zone = Mapping[tuple[str, str], list[str]]
ZONE: Zone = {
    (DOMAIN, "MX"): ["10 www.example.org."],
    (DOMAIN, "TXT"): ['"some-proof=1"', '"v=spf1 mx " "-all"'],
    ("_dmarc.play.example.org", "TXT"): ['"v=DMARC1; p=none"'],
    (DKIM[0], "TXT"): [f'"{KEY[:255]}" "{KEY[255:]}"'],
}
ALL = ["mx", "spf", "dkim", "dmarc"]


@contextmanager
def serving(zone: Zone, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Answer for a zone; a name that stands in it without values fails, others do not exist."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        answering = threading.Thread(target=_answer, args=(server, zone), daemon=True)
        answering.start()
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], server.getsockname()[1]
        monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
        yield
        server.sendto(b"", server.getsockname())
        answering.join(120)


def _answer(server: socket.socket, zone: Zone) -> None:
    while True:
        packet, asking = server.recvfrom(4096)
        if not packet:
            return
        question = dns.message.from_wire(packet)
        (one,) = question.question
        name, kind = one.name.to_text(omit_final_dot=True), dns.rdatatype.to_text(one.rdtype)
        answer = dns.message.make_response(question, recursion_available=True)
        values = zone.get((name, kind))
        if values:
            answer.answer.append(dns.rrset.from_text(one.name, 60, "IN", kind, *values))
        elif values is not None:
            answer.set_rcode(dns.rcode.SERVFAIL)
        elif not any(known == name for known, _ in zone):
            answer.set_rcode(dns.rcode.NXDOMAIN)
        server.sendto(answer.to_wire(), asking)


def seen(zone: Zone, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the codes of what the doctor finds; good ones are the records' own names."""
    with serving(zone, monkeypatch):
        return [one.code for one in look_at_names(expected_records(DOMAIN, HOST, DKIM), ask)]


def test_records_are_read_as_they_come_over_the_net(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(ZONE, monkeypatch):
        found = list(look_at_names(expected_records(DOMAIN, HOST, DKIM), ask))
    assert [(one.code, one.state) for one in found] == [(code, State.GOOD) for code in ALL]


@pytest.mark.parametrize("apart", ["", "  ", "\\009"], ids=["none", "two", "tab"])
def test_a_key_counts_however_its_record_is_spaced(
    monkeypatch: pytest.MonkeyPatch, apart: str
) -> None:
    spaced = KEY.replace("; ", f";{apart}")
    zone = {**ZONE, (DKIM[0], "TXT"): [f'"{spaced[:255]}" "{spaced[255:]}"']}
    assert seen(zone, monkeypatch) == ALL


def test_no_name_no_record_and_a_failing_server_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mail, "TIMEOUT_SECONDS", 0.5)
    zone = {**ZONE, (DOMAIN, "TXT"): []}
    del zone[DOMAIN, "MX"], zone["_dmarc.play.example.org", "TXT"]
    assert seen(zone, monkeypatch) == ["mx-missing", "spf-unknown", "dkim", "dmarc-missing"]
    del zone[DKIM[0], "TXT"]
    with serving(zone, monkeypatch):
        (told,) = [
            one
            for one in look_at_names(expected_records(DOMAIN, HOST, DKIM), ask)
            if one.code == "dkim-missing"
        ]
    # A zone takes no string that is longer.
    assert told.hint == f'{DKIM[0]}. TXT ("{KEY[:255]}" "{KEY[255:]}")'


def test_a_name_server_that_says_nothing_says_nothing_of_the_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mail, "TIMEOUT_SECONDS", 0.2)
    with serving(ZONE, monkeypatch), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mute:
        mute.bind(("127.0.0.1", 0))
        dns.resolver.get_default_resolver().port = mute.getsockname()[1]
        found = [one.code for one in look_at_names(expected_records(DOMAIN, HOST, None), ask)]
    assert found == ["mx-unknown", "spf-unknown", "dmarc-unknown"]
