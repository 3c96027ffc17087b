"""Prove wins in a child process, of low priority, which alone loads the searches."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence

import structlog

from sarsen.services import crash_log

NICENESS = 19  # the most there is: moves and mails go first
# Of a board: a guard against rules that never end, and no limit of the search, which nodes and
# lines bound; a minute is the most that was seen. A worker that stands still for ten minutes is
# ended (`workers.queue`).
GUARD_SECONDS = 500.0
# Of a claim: five seconds of processor, with which it ends itself, took two minutes on a machine
# with six times as much to do as it has processors.
# Less than `claims.SEARCH_ENDS_AFTER`.
CLAIM_SECONDS, CLAIM_GUARD_SECONDS = 5.0, 300.0
# A claim is waited for, and the time of its answer must not depend on what else is searched.
CLAIM_NICENESS = 5
log = structlog.get_logger()


def prove(game: str, position: str) -> str:
    """Return a forced win of either seat as answers; see `sarsen.core.answers`.

    Args:
        position: As stored.

    Returns:
        "" where there is none, also where the child fails: the contest must end.
    """
    crash_log.note_progress()
    try:
        return _ask_child(game, position)
    except (OSError, ValueError, subprocess.CalledProcessError):
        log.exception("a proof could not be searched", game=game)
        return ""
    finally:
        crash_log.note_progress()


def prove_claim(game: str, position: str, seat: int | None) -> str:
    """Return a proof that a seat wins, or of a draw where `seat` is None.

    Args:
        position: As stored.

    Returns:
        "" where none is found in five seconds of processor, and then not before they are over;
        also where the child fails.
    """
    claimed = "draw" if seat is None else str(seat)
    words = ("--nice", str(CLAIM_NICENESS), "--claim", claimed, "--seconds", str(CLAIM_SECONDS))
    try:
        return _ask_child(game, position, words, CLAIM_GUARD_SECONDS)
    except (OSError, ValueError, subprocess.CalledProcessError):
        log.exception("a claim could not be searched", game=game)
        return ""


def _ask_child(
    game: str,
    position: str,
    options: Sequence[str] = ("--nice", str(NICENESS)),
    guard_seconds: float = GUARD_SECONDS,
) -> str:
    words = (sys.executable, "-m", "sarsen.search", *options, "--prove", game, "--", position)
    with subprocess.Popen(  # noqa: S603 (our own words)
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        guard = threading.Timer(guard_seconds, child.kill)
        guard.start()
        assert child.stdout is not None
        # The input stays open until it has ended: the child lives no longer than its parent.
        output = child.stdout.read()
        status = child.wait()
        guard.cancel()
    if status:
        raise subprocess.CalledProcessError(status, words)
    text: str = json.loads(output)
    return text
