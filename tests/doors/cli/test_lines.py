"""Words that are no subcommand are a line for the server; slips are told apart from both."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sarsen.doors.cli import line_texts
from sarsen.doors.cli.line_texts import LineText, join_words
from sarsen.doors.cli.server_lines import LineCommand, line_command
from sarsen.language import commands
from sarsen.server.command import main


@pytest.fixture
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be logged in nowhere."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("SARSEN_SERVER", "SARSEN_TOKEN"):
        monkeypatch.delenv(name, raising=False)


def sarsen(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def words_of(*args: str) -> tuple[str, ...]:
    found: tuple[str, ...] = line_command.make_context("line", list(args)).params["words"]
    return found


def test_options_of_games_and_challenges_stay_with_the_line() -> None:
    line = ("druid", "challenge", "-size=5", "-moves", "--unrated", "--json-ish", "me", "bob")
    assert words_of(*line) == line
    assert words_of("chat", "7", "--json", "hi", "-m", "below", "--yes") == ("chat", "7", "hi")
    assert words_of("chat", "7", "--", "--json", "-h") == ("chat", "7", "--json", "-h")
    assert isinstance(line_command, LineCommand)


def test_a_line_break_parts_the_line_from_the_text_below_it() -> None:
    assert join_words(("chat", "7", "one\ntwo"), "") == LineText("chat 7 one", "two")
    assert join_words(("move 7 c3; e4",), "") == LineText("move 7 c3; e4")


def test_words_that_something_is_asked_for_are_those_of_the_language() -> None:
    assert commands.Help.words == line_texts.HELP
    assert commands.SendMessage.words == line_texts.MESSAGE
    assert commands.Broadcast.words == line_texts.BROADCAST
    assert commands.Chat.words == line_texts.CHAT
    assert commands.Multiple.words == line_texts.MULTIPLE
    assert commands.ChangePassword.words == line_texts.PASSWORD


def test_a_new_password_is_asked_for_twice_on_a_terminal_and_not_shown() -> None:
    ask = (
        "from sarsen.doors.cli.line_texts import LineText, ask_for_missing_parts; "
        "print(ask_for_missing_parts(LineText('change password', '')))"
    )
    main_end, terminal = os.openpty()
    # A process that leads a session gets the first terminal that it opens.
    line = 'exec "$2" -c "$3" <"$1" >"$1" 2>&1'
    words = ["sh", "-c", line, "sh", os.ttyname(terminal), sys.executable, ask]
    with subprocess.Popen(words, start_new_session=True) as asking:
        for prompt in (b"New password: ", b"Repeat for confirmation: "):
            seen = b""
            while prompt not in seen:
                seen += os.read(main_end, 1000)
            assert b"stones" not in seen
            os.write(main_end, b"stones\n")
        assert asking.wait(120) == 0
    said = os.read(main_end, 1000)
    os.close(terminal)
    os.close(main_end)
    assert b"change password stones" in said


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("serv --data x", "sarsen serve --data x"),
        ("pley druid", "sarsen play druid"),
        ("verfy games.txt", "sarsen verify games.txt"),
    ],
)
def test_a_slip_in_a_subcommand_is_hinted(nobody: None, line: str, hint: str) -> None:
    refused = sarsen(*line.split())
    assert refused.exit_code == 2
    assert refused.stderr.splitlines()[1].strip() == hint


def test_a_command_of_the_language_is_no_slip_of_a_subcommand(nobody: None) -> None:
    # `move` is like `prove`, `mvoe` is a slip that the language itself reads.
    for line in ("move 7 c3", "druid move 7 c3", "list", "show 7", "druid show 7", "history"):
        refused = sarsen(*line.split())
        assert "[not-logged-in]" in refused.stderr, line
        assert (refused.exit_code, refused.stdout) == (2, "")
    assert "A     B" in sarsen("show", "druid", "-size=4").stdout
    assert "[unknown-game]" in sarsen("show", "durid").stderr


def test_help_needs_no_server(nobody: None) -> None:
    assert sarsen("help", "clocks").stdout.startswith("Clocks\n")
    assert sarsen("?").exit_code == 0
    assert sarsen("help", "clocsk").stderr.splitlines()[1].strip() == "sarsen help clocks"


def test_a_server_that_is_away_is_told_in_words(nobody: None) -> None:
    for address in ("http://127.0.0.1:9", "ftp://x", "http://[::1"):
        away = sarsen("list", "--server", address)
        assert away.exit_code == 2
        assert len(away.stderr.strip().splitlines()) == 2
    assert "Connection refused" in sarsen("list", "--server", "localhost:9").stderr


def test_a_line_loads_neither_django_nor_a_search_nor_the_classes_of_replies(nobody: None) -> None:
    code = "import sys\nfrom sarsen.server.command import main\n"
    code += "try:\n    main(['list', '--server', 'localhost:9'])\nexcept SystemExit:\n    pass\n"
    code += "heavy = {'django', 'numpy', 'numba', 'textual', 'rich', 'pydantic', 'asyncio'}\n"
    code += "heavy |= {'sarsen.language.replies', 'sarsen.language.commands', 'sarsen.games'}\n"
    code += "print(sorted(heavy & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stdout + done.stderr
