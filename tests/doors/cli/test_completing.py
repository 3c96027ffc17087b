"""The Tab key: commands, boards and moves; nothing at all when they cannot be known."""

from __future__ import annotations

import http.client
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete
from django.utils import timezone

from network import Connection
from sarsen.client.logins import Logins, StoredLogin, write_logins
from sarsen.doors.cli import completion
from sarsen.server.command import main
from sarsen.services.accounts import tokens
from sarsen.storage.models import Player
from web_world import World


def offered(line: str) -> list[str]:
    *words, incomplete = line.split(" ")
    complete = ShellComplete(main, {}, "sarsen", "_SARSEN_COMPLETE")
    return [item.value for item in complete.get_completions(words, incomplete)]


@pytest.fixture
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("SARSEN_SERVER", "SARSEN_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "sarsen"


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("ver", ["verify"]),
        ("dr", ["druid", "draw"]),
        ("druid re", ["reject", "resign", "review"]),
        ("druid mo", ["move"]),
        ("change t", ["timezone"]),
        ("all ", ["show"]),
        ("help clo", ["clocks"]),
        ("play v", ["vasco", "visavis"]),
        ("druid challenge -s", ["-size", "-swap"]),
        ("druid challenge --un", ["--unrated"]),
        ("list --js", ["--json"]),
        ("login --t", ["--token"]),
        ("completion z", ["zsh"]),
        ("nonsense x y ", []),
        ("move ", []),
        ("move 1 ", []),
        ("druid move x ", []),
    ],
)
def test_what_needs_no_server_is_completed_without_one(
    nobody: Path, line: str, some: list[str]
) -> None:
    assert sorted(offered(line)) == sorted(some)


def test_boards_challenges_and_moves_come_from_the_server_and_are_kept_for_a_moment(
    db: None, nobody: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World()
    waits = world.board("druid", "b8", players=("bob", "ann"), options="-size=8")
    moved = world.board("druid", "b8", players=("ann", "bob"), options="-size=8")
    asked = world.challenge("gyges", "bob", "ann").number
    monkeypatch.setattr(http.client, "HTTPConnection", Connection)
    made: Any = tokens.make(Player.objects.get(key="ann"), "t", ["read"], timezone.now())
    write_logins(nobody, Logins((StoredLogin("http://sarsen.test", "ann", made.secret),)))
    assert offered("move ") == [str(waits), str(moved)]
    assert offered("gyges move ") == []
    assert offered("confirm ") == [
        str(waits),
        str(moved),
        "signoff",
        "forget",
        "broadcast",
        "contest",
        "close",
    ]
    assert offered("accept ") == [str(asked)]
    assert "bob" in offered("druid challenge b")
    assert offered(f"druid move {waits} b") == ["b1", "b2", "b3", "b4", "b5", "b6", "b7"]
    world.board("druid", players=("ann", "bob"))
    assert offered("move ") == [str(waits), str(moved)]
    (nobody / completion.FILE).write_text("{", encoding="utf-8")
    assert len(offered("move ")) == 3
    assert offered("move 99999 ") == []
