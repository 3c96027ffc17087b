"""The file of logins: private, whole, and never the cause of a traceback."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from sarsen.client.logins import (
    FILE,
    Logins,
    StoredLogin,
    chosen,
    is_unguarded,
    read_address,
    read_logins,
    write_logins,
)
from sarsen.core.errors import UserError

HOME = StoredLogin("https://play.example.org", "ann", "sarsen_one", 7)
AWAY = StoredLogin("http://localhost:8000", "bob", "sarsen_two")


def test_what_is_written_is_read_and_the_newest_login_is_the_current_one(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there yet"
    write_logins(folder, Logins().adding(HOME).adding(AWAY))
    found = read_logins(folder)
    assert found.logins == (AWAY, HOME)
    assert found.current == AWAY
    assert found.without(AWAY.url).current == HOME
    assert found.adding(StoredLogin(HOME.url, "eve", "sarsen_new")).at(HOME.url).userid == "eve"


def test_only_the_user_may_read_the_file_and_no_draft_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "sarsen"
    for login in (HOME, AWAY):
        write_logins(folder, Logins((login,)))
    assert [path.name for path in folder.iterdir()] == [FILE]
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert "sarsen_one" not in repr(HOME)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"sarsen-servers": 2, "servers": []}',
        '{"sarsen-servers": 1}',
        "[" * 99_999,
        '{"sarsen-servers": 1, "servers": [{"url": "ftp://x", "userid": "a", "token": "b"}]}',
        '{"sarsen-servers": 1, "servers": [7]}',
        '{"sarsen-servers": 1, "servers": null}',
    ],
)
def test_a_file_that_holds_something_else_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as refused:
        read_logins(tmp_path)
    assert refused.value.code in ("logins", "server-address")
    assert refused.value.hint


def test_addresses_are_taken_as_people_type_them() -> None:
    for typed, url in {
        "play.example.org": "https://play.example.org",
        " https://Play.Example.org/ ": "https://play.example.org",
        "localhost:8000": "http://localhost:8000",
        "127.0.0.1:8110": "http://127.0.0.1:8110",
        "[::1]:8000": "http://[::1]:8000",
        "http://play.example.org/games": "http://play.example.org/games",
    }.items():
        assert read_address(typed) == url
        assert read_address(url) == url
    assert is_unguarded("http://play.example.org")
    assert not is_unguarded("http://127.0.0.1:8000")
    for wrong in (
        "",
        "https://",
        "ftp://x.org",
        "a b",
        "https://ann:pw@x.org",
        "http://x:y",
        "x\ny",
        "a" * 70 + ".org",
        "https://x.org/ä",
    ):
        with pytest.raises(UserError, match="is not a valid server address"):
            read_address(wrong)


def test_the_environment_counts_before_the_file(tmp_path: Path) -> None:
    write_logins(tmp_path, Logins((AWAY, HOME)))
    assert chosen(tmp_path, {}) == AWAY
    assert chosen(tmp_path, {}, "play.example.org") == HOME
    assert chosen(tmp_path, {"SARSEN_SERVER": "play.example.org"}) == HOME
    assert chosen(tmp_path, {"SARSEN_TOKEN": "other"}) == StoredLogin(AWAY.url, "", "other")
    both = {"SARSEN_SERVER": "x.org", "SARSEN_TOKEN": "other"}
    assert chosen(tmp_path / "none", both) == StoredLogin("https://x.org", "", "other")
    # Where one is not logged in, one asks as everybody may.
    assert chosen(tmp_path, {}, "x.org") == StoredLogin("https://x.org", "", "")
    for token in ("a b", "ä", "a\nb"):
        with pytest.raises(UserError, match="is not a valid token"):
            chosen(tmp_path, {"SARSEN_TOKEN": token})
    with pytest.raises(UserError) as refused:
        chosen(tmp_path / "none", {})
    assert refused.value.code == "not-logged-in"
    assert refused.value.hint.startswith("sarsen login ")
