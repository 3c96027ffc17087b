"""Whatever the bytes, a mail is read or refused, and nothing in it can act."""

from __future__ import annotations

import unicodedata
from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doors.mail.golden_mails import MAILS
from drawn_examples import examples
from sarsen.doors.mail.parse.mail import UnreadableMail, read_mail

CORPUS = [mail.raw for mail in MAILS.values()]
SNIPPETS = [
    *(b"\r\n", b"\r", b"\n\n", b"\0", b">", b"--", b"-- \n", b"=?utf-8?b?", b"?=", b"=?x?q?"),
    *(b"From: ", b"Reply-To: ", b"(", b"<", b"@", b":", b";", b'"', b"\\", b"=\n", b"\xff\xfe"),
    *(b"Content-Type: multipart/mixed; boundary=a\n\n--a\n", b"--=_b1\n", b"--=_b1--\n"),
    *(b"Content-Type: message/rfc822\n\n", b"Content-Type: message/delivery-status\n\n"),
    *(b"Content-Type: text/html\n\n", b"Content-Transfer-Encoding: base64\n", b"<blockquote>"),
    *(b"; charset=utf-16", b"; charset=\x00", b"; charset*0*=x''y", b"; format=flowed", b"<td>"),
    *(b"Content-Disposition: attachment; filename*=", b"On 3 Nov 2026 at 10:11, a@b wrote:\n"),
    *(
        b"\xe2\x80\xa8",
        b"\xe2\x80\xae",
        b"\xc2\x85",
        b"\xed\xa0\x80",
        b"<![CDATA[",
        b"&#0;",
        b"<!--",
    ),
    *(b"-----BEGIN PGP SIGNED MESSAGE-----\n", b"<div id=divRplyFwdMsg>", b"From: x\nSent: y\n"),
]


@st.composite
def mutated_mails(draw: st.DrawFn) -> bytes:
    raw = draw(st.sampled_from(CORPUS))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(raw)))
        end = draw(st.integers(start, min(len(raw), start + 40)))
        put = draw(st.sampled_from(SNIPPETS) | st.binary(max_size=6)) * draw(
            st.sampled_from((1, 3))
        )
        raw = raw[:start] + put + raw[end:]
    return raw


def texts(value: object) -> list[str]:
    if isinstance(value, tuple):
        return [text for inner in value for text in texts(inner)]
    return [value] if isinstance(value, str) else []


def check(raw: bytes) -> None:
    try:
        mail = read_mail(raw, own_domain="sarsen.example")
    except UnreadableMail:
        return
    for text in texts(astuple(mail)):
        odd = {unicodedata.category(character) for character in text}
        assert not odd & {"Cc", "Cf", "Cs", "Zl", "Zp"}, text
        text.encode("utf-8")
    assert all(line == line.strip() != "" for line in mail.lines)
    assert not any(line.startswith(">") for line in mail.lines)


@examples(100)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    check(raw)


@examples(150)
@given(mutated_mails())
def test_a_mutated_mail_is_read_or_refused(raw: bytes) -> None:
    check(raw)


@examples(80)
@given(st.lists(st.sampled_from(SNIPPETS), max_size=60).map(b"".join))
def test_a_heap_of_snippets_is_read_or_refused(raw: bytes) -> None:
    check(raw)


@pytest.mark.slow
@examples(20_000)
@given(mutated_mails())
def test_many_mutated_mails_are_read_or_refused(raw: bytes) -> None:
    check(raw)
