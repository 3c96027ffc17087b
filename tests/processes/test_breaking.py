"""Kill processes at the worst moments: nothing accepted is lost, no move is doubled."""

from __future__ import annotations

import os
import random
import signal
import smtplib
import subprocess
import sys
import urllib.request

import pytest

from processes.conftest import Server, text_of

ANN, BOB = "ann@ann.example", "bob@bob.example"


def begin(server: Server, options: str = "-size=12") -> None:
    ann = server.join("ann")
    server.join("bob")
    server.answer(ann, f"druid challenge {options} ann bob")
    server.next_letter(ANN)
    server.answer(server.next_letter(BOB), "accept")
    server.next_letter(ANN)
    server.next_letter(BOB)


def kill(server: Server, word: str) -> None:
    for pid in server.children(word):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.ci
def test_case_35_mail_accepted_before_a_kill_is_answered_after_the_restart(server: Server) -> None:
    begin(server)
    kill(server, "work")
    server.send(ANN, "", subject="druid move 1 ann secret-ann a1")
    kill(server, "listen")
    assert "You played a1 (move 1)." in text_of(server.next_letter(ANN))
    assert "It is your turn." in text_of(server.next_letter(BOB))


@pytest.mark.slow
def test_case_36_killed_again_and_again_every_move_is_played_once(server: Server) -> None:
    begin(server)
    rng = random.Random(36)
    squares = [f"{letter}{row}" for row in range(1, 13) for letter in "abcdefghijkl"]
    moves = [*squares[:1], *rng.sample(squares[1:], 23)]
    for ply, move in enumerate(moves):
        mover, address = (("ann", ANN), ("bob", BOB))[ply % 2]
        server.send(address, "", subject=f"druid move 1 {mover} secret-{mover} {move}")
        if ply % 3 == 0:
            kill(server, "work")
        text = text_of(server.next_letter(address))
        while f"(move {ply + 1})." not in text:
            # A second copy after a kill is allowed, a second effect is not.
            text = text_of(server.next_letter(address))
    shown = subprocess.run(
        [sys.executable, "-c", _COUNT], env=server.environment, capture_output=True, text=True
    )
    assert shown.stdout.split() == [str(len(moves)), str(len(moves)), *moves], shown.stderr
    copies: dict[str, set[str]] = {}
    for letter in [*server.relay.letters(ANN), *server.relay.letters(BOB)]:
        copies.setdefault(str(letter["Message-ID"]), set()).add(text_of(letter))
    assert all(len(texts) == 1 for texts in copies.values())


_COUNT = """
from sarsen.server.setup import set_up
set_up()
from sarsen.storage.models import Match, MatchEvent
print(Match.objects.get().ply, MatchEvent.objects.count())
print(*MatchEvent.objects.order_by("number").values_list("text", flat=True))
"""


@pytest.mark.ci
def test_sigterm_ends_every_process_cleanly(server: Server) -> None:
    assert urllib.request.urlopen(f"http://127.0.0.1:{server.http}/health/").status == 200
    assert server.stop() == 0
    for port in (server.http, server.smtp, server.lmtp):
        try:
            smtplib.SMTP("127.0.0.1", port, timeout=1)
        except OSError:
            continue
        raise AssertionError(f"port {port} still answers")
