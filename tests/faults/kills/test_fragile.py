"""Mails that end the worker which reads them, in real processes."""

from __future__ import annotations

import contextlib
import smtplib
import subprocess
import sys
from pathlib import Path

import pytest

from constants_for_tests import with_constants
from faults.kills.fragile import DEADLY, ENDLESS
from faults.kills.household import HERE, ROOT, Household, household
from faults.kills.traffic import rows
from processes.conftest import await_true

pytestmark = pytest.mark.slow
ENDS = 5
STANDSTILL = "sarsen.workers.queue.STANDSTILL_SECONDS"


@pytest.mark.parametrize("line", [DEADLY, ENDLESS], ids=["deadly", "endless"])
def test_f21_mail_that_ends_every_worker_is_set_aside_and_all_behind_it_is_answered(
    tmp_path: Path, line: bytes
) -> None:
    # Only the endless one is given up for its silence; on a busy machine others are silent, too.
    soon = with_constants({STANDSTILL: 5}, ROOT / "src") if line == ENDLESS else {}
    with household(tmp_path / "data", soon) as house:
        house.open()
        house.start("listener")
        house.await_ports(house.smtp)
        for name, said in (("ann", b"help"), ("eve", line), ("bob", b"help"), ("cyd", b"list")):
            send(house, name, said)
        ends = 0
        while waiting(house):
            ends += work_until_it_ends(house)
            assert ends <= ENDS
        assert ends == ENDS
        (found,) = rows(house, "SELECT state, ends FROM storage_inboundmail WHERE id = 2")
        assert tuple(found) == ("failed", ENDS)
        others = rows(house, "SELECT state, ends FROM storage_inboundmail WHERE id <> 2")
        assert [tuple(one) for one in others] == [("answered", 0)] * 3
        kinds = rows(house, "SELECT kind FROM storage_outgoingmail WHERE address LIKE 'eve@%'")
        assert [kind for (kind,) in kinds] == ["sorry"]


def send(house: Household, name: str, line: bytes) -> None:
    sender = f"{name}@{name}.example"
    head = f"From: {sender}\r\nTo: sarsen@play.example\r\nMessage-ID: <{name}@x.example>\r\n"
    with smtplib.SMTP("127.0.0.1", house.smtp, timeout=60) as session:
        session.sendmail(sender, ["sarsen@play.example"], head.encode() + b"\r\n" + line + b"\r\n")


def waiting(house: Household) -> int:
    (row,) = rows(house, "SELECT COUNT(*) FROM storage_inboundmail WHERE state = 'new'")
    return int(row[0])


def work_until_it_ends(house: Household) -> int:
    """Run a worker until it is ended, or nothing waits any more; tell whether it was."""
    words = [sys.executable, str(HERE / "fragile.py")]
    worker = subprocess.Popen(words, env=house.environment)
    try:
        await_true(
            lambda: worker.poll() is not None or not waiting(house), "a worker that does nothing"
        )
        return worker.poll() is not None
    finally:
        with contextlib.suppress(ProcessLookupError):
            worker.kill()
        worker.wait()
