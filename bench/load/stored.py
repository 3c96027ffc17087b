"""Boards that are stored besides those played on, many or few.

Runs as a process of its own, with the data folder in its environment:
`python -m bench.load.stored BOARDS` leaves at least so many in it.
"""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime

FIRST = 100
PLIES = 2


def fill(boards: int, environment: dict[str, str]) -> None:
    """Store boards until there are so many."""
    subprocess.run(
        [sys.executable, "-m", "bench.load.stored", str(boards)], env=environment, check=True
    )


def _main(wanted: int) -> None:
    from sarsen.server.setup import set_up

    set_up()
    from bench.filling import Filled, double, fill_first
    from sarsen.storage.models import Match, Player

    stored = Match.objects.count()
    if not stored:
        stored = fill_first(datetime.now(UTC), FIRST, PLIES).boards
    filled = Filled(stored, Player.objects.count())
    while filled.boards < wanted:
        filled = double(filled)


if __name__ == "__main__":
    _main(int(sys.argv[1]))
