"""A note of what this process is doing, which survives a crash of the process.

A mail, a letter or a job may crash the process that handles it: too little memory, a fault in a
C library. A transaction of the database would be lost with it. So each piece of work is first
noted in a memory-mapped file, which the system keeps after a crash; the process started in its
place reads it. That costs no access to the disk, and no statement.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

import structlog

SIZE = 4096  # octets: what it is at in the first half, jobs that ended it in the second
_HALF = SIZE // 2
_MAX_NUMBERS = 100  # of one note, so that it fits in its half of the file
_MAX_PROCESSES = 1000  # of one data folder: no server has as many, and the search ends
_NOTE = re.compile(r"(mail|letter|job)((?: \d{1,18})*)(?: ([a-z_.]{1,200}))? (\d{1,12})", re.ASCII)
_ENDED = re.compile(r"([a-z_.]{1,200}) (\d{1,6})", re.ASCII)


@dataclass(frozen=True)
class CrashNote:
    """The work that a process was doing.

    Attributes:
        kind: `mail`, `letter` or `job`.
        numbers: Of the mails or letters; one of several it was.
        job: The name of the job.
        lasted: Seconds from then until it was read.
    """

    kind: str
    numbers: tuple[int, ...] = ()
    job: str = ""
    lasted: float = field(default=0.0, compare=False)


@dataclass
class _Slot:
    """A file of one process, held by a lock for as long as it lives."""

    page: mmap.mmap
    handle: int
    job: str = ""
    moved_at: float = 0.0

    def read(self, half: int) -> str:
        return self.page[half * _HALF : (half + 1) * _HALF].rstrip(b"\0").decode("ascii", "replace")

    def write_note(self, kind: str, *numbers: int) -> None:
        self.moved_at = time.monotonic()
        words = (kind, *map(str, numbers), self.job, str(int(self.moved_at)))
        self.write(0, " ".join(filter(None, words)))

    def write(self, half: int, text: str) -> None:
        raw = text.encode("ascii")[:_HALF]
        self.page[half * _HALF : (half + 1) * _HALF] = raw.ljust(_HALF, b"\0")


_slot: _Slot | None = None


def begin(folder: Path) -> CrashNote | None:
    """Begin to keep notes; return the work during which the last process in this place ended.

    Each process of a folder has the first place that no living one holds. Its result stands
    there until the next note.
    """
    global _slot  # noqa: PLW0603 (of this process)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(_MAX_PROCESSES):
        handle = os.open(folder / f"at-{number}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            # The system frees it when the process ends.
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            continue
        os.ftruncate(handle, SIZE)
        _slot = _Slot(mmap.mmap(handle, SIZE), handle, moved_at=time.monotonic())
        return _read(_slot.read(0))
    return None


def end() -> None:
    """Keep no notes any more: this process ends in good order."""
    global _slot  # noqa: PLW0603 (of this process)
    if _slot is not None:
        _slot.write(0, "")
        _slot.page.close()
        os.close(_slot.handle)
    _slot = None


def note(kind: str, *numbers: int) -> None:
    """Note the work that begins: a `mail` or a `letter`, or several of them."""
    if _slot is not None:
        _slot.write_note(kind, *numbers[:_MAX_NUMBERS])


def note_done() -> None:
    """Note that the work is done, and only the job goes on."""
    if _slot is not None:
        if _slot.job:
            _slot.write_note("job")
        else:
            _slot.write(0, "")


def note_progress() -> None:
    """Record progress of this process in a long piece of work."""
    if _slot is not None:
        _slot.moved_at = time.monotonic()


def begin_job(job: str) -> None:
    """Note which job runs from now on."""
    if _slot is not None:
        _slot.job = job
        note_done()


def end_job() -> None:
    """Note that the job has ended in good order."""
    if _slot is not None:
        if _slot.job and _slot.read(1).startswith(f"{_slot.job} "):
            _slot.write(1, "")
        _slot.job = ""
        note_done()


def count_end(job: str) -> int:
    """Count that a job has ended its process; return how often it did so in a row."""
    assert _slot is not None  # counting begins first
    ended_match = _ENDED.fullmatch(_slot.read(1))
    times = int(ended_match[2]) + 1 if ended_match and ended_match[1] == job else 1
    _slot.write(1, f"{job} {times}")
    return times


def seconds_without_progress() -> float:
    """Return for how many seconds a job that runs has not got on; 0 when none runs."""
    if _slot is None or not _slot.job:
        return 0.0
    return time.monotonic() - _slot.moved_at


def _read(text: str) -> CrashNote | None:
    note_match = _NOTE.fullmatch(text)
    if not note_match:
        return None
    # Of a time before this machine was started nothing is known.
    lasted = max(0.0, time.monotonic() - int(note_match[4]))
    return CrashNote(
        note_match[1], tuple(map(int, note_match[2].split())), note_match[3] or "", lasted
    )


log = structlog.get_logger()
