"""Choose from what was found: a mix of lengths, seats, boards and openings, and nothing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from sarsen.core.game import AnyPosition, Game
from sarsen.core.symmetry import canonical_board
from sarsen.lab.puzzles.settings import PuzzleModule
from sarsen.learning.lessons import has_lesson, lesson_of, start_of
from sarsen.learning.puzzles.puzzle import Puzzle, Task

# At most: of those with one own move, with two, with more; of one seat; of one board. With enough
# to choose from they are 1 : 5 : 4, and the seats about equal.
SHARES = {1: 0.1, 2: 0.6, 3: 0.6}
MOST_OF_A_SEAT = 0.6
MOST_OF_A_BOARD = 0.6
BEGINNING = 10  # puzzles that the shares are reckoned by while there are fewer


@dataclass
class Chosen:
    """The puzzles of a game that are kept, and what is known of them."""

    game: Game
    settings: PuzzleModule
    puzzles: list[Puzzle] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    openings: Counter[str] = field(default_factory=Counter)
    mix: Counter[object] = field(default_factory=Counter)

    def take(self, puzzle: Puzzle) -> bool:
        """Keep a puzzle if it is none of those that there are, and fits the mix now."""
        position = puzzle.position(self.game.info.name)
        keys = [key_of(position)]
        groups = {f"own moves {length_of(puzzle)}": SHARES[length_of(puzzle)]}
        groups[f"seat {position.seat}"] = MOST_OF_A_SEAT
        if len(self.settings.WITHIN) > 1:
            groups[f"board {puzzle.options}"] = MOST_OF_A_BOARD
        opening = self.opening_of(puzzle)
        if self.seen.intersection(keys) or self.openings[opening] >= self.settings.PER_OPENING:
            return False
        count = max(len(self.puzzles) + 1, BEGINNING)
        if any(self.mix[group] + 1 > share * count for group, share in groups.items()):
            return False
        self._note(puzzle, keys, opening, groups)
        return True

    def keep(self, puzzle: Puzzle) -> None:
        """Keep a puzzle that was there before, whatever the mix."""
        position = puzzle.position(self.game.info.name)
        groups = [f"own moves {length_of(puzzle)}", f"seat {position.seat}"]
        groups += [f"board {puzzle.options}"] if len(self.settings.WITHIN) > 1 else []
        self._note(puzzle, [key_of(position)], self.opening_of(puzzle), groups)

    def opening_of(self, puzzle: Puzzle) -> str:
        return " ".join((puzzle.options, *puzzle.line[: self.settings.OPENING]))

    def _note(
        self, puzzle: Puzzle, keys: Iterable[str], opening: str, groups: Iterable[str]
    ) -> None:
        self.puzzles.append(puzzle)
        self.seen.update(keys)
        self.openings[opening] += 1
        self.mix.update(list(groups))  # of a mapping it would add the shares


def choose(
    game: Game,
    settings: PuzzleModule,
    kept: Sequence[Puzzle],
    found: Iterable[Puzzle],
    most: int,
) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game: those kept, which stay as they are, and new ones after them.

    Args:
        kept: With their ids.
        found: Without ids, in any order: the choice does not depend on it.
        most: How many there are to be in all.
    """
    chosen = Chosen(game, settings)
    if has_lesson(game.info.name):
        steps = lesson_of(game.info.name).steps
        chosen.seen.update(key_of(start_of(game.info.name, step)) for step in steps)
    for puzzle in kept:
        chosen.keep(puzzle)
    number = max((puzzle.id for puzzle in kept), default=0)
    waiting, left = sorted(found, key=_order), -1
    while len(waiting) != left:  # what did not fit the mix may do so later
        left, again = len(waiting), []
        for puzzle in waiting:
            if len(chosen.puzzles) < most and chosen.take(replace(puzzle, id=number + 1)):
                number += 1
            else:
                again.append(puzzle)
        waiting = again
    return tuple(chosen.puzzles)


def key_of(position: AnyPosition) -> str:
    """Return a text that is the same for positions of which one puzzle is enough."""
    return canonical_board(position)


def length_of(puzzle: Puzzle) -> int:
    """Return the own moves of a puzzle as the mix counts them: 1, 2, or 3 for more."""
    return 1 if puzzle.task is Task.SAVE else min(3, puzzle.within)


def mix_lines(game: Game, puzzles: Sequence[Puzzle]) -> Iterator[str]:
    """Yield lines for people: how many of each length, seat, board and level; the ratings."""
    playable = [puzzle for puzzle in puzzles if not puzzle.retired]
    if not playable:
        return
    counts: dict[str, Counter[str]] = {
        "task": Counter(puzzle.task.value for puzzle in playable),
        "own moves": Counter(str(length_of(puzzle)) for puzzle in playable),
        "side": Counter(_side(game, puzzle) for puzzle in playable),
        "board": Counter(puzzle.options or "usual" for puzzle in playable),
        "level": Counter(str(puzzle.level) for puzzle in playable),
    }
    for what, counted in counts.items():
        yield f"{what:10}" + "  ".join(f"{name}: {counted[name]}" for name in sorted(counted))
    ratings = sorted(puzzle.rating for puzzle in playable)
    middle = ratings[len(ratings) // 2]
    yield f"{'ratings':10}{ratings[0]} to {ratings[-1]}, half of them below {middle}"


def _side(game: Game, puzzle: Puzzle) -> str:
    position = puzzle.position(game.info.name)
    return str(position.sides[position.seat])


def _order(puzzle: Puzzle) -> str:
    """Return what puts puzzles in an order that has nothing to do with how they were found."""
    return sha256(f"{puzzle.options} {puzzle.moves}".encode()).hexdigest()
