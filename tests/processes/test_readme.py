"""The README, performed from its first line to its last against a real server."""

from __future__ import annotations

import os
import pty
import re
import shlex
import shutil
import smtplib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from processes.conftest import DOMAIN, PATIENCE, Reader, Server, running_server, text_of
from sarsen.client import Client
from test_taught_lines import is_line

pytestmark = pytest.mark.ci

ROOT = Path(__file__).parents[2]
PASSWORD = "stone-circle-now"
ADDRESS = "http://127.0.0.1:8000"
SARSEN = ".venv/bin/sarsen "
REFUSED = "Nothing was changed"
# Lines that take longer than a few seconds play fewer games here: 100, 19, 12 and 180 s as taught.
SHORTENED = {
    "ladder druid --levels 1-4": "ladder druid --levels 1-4 --games 2",
    "match bot5 bot4 --game gyges --games 20": "match bot5 bot4 --game gyges --games 2",
    "prove visavis -size=7": "prove visavis -size=7 --games 2",
    "report visavis -size=7 --minutes 3": "report visavis -size=7 --minutes 0.1",
    "puzzles druid --minutes 3": "puzzles druid --minutes 0.1 --games 2",
}
# What a reader types into a program that asks, and what it must then have printed.
TYPED = {
    "play druid --bot 5": ("d1\nquit\n", "bot5 plays"),
    "play gyges": ("quit\n", "South to move."),
    "engine vasco --level max": ("name\nquit\n", "= sarsen vasco bot8"),
}
NEED_NO_SERVER = (
    *("engine", "ladder", "match", "perft", "play", "prove", "puzzles", "report", "show"),
)
KINDS = {"her welcome mail": "welcome", "the invitation": "invitation", "the board": "board"}


@dataclass(frozen=True)
class Step:
    """Something that the README has a reader do.

    Attributes:
        kind: `shell`, `python`, `row` of a table, or `line` of the language in a paragraph.
        text: What is typed; the cells of a row, with ` | ` between.
    """

    kind: str
    text: str


def steps() -> Iterator[Step]:
    """Return all steps in the order of the page."""
    tokens = MarkdownIt().enable("table").parse((ROOT / "README.md").read_text("utf-8"))
    row: list[str] | None = None
    for token in tokens:
        if token.type == "tr_open":
            row = []
        elif token.type == "tr_close":
            yield Step("row", " | ".join(row or ()))
            row = None
        elif token.type == "inline" and row is not None:
            row.append(token.content)
        elif token.type == "inline":
            codes = (one.content for one in token.children or () if one.type == "code_inline")
            yield from (Step("line", code) for code in codes if is_line(code))
        elif token.type == "fence" and token.info == "console":
            joined = token.content.replace("\\\n", " ")
            yield from (Step("shell", line) for line in joined.splitlines() if line.strip())
        elif token.type == "fence" and token.info != "text":
            yield Step(token.info, token.content)


STEPS = tuple(steps())
LOCAL = [
    step.text.removeprefix(f"$ {SARSEN}")
    for step in STEPS
    if step.kind == "shell"
    and step.text.startswith(tuple(f"$ {SARSEN}{one} " for one in NEED_NO_SERVER))
]


