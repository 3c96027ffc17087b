"""Signatures: right as long as nothing was changed, with any key that was ever in use."""

from __future__ import annotations

import json
import stat
from base64 import b64decode, b64encode
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from core.records.test_records import played
from sarsen.core.errors import UserError
from sarsen.core.records import as_json, text
from sarsen.games import load
from sarsen.services.records import signatures
from sarsen.services.records.signatures import PublicKey, check, public_of, read_public, signed

GAME = load("visavis")
SECRET = bytes(range(32))
KEY = PublicKey(public_of(SECRET))
SIGNED = signed(played("visavis", 1), GAME, SECRET)
NOW = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture
def data(settings: Any, tmp_path: Path) -> Path:
    settings.DATA = tmp_path
    settings.SARSEN_SIGNING_KEY = ""
    return tmp_path


def test_a_signature_is_right_through_both_forms() -> None:
    assert check(SIGNED, GAME, [KEY]) == KEY
    assert check(text.read(text.write(SIGNED, GAME), load), GAME, [KEY]) == KEY
    through_json = as_json.read_line(as_json.write_line(SIGNED, GAME), load)
    assert check(through_json, GAME, [KEY]) == KEY


def test_what_is_signed_is_the_text_without_the_line_of_the_signature() -> None:
    lines = text.write(SIGNED, GAME).splitlines(keepends=True)
    (line,) = (line for line in lines if line.startswith("signature: "))
    name, _, written = line.removeprefix("signature: ").strip().partition(":")
    assert name == KEY.name
    key = load_pem_public_key(KEY.pem.encode())
    assert isinstance(key, Ed25519PublicKey)
    lines.remove(line)
    key.verify(b64decode(written), "".join(lines).encode())


@pytest.mark.parametrize(
    "change",
    [
        {"players": ("ann", "eve")},
        {"reason": "Otherwise."},
        {"place": ""},
        {"ended_at": NOW},
        {"terms": ""},
        {"moves": SIGNED.moves[:-1]},
        {"moves": (*SIGNED.moves[:-1], replace(SIGNED.moves[-1], at=NOW))},
        {"signature": f"{KEY.name}:{b64encode(bytes(64)).decode()}"},
        {"signature": f"{KEY.name}:?"},
        {"signature": KEY.name},
    ],
)
def test_a_change_of_anything_shows(change: dict[str, Any]) -> None:
    with pytest.raises(UserError) as refused:
        check(replace(SIGNED, **change), GAME, [KEY])
    assert refused.value.code == "record.signature"


def test_an_unsigned_record_and_one_of_another_key_are_told_apart() -> None:
    with pytest.raises(UserError) as refused:
        check(SIGNED.unsigned, GAME, [KEY])
    assert refused.value.code == "record.unsigned"
    other = PublicKey(public_of(bytes(32)))
    with pytest.raises(UserError) as refused:
        check(SIGNED, GAME, [other])
    assert refused.value.code == "record.other-key"


@pytest.mark.parametrize("odd", ["", "abc", "?" * 44, b64encode(bytes(31)).decode(), "ä" * 44])
def test_what_is_no_public_key_is_refused(odd: str) -> None:
    with pytest.raises(UserError) as refused:
        read_public(odd)
    assert refused.value.code == "record.key"


def test_the_key_is_made_once_and_only_its_owner_may_read_it(data: Path) -> None:
    first = signatures.secret_key()
    assert signatures.secret_key() == first
    (path,) = data.iterdir()
    assert path.name == "signing.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_new_key_leaves_the_old_public_one_in_the_list_and_its_secret_nowhere(
    data: Path,
) -> None:
    old = signatures.secret_key()
    record = signed(played("visavis", 1), GAME, old)
    signatures.change_key(NOW)
    new = signatures.secret_key()
    assert new != old
    present, before = signatures.public_keys()
    assert (present.public, present.until) == (public_of(new), "")
    assert (before.public, before.until) == (public_of(old), "2026-11-21T00:00:00Z")
    assert check(record, GAME, signatures.public_keys()) == before
    assert b64encode(old).decode() not in (data / "signing.key").read_text()
    assert [path.name for path in data.iterdir()] == ["signing.key"]


def test_a_key_of_the_environment_stands_before_those_of_the_file(
    data: Path, settings: Any
) -> None:
    kept = signatures.public_keys()
    settings.SARSEN_SIGNING_KEY = b64encode(SECRET).decode()
    assert signatures.secret_key() == SECRET
    assert [key.public for key in signatures.public_keys()] == [KEY.public, kept[0].public]
    with pytest.raises(UserError):
        signatures.change_key(NOW)
    settings.SARSEN_SIGNING_KEY = "short"
    with pytest.raises(UserError) as refused:
        signatures.secret_key()
    assert refused.value.code == "signing-key"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        "[]",
        '{"secret": 1, "keys": []}',
        json.dumps({"secret": b64encode(bytes(32)).decode(), "keys": [{"public": KEY.public}]}),
        json.dumps({"secret": b64encode(SECRET).decode(), "keys": [{"public": "x"}]}),
    ],
)
def test_a_damaged_file_of_keys_is_refused_in_words_and_left_alone(
    data: Path, content: str
) -> None:
    (data / "signing.key").write_text(content)
    with pytest.raises(UserError) as refused:
        signatures.public_keys()
    assert refused.value.code == "signing-key"
    assert (data / "signing.key").read_text() == content


def test_a_folder_that_cannot_be_used_is_refused_in_words(data: Path) -> None:
    (data / "signing.key").mkdir()
    with pytest.raises(UserError) as refused:
        signatures.secret_key()
    assert refused.value.code == "signing-key"
