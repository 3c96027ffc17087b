"""Mail from a mail server's pipe."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sarsen.core.errors import UserError
from sarsen.doors.mail.parse.parts import MAX_BYTES
from sarsen.doors.mail.receive.delivery import deliver
from sarsen.storage.models import InboundMail

TO = b"To: sarsen@sarsen.test\r\n"


@pytest.mark.django_db
def test_sender_is_that_of_the_return_path_and_else_that_of_from() -> None:
    heads = {
        b"Return-Path: <ann@ann.example>\r\nFrom: Bob <bob@bob.example>\r\n": "ann@ann.example",
        b"From: Bob <bob@bob.example>\r\n": "bob@bob.example",
        b"Return-Path: <>\r\nFrom: daemon@mx.example\r\n": "",
        b"Subject: x\r\n": "",
    }
    for number, (head, sender) in enumerate(heads.items()):
        deliver([head + TO + b"\r\nhelp %d\r\n" % number], None, ())
        assert InboundMail.objects.order_by("-pk")[0].envelope_sender == sender


@pytest.mark.django_db
def test_mail_to_several_of_our_addresses_is_stored_once() -> None:
    head = b"Delivered-To: sarsen@sarsen.test\r\nCc: druid@sarsen.test, eve@eve.example\r\n"
    assert deliver([head + TO + b"\r\nhelp\r\n"], "ann@ann.example", ()) == 1
    assert InboundMail.objects.get().recipient == "druid@sarsen.test"


@pytest.mark.django_db
@pytest.mark.parametrize("sign", [b"(", b"<", b'"', b"a:", b"@", b"a@"])
def test_field_of_signs_before_our_address_does_no_harm(sign: bytes) -> None:
    head = b"To: " + sign * 5_000 + b"\r\nCc: sarsen@sarsen.test\r\n"
    assert deliver([head + b"\r\nhelp\r\n"], "ann@ann.example", ()) == 1


def test_head_over_the_bound_is_refused_without_reading_what_follows() -> None:
    def pieces() -> Iterator[bytes]:
        while taken[0] <= MAX_BYTES:
            taken[0] += 4096
            yield b"X-A: b\r\n" * 512
        raise AssertionError("it was read on")

    taken = [0]
    with pytest.raises(UserError, match="256 kB of header fields") as refused:
        deliver(pieces(), None, ("sarsen@sarsen.test",))
    assert refused.value.code == "mail-too-large"


def test_mail_that_is_too_large_or_not_ours_is_refused() -> None:
    text = b"To: sarsen@sarsen.test\r\n\r\n" + b"x" * (MAX_BYTES + 1)
    with pytest.raises(UserError, match="256 kB of text"):
        deliver([text], None, ("sarsen@sarsen.test",))
    with pytest.raises(UserError, match="None of the recipients"):
        deliver([b"To: eve@eve.example\r\n\r\n"], None, ())


@pytest.mark.parametrize(
    ("raw", "recipient", "status"),
    [
        (b"x" * (MAX_BYTES + 1), "sarsen@sarsen.test", 65),
        (b"Subject: help\r\n\r\n", "eve@eve.example", 67),
        (b"Subject: druid move 1 ann Hunter27 a1\r\n\r\n", "sarsen@sarsen.test", 75),
    ],
)
def test_exit_status_tells_the_mail_server_what_to_do(
    tmp_path: Path, raw: bytes, recipient: str, status: int
) -> None:
    ended = run(raw, recipient, SARSEN_DATA=str(tmp_path / "none" / "such"))
    assert ended.returncode == status, ended.stderr
    assert b"Hunter27" not in ended.stderr


def test_a_server_that_cannot_start_keeps_the_mail(tmp_path: Path) -> None:
    ended = run(b"x", "sarsen@sarsen.test", SARSEN_DATA=str(tmp_path), DATABASE_URL="nonsense://")
    assert ended.returncode == 75, ended.stderr


def run(raw: bytes, recipient: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
    for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL"):
        kept.pop(name, None)
    return subprocess.run(
        [sys.executable, "-m", "sarsen", "mail", "deliver", recipient],
        input=io.BytesIO(raw).read(),
        capture_output=True,
        timeout=120,
        check=False,
        env={
            **kept,
            "SARSEN_SECRET_KEY": "only for tests",
            "SARSEN_DOMAIN": "sarsen.test",
            **environment,
        },
    )
