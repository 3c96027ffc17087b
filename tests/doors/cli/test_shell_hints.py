"""Hints shown in a shell are lines that work there, whichever way to the server was taken."""

from __future__ import annotations

import http.client
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from django.utils import timezone

from command_lines import LINES
from every_command import PASSWORD, prepared
from network import Connection
from refusals import is_sentence, templates
from sarsen.client.logins import Logins, StoredLogin, write_logins
from sarsen.core.errors import UserError
from sarsen.doors.cli.login import SCOPES
from sarsen.doors.cli.server_lines import line_command
from sarsen.doors.cli.shell_hints import OWN, ShellForm
from sarsen.games import known_names
from sarsen.language.commands import BY_WORD, COMMANDS
from sarsen.language.grammar.hint_lines import is_form, is_line
from sarsen.server import command as program
from sarsen.server.command import main
from sarsen.server.commands.do import OWN as OF_THIS_MACHINE
from sarsen.services.accounts import tokens
from sarsen.storage.models import Player
from web_world import World

SOURCES = Path(program.__file__).parent.parent
URL = "http://sarsen.test"
# Their first words are subcommands that do the same here, or send the line on.
SAME = {"analyse", "lesson", "puzzle", "show"}
# Lines that are refused with a line that works, and is answered.
REFUSED = (
    "help nonsense",
    "help clocsk",
    "rematch 9999",
    "show 9999",
    "druid show nobody-here",
    "contest 9999",
    "durid challenge me bob",
    "druid accept {board}",
    "analyse druid -size=99 a1",
    "notices quiet x",
    "message {board}: hello; it's (me)",
)


def test_every_line_of_the_language_comes_through_a_shell_as_it_is() -> None:
    lines = [line.text.replace("{", "").replace("}", "") for line in LINES.values()]
    lines += [
        "queue 123 d3; if e4 then f5",
        "chat 7 it's *late* $HOME !",
        "analyse druid from ;0;;",
    ]
    for line in lines:
        assert is_line(line, known_names()), line
        typed = shlex.split(ShellForm().hint(line))
        assert typed.pop(0) == "sarsen"
        if typed[0] == "do":
            typed.pop(0)
        found = line_command.make_context("line", list(typed)).params["words"]
        assert " ".join(found) == line


def test_every_form_of_the_language_is_a_form_and_no_advice() -> None:
    for command in COMMANDS:
        assert is_line(command.usage, known_names()), command.usage
        shown = ShellForm(("do",)).hint(command.usage)
        assert shown == f"sarsen do {command.usage}" or not is_form(command.usage)


def test_no_advice_is_taken_for_a_line() -> None:
    found = {one.text for path in SOURCES.rglob("*.py") for one in templates(path)}
    advice = {text for text in found if is_sentence(text) and "{" not in text}
    assert len(advice) > 300
    assert [text for text in sorted(advice) if is_line(text, known_names())] == []


def test_words_that_are_subcommands_too_are_typed_after_do() -> None:
    first_words = {words.split()[0] for words in BY_WORD}
    subcommands = {name for section in program.SECTIONS.values() for name in section}
    assert set(OWN) | SAME == first_words & subcommands
    assert ShellForm().line("report bob") == "sarsen do report bob"
    assert ShellForm().line("analyse 123#14") == "sarsen do analyse '123#14'"
    assert ShellForm().line("analyse druid c3") == "sarsen analyse druid c3"


Say = Callable[..., Result]


