"""Which games' programs are still getting ready, told by the process that thinks to the others.

A first start compiles the searches. Until those of a game are ready its weaker levels are
played by `search.plain_bots`, and its stronger ones wait. A file in the data folder says for which
games that is so; without the file, for none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

from sarsen.search.plain_bots import STRONGEST


def note_warming(games: Iterable[str]) -> None:
    """Let everybody know for which games searches are still being compiled."""
    path = _path()
    written = path.with_suffix(".new")
    written.write_text(json.dumps(sorted(games)), encoding="ascii")
    os.replace(written, path)


def is_warming_up(game: str, level: int) -> bool:
    """Return whether a level of a game waits until its search is compiled."""
    return level > STRONGEST and game in _games()


def _games() -> frozenset[str]:
    try:
        return frozenset(json.loads(_path().read_text(encoding="ascii")))
    except (OSError, ValueError):
        return frozenset()


def _path() -> Path:
    data: Path = settings.DATA
    return data / "warming.json"
