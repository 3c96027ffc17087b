"""Every command on a server's data takes `--data`, and one `sarsen serve` has a folder."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click
import pytest

from processes.conftest import free_port
from sarsen.client.logins import ADDRESS_FILE
from sarsen.core.errors import UserError
from sarsen.server import command as program
from sarsen.server.command import main
from sarsen.server.commands import folder_lock
from sarsen.server.ports import Port, require_free

# Processes of `serve`, which has it; and commands that look at no data.
WITHOUT = {"listen", "web", "work", "think", "measure", "setup", "mail", "push-key", "dkim-key"}


def commands(name: str) -> Iterator[click.Command]:
    """Yield a command, or those of a group."""
    context = click.Context(main)
    found = main.get_command(context, name)
    assert found is not None
    if isinstance(found, click.Group):
        yield from found.commands.values()
    else:
        yield found


def test_every_command_on_stored_data_takes_its_folder() -> None:
    names = [*program.SECTIONS["Records"], *program.SECTIONS["For operators"]]
    assert set(names) >= WITHOUT
    lacking = [
        f"{name} {command.name}"
        for name in names
        if name not in WITHOUT
        for command in commands(name)
        if not any("--data" in param.opts for param in command.params)
    ]
    assert lacking == []


@pytest.mark.parametrize(
    "line",
    [
        "doctor --no-names --data {}",
        "operator list --data {}",
        "operator add ann --data {}",
        "forget ann --yes --data {}",
        "export --data {}",
        "key --data {}",
        "verify --data {}",
    ],
)
def test_folder_of_a_command_is_the_one_that_is_looked_at(line: str, tmp_path: Path) -> None:
    folder = tmp_path / "of-the-option"
    folder.mkdir()
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SARSEN", "DATA", "DJANGO"))
    }
    environment |= {"SARSEN_DATA": str(tmp_path / "of-the-environment")}
    words = [sys.executable, "-m", "sarsen", *shlex.split(line.format(folder))]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120)
    said = done.stdout + done.stderr
    assert str(folder) in said, said
    assert "of-the-environment" not in said


@pytest.mark.parametrize("line", ["do help", "do --local list", "verify", "operator list"])
def test_command_for_a_server_makes_none_where_there_is_none(line: str, tmp_path: Path) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SARSEN", "DATA", "DJANGO", "XDG"))
    }
    environment |= {"XDG_DATA_HOME": str(tmp_path / "d"), "XDG_CONFIG_HOME": str(tmp_path / "c")}
    words = [sys.executable, "-m", "sarsen", *line.split()]
    done = subprocess.run(
        words, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert "[no-data]" in done.stderr, done.stderr
    assert list(tmp_path.rglob("*")) == []


HOLDER = """
import sys
from pathlib import Path
from sarsen.server.commands import folder_lock
with folder_lock.held(Path(sys.argv[1]), {}):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Yield a process that has a folder, as the supervisor of a server does."""
    words = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield holder
        holder.kill()


def test_second_server_of_a_folder_is_refused_with_a_line_that_works(
    server: subprocess.Popen[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_lock, "FREED_WITHIN", 0.0)
    (tmp_path / ADDRESS_FILE).write_text("http://127.0.0.1:8000", encoding="utf-8")
    typed = {"--http": "127.0.0.1:8001", "--no-measure": ""}
    with pytest.raises(UserError) as refused, folder_lock.held(tmp_path, typed):
        pass
    assert refused.value.code == "data-in-use"
    assert f"the data folder {tmp_path}: http://127.0.0.1:8000." in refused.value.text
    hint = shlex.split(refused.value.hint)
    assert hint[:2] == ["sarsen", "serve"]
    assert {"--http", "127.0.0.1:8001", "--no-measure", "--data"} <= set(hint)
    with folder_lock.held(Path(hint[hint.index("--data") + 1]), {}):
        pass  # the line works


def test_the_line_that_works_has_a_free_port_for_each_that_is_taken(
    server: subprocess.Popen[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_lock, "FREED_WITHIN", 0.0)
    with ExitStack() as opened:
        ports = []
        for option in ("--http", "--smtp"):
            other = opened.enter_context(socket.socket())
            other.bind(("127.0.0.1", free_port()))
            other.listen()
            ports.append(Port(option, "127.0.0.1", other.getsockname()[1]))
        # As by default: the port after the second is asked for, too.
        ports.append(Port("--lmtp", "127.0.0.1", free_port()))
        with (
            pytest.raises(UserError) as refused,
            folder_lock.held(tmp_path, {"--lmtp": str(ports[2])}, ports),
        ):
            pass
        hint = shlex.split(refused.value.hint)
        given = dict(zip(hint[2::2], hint[3::2], strict=True))
        assert given["--lmtp"] == str(ports[2])
        assert {given["--http"], given["--smtp"]}.isdisjoint(map(str, ports))
        require_free([Port(name, *hosted(given[name])) for name in ("--http", "--smtp", "--lmtp")])


def hosted(text: str) -> tuple[str, int]:
    host, _, number = text.rpartition(":")
    return host, int(number)


def test_folder_of_a_server_that_was_killed_is_free(
    server: subprocess.Popen[str], tmp_path: Path
) -> None:
    server.kill()
    server.wait()
    with folder_lock.held(tmp_path, {}):
        pass
