"""Check a game in a process of its own, which ends when a call of the rules does not return.

The process sets a timer of its own processor time before each call, and writes down which
command repeats it. When the time is up it writes its stack, and the system ends it: rules can
neither catch that nor hold it up, in a loop of C either.
"""

from __future__ import annotations

import faulthandler
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any

from sarsen.core.errors import UserError
from sarsen.core.game import Game, Position
from sarsen.drawing.view import View
from sarsen.lab.checking.check import find_faults
from sarsen.lab.checking.report import CheckReport, CheckRequest
from sarsen.lab.checking.walks import Finding, LastNote, failure

LONGEST = 10.0  # seconds of the processor for one call, as a server allows players (isolation/)
# However short the check is: where others use the caches and halves of a processor, honest calls
# take two to three times as much of its time as on a quiet machine.
SHORTEST = 4.0  # seconds of processor time for one call
LOADING = 60.0  # seconds of processor time to load a game: what its bot imports may be compiled
WAITING = 60.0  # seconds by the clock that a call may sleep, beyond those of the whole check
LEAST_BUSY = 0.01  # part of a processor, below which a process sleeps: others may leave it little
Told = Callable[[str], None]
ENDING = 10.0  # seconds to end, when nothing more is told
_CHILD = "import sys; from sarsen.lab.checking.bounded import serve; serve(*sys.argv[1:])"
_FRAME = re.compile(r'File "(?P<path>.*)", line (?P<line>\d+) in (?P<name>\w+)')
# Methods of games, positions and views; the outermost on the stack is what was called.
_CONTRACT = {*dir(Position), *dir(Game), *dir(View)}
_OURS = str(Path(__file__).parent)


def check(request: CheckRequest, told: Told = lambda text: None) -> CheckReport:
    """Check a game for so many seconds of the processor, roughly: the same whatever else runs.

    Args:
        told: Called with what begins now.

    Raises:
        UserError: There is no game that could be checked.
    """
    report = _check(request, told)
    # Rules that keep something between calls may need more than one line to show a fault.
    if request.line is None and any(one.code == "hidden-state" for one in report.errors):
        for one in report.errors:
            if one.line.startswith("sarsen check ") and "--moves" in one.line:
                *words, _, moves = shlex.split(one.line)
                told(f"repeat {one.code}")
                line = " ".join(words[3:]), moves
                again = _check(replace(request, line=line, seconds=SHORTEST), told)
                if all(other.code != one.code for other in again.findings):
                    report.unrepeated(one.code, request.command)
    return report


def _check(request: CheckRequest, told: Told) -> CheckReport:
    source, seconds = request.source, request.seconds
    link, far = Pipe()
    limit = min(LONGEST, max(SHORTEST, seconds))
    with tempfile.TemporaryFile() as note, tempfile.TemporaryFile() as stack, link:
        with far:
            handles = [far.fileno(), note.fileno(), stack.fileno()]
            words = [json.dumps(asdict(request)), str(limit), *map(str, handles)]
            process = subprocess.Popen(  # noqa: S603 (our own words)
                [sys.executable, "-c", _CHILD, *words],
                stdin=subprocess.DEVNULL,
                stdout=2,  # what rules print is no part of the report
                pass_fds=handles,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        try:
            report, is_done = _follow(source, link, told, process.pid, seconds + WAITING)
            is_done = _ends(process) and is_done
        finally:
            process.kill()
            process.wait()
        if not is_done:
            report.add(_broken_off(process.returncode, note, stack, limit))
    return report


def _follow(
    source: str, link: Connection, told: Told, process: int, waiting: float
) -> tuple[CheckReport, bool]:
    """Return the last report, and whether it is the whole one."""
    report, spent = CheckReport(source, source, source), processor_time(process)
    while True:
        if not link.poll(waiting):
            before, spent = spent, processor_time(process)
            if spent - before < LEAST_BUSY * waiting:
                break
            continue  # a busy machine: the timer of the process ends a call without an end
        try:
            kind, said = link.recv()
        except (EOFError, OSError):
            break
        match kind:
            case "refused":
                text, code, hint = said
                raise UserError(text, code=code, hint=hint)
            case "told":
                report, text = said
                told(text)
            case "failed":
                text, line = said
                report.add(Finding("crash", text, line))
                return report, True
            case "done":
                return said, True
    return report, False


def processor_time(process: int) -> float:
    """Return the seconds that another process has had; 0 where the system does not tell."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    # Of the user and of the system, and of children that have ended; a name may hold blanks.
    return sum(map(int, text.rpartition(")")[2].split()[11:15])) / os.sysconf("SC_CLK_TCK")


def _ends(process: subprocess.Popen[bytes]) -> bool:
    """Wait for a process that has told all; return False when it sleeps instead of ending."""
    spent = processor_time(process.pid)
    while True:
        try:
            process.wait(ENDING)
            return True
        except subprocess.TimeoutExpired:
            before, spent = spent, processor_time(process.pid)
            if spent - before < LEAST_BUSY * ENDING:
                return False


def _broken_off(status: int, note: IO[bytes], stack: IO[bytes], limit: float) -> Finding:
    note.seek(0)
    stack.seek(0)
    noted = note.read().decode()
    limit = limit if noted else LOADING  # nothing was asked yet
    line = noted.partition("\n")[0]
    frames = [found for one in stack.read().decode().split("\n") if (found := _FRAME.search(one))]
    called = list(_before_ours(frames))
    if status not in (-signal.SIGPROF, -signal.SIGKILL):
        return Finding("crash", f"The process of the rules ended with the status {status}.", line)
    if not called:
        return Finding("never-returns", "A call of the rules does not return.", line)
    inner = called[0]
    names = [one["name"] for one in reversed(called)]
    function = next((name for name in names if name in _CONTRACT), names[0])
    where = f"{Path(inner['path']).name}:{inner['line']}, in `{inner['name']}`"
    text = f"`{function}` had not returned after {limit:g} seconds of the processor ({where})."
    return Finding("never-returns", text, line)


def _before_ours(frames: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return the frames, innermost first, down to the one that this package called."""
    ours = (at for at, one in enumerate(frames) if one["path"].startswith(_OURS))
    return frames[: next(ours, len(frames))]


def serve(request: str, limit: str, *handles: str) -> None:
    """Check a game and tell the parent; the child's main function.

    Args:
        request: The fields of a `CheckRequest`, as JSON.
        limit: Seconds of processor time for one call.
        handles: File descriptors: of the pipe to the parent, of the note, of the stack.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    pipe, note, stack = map(int, handles)
    # Then the system ends the process.
    faulthandler.register(signal.SIGPROF, stack, all_threads=False, chain=True)
    link = Connection(pipe)

    def write_note(line: str) -> None:
        os.pwrite(note, f"{line}\n".encode(), 0)
        signal.setitimer(signal.ITIMER_PROF, float(limit))

    def told(report: CheckReport, text: str) -> None:
        link.send(("told", (report, text)))

    noted = LastNote(write_note)
    try:
        signal.setitimer(signal.ITIMER_PROF, LOADING)
        said: Any = find_faults(CheckRequest(**json.loads(request)), told, noted)
        link.send(("done", said))
    except UserError as refusal:
        link.send(("refused", (str(refusal.text), refusal.code, str(refusal.hint))))
    except BrokenPipeError:  # the parent has ended
        return
    except Exception as failed:  # of the rules, at a place where no part of the check expects it
        link.send(("failed", (f"The check ends here: {failure(failed)}", noted.line)))
