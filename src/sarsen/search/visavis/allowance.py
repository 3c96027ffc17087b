"""How much may still be judged: by positions, by the clock, or until somebody asks."""

from __future__ import annotations

import time
from dataclasses import replace

from sarsen.search.thought import Budget, Stop


class Allowance:
    """Count the positions judged against a budget; shares of it count towards the whole.

    By positions alone no clock is read, so that chance with the same seed meets the same
    end on every machine.
    """

    def __init__(
        self, budget: Budget, stop: Stop | None = None, whole: Allowance | None = None
    ) -> None:
        self.judged = 0
        self._nodes = budget.nodes
        self._deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        self._stop = stop
        self._whole = whole

    @property
    def is_spent(self) -> bool:
        """Whether nothing new is to be begun."""
        return (
            (self._nodes is not None and self.judged >= self._nodes)
            or (self._deadline is not None and time.monotonic() > self._deadline)
            or (self._stop is not None and self._stop.is_set())
            or (self._whole is not None and self._whole.is_spent)
        )

    def spend(self) -> None:
        """Count one position that is judged."""
        self.judged += 1
        if self._whole is not None:
            self._whole.spend()

    def share(self, part: float) -> Allowance:
        """Return an allowance of a part of what is left; of positions, one at least."""
        budget = Budget()
        if self._nodes is not None:
            budget = replace(budget, nodes=max(int((self._nodes - self.judged) * part), 1))
        if self._deadline is not None:
            left = max(self._deadline - time.monotonic(), 0.0)
            budget = replace(budget, seconds=left * part)
        return Allowance(budget, self._stop, self)