class Walk:
    """One reader's way through the page, with a friend who answers as it says."""

    def __init__(self, server: Server, home: Path) -> None:
        self.server, self.home = server, home
        self.url = f"http://127.0.0.1:{server.http}"
        self.people = {
            "ann": Reader(server, "ann", "ann@example.org"),
            "bob": Reader(server, "bob"),
        }
        self.ann, self.bob = self.people["ann"], self.people["bob"]
        self.sent = ""  # the subject of the mail that the shell has sent

    def do(self, step: Step) -> None:
        match step.kind:
            case "shell":
                self._shell(step.text.removeprefix("$ ").strip())
            case "python":
                self._python(step.text)
            case "row":
                self._row(*step.text.split(" | "))
            case "line":
                self._line(step.text)
            case _:
                raise AssertionError(f"no reader knows what to do with {step}")

    def _shell(self, line: str) -> None:
        words = shlex.split(line, comments=True)
        if words[0] == "make":
            # `make run` starts `sarsen serve`, which runs here already; `make test` runs this.
            run("make", "--dry-run", *words[1:], home=self.home)
        elif words[0] == "swaks":
            self._swaks(words)
        else:
            assert line.startswith(SARSEN), line
            self._sarsen(line.removeprefix(SARSEN))

    def _sarsen(self, line: str) -> None:
        words = shlex.split(line.replace(ADDRESS, self.url))
        if words[0] == "login":
            self._login(words)
        elif words[0] == "tui":
            assert "Druid" in on_screen(words, self.home)
        elif line not in LOCAL:
            self.reply("bob", "e5")
            said = run(sys.executable, "-m", "sarsen", *words, home=self.home)
            assert f"You played {words[-1]}" in said

    def _swaks(self, words: list[str]) -> None:
        """Send the mail of the page: with swaks if it is here, else with the same headers."""
        values = dict(zip(words[1::2], words[2::2], strict=True))
        assert values["--server"] == "127.0.0.1:8025"
        values["--server"] = f"127.0.0.1:{self.server.smtp}"
        values["--to"] = values["--to"].replace("sarsen.localhost", DOMAIN)
        header, _, self.sent = values["--header"].partition(": ")
        if shutil.which("swaks"):
            run("swaks", *(word for pair in values.items() for word in pair), home=self.home)
            return
        message = EmailMessage()
        message["From"], message["To"] = values["--from"], values["--to"]
        message[header] = self.sent
        message.set_content("This is a test mailing")
        with smtplib.SMTP("127.0.0.1", self.server.smtp) as session:
            session.send_message(message)

    def _row(self, who: str, writes: str, then: str) -> None:
        if who == "who":
            return
        person = self.people[who]
        found = re.fullmatch("`(.+)`(?: in an answer to (.+))?", writes)
        assert found, writes
        line, letter = found.groups()
        if letter:
            kind = KINDS[letter]
            if kind not in person.newest:
                person.wait_for(kind)
            said = text_of(person.answer(kind, line))
            assert REFUSED not in said, said
        elif line != self.sent:
            self.server.send(person.address, "", subject=line)
        self._then(person, then)

    def _then(self, person: Reader, then: str) -> None:
        if then == "answers the mail that comes back; the account is ready":
            person.wait_for("signup")
            welcome = person.answer("signup", "Any words will do.", "welcome")
            assert f"Your account {person.userid} is ready." in text_of(welcome)
        elif then == "bob is invited":
            assert "accept" in text_of(self.bob.wait_for("invitation"))
        elif then == "the board comes to both":
            assert "Druid Board 1" in text_of(self.bob.newest["answer"])
            assert "It is your turn." in text_of(self.ann.wait_for("board"))
        else:
            assert then == "her move is played; bob gets the board"
            assert "You played c1 (move 1)." in text_of(person.newest["answer"])
            assert "ann played c1. It is your turn." in text_of(self.bob.wait_for("board"))

    def _line(self, line: str) -> None:
        if line == "change password":
            line += f" {PASSWORD}"
        elif line == "druid move 1 ann PASSWORD c1":
            self._by_password(line.replace("PASSWORD", PASSWORD))
            return
        elif line == "review 1":  # "after a game"
            self.ann.answer("board", "resign 2")
            self.ann.answer("answer", "yes")
            line = "review 2"
        letter = "welcome" if line.startswith("change password") else "board"
        said = text_of(self.ann.answer(letter, line))
        assert REFUSED not in said, said
        if line.startswith("queue"):
            assert "Planned: " in said
            self.ann.answer("board", "queue 1 off")

    def _by_password(self, line: str) -> None:
        """Play the move of the page on another board, in a mail that answers no letter."""
        self.ann.answer("welcome", "druid challenge -size=5 ann bob")
        self.bob.wait_for("invitation")
        self.bob.answer("invitation", "accept")
        self.ann.wait_for("board")
        assert "You played c1" in text_of(self.ann.write(line.replace(" 1 ", " 2 ")))

    def _python(self, code: str) -> None:
        if ADDRESS not in code:
            shown = run(sys.executable, "-c", code, home=self.home)
            assert "['b1', 'c1', " in shown, shown
            return
        self.reply("bob", "b3")
        client = Client(self.url)
        client.ask_code("ann")
        token = client.use_code("ann", self._code(), "tests", ("read", "play")).token
        code = code.replace(ADDRESS, self.url).replace("sarsen_TOKEN", token)
        # It plays on and on: it is ended when it has answered bob.
        with subprocess.Popen([sys.executable, "-c", code], env=environment(self.home)) as program:
            try:
                self.bob.wait_for("board", "after 3 moves")
            finally:
                program.terminate()

    def _code(self) -> str:
        found = re.search(r"\b(\d{8})\b", text_of(self.ann.wait_for("login")))
        assert found
        return found[1]

    def _login(self, words: list[str]) -> None:
        asked = subprocess.Popen(
            [sys.executable, "-m", "sarsen", *words],
            env=environment(self.home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert asked.stdin is not None
        asked.stdin.write("ann\n")
        asked.stdin.flush()
        out, _ = asked.communicate(f"{self._code()}\n", timeout=PATIENCE)
        assert out == f"You are logged in at {self.url} as ann.\n"

    def reply(self, who: str, move: str) -> None:
        """Play on board 1, as the person who is not the reader of the page."""
        said = text_of(self.people[who].answer("board", f"druid move 1 {move}"))
        assert f"You played {move}" in said, said


def environment(home: Path) -> dict[str, str]:
    """Return the environment of somebody who has never used the program."""
    kept = {name: one for name, one in os.environ.items() if "SARSEN" not in name}
    for name in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "MAKEFLAGS", "MAKELEVEL"):
        kept.pop(name, None)
    return kept | {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "TERM": "xterm-256color"}


def run(*words: str, home: Path, typed: str = "") -> str:
    done = subprocess.run(
        words, cwd=ROOT, env=environment(home), input=typed, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{shlex.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout


def on_screen(words: list[str], home: Path) -> str:
    """Return what a program draws on a terminal until its boards are there, and end it."""
    main, side = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "sarsen", *words],
        env=environment(home) | {"COLUMNS": "80", "LINES": "24"},
        stdin=side,
        stdout=side,
        stderr=side,
        start_new_session=True,
    ) as program:
        os.close(side)
        seen = b""
        while b"Druid" not in seen:
            seen += os.read(main, 65536)
        os.write(main, b"\x11")  # Ctrl-Q
        try:
            while os.read(main, 65536):
                pass
        except OSError:  # it has ended
            pass
        assert program.wait(PATIENCE) == 0
    os.close(main)
    return seen.decode(errors="replace")


def test_readme_holds_from_its_first_line_to_its_last(tmp_path: Path) -> None:
    server_of_its_own = running_server(tmp_path / "data", {"SARSEN_BOTS": "on"})
    walk = Walk(next(server_of_its_own), tmp_path)
    try:
        for step in STEPS:
            walk.do(step)
    finally:
        next(server_of_its_own, None)


@pytest.mark.parametrize("line", LOCAL)
def test_line_of_the_readme_that_needs_no_server_runs(line: str, tmp_path: Path) -> None:
    typed, printed = TYPED.get(line, ("", ""))
    words = shlex.split(SHORTENED.get(line, line))
    assert printed in run(sys.executable, "-m", "sarsen", *words, home=tmp_path, typed=typed)


def test_shortened_and_typed_lines_are_still_in_the_readme() -> None:
    assert {*SHORTENED, *TYPED} <= set(LOCAL)
