"""Prove wins in a child process, of low priority, which alone loads the searches."""

from __future__ import annotations

import json
import subprocess
import sys
import threading

import structlog

from sarsen.services import crash_log

NICENESS = 19  # the most there is: moves and mails go first
# Of a board: a guard against rules that never end, and no limit of the search, which nodes and
# lines bound; a minute is the most that was seen. A worker that stands still for ten minutes is
# ended (`workers.queue`).
GUARD_SECONDS = 500.0
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


def _ask_child(game: str, position: str) -> str:
    words = (sys.executable, "-m", "sarsen.search", "--nice", str(NICENESS), "--prove")
    with subprocess.Popen(  # noqa: S603 (our own words)
        [*words, game, "--", position], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        guard = threading.Timer(GUARD_SECONDS, child.kill)
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
