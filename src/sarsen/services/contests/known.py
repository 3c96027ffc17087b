"""The value of a game that is known for certain, so that a program here plays it perfectly."""

from __future__ import annotations

import importlib
from functools import lru_cache

from sarsen.core.game import own_module
from sarsen.games import is_plugin, load


@lru_cache
def known_value(game: str, options: str) -> float | None:
    """Return what the first seat scores with best play of both; None where nobody knows (E32).

    A game says so in `known` of its module `proof`, without searching.
    """
    if is_plugin(game):
        return None  # its code runs in a process of its own, which is not asked for this
    name = own_module(load(game), "proof")
    module = importlib.import_module(name) if name else None
    known = getattr(module, "known", None)
    return known(options) if known else None
