"""Reviews by a real server: asked for by mail, its thinker killed, and one letter comes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from constants_for_tests import with_constants
from processes.conftest import Server, await_true, running_server, text_of

ANN, BOB = "ann@ann.example", "bob@bob.example"
STEPS = (
    "from sarsen.server.setup import set_up\nset_up()\n"
    "from sarsen.storage.models import OutgoingMail, Review\n"
    "print(*Review.objects.values_list('state', 'steps'), "
    "OutgoingMail.objects.filter(kind='review').count())"
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    more = with_constants({"sarsen.services.reviews.making.REVIEW_SECONDS": 8})
    yield from running_server(tmp_path / "data", more | {"SARSEN_BOTS": "on"})


def asked(server: Server) -> str:
    done = subprocess.run(
        [sys.executable, "-c", STEPS], env=server.environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_review_comes_once_though_its_maker_is_killed(server: Server) -> None:
    server.answer(server.join("bob"), "autoaccept anyone")
    server.next_letter(BOB)
    server.answer(server.join("ann"), "druid challenge -size=6 ann bob")
    letters = {ANN: server.next_letter(ANN), BOB: server.next_letter(BOB)}
    moves = ["d1", "d3", "e2", "a4", "d4"]
    for number, text in enumerate(moves):
        mover, other = (ANN, BOB) if number % 2 == 0 else (BOB, ANN)
        server.answer(letters[mover], text)
        assert f"You played {text}" in text_of(server.next_letter(mover))
        letters[other] = server.next_letter(other)
    server.answer(letters[BOB], "resign")
    server.answer(server.next_letter(BOB), "yes")
    assert "You have resigned" in text_of(server.next_letter(BOB))
    server.answer(server.next_letter(ANN), "review")
    assert "is being reviewed" in text_of(server.next_letter(ANN))
    await_true(lambda: _steps(asked(server)) >= 1, "no step was done")
    for process in server.children("think"):
        os.kill(process, signal.SIGKILL)
    assert "waiting" in asked(server)
    await_true(lambda: "done" in asked(server), "the review was never done", limit=180)
    assert "The review of Druid Board 1." in text_of(server.next_letter(ANN))
    assert asked(server).endswith(" 1"), "one letter, and no more"


def _steps(line: str) -> int:
    """Read the steps of the one review; as many as one likes once it is done."""
    state, _, rest = line.strip("(").partition(", ")
    return 1000 if "done" in state else int(rest.partition(")")[0])
