"""The supervisor: its children end with it, come back at once, and are really ours."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from django.templatetags.static import static

from processes.conftest import PATIENCE, Relay, Server, await_true, children_of, words_of
from sarsen.client.logins import ADDRESS_FILE, local_server
from sarsen.server.ports import Port, is_answered_by
from sarsen.server.processes import Lifeline, SupervisedProcess

NAMES = ("listen", "work", "web")
LARGE = static("ninja/swagger-ui-bundle.js")  # 1.4 MB


def everyone(server: Server) -> list[int]:
    """Return all processes below the supervisor."""
    assert server.process is not None
    children = children_of(server.process.pid)
    return children + [one for child in children for one in children_of(child)]


def pipes_of(process: int, mode: int) -> set[str]:
    """Return the pipes of which a process has the end for reading, or for writing, open."""
    found = set()
    for end in Path(f"/proc/{process}/fd").iterdir():
        with suppress(OSError):  # it has just been closed
            told = Path(f"/proc/{process}/fdinfo/{end.name}").read_text()
            (flags,) = re.findall(r"^flags:\s*(\d+)", told, re.MULTILINE)
            if os.readlink(end).startswith("pipe:") and int(flags, 8) & os.O_ACCMODE == mode:
                found.add(os.readlink(end))
    return found


def is_gone(process: int) -> bool:
    return not words_of(process)[:-1]  # a zombie has no command line


def kill_supervisor(server: Server) -> None:
    assert server.process is not None
    server.process.kill()
    server.process.wait(PATIENCE)


def is_healthy(server: Server) -> bool:
    url = f"http://127.0.0.1:{server.http}/health/"
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as got:
            return bool(got.status == 200)
    except OSError:
        return False


def refused(server: Server) -> str:
    """Start a server that must be refused; give what it says."""
    done = subprocess.run(
        server.words, env=server.environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 2, done
    assert "ready" not in done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.ci
def test_every_process_ends_when_the_supervisor_is_killed(server: Server) -> None:
    processes = everyone(server)
    assert len(processes) == 3
    assert server.process is not None
    watched = set.union(*(pipes_of(process, os.O_RDONLY) for process in processes))
    lifelines = watched & pipes_of(server.process.pid, os.O_WRONLY)
    assert lifelines
    # One that held this end would keep all of them from seeing that the supervisor is gone.
    assert [one for one in processes if lifelines & pipes_of(one, os.O_WRONLY)] == []
    kill_supervisor(server)
    for process in processes:
        await_true(lambda process=process: is_gone(process), f"{process} outlived its supervisor")


@pytest.mark.slow
def test_web_ends_in_time_though_somebody_does_not_read(server: Server) -> None:
    (web,) = server.children("web")
    with socket.create_connection(("127.0.0.1", server.http)) as line:
        page = f"GET {LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n"
        line.sendall(page.encode() * 50)  # more than the system holds for a reader
        assert line.recv(1)
        os.kill(web, signal.SIGTERM)
        await_true(lambda: set(server.children("web")) - {web}, "the web did not end")
    await_true(lambda: is_healthy(server), "the web did not come back")


@pytest.mark.slow
def test_server_starts_again_at_once_after_its_supervisor_is_killed(server: Server) -> None:
    for _ in range(2):
        kill_supervisor(server)
        server.start()
        assert is_healthy(server)
        assert len(everyone(server)) == 3
    assert "ann" in server.join("ann")["Subject"]


@pytest.mark.slow
def test_only_an_answer_of_this_run_counts_as_ready(server: Server) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.http}/health/") as answer:
        run = answer.headers["Sarsen-Run"]
    question = b"GET /health/ HTTP/1.0\r\nHost: x\r\n\r\n"
    for port in (
        Port("--http", "127.0.0.1", server.http, question),
        Port("--smtp", "127.0.0.1", server.smtp),
        Port("--lmtp", "127.0.0.1", server.lmtp),
    ):
        assert is_answered_by(port, run)
        assert not is_answered_by(port, "another run")


@pytest.mark.slow
def test_process_that_is_killed_again_and_again_is_back_at_once(server: Server) -> None:
    for name in NAMES:
        for _ in range(6):
            before = server.children(name)
            os.kill(before[0], signal.SIGKILL)
            # Twice as long each time, as for one that fails, it would be away for 6 s.
            await_true(
                lambda name=name, before=before: set(server.children(name)) - set(before),
                f"{name} did not come back",
                limit=2.0,
            )
    await_true(lambda: is_healthy(server), "the web did not come back")


@pytest.fixture
def unstarted(tmp_path: Path) -> Iterator[Server]:
    """Yield a server that was never started."""
    relay = Relay()
    relay.controller.start()
    server = Server(tmp_path / "data", relay)
    yield server
    if server.process is not None and server.process.poll() is None:
        server.stop()
    relay.controller.stop()


@pytest.mark.ci
def test_web_that_is_told_to_end_lets_held_streams_go_and_is_back(
    unstarted: Server, capfd: pytest.CaptureFixture[str]
) -> None:
    server = unstarted
    server.start()
    (web,) = server.children("web")
    with ExitStack() as opened:
        for path in ("/api/v1/events/boards", "/"):
            line = opened.enter_context(socket.create_connection(("127.0.0.1", server.http)))
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert line.recv(1)
        os.kill(web, signal.SIGTERM)
        await_true(lambda: set(server.children("web")) - {web}, "the web did not come back")
    await_true(lambda: is_healthy(server), "the web did not come back")
    said = capfd.readouterr().err
    assert '"process": "web", "status": 0' in said, said
    assert "panicked" not in said
    assert "Traceback" not in said


@pytest.mark.slow
@pytest.mark.parametrize(("option", "shares"), [("http", True), ("smtp", False)])
def test_port_of_another_program_is_refused_with_a_line_that_works(
    unstarted: Server, option: str, shares: bool
) -> None:
    port = getattr(unstarted, option)
    with socket.socket() as other:
        # One who shares its port lets others bind it, too: half of the guests would be lost.
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, shares)
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        said = refused(unstarted)
        assert f"Another program is already listening on 127.0.0.1:{port}" in said
        assert "[port-taken]" in said
        hint = shlex.split(said.strip().splitlines()[-1])
        given = dict(zip(hint[2::2], hint[3::2], strict=True))
        assert hint[:2] == ["sarsen", "serve"]
        # With all else that was typed: on another folder it would be another server.
        for same in {"http", "smtp", "lmtp"} - {option}:
            assert given[f"--{same}"] == f"127.0.0.1:{getattr(unstarted, same)}"
        setattr(unstarted, option, int(given[f"--{option}"].rpartition(":")[2]))
        unstarted.start()


def test_one_port_for_two_options_is_refused(unstarted: Server) -> None:
    unstarted.lmtp = unstarted.smtp
    assert "--smtp and --lmtp use the same port" in refused(unstarted)


@pytest.mark.slow
def test_process_that_cannot_be_started_ends_the_start_in_time(
    unstarted: Server, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    (broken / "granian").mkdir(parents=True)
    (broken / "granian" / "__init__.py").write_text("raise ImportError('broken')")
    done = subprocess.run(
        unstarted.words,
        env=unstarted.environment | {"PYTHONPATH": os.pathsep.join([str(broken), *sys.path])},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    assert "ready" not in done.stdout
    assert '"process": "web"' in done.stderr


@pytest.mark.ci
def test_service_manager_is_told_when_the_server_is_ready_and_when_it_stops(
    tmp_path: Path,
) -> None:
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.settimeout(PATIENCE)
    manager.bind(str(tmp_path / "notify"))
    relay = Relay()
    server = Server(tmp_path / "data", relay, {"NOTIFY_SOCKET": str(tmp_path / "notify")})
    server.start()
    assert manager.recv(100) == b"READY=1"
    assert server.stop() == 0
    assert manager.recv(100) == b"STOPPING=1"
    manager.close()


@pytest.mark.ci
def test_a_running_server_is_found_by_its_folder_and_one_that_has_ended_is_not(
    server: Server,
) -> None:
    given = {"SARSEN_DATA": str(server.data)}
    assert local_server(given) == f"http://127.0.0.1:{server.http}"
    server.stop()
    assert not (server.data / ADDRESS_FILE).exists()
    # As after a power cut.
    (server.data / ADDRESS_FILE).write_text(f"http://127.0.0.1:{server.http}")
    assert local_server(given) == ""


def test_process_that_finds_no_memory_to_start_is_tried_again_later() -> None:
    def refuse() -> int:
        raise OSError("no memory")

    with subprocess.Popen(["/bin/true"], start_new_session=True) as ended:
        ended.wait()
    lifeline = Lifeline("", 0, 0)
    process = SupervisedProcess("web", ["web"], id=ended.pid, status=1, started_at=1.0, fork=refuse)
    process.look_after(lifeline)  # sees the end
    process.ended_at = 2.0
    process.look_after(lifeline)
    assert (process.is_alive, process.failures) == (False, 1)
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []).isdisjoint({signal.SIGTERM, signal.SIGINT})
    process.failures = 5000  # a database that was away for days
    assert process.wait == 30.0
    process.fork = lambda: 4321
    process.ended_at = 2.0
    process.look_after(lifeline)
    assert (process.id, process.status) == (4321, None)


@pytest.mark.ci
def test_server_without_an_output_starts(unstarted: Server) -> None:
    command = f"exec {shlex.join(unstarted.words)} >&-"
    with subprocess.Popen(["/bin/sh", "-c", command], env=unstarted.environment) as server:
        try:
            await_true(lambda: is_healthy(unstarted), "the server does not start")
        finally:
            server.terminate()
