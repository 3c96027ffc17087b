"""Every command of the language works at the terminal: over the network, and by `sarsen do`."""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from django.utils import timezone

from command_lines import LINES
from contest_world import ContestWorld
from every_command import PASSWORD, prepared
from network import Connection
from sarsen.client.logins import Logins, StoredLogin, write_logins
from sarsen.doors.cli.login import SCOPES
from sarsen.language.commands import COMMANDS, Export, Report
from sarsen.language.learning.analysis import Analyse
from sarsen.server.command import main
from sarsen.services.accounts import tokens
from sarsen.storage.models import Contest, ContestEvent, Match, Player, Token
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


@pytest.fixture
def speak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Log players in, and give what types a command as one of them, over the network."""
    monkeypatch.setattr(http.client, "HTTPConnection", Connection)

    def sarsen(line: str, *options: str, userid: str = "ann", typed: str = "") -> Result:
        home = tmp_path / userid
        if not home.exists():
            player = Player.objects.get(key=userid)
            made = tokens.make(player, "terminal", SCOPES, timezone.now())
            login = StoredLogin("http://sarsen.test", userid, made.secret, made.listed.number)
            write_logins(home / "sarsen", Logins((login,)))
        environment = {"XDG_CONFIG_HOME": str(home)}
        return CliRunner().invoke(main, [*line.split(), *options], input=typed, env=environment)

    return sarsen


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_command_of_the_language_works_at_the_terminal(
    words: dict[str, Any], db: None, speak: Callable[..., Result], command: type
) -> None:
    line = LINES[command]
    for userid, before in (("ann", line.needs), ("bob", line.of_bob)):
        for text in before:
            # Of a puzzle, `sarsen puzzle` is solved here.
            at = "do --server http://sarsen.test " if text.startswith("puzzle druid") else ""
            result = speak(at + text.format(**words), userid=userid)
            assert result.exit_code == 0, result.output
    # `sarsen export` and `sarsen report` are commands of operators and designers, and `sarsen
    # analyse` searches here.
    own = ("do", "--server", "http://sarsen.test") if command in (Analyse, Export, Report) else ()
    below = [option for one in line.body.splitlines() for option in ("-m", one)]
    result = speak(" ".join([*own, line.text.format(**words)]), *below)
    assert result.exit_code == 0, result.output
    expected = '"kind": "account"' if command is Export else line.answer
    assert expected.format(**words).lower() in " ".join(result.stdout.split()).lower()
    assert PASSWORD not in result.output


def test_the_same_line_is_answered_alike_here_and_over_the_network(
    words: dict[str, Any], db: None, speak: Callable[..., Result]
) -> None:
    board = words["board"]
    for line in (f"druid show {board}", "list druid", "help move", "druid standings"):
        assert speak(line).stdout.strip() == sarsen_do(line).stdout.strip()
        here, there = sarsen_do(line, "", "ann", "--json"), speak(line, "--json")
        assert json.loads(there.stdout) == json.loads(here.stdout)


def test_a_line_is_answered_in_german_here_and_over_the_network(
    words: dict[str, Any], db: None, speak: Callable[..., Result]
) -> None:
    Player.objects.filter(key="ann").update(language="de")
    for answer in (speak(f"show {words['board']}"), sarsen_do(f"show {words['board']}")):
        assert f"Druid Brett {words['board']}: " in answer.stdout
        assert " ist am Zug." in answer.stdout
    for refused in (speak("show 9999"), sarsen_do("show 9999")):
        assert "Es wurde nichts geändert: Ein Brett 9999 gibt es nicht." in refused.stderr
    assert "There is no board 9999." in sarsen_do("show 9999", "", "ann", "--json").stdout


def test_what_is_refused_over_the_network_ends_with_1_and_tells_why(
    words: dict[str, Any], db: None, speak: Callable[..., Result]
) -> None:
    refused = speak(f"druid move {words['board']} z9")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "[druid." in refused.stderr
    found = json.loads(speak(f"druid move {words['board']} z9", "--json").stdout)
    assert (found["kind"], found["code"][:6]) == ("Refusal", "druid.")
    Token.objects.all().delete()
    ended = speak("account")
    assert ended.exit_code == 1
    assert "sarsen login" in ended.stderr
    assert "POST" not in ended.stderr


def test_what_the_server_asks_back_is_hinted_or_answered_with_yes(
    words: dict[str, Any], db: None, speak: Callable[..., Result]
) -> None:
    board = words["board"]
    asked = speak(f"druid resign {board}")
    assert asked.stderr.strip() == f"sarsen confirm {board}"
    assert Match.objects.get(pk=board).ended_at is None
    assert speak(f"reject {board}").exit_code == 0
    done = speak(f"resign {board}", "--yes", "--json")
    assert json.loads(done.stdout)["kind"] == "Resigned"


def test_yes_is_the_answer_to_leaving_a_contest_too(
    words: dict[str, Any], db: None, speak: Callable[..., Result]
) -> None:
    number = ContestWorld().make("ann", "bob", "cid")
    asked = speak(f"contest leave {number}")
    assert asked.stderr.strip() == f"sarsen contest leave {number} yes"
    kept = speak(f"contest leave {number} no", "--json")
    assert json.loads(kept.stdout)["kind"] == "ContestKept"
    left = speak(f"contest leave {number}", "--yes", "--json")
    assert json.loads(left.stdout)["kind"] == "ContestWithdrawn"


def test_yes_is_the_answer_to_closing_a_ladder_too(
    words: dict[str, Any], db: None, speak: Callable[..., Result]
) -> None:
    speak("contest new gyges ladder")
    number = Contest.objects.latest("pk").pk
    asked = speak(f"contest close {number} too quiet")
    assert asked.stderr.strip() == f"sarsen contest close {number} yes too quiet"
    kept = speak(f"contest close {number} no", "--json")
    assert json.loads(kept.stdout)["kind"] == "ContestNotClosed"
    closed = speak(f"contest close {number} too quiet", "--yes", "--json")
    assert json.loads(closed.stdout)["kind"] == "ContestClosed"
    ended = ContestEvent.objects.get(contest=number, kind="ended")
    assert ended.facts["reason"] == "too quiet"


def test_text_comes_from_standard_input_where_the_line_has_none(
    words: dict[str, Any], db: None, speak: Callable[..., Result]
) -> None:
    board = words["board"]
    assert speak(f"chat {board}", typed="from\nstdin\n").exit_code == 0
    assert speak(f"chat {board} Hello, -size=3 --unrated").exit_code == 0
    said = list(Match.objects.get(pk=board).chat.order_by("pk").values_list("text", flat=True))
    assert said[-2:] == ["from\nstdin", "Hello, -size=3 --unrated"]
    several = speak("do --server http://sarsen.test", typed="help move\nlist druid\n")
    assert "> help move" in several.stdout
    assert "> list druid" in several.stdout


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
    assert "at most 20000 are allowed" in result.stderr


def test_a_board_says_until_when_the_move_must_come_in_the_readers_zone(world: World) -> None:
    board = prepared(world)["board"]
    assert "ann must move by" in sarsen_do(f"show {board}").stdout
    Player.objects.filter(key="ann").update(timezone="Asia/Kolkata")
    assert "your time" in sarsen_do(f"show {board}", "", "ann").stdout
