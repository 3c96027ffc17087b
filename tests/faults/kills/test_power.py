"""F1, F3: the power is cut at random moments; what was answered 250 is in what the disk kept.

A kill leaves the system's memory of the files whole, a power cut does not. So all writes and
flushes of the database are recorded below the process, in order with the 250s, and the disk is
made up anew as it may be after a cut: everything that was flushed, and of what was not, any
sectors or none. The same with `synchronous=NORMAL` must lose mail, or the test sees nothing.
"""

from __future__ import annotations

import random
import shutil
import smtplib
import sqlite3
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from faults.kills.household import Household, household
from faults.kills.shim import Faults, needs_compiler
from processes.conftest import DOMAIN

pytestmark = [needs_compiler, pytest.mark.slow]
HEAD = struct.Struct("=cc6xqq")
SECTOR = 512
MAILS = 60
CUTS = 40


@dataclass(frozen=True)
class Step:
    """One thing that happened: W a write, T a truncation, S a flush, A an acknowledgement."""

    what: str
    file: str
    at: int
    content: bytes


def test_f1_f3_power_cut_loses_no_mail_that_was_answered_250(
    tmp_path: Path, seed: int, count: Callable[[str, object], None]
) -> None:
    lost, kept = cut_again_and_again(tmp_path, seed, {})
    count("power cuts", CUTS)
    count("mails answered 250 before them", kept)
    count("of these lost", lost)
    assert lost == 0
    assert kept > CUTS


def test_f3_the_test_of_power_cuts_sees_what_synchronous_normal_would_lose(
    tmp_path: Path, seed: int, count: Callable[[str, object], None]
) -> None:
    lost, _ = cut_again_and_again(tmp_path, seed, {"FAULTS_SYNCHRONOUS": "NORMAL"})
    count("lost with synchronous=NORMAL", lost)
    assert lost > 0


def cut_again_and_again(tmp_path: Path, seed: int, more: dict[str, str]) -> tuple[int, int]:
    """Return how many acknowledged mails were lost over all cuts, and how many there were."""
    faults, chance = Faults(tmp_path), random.Random(seed)
    with household(tmp_path / "data", faults.journaling | more) as house:
        if house.database:
            pytest.skip("PostgreSQL keeps its own promises; it is not under this shim")
        before = tmp_path / "before.sqlite3"
        shutil.copy(house.file, before)
        house.open()
        house.start("listener")
        house.await_ports(house.smtp)
        for number in range(MAILS):
            _send(house, number)
        house.kill("listener")
    steps = list(_read(faults.journal.read_bytes()))
    first = next(place for place, step in enumerate(steps) if step.what == "A")
    lost = kept = 0
    for number in range(CUTS):
        cut = chance.randrange(first, len(steps) + 1)
        folder = tmp_path / f"cut-{number}"
        _make_up(folder, before, steps[:cut], chance)
        acknowledged = sum(step.what == "A" for step in steps[:cut])
        found = _found(folder / "sarsen.sqlite3")
        lost += len(set(range(acknowledged)) - found)
        kept += acknowledged
        shutil.rmtree(folder)
    return lost, kept


def _send(house: Household, number: int) -> None:
    raw = f"From: ann@ann.example\r\nMessage-ID: <{number}@cut.example>\r\n\r\nhelp\r\n"
    with smtplib.SMTP("127.0.0.1", house.smtp, timeout=60) as session:
        session.sendmail("ann@ann.example", [f"sarsen@{DOMAIN}"], raw.encode())


def _read(journal: bytes) -> Iterator[Step]:
    place = 0
    while place < len(journal):
        what, file, at, length = HEAD.unpack_from(journal, place)
        place += HEAD.size
        length = length if what == b"W" else 0
        yield Step(what.decode(), file.decode("latin-1"), at, journal[place : place + length])
        place += length


def _make_up(folder: Path, before: Path, steps: list[Step], chance: random.Random) -> None:
    """Write the files as a disk may hold them after these steps and a cut."""
    folder.mkdir()
    shutil.copy(before, folder / "sarsen.sqlite3")
    for file, name in (("d", "sarsen.sqlite3"), ("w", "sarsen.sqlite3-wal")):
        mine = [(place, step) for place, step in enumerate(steps) if step.file == file]
        flushed = max((place for place, step in mine if step.what == "S"), default=-1)
        path = folder / name
        if any(step.what == "W" for _, step in mine):
            path.touch()
            with path.open("r+b") as disk:
                keeps = chance.choice((0.0, 0.5, 1.0))
                for place, step in mine:
                    if step.what == "T" and place < flushed:
                        disk.truncate(step.at)
                    elif step.what == "W":
                        _write(disk, step, 1.0 if place < flushed else keeps, chance)


def _write(disk, step: Step, keeps: float, chance: random.Random) -> None:  # type: ignore[no-untyped-def]
    """Write the sectors of a write that the disk got to before the cut."""
    end = step.at + len(step.content)
    place = step.at
    while place < end:
        until = min(end, (place // SECTOR + 1) * SECTOR)
        if chance.random() < keeps:
            disk.seek(place)
            disk.write(step.content[place - step.at : until - step.at])
        place = until


def _found(file: Path) -> set[int]:
    """Return the numbers of the mails in a database, which must be sound."""
    opened = sqlite3.connect(file)
    try:
        assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = opened.execute("SELECT raw FROM storage_inboundmail").fetchall()
    finally:
        opened.close()
    return {int(bytes(raw).split(b"<")[1].split(b"@")[0]) for (raw,) in rows}