@pytest.fixture
def board(db: None) -> int:
    world = World()
    found: int = prepared(world)["board"]
    return found


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Type words after `sarsen` as ann, who is logged in at a server."""
    monkeypatch.setattr(http.client, "HTTPConnection", Connection)

    def sarsen(*words: str, at_home: bool = False) -> Result:
        ann = Player.objects.get(key="ann")
        if at_home:
            environment = {"SARSEN_USERID": "ann", "SARSEN_PASSWORD": PASSWORD}
        else:
            made = tokens.make(ann, "terminal", SCOPES, timezone.now())
            login = StoredLogin(URL, "ann", made.secret, made.listed.number)
            write_logins(tmp_path / "sarsen", Logins((login,)))
            # Without those by which `sarsen do` means the server of this machine.
            environment = {**dict.fromkeys(OF_THIS_MACHINE), "XDG_CONFIG_HOME": str(tmp_path)}
        return CliRunner().invoke(main, words, env=environment)

    return sarsen


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("before", "after", "at_home"),
    [
        ((), (), False),
        ((), ("--server", URL), False),
        (("do",), (), False),
        (("do",), ("--server", URL), False),
        (("do",), (), True),
        (("do", "--local"), (), True),
    ],
)
def test_the_hint_of_a_refused_line_is_a_line_for_this_shell(
    board: int, say: Say, before: tuple[str, ...], after: tuple[str, ...], *, at_home: bool
) -> None:
    for text in REFUSED:
        line = text.format(board=board).split()
        if not before and line[0] in SAME - {"show"}:
            continue
        refused = say(*before, *line, *after, at_home=at_home)
        assert refused.exit_code == 1, f"{line}: {refused.output}"
        hint = refused.stderr.splitlines()[-1].strip()
        words = shlex.split(hint)
        assert tuple(words[: 1 + len(before)]) == ("sarsen", *before), hint
        assert tuple(words[len(words) - len(after) :]) == after, hint
        if not is_form(hint):
            typed = say(*words[1:], at_home=at_home)
            assert "[unknown-command]" not in typed.stderr, f"{hint}: {typed.output}"
            assert typed.exit_code == 0, f"{line}: {hint}: {typed.output}"


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("analyse dru", "sarsen analyse druid"),
        ("analyse druid -size=99 a1 b2", "sarsen analyse druid -size=12 a1 b2"),
        ("show druid -size=99", "sarsen show druid -size=12"),
        ("show druid -size=99 --moves a1", "sarsen show druid -size=12 --moves a1"),
        ("show -size=99 druid", "sarsen show -size=12 druid"),
        ("play druid -size=99 --bot 3", "sarsen play druid -size=12 --bot 3"),
        ("play druid --bot 3 --seat q", "sarsen play druid --bot 3 --seat H"),
        ("perft druid -size=99 1", "sarsen perft druid -size=12 1"),
        ("ladder druid -size=99", "sarsen ladder druid -size=12"),
        ("ladder nonsense", "sarsen ladder druid"),
        ("match 3 4 --game nonsense", "sarsen match 3 4 --game druid"),
        ("lesson", "sarsen lesson druid"),
        ("puzzle dru", "sarsen puzzle druid"),
        ("help clocsk", "sarsen help clocks"),
        ("show druid size=5", "sarsen show druid -size=5"),
        ("show druid size=99 --moves a1", "sarsen show druid -size=12 --moves a1"),
        ("show druid --moves zz", "sarsen show druid --moves a5"),
        ("show druid --moves 'a1 zz'", "sarsen show druid --moves 'a1 a5'"),
        ("puzzle druid-1 zz", "sarsen puzzle druid-1 f4"),
        ("lesson druid 1 zz", "sarsen lesson druid 1 b3"),
        ("match bot5 bot9 --game gyges", "sarsen match bot5 bot8 --game gyges"),
        ("engine vasco --level 22", "sarsen engine vasco --level bot8"),
        (
            "setup --print env --domain 'x y'",
            "sarsen setup --print env --domain=play.example.org",
        ),
    ],
)
def test_the_hint_of_a_refused_subcommand_is_the_whole_line(typed: str, hint: str) -> None:
    refused = CliRunner().invoke(main, shlex.split(typed))
    assert refused.exit_code == 2
    assert refused.stderr.splitlines()[-1].strip() == hint


def test_advice_of_a_refusal_stays_as_it_is() -> None:
    advice = UserError("No.", code="no", hint="Change a word to send it once more.").hint
    assert ShellForm(("do",)).hint(advice) == advice
