"""Letters are signed with the domain's key, and its DNS record proves them."""

from __future__ import annotations

import base64
import re
from datetime import UTC, datetime
from pathlib import Path

import dkim
import pytest
from click.testing import CliRunner
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from dkim.canonicalization import CanonicalizationPolicy
from pytest_django import Settings

from doors.mail.conftest import PostOffice
from sarsen.core.errors import UserError
from sarsen.doors.mail.letter import Letter
from sarsen.doors.mail.send.composing import compose
from sarsen.doors.mail.send.dkim_signing import dns_record, new_key, read_key, sign
from sarsen.doors.mail.send.sending import signed
from sarsen.server.command import main
from sarsen.server.environment import signing_key
from sarsen.storage.models import CaughtMail

PEM = new_key()
DOMAIN = "sarsen.test"
WHEN = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture(autouse=True)
def key(settings: Settings) -> None:
    settings.SARSEN_DKIM_KEY = PEM


def letter(text: str = "a  board \n. . X\n\n\n", subject: str = "Druid Board 1 – schön") -> bytes:
    worded = Letter(
        subject,
        text,
        html="<p>" + "x" * 3000,
        pictures=(("board", bytes(range(256)) * 9),),
        unsubscribe="http://sarsen.test/unsubscribe/" + "7" * 90,
    )
    return compose(
        worded,
        kind="board",
        number=7,
        address="ann@ann.example",
        in_reply_to="<a@ann.example>",
        queued_at=WHEN,
    )


def holds(raw: bytes, pem: str = PEM) -> bool:
    """Prove a letter with what stands in a stub of the DNS."""
    name, text = dns_record(pem, "sarsen", DOMAIN)
    zone = {f"{name}.".encode(): text.encode()}
    return bool(dkim.verify(raw, dnsfunc=lambda asked, timeout=5: zone.get(asked)))


@pytest.mark.parametrize("text", ["", "one line", "a  b \n\n\n", "Zug für Zug: ✓\n" * 500])
def test_m44_signature_of_a_letter_verifies_with_the_record(text: str) -> None:
    assert holds(sign(letter(text)))


def test_m44_letter_that_goes_out_is_signed_whole(post: PostOffice) -> None:
    post.join_by_mail("ann")
    mails = [bytes(mail.raw) for mail in CaughtMail.objects.all()]
    assert len(mails) == 2
    assert all(map(holds, mails))


@pytest.mark.parametrize(
    ("written", "changed"),
    [
        (b"Subject: ", b"Subject: Fwd: "),
        (b"From: ", b"From: eve@eve.example\r\nFrom: "),
        (b"List-Unsubscribe-Post: ", b"List-Unsubscribe-Post: No"),
        (b"Reply-To: ", b"Reply-To: eve@eve.example, "),
        (b". . X", b". . O"),
    ],
)
def test_m44_letter_changed_on_its_way_does_not_verify(written: bytes, changed: bytes) -> None:
    signed = sign(letter())
    assert written in signed
    assert not holds(signed.replace(written, changed, 1))


def test_m44_another_key_does_not_verify() -> None:
    assert not holds(sign(letter()), new_key())


def test_m44_second_copy_of_a_letter_has_the_same_signature() -> None:
    raw = letter()
    assert sign(raw) == sign(raw)


def test_letter_is_left_as_it_is_without_a_key(settings: Settings) -> None:
    settings.SARSEN_DKIM_KEY = ""
    assert signed(letter("x")) == letter("x")


def test_m44_ed25519_signature_verifies_by_its_standard(settings: Settings) -> None:
    # dkimpy proves these with a library that is not here: done by hand after RFC 8463.
    settings.SARSEN_DKIM_KEY = new_key(is_ed25519=True)
    _, text = dns_record(settings.SARSEN_DKIM_KEY, "sarsen", DOMAIN)
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(text.rpartition("p=")[2]))
    fields, _ = dkim.rfc822_parse(sign(letter()))
    name, value = fields[0]
    tags = dict(part.strip().split(b"=", 1) for part in value.split(b";"))
    assert tags[b"a"] == b"ed25519-sha256"
    form = CanonicalizationPolicy.from_c_value(tags[b"c"])
    gathered = dkim.HashThrough(dkim.HASH_ALGORITHMS[tags[b"a"]]())
    names = re.split(rb"\s*:\s*", tags[b"h"])
    dkim.hash_headers(gathered, form, form.canonicalize_headers(fields), names, (name, value), {})
    signature = base64.b64decode(tags[b"b"])
    public.verify(signature, gathered.digest())
    with pytest.raises(InvalidSignature):
        public.verify(signature, bytes(32))


def test_command_makes_a_key_that_only_its_owner_reads_and_prints_its_record(
    tmp_path: Path,
) -> None:
    file = tmp_path / "dkim.pem"
    words = ["dkim-key", str(file), "--domain", DOMAIN, "--selector", "s1"]
    first = CliRunner().invoke(main, words)
    assert first.exit_code == 0, first.output
    assert file.stat().st_mode & 0o777 == 0o600
    pem = signing_key_of(str(file))
    name, text = dns_record(pem, "s1", DOMAIN)
    strings = re.findall(r'"([^"]*)"', first.output)
    assert "".join(strings) == text
    assert max(map(len, strings)) <= 255
    assert f"{name}. IN TXT" in first.output
    assert "PRIVATE" not in first.output
    # Nothing is made anew where a key is: letters on their way are signed with it.
    assert CliRunner().invoke(main, words).output == first.output


def signing_key_of(value: str) -> str:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SARSEN_DKIM_KEY", value)
        return signing_key("SARSEN_DKIM_KEY")


def test_key_may_stand_in_the_variable_itself_in_one_line() -> None:
    assert read_key(signing_key_of(PEM.replace("\n", "\\n"))) == read_key(PEM)


@pytest.mark.parametrize(
    "value", ["/no/such/file", "-----BEGIN RSA PRIVATE KEY-----\nsecret-words"]
)
def test_what_is_no_key_is_refused_at_the_start_and_not_repeated(value: str) -> None:
    with pytest.raises(UserError) as refused:
        signing_key_of(value)
    assert "SARSEN_DKIM_KEY" in refused.value.text
    assert "secret-words" not in f"{refused.value.text}{refused.value.hint}"
