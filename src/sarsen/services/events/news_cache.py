"""Answers to pages that ask for news, each kept as long as the facts it was made from."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")

KEPT = 1.0  # seconds for which an answer is given to all who ask
MAX_KEPT = 20_000  # answers in memory; those of longest ago are dropped


@dataclass(frozen=True)
class _Answer(Generic[_T]):
    """An answer, the facts it was made from, and when these were last read."""

    facts: Any
    value: _T
    looked_at: float


@dataclass
class NewsCache(Generic[_T]):
    """Answers by what they are about, each as long as its facts stay the same."""

    facts: Callable[[Sequence[int]], dict[int, tuple[Any, ...]]]
    make: Callable[[int, Any], _T]
    answers: OrderedDict[int, _Answer[_T]] = field(default_factory=OrderedDict)

    def get(self, number: int) -> _T:
        """Return an answer; read its facts again unless that was done a moment ago."""
        answer = self.answers.get(number)
        if answer is not None and time.monotonic() - answer.looked_at < KEPT:
            return answer.value
        return self.look([number])[number]

    def look(self, numbers: Sequence[int]) -> dict[int, _T]:
        """Look at the facts of several at once, and keep the answers."""
        now = time.monotonic()
        facts = self.facts(numbers) if numbers else {}
        for number in numbers:
            answer, new_facts = self.answers.get(number), facts.get(number)
            if answer is not None and answer.facts == new_facts:
                answer = replace(answer, looked_at=now)
            else:
                answer = _Answer(new_facts, self.make(number, new_facts), now)
            self.answers[number] = answer
        values = {number: self.answers[number].value for number in numbers}
        while len(self.answers) > MAX_KEPT:
            self.answers.popitem(last=False)
        return values
