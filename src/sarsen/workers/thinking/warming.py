"""Load the searches before the first person waits for them."""

from __future__ import annotations

import time

import structlog
from django.db import connections

from sarsen.core.game import AnyPosition, Game
from sarsen.games import load, names
from sarsen.search.bots import MOST
from sarsen.search.bots import load as load_bot
from sarsen.search.thought import Budget

OPENING = 2  # plies
log = structlog.get_logger()


def warm_up() -> None:
    """Let every game be thought about for a moment, and log how long that took."""
    for name in names():
        began = time.monotonic()
        try:
            load_bot(name, MOST).think(_after_the_opening(load(name)), budget=Budget(nodes=1))
        except Exception:
            # A thread's outermost function; whoever plays this game will see the same.
            log.exception("a search could not be loaded", game=name)
        else:
            log.info("a search is loaded", game=name, seconds=round(time.monotonic() - began, 2))
    _compile_the_rest()
    connections.close_all()


def _after_the_opening(game: Game) -> AnyPosition:
    """Give a position that is searched; a first move may be drawn without a search."""
    position = game.start()
    for _ in range(OPENING):
        after = position.play(position.legal_moves()[0])
        position = position if after.outcome() else after
    return position


def _compile_the_rest() -> None:
    """Compile what other boards and levels use, if this version has not done so yet."""
    from sarsen.search.compiling import compile_missing

    began = time.monotonic()
    compile_missing()
    log.info("searches are compiled", seconds=round(time.monotonic() - began, 2))
