"""A process that takes names as a worker does: a line for each, until its input ends."""

from __future__ import annotations

import sys

from sarsen.server.setup import set_up

set_up()

from sarsen.storage.transactions import AdvisoryLocks  # noqa: E402 (its settings come first)

with AdvisoryLocks() as locks:
    for line in sys.stdin:
        print("taken" if locks.acquire([line.rstrip("\n")]) else "not taken", flush=True)
