"""`make test-repeat` finds each test in which chance may decide."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from starting import StartingTests


def start_a_thread() -> None:
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


def use_a_pool() -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()


def run_a_program() -> None:
    subprocess.run(["true"], check=True)


def fork() -> None:
    process = get_context("fork").Process(target=int)
    process.start()
    process.join()


def listen() -> None:
    socket.create_server(("127.0.0.1", 0)).close()


@pytest.fixture
def plugin(tmp_path: Path) -> Iterator[StartingTests]:
    plugin = StartingTests(tmp_path / "starting")
    yield plugin
    plugin.pytest_unconfigure()


@pytest.mark.parametrize("start", [start_a_thread, use_a_pool, run_a_program, fork, listen, None])
def test_tests_that_start_something_are_listed_and_no_others(
    start: Callable[[], None] | None, plugin: StartingTests
) -> None:
    item: Any = SimpleNamespace(nodeid="tests/a.py::test_one[first]")
    running = plugin.pytest_runtest_protocol(item)
    next(running)
    (start or os.getpid)()
    with pytest.raises(StopIteration):
        running.send(None)
    listed = plugin.path.read_text("utf-8") if plugin.path.exists() else ""
    assert listed == ("tests/a.py::test_one\n" if start else "")
