"""Every command of the language works at the terminal: `sarsen do`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from command_lines import LINES
from every_command import PASSWORD, prepared
from sarsen.language.commands import COMMANDS
from sarsen.server.command import main
from sarsen.storage.models import Match, Player
from web_world import World

pytestmark = pytest.mark.django_db


def sarsen_do(line: str, body: str = "", userid: str = "ann", *options: str) -> Result:
    """Type a command as somebody whose password stands in the environment."""
    spoken = {"SARSEN_USERID": userid, "SARSEN_PASSWORD": PASSWORD if userid else ""}
    words = [*options, *(("--body", "-") if body else ()), *line.split()]
    return CliRunner().invoke(main, ["do", *words], input=body, env=spoken)


@pytest.fixture
def world() -> World:
    world = World()
    world.player("bob")
    give_password("bob")
    return world


def give_password(userid: str) -> None:
    player = Player.objects.get(key=userid)
    player.set_password(PASSWORD)
    player.save()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_command_of_the_language_works_at_the_terminal(
    words: dict[str, Any], db: None, command: type
) -> None:
    line = LINES[command]
    if line.of_bob:
        give_password("bob")
    for userid, before in (("ann", line.needs), ("bob", line.of_bob)):
        for text in before:
            result = sarsen_do(text.format(**words), userid=userid)
            assert result.exit_code == 0, result.output
    result = sarsen_do(line.text.format(**words), line.body)
    assert result.exit_code == 0, result.output
    expected = '"kind": "account"' if command.__name__ == "Export" else line.answer
    assert expected.format(**words).lower() in " ".join(result.stdout.split()).lower()
    assert PASSWORD not in result.output


def test_a_refusal_exits_1_with_its_rule_and_a_line_that_works(world: World) -> None:
    board = prepared(world)["board"]
    result = sarsen_do(f"druid move {board} z9")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "[druid." in result.stderr
    wrong = sarsen_do(f"druid move {board} ann wrong-words b4", userid="")
    assert wrong.exit_code == 1
    assert "wrong-words" not in wrong.output


def test_a_userid_and_password_in_the_line_speak_too(world: World) -> None:
    board = prepared(world)["board"]
    result = sarsen_do(f"druid move {board} ann {PASSWORD} b4", userid="")
    assert result.exit_code == 0, result.output
    assert Match.objects.get(pk=board).ply == 3


def test_a_wrong_password_in_the_environment_performs_nothing(world: World) -> None:
    board = prepared(world)["board"]
    environment = {"SARSEN_USERID": "ann", "SARSEN_PASSWORD": "wrong-words"}
    result = CliRunner().invoke(main, ["do", f"move {board} b4"], env=environment)
    assert result.exit_code == 1
    assert Match.objects.get(pk=board).ply == 2
    assert Player.objects.get(key="ann").wrong_passwords == 1


def test_json_is_the_reply_and_refusals_are_json_too(world: World) -> None:
    board = prepared(world)["board"]
    moved = json.loads(sarsen_do(f"move {board} b4", "", "ann", "--json").stdout)
    assert (moved["kind"], moved["board"], moved["ply"]) == ("Moved", board, 3)
    refused = sarsen_do(f"move {board} b4", "", "ann", "--json")
    assert refused.exit_code == 1
    assert json.loads(refused.stdout)["kind"] == "Refusal"


def test_options_of_a_challenge_pass_through(world: World) -> None:
    prepared(world)
    result = sarsen_do("druid challenge -size=5 --unrated ann bob")
    assert result.exit_code == 0, result.output
    assert "-size=5" in result.stdout


def test_the_text_below_a_line_comes_from_a_file(world: World, tmp_path: Path) -> None:
    board = prepared(world)["board"]
    text = tmp_path / "words.txt"
    text.write_text("Good luck, Bob.\n", encoding="utf-8")
    result = sarsen_do(f"chat {board}", "", "ann", "--body", os.fspath(text))
    assert result.exit_code == 0, result.output
    assert Match.objects.get(pk=board).chat.get().text == "Good luck, Bob."


def test_a_file_that_is_no_text_or_far_too_long_is_refused_in_words(
    world: World, tmp_path: Path
) -> None:
    board = prepared(world)["board"]
    odd = tmp_path / "odd.bin"
    odd.write_bytes(b"\xff\xfe")
    result = sarsen_do("multiple", "", "ann", "--body", os.fspath(odd))
    assert result.exception is None or isinstance(result.exception, SystemExit)
    long = tmp_path / "long.txt"
    long.write_text("x" * 1_000_000, encoding="utf-8")
    result = sarsen_do(f"chat {board}", "", "ann", "--body", os.fspath(long))
    assert result.exit_code == 1
    assert "are the most" in result.stderr


def test_a_board_says_until_when_the_move_must_come_in_the_readers_zone(world: World) -> None:
    board = prepared(world)["board"]
    assert "ann must move by" in sarsen_do(f"show {board}").stdout
    Player.objects.filter(key="ann").update(timezone="Asia/Kolkata")
    assert "your time" in sarsen_do(f"show {board}", "", "ann").stdout
