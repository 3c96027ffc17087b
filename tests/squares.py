"""A job for the pool; the processes of the pool can import it."""

from __future__ import annotations

import os
from dataclasses import dataclass

from sarsen.core.errors import UserError

BROKEN = 2_000_000  # squaring it fails


@dataclass(frozen=True)
class Squares:
    """A job whose worker squares numbers; it is its own worker."""

    refuses_to_open: bool = False

    def open(self) -> Squares:
        if self.refuses_to_open:
            raise UserError("No squares today.", code="no-squares", hint="Take cubes.")
        return self

    def do(self, task: int) -> tuple[int, int]:
        if task < 0:
            raise UserError(f"{task} is below 0.", code="below-zero", hint="1")
        return os.getpid(), task**2 // (task != BROKEN)

    def close(self) -> None:
        """Nothing is open."""
