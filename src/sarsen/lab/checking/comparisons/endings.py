"""Wins by option and side: sides that never win, and winners that no example shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sarsen.core.game import Game
from sarsen.core.options import Choice, Flag
from sarsen.core.recorded import SWAP
from sarsen.lab.checking.help_page import ExampleLine
from sarsen.lab.checking.walks import Finding, Walk

ENOUGH = 20  # games with an option that somebody won: fewer may miss a side by chance
OFTEN = 0.2  # of the other games: a side that wins so many should win one of these
MAX_NAMED = 5  # more say nothing new in one line


@dataclass
class Endings:
    """How many random games each side has won, with each word of an option.

    Attributes:
        wins: By word, such as `-goal=line`, and side.
        total: By side.
    """

    game: Game
    wins: Counter[tuple[str, str]] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)

    def add(self, found: Walk) -> None:
        """Count a game, if somebody has won it."""
        outcome = found.position.outcome()
        if outcome is not None and outcome.winner is not None:
            side = found.position.sides[outcome.winner]
            self.total[side] += 1
            self.wins.update((word, side) for word in self._words(found.options))

    def findings(self, examples: Iterable[ExampleLine], command: str) -> Iterator[Finding]:
        """Yield notes: sides that win no game with an option, and what no example shows.

        Args:
            command: Plays the games again.
        """
        shown = {
            (word, example.expected.removesuffix(" wins"))
            for example in examples
            for word in self._words(example.options)
        }
        words = sorted({word for word, _ in self.wins})
        for word in words:
            won = sum(self.wins[word, side] for side in self.total)
            for side in self.total:
                others = sum(self.total.values()) - won
                is_strong = self.total[side] >= OFTEN * others
                if min(won, others) >= ENOUGH and is_strong and not self.wins[word, side]:
                    text = f"{side} won none of {won} random games with {word}, and others without."
                    yield Finding("one-side-wins", text, command, False)
        missing = [
            f"{side} winning with {word}"
            for word in words
            for side in sorted(self.total)
            if (word, side) not in shown
        ]
        if missing:
            more = f" and {len(missing) - MAX_NAMED} more" if len(missing) > MAX_NAMED else ""
            ends = ", nor with ".join(missing[:MAX_NAMED]) + more
            text = f"No example of help.md ends with {ends}: a wrong winner would not be noticed."
            yield Finding("ending-without-example", text, is_error=False)

    def _words(self, options: str) -> list[str]:
        """Return flags and words of choices of an option text, those not named included."""
        named, found = options.split(), list[str]()
        for option in self.game.info.options:
            if isinstance(option, Choice):
                chosen = [word for word in named if word.startswith(f"-{option.name}=")]
                found.append(chosen[-1] if chosen else f"-{option.name}={option.default}")
            elif isinstance(option, Flag) and option.name != SWAP.name:
                found += [f"-{option.name}"] * (f"-{option.name}" in named)
        return found
