"""Which games have a compiled search in this process, and which have none yet, or never."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Searches:
    """The games without a compiled search.

    Attributes:
        warming: Their searches are being compiled: levels that need them wait.
        missing: They cannot be compiled here: every level is played in pure Python.
    """

    warming: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()

    def is_ready(self, game: str) -> bool:
        """Return whether a game is thought about by its compiled search."""
        return game not in self.warming | self.missing


ALL_READY = Searches()
