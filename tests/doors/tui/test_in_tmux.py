"""`sarsen tui` as a process in a terminal of 80 x 24: tmux shows what a person would see."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from sarsen import drawing
from sarsen.client import Client
from sarsen.client.logins import ADDRESS_FILE
from sarsen.doors.cli.local_play import WHOLE
from sarsen.games import load, names
from sarsen.services.accounts import login_letters, tokens
from sarsen.storage.models import OutgoingMail, Player
from web_world import World

PATIENCE = 120.0  # seconds until something must be seen; a limit, never a wait

pytestmark = pytest.mark.ci


class Terminal:
    """A terminal of 80 x 24 that a program runs in."""

    def __init__(self, folder: Path) -> None:
        self._tmux = ["tmux", "-S", str(folder / f"tmux-{uuid.uuid4().hex[:8]}"), "-f", "/dev/null"]

    def start(self, words: list[str], environment: dict[str, str]) -> None:
        """Run a program; its environment says which terminal it is in."""
        given = [f"{name}={value}" for name, value in environment.items()]
        line = shlex.join(["env", *given, *words])
        self._run("new-session", "-d", "-x", "80", "-y", "24", f"{line}; echo ENDED; cat")

    def press(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    def screen(self, *, with_colours: bool = False, with_history: bool = False) -> str:
        more = [*(["-e"] if with_colours else []), *(["-S", "-"] if with_history else [])]
        return self._run("capture-pane", "-p", *more)

    def until(self, is_seen: Callable[[str], object]) -> str:
        """Wait until the screen shows something, and give it."""
        ends = time.monotonic() + PATIENCE
        while True:
            shown = self.screen()
            if is_seen(shown):
                return shown
            assert time.monotonic() < ends, f"it was never seen:\n{shown}"
            # Until it has drawn something else, or it is time to look again.
            time.sleep(0.05)

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)

    def _run(self, *words: str) -> str:
        done = subprocess.run([*self._tmux, *words], check=True, capture_output=True, text=True)
        return done.stdout


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    if shutil.which("tmux") is None:
        # What a terminal shows cannot be seen without one; `.ci/run` installs tmux.
        pytest.skip("tmux, in which the terminal is looked at, is not installed")
    made = Terminal(tmp_path)
    yield made
    made.close()


@pytest.fixture
def world(transactional_db: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr("sarsen.doors.api.streams.THREAD_SECONDS", 2)
    return World(timezone.now())


def token_of(world: World, userid: str) -> str:
    scopes = ["read", "play", "chat"]
    return tokens.make(world.player(userid), "tests", scopes, timezone.now()).secret


@pytest.mark.parametrize("colours", [{"COLORTERM": "truecolor"}, {"NO_COLOR": "1"}])
def test_a_board_is_opened_and_a_move_sent_at_80_by_24(
    world: World, live_server: Any, terminal: Terminal, colours: dict[str, str]
) -> None:
    board = world.board("druid", "c1", options="-size=5", players=("bob", "ann"))
    bob = Client(live_server.url, token_of(world, "bob"))
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    terminal.start(
        [sys.executable, "-m", "sarsen", "tui"],
        kept
        | {"TERM": "screen-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        | {"SARSEN_SERVER": live_server.url, "SARSEN_TOKEN": token_of(world, "ann")}
        | colours,
    )
    shown = terminal.until(lambda seen: "your move" in seen)
    assert "Druid" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    terminal.press("Enter")
    terminal.until(lambda seen: "Enter taps" in seen)
    terminal.press("b", "2", "Enter")
    terminal.until(lambda seen: "b2: Enter sends it" in seen)
    assert bob.board(board).ply == 1
    terminal.press("Enter")
    terminal.until(lambda seen: "2 b2" in seen)
    assert bob.board(board).ply == 2
    # What the other side does is seen without a key.
    bob.move(board, "c2")
    terminal.until(lambda seen: "3 c2" in seen and "Your move" in seen)
    has_colours = "38;2;" in terminal.screen(with_colours=True)
    assert has_colours == ("NO_COLOR" not in colours)
    terminal.press("C-q")
    terminal.until(lambda seen: "ENDED" in seen)


def test_it_ends_with_its_terminal_although_the_signal_for_it_is_ignored(
    world: World, live_server: Any, terminal: Terminal, tmp_path: Path
) -> None:
    token = token_of(world, "ann")
    written = tmp_path / "pid"
    # The trap is handed down; the number of the shell becomes the number of the program.
    run = 'trap "" HUP; echo $$ > "$1"; exec "$2" -m sarsen tui'
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
    terminal.start(
        ["sh", "-c", run, "sh", str(written), sys.executable],
        kept
        | {"TERM": "screen-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        | {"SARSEN_SERVER": live_server.url, "SARSEN_TOKEN": token},
    )
    terminal.until(lambda seen: "No games yet" in seen)
    program = os.pidfd_open(int(written.read_text()))
    terminal.close()
    ended, _, _ = select.select([program], [], [], PATIENCE)
    os.close(program)
    assert ended, "it lives on without a terminal"


def alone(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a person without a login, whose server's folder is `tmp_path`."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG")}
    utf8 = {"LC_ALL": "C.UTF-8", "TERM": "screen-256color"}
    return kept | utf8 | {"HOME": str(tmp_path), "SARSEN_DATA": str(tmp_path)}


def test_without_a_login_the_first_line_says_what_to_do(tmp_path: Path, terminal: Terminal) -> None:
    terminal.start([sys.executable, "-m", "sarsen", "tui"], alone(tmp_path))
    shown = terminal.until(lambda seen: "ENDED" in seen)
    assert "not-logged-in" in shown
    assert "sarsen login" in shown


def test_the_server_of_this_machine_is_found_and_logged_in_at(
    world: World, live_server: Any, terminal: Terminal, tmp_path: Path
) -> None:
    world.player("ann")
    (tmp_path / ADDRESS_FILE).write_text(live_server.url)
    terminal.start([sys.executable, "-m", "sarsen", "tui"], alone(tmp_path))
    shown = terminal.until(lambda seen: "Log in there now?" in seen)
    assert live_server.url in shown
    terminal.press("Enter")
    terminal.until(lambda seen: "Your name there" in seen)
    terminal.press("a", "n", "n", "Enter")
    terminal.until(lambda seen: "The code from the mail" in seen)
    login_letters.send_asked()  # as the worker does
    terminal.press(OutgoingMail.objects.get(kind="login").facts["code"], "Enter")
    terminal.until(lambda seen: "No games yet" in seen)


@pytest.mark.parametrize("name", names())
def test_a_board_is_played_with_its_turn_and_prompt_in_sight(
    name: str, terminal: Terminal, tmp_path: Path
) -> None:
    start = load(name).start()
    side = start.sides[start.seat]
    first = start.legal_moves()[0]
    after = start.play(first)
    terminal.start([sys.executable, "-m", "sarsen", "play", name], alone(tmp_path))
    shown = terminal.until(lambda seen: seen.rstrip().endswith(f"\n{side}>"))
    assert shown.startswith(f"{start.game.info.title}. Type a move")
    assert f"\n{side} to move." in shown
    terminal.press("-l", start.format(first))
    terminal.press("Enter")
    turn = f"{after.sides[after.seat]} to move."
    prompt = f"{after.sides[after.seat]}>"
    shown = terminal.until(
        lambda seen: f"\n{turn}" in seen and seen.rstrip().endswith(f"\n{prompt}")
    )
    # The line with the move, a blank one, the board, a blank one, what is said below it.
    lines = [line.rstrip() for line in shown.rstrip().splitlines()]
    begin = lines.index(f"{side}> {start.format(first)}") + 2
    end = len(lines) - 1 - lines[::-1].index("")
    drawn = "\n".join(lines[begin:end])
    assert drawn == drawing.compact_text(after, end - begin, 80)
    if drawn == (whole := drawing.text(after)):
        assert WHOLE not in shown
    else:
        assert f"{turn} {WHOLE}" in shown
        terminal.press("board", "Enter")
        terminal.until(lambda seen: f"{whole.splitlines()[-1]}\n" in seen and WHOLE not in seen)


@pytest.mark.parametrize("name", names())
def test_help_of_a_played_game_has_no_test_blocks(
    name: str, terminal: Terminal, tmp_path: Path
) -> None:
    terminal.start(
        [sys.executable, "-m", "sarsen", "play", name], alone(tmp_path) | {"PAGER": "cat"}
    )
    terminal.until(lambda seen: seen.rstrip().endswith(">"))
    terminal.press("help", "Enter")
    terminal.until(lambda seen: "Type a move" in seen.rstrip().splitlines()[-2])
    history = terminal.screen(with_history=True)
    shown = history.partition("> help")[2]
    assert len(shown.splitlines()) > 40
    assert "```" not in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_a_question_of_the_server_is_asked_and_answered_in_german(
    world: World, live_server: Any, terminal: Terminal
) -> None:
    board = world.board("druid", "c1", options="-size=5", players=("bob", "ann"))
    Player.objects.filter(pk=world.player("ann").pk).update(language="de")
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
    terminal.start(
        [sys.executable, "-m", "sarsen", "resign", str(board)],
        kept
        | {"TERM": "screen-256color", "LC_ALL": "C.UTF-8"}
        | {"SARSEN_SERVER": live_server.url, "SARSEN_TOKEN": token_of(world, "ann")},
    )
    shown = terminal.until(lambda seen: "[j/N]" in seen)
    assert "Aufgeben? [j/N]:" in shown
    terminal.press("j", "Enter")
    shown = terminal.until(lambda seen: "ENDED" in seen)
    assert "aufgegeben" in shown
    assert Client(live_server.url, token_of(world, "bob")).board(board).is_over
