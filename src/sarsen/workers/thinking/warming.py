"""Load the searches before the first person waits for them."""

from __future__ import annotations

import time

import structlog
from django.db import connections

from sarsen.games import load, names
from sarsen.search.bots import MOST
from sarsen.search.bots import load as load_bot
from sarsen.search.thought import Budget

log = structlog.get_logger()


def warm_up() -> None:
    """Let every game be thought about for a moment, and log how long that took."""
    for name in names():
        began = time.monotonic()
        try:
            load_bot(name, MOST).think(load(name).start(), budget=Budget(nodes=1))
        except Exception:
            # A thread's outermost function; whoever plays this game will see the same.
            log.exception("a search could not be loaded", game=name)
        else:
            log.info("a search is loaded", game=name, seconds=round(time.monotonic() - began, 2))
    connections.close_all()
