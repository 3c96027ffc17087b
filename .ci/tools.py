"""Run every target and tool in its shortest form, as `tools.toml` lists them: `make tools`.

A tool fails when it ends with another status than 0, does not show what it must, shows a
traceback or `nan`, or leaves a tracked file changed. A line a tool is printed, and the output of
one that failed.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LISTED = Path(__file__).with_name("tools.toml")
BIN = Path(sys.executable).parent
# For one tool, on a machine that is busy with something else: a limit, never a wait.
MAX_SECONDS = 2400.0
SHOWN = 8  # of the tools that take the most of the processor
WRONG = re.compile(r"^Traceback \(most recent call last\)|\bnan\b", re.MULTILINE)


@dataclass(frozen=True)
class Tool:
    """A tool in its shortest form; what the parts mean stands in `tools.toml`."""

    name: str
    run: str
    covers: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    until: str = ""


@dataclass(frozen=True)
class Ran:
    """What came of a tool.

    Attributes:
        why: What is wrong; "" for nothing.
        processor: Seconds of its processes, as far as they were waited for.
    """

    tool: Tool
    why: str
    output: str
    seconds: float
    processor: float


def read() -> list[Tool]:
    """Read the list."""
    listed = tomllib.loads(LISTED.read_text(encoding="utf-8"))["tool"]
    return [
        Tool(
            **{name: tuple(part) if isinstance(part, list) else part for name, part in one.items()}
        )
        for one in listed
    ]


def run(tool: Tool) -> Ran:
    """Run a tool in a folder of its own for what it writes."""
    with tempfile.TemporaryDirectory(prefix="tools-") as folder, tempfile.TemporaryFile() as output:
        line = _filled_in(tool.run, folder)
        began = time.monotonic()
        process = subprocess.Popen(  # noqa: S603 (lines of our own list)
            ["/bin/bash", "-c", line],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        status, processor = _wait(process, tool.until, output.fileno(), began)
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
    return Ran(tool, _what_is_wrong(tool, status, said), said, time.monotonic() - began, processor)


def _filled_in(line: str, folder: str) -> str:
    places = {"folder": folder, "python": sys.executable, "bin": str(BIN)}

    def place(found: re.Match[str]) -> str:
        return str(_free_port()) if found[1] == "port" else places[found[1]]

    return re.sub(r"\{(\w+)\}", place, line)


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def _wait(
    process: subprocess.Popen[bytes], until: str, output: int, began: float
) -> tuple[str, float]:
    """Wait for the end of a tool; return what is wrong with that, and its processor seconds."""
    status, is_asked = "", False
    while True:
        ended, code, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        if until and not is_asked and until.encode() in os.pread(output, 1 << 20, 0):
            os.killpg(process.pid, signal.SIGTERM)
            is_asked = True
        if time.monotonic() - began > MAX_SECONDS:
            status = f"not done after {MAX_SECONDS:.0f} seconds"
            os.killpg(process.pid, signal.SIGKILL)
        # Each look costs: with twenty a second this loop took a seventh of a slow core.
        time.sleep(0.25)
    process.returncode = os.waitstatus_to_exitcode(code)
    with suppress(ProcessLookupError):  # what it has left behind
        os.killpg(process.pid, signal.SIGKILL)
    if not status and not is_asked and process.returncode:
        status = f"ended with status {process.returncode}"
    return status, used.ru_utime + used.ru_stime


def _what_is_wrong(tool: Tool, status: str, said: str) -> str:
    missing = [text for text in (*tool.shows, tool.until) if text not in said]
    found = WRONG.search(said)
    if status:
        return status
    if missing:
        return f"does not show {', '.join(map(repr, missing))}"
    return f"shows {found[0]!r}" if found else ""


def changed_files() -> dict[str, int]:
    """Return the tracked files that differ from the commit, with the time of each."""
    words = ["git", "diff", "--name-only", "HEAD"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    return {
        name: (ROOT / name).stat().st_mtime_ns if (ROOT / name).exists() else 0
        for name in done.stdout.splitlines()
    }


def main(words: Sequence[str]) -> int:
    """Run what was asked for; return the exit status."""
    asked = _arguments(words)
    chosen = [
        one for one in read() if not asked.names or any(name in one.name for name in asked.names)
    ]
    if not chosen:
        print(f"There is no such tool; {LISTED.relative_to(ROOT)} lists them.", file=sys.stderr)
        return 2
    before, done, left_out = changed_files(), list[Ran](), list[str]()

    def run_in_time(tool: Tool) -> Ran | None:
        return None if asked.until and time.time() > asked.until else run(tool)

    with ThreadPoolExecutor(asked.jobs) as pool:
        running = {pool.submit(run_in_time, one): one for one in chosen}
        for ended in as_completed(running):
            if ran := ended.result():
                done.append(ran)
                _show(ran)
            else:
                left_out.append(running[ended].name)
    wrong = [ran.tool.name for ran in done if ran.why]
    most = sorted(done, key=lambda ran: -ran.processor)[:SHOWN]
    told = ", ".join(f"{ran.tool.name} {ran.processor:.0f}" for ran in most)
    together = sum(ran.processor for ran in done)
    print(f"{len(done)} tools, {together:.0f} seconds of processor; most of it: {told}")
    if left_out:
        print(f"NOT RUN, since the time of this run is over: {', '.join(left_out)}")
    if changed := [name for name, at in changed_files().items() if before.get(name) != at]:
        print(f"changed, though a short form changes no tracked file: {', '.join(changed)}")
    if wrong:
        print(f"failed: {', '.join(wrong)}")
    return 1 if wrong or changed else 0


def _show(ran: Ran) -> None:
    times = f"{ran.seconds:6.1f} s, processor {ran.processor:6.1f} s"
    if ran.why:
        print(f"--- {ran.tool.name}: {ran.tool.run}\n{ran.output}")
    print(f"{'FAILED' if ran.why else 'ok':6} {times}  {ran.tool.name}", end="")
    print(f" {ran.why}" if ran.why else "", flush=True)


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="WORD", help="only those with it in their name")
    parser.add_argument("--jobs", type=int, default=2, help="so many at once (default: 2)")
    parser.add_argument(
        "--until", type=float, help="begin none after this time, in seconds since 1970"
    )
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
