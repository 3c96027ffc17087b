"""Counts of move paths that another program has found: `tests/perft.txt` of a package.

A line is `GAME [-OPTIONS] | moves | counts at depth 1, 2, 3 …`; what begins with # is a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.core.referee import perft, replayed
from sarsen.lab.checking.walks import Note, unnoted

MAX_COUNTED = 100_000  # paths; deeper counts take long, and a check has some seconds for them


@dataclass(frozen=True)
class Count:
    """The number of paths from a position, by depth, from 1 on."""

    options: str
    moves: tuple[str, ...]
    numbers: tuple[int, ...]

    def at_most(self, most: int) -> Count | None:
        """Return the depths with no more paths than that; None when there are none."""
        kept = tuple(number for number in self.numbers if number <= most)
        return replace(self, numbers=kept) if kept else None

    def line(self, name: str, depth: int) -> str:
        """Return the command that counts."""
        moves = f' --moves "{" ".join(self.moves)}"' if self.moves else ""
        return f"sarsen perft {' '.join(filter(None, (name, self.options)))} {depth}{moves}"


def read_counts(path: Path, name: str) -> tuple[Count, ...]:
    """Return the counts of a game in a file; none when there is no file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    found = []
    for line in lines:
        start, _, rest = line.partition("|")
        moves, _, numbers = rest.partition("|")
        game, *options = start.split() or [""]
        if game == name:
            numbered = tuple(map(int, numbers.split()))
            found.append(Count(" ".join(options), tuple(moves.split()), numbered))
    return tuple(found)


def wrong_counts(
    game: Game, counts: Sequence[Count], note: Note = unnoted
) -> Iterator[tuple[str, str]]:
    """Yield what is counted otherwise, in a sentence, and the command that counts."""
    for count in counts:
        few = count.at_most(MAX_COUNTED)
        for depth, number in enumerate(few.numbers if few else (), start=1):
            line = count.line(game.info.name, depth)
            note(line)
            try:
                found = perft(replayed(game.start(count.options), count.moves), depth)
            except UserError as refusal:
                yield f"The moves of a count are refused: {refusal.text}", line
                break
            if found != number:
                yield (
                    f"At depth {depth} there are {found} paths; another program counts {number}.",
                    line,
                )
                break
