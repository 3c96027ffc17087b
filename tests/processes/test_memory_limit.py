"""A server on a small machine: the kernel enforces a limit on all its processes together."""

from __future__ import annotations

import json
import os
import shlex
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from processes.conftest import Relay, Server, await_true, one_line

pytestmark = pytest.mark.usefixtures("memory_of_operators")
CGROUPS = Path("/sys/fs/cgroup")
MIB = 1 << 20
FIRST_COMPILATION, IN_PLAY = 512 * MIB, 300 * MIB
ANN = "ann@ann.example"
COMPILING_SECONDS = 900.0  # where other tests want the processor, too; a limit, never a wait


@dataclass(frozen=True)
class MemoryGroup:
    """A memory cgroup of version 1 or 2.

    It counts what its processes allocate, what the kernel does for them, and the pages of files
    that they were the first to read. Before it ends a process it takes back what is on disk.
    """

    folder: Path
    is_first_version: bool

    def limit(self, size: int) -> None:
        """Allow all its processes together so many bytes, without swap."""
        if self.is_first_version:
            self._file("memory.limit_in_bytes").write_text(str(size))
        else:
            self._file("memory.max").write_text(str(size))
            self._file("memory.swap.max").write_text("0")

    @property
    def peak(self) -> int:
        """The most bytes that were held at once."""
        name = "memory.max_usage_in_bytes" if self.is_first_version else "memory.peak"
        return int(self._file(name).read_text())

    @property
    def ended(self) -> int:
        """How many processes the kernel has ended, because the limit was reached."""
        name = "memory.oom_control" if self.is_first_version else "memory.events"
        words = self._file(name).read_text().split()
        return int(words[words.index("oom_kill") + 1])

    def _file(self, name: str) -> Path:
        return self.folder / name


class LimitedServer(Server):
    """A server all of whose processes belong to a memory cgroup."""

    group: MemoryGroup

    @property
    def words(self) -> list[str]:
        members = shlex.quote(str(self.group.folder / "cgroup.procs"))
        return ["sh", "-c", f'echo $$ > {members} && exec "$@"', "sh", *super().words]


@pytest.fixture
def group(tmp_path: Path) -> Iterator[MemoryGroup]:
    """Yield a memory cgroup below the one that this process belongs to."""
    try:
        group = new_group(f"sarsen-{os.getpid()}-{tmp_path.name}")
    except OSError as refused:
        pytest.skip(f"no memory cgroup can be made here: {refused}")
    yield group
    group.folder.rmdir()


def new_group(name: str) -> MemoryGroup:
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    own = {kind: path.strip("/") for _, kind, path in (line.split(":", 2) for line in lines)}
    is_first_version = "memory" in own
    above = CGROUPS / "memory" / own["memory"] if is_first_version else CGROUPS / own.get("", "")
    group = MemoryGroup(above / name, is_first_version)
    group.folder.mkdir()
    try:
        group.limit(FIRST_COMPILATION)  # in version 2 only where the group above hands it down
    except OSError:
        group.folder.rmdir()
        raise
    return group


@pytest.fixture
def server(tmp_path: Path, group: MemoryGroup) -> Iterator[LimitedServer]:
    """Yield a server in the group that is not started yet."""
    relay = Relay()
    relay.controller.start()
    server = LimitedServer(tmp_path / "data", relay, {"SARSEN_BOTS": "on"})
    server.group = group
    yield server
    if server.process is not None and server.process.poll() is None:
        server.stop()
    relay.controller.stop()


def forget_libraries() -> None:
    """Let the libraries be read from the disk again, and so be counted.

    Those that another process uses just now stay in memory.
    """
    for path in Path(sysconfig.get_path("platlib")).rglob("*.so*"):
        with path.open("rb") as library:
            os.posix_fadvise(library.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def is_warm(server: Server) -> bool:
    noted = json.loads((server.data / "warming.json").read_text())
    assert noted["missing"] == []
    return noted["warming"] == []


@pytest.mark.ci
def test_strongest_program_plays_within_300_mb(server: LimitedServer) -> None:
    forget_libraries()
    server.start()
    await_true(lambda: is_warm(server), "never compiled", COMPILING_SECONDS)  # mostly at once
    server.group.limit(IN_PLAY)
    letter = server.join("ann")
    server.answer(letter, "druid challenge bot8 me")
    await_true(
        lambda: any("bot8 played " in one_line(one) for one in server.relay.letters(ANN)),
        "bot8 does not move",
        COMPILING_SECONDS,
    )
    assert server.group.ended == 0


@pytest.mark.slow
def test_first_compilation_runs_on_512_mb(server: LimitedServer, tmp_path: Path) -> None:
    server.more = {**server.more, "NUMBA_CACHE_DIR": str(tmp_path / "compiled")}
    forget_libraries()
    server.start()
    await_true(lambda: is_warm(server), "never compiled", COMPILING_SECONDS)
    await_true(lambda: not server.children("think"), "the thinker stays", COMPILING_SECONDS)
    assert server.group.ended == 0
    assert FIRST_COMPILATION / 2 < server.group.peak <= FIRST_COMPILATION
