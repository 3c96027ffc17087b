"""`sarsen bot`: an engine plays on a server over the API, and goes on after a lost connection."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from packages import NODE, install, needs_node
from processes.conftest import PATIENCE, Server, await_true, running_server
from processes.test_api import joined
from sarsen.client import Client

pytestmark = pytest.mark.ci
EXAMPLES = Path(__file__).parents[2] / "examples"


@contextmanager
def running_bot(client: Client, *words: str) -> Iterator[list[str]]:
    """Run `sarsen bot` as an account; yield the lines that it prints."""
    environment = os.environ | {
        "SARSEN_SERVER": client.url,
        "SARSEN_TOKEN": client._transport.token,
        "PYTHONUNBUFFERED": "1",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "sarsen", "bot", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    printed: list[str] = []
    assert process.stdout is not None
    lines = process.stdout
    reader = threading.Thread(target=lambda: printed.extend(lines), daemon=True)
    reader.start()
    try:
        yield printed
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        reader.join(120)


def play_to_end(client: Client, number: int) -> str:
    """Play a board by chance until it is over, and return its result."""
    chance = random.Random(5)
    for board in client.turns(number):
        client.answer(board, chance.choice(board.legal_moves))
    return client.board(number).result


def test_engine_accepts_an_invitation_and_plays_a_whole_game(shared_server: Server) -> None:
    ann, engine = joined(shared_server, "annb"), joined(shared_server, "engine")
    with running_bot(engine, "--engine", "random", "--accept", "visavis") as printed:
        number = ann.challenge("druid", "me", "engine", options="-size=3").reply.number
        await_true(lambda: ann.challenge_facts(number).state == "declined", f"{printed}")
        assert ann.challenge_facts(number).reason == "I play visavis."
        number = ann.challenge("visavis", "me", "engine", options="-size=5").reply.number
        await_true(lambda: ann.challenge_facts(number).board, f"no board: {printed}")
        board = ann.challenge_facts(number).board
        assert board is not None
        result = play_to_end(ann, board)
        await_true(lambda: f"Board {board} is over: {result}\n" in printed, f"{printed}")
    assert printed[-1].startswith("Stopped.")
    assert engine.account().is_program


@pytest.fixture
def server_with_hex(tmp_path: Path) -> Iterator[Server]:
    """Yield a server on which Hex is installed, and where `sarsen bot` finds it, too."""
    site = tmp_path / "site"
    site.mkdir()
    install(EXAMPLES / "games" / "hex", site)
    yield from running_server(tmp_path / "data", {"PYTHONPATH": str(site)})


@needs_node
def test_engine_in_another_language_goes_on_after_the_server_was_killed(
    server_with_hex: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = server_with_hex
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    ann, engine = joined(server, "ann"), joined(server, "engine")
    engine.line("autoaccept anyone")
    board = ann.challenge("hex", "me", "engine", options="-size=5").reply.board
    assert board is not None
    with running_bot(engine, "--engine", f"{NODE} {EXAMPLES / 'hex_engine.js'}") as printed:
        await_true(lambda: printed, "the bot never began")
        assert server.process is not None
        server.process.kill()
        server.process.wait(PATIENCE)
        server.start()
        result = play_to_end(ann, board)
        await_true(lambda: f"Board {board} is over: {result}\n" in printed, f"{printed}")
    # It looks for the shortest way; the other side moves by chance.
    assert ann.board(board).scores == (0.0, 1.0)


def test_engine_that_fails_is_asked_three_times_and_the_board_waits(shared_server: Server) -> None:
    ann, engine = joined(shared_server, "anna"), joined(shared_server, "broken")
    engine.line("autoaccept anyone")
    board = ann.challenge("visavis", "broken", "me", options="-size=5").reply.board
    asked = {"label": "bot", "scopes": ["read", "play"]}
    made = engine._transport.ask("POST", "account/tokens", asked)
    playing = Client(engine.url, made["token"])
    with running_bot(playing, "--engine", "false", "--patience", "5") as printed:
        await_true(lambda: len(printed) > 4, f"it was not asked three times: {printed}")
        # A token for playing alone suffices.
        assert printed[0].startswith("The token cannot mark this account as a program")
        for line in printed[2:]:
            assert line.startswith(f"Board {board}: the engine ended: ")
        assert [line.partition("list_commands. ")[2] for line in printed[2:]] == [
            "It will be asked again.\n",
            "It will be asked again.\n",
            "It will not be asked again in this position.\n",
        ]
    assert ann.board(board or 0).ply == 0


def test_a_bot_without_a_login_is_told_how_to_get_one(tmp_path: Path) -> None:
    server = "http://127.0.0.1:1"
    words = ["bot", "--engine", "random", "--server", server]
    environment = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
    ended = subprocess.run(
        [sys.executable, "-m", "sarsen", *words],
        env=environment | {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode != 0
    assert f"You are not logged in to {server}. [not-logged-in]" in ended.stderr
    assert f"sarsen login {server}" in ended.stderr
