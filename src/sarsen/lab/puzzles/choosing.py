"""Choose from what was found: a mix of lengths, seats, boards and openings, and nothing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations

from sarsen.core.game import AnyPosition, Game
from sarsen.core.symmetry import canonical_board
from sarsen.lab.puzzles.settings import PuzzleModule
from sarsen.learning.lessons import has_lesson, lesson_of, start_of
from sarsen.learning.puzzles.puzzle import Puzzle, Task

# At most: of those with one own move, with two, with more; of one seat; of one board. With enough
# to choose from they are 1 : 5 : 4, and the seats about equal.
SHARES = {1: 0.1, 2: 0.6, 3: 0.6}
MAX_SHARE_OF_SEAT = 0.6
MAX_SHARE_OF_BOARD = 0.6
BEGINNING = 10  # puzzles that the shares are reckoned by while there are fewer


@dataclass(frozen=True)
class Traits:
    """What the choice looks at.

    Attributes:
        key: Of the position.
        opening: The options and the first plies.
        groups: The groups of the mix that it is in, with the largest share of each.
    """

    key: str
    opening: str
    groups: Mapping[str, float]


@dataclass
class Chosen:
    """The puzzles of a game that are kept, and what is known of them."""

    game: Game
    settings: PuzzleModule
    puzzles: list[Puzzle] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    openings: Counter[str] = field(default_factory=Counter)
    mix: Counter[str] = field(default_factory=Counter)
    traits: dict[tuple[str, str], Traits] = field(default_factory=dict)

    def take(self, *puzzles: Puzzle) -> bool:
        """Keep puzzles if they are none of those that there are, and together fit the mix now."""
        told = [self.traits_of(puzzle) for puzzle in puzzles]
        keys, openings = {one.key for one in told}, Counter(one.opening for one in told)
        if len(keys) < len(puzzles) or self.seen & keys:
            return False
        if any(self.openings[one] + openings[one] > self.settings.PER_OPENING for one in openings):
            return False
        mix = self.mix + Counter(group for one in told for group in one.groups)
        count = max(len(self.puzzles) + len(puzzles), BEGINNING)
        shares = {group: share for one in told for group, share in one.groups.items()}
        if any(mix[group] > share * count for group, share in shares.items()):
            return False
        for puzzle in puzzles:
            self.keep(puzzle)
        return True

    def keep(self, puzzle: Puzzle) -> None:
        """Keep a puzzle whatever the mix."""
        told = self.traits_of(puzzle)
        self.puzzles.append(puzzle)
        self.seen.add(told.key)
        self.openings[told.opening] += 1
        self.mix.update(list(told.groups))  # of a mapping it would add the shares

    def traits_of(self, puzzle: Puzzle) -> Traits:
        """Return what the choice looks at, which takes a position: worked out once."""
        name = puzzle.options, puzzle.moves
        if name not in self.traits:
            self.traits[name] = self._traits_of(puzzle)
        return self.traits[name]

    def _traits_of(self, puzzle: Puzzle) -> Traits:
        position = puzzle.position(self.game.info.name)
        groups = {f"own moves {length_of(puzzle)}": SHARES[length_of(puzzle)]}
        groups[f"seat {position.seat}"] = MAX_SHARE_OF_SEAT
        if len(self.settings.WITHIN) > 1:
            groups[f"board {puzzle.options}"] = MAX_SHARE_OF_BOARD
        opening = " ".join((puzzle.options, *puzzle.line[: self.settings.OPENING]))
        return Traits(key_of(position), opening, groups)


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
    while len(waiting) != left and len(chosen.puzzles) < most:
        left = len(waiting)  # what did not fit the mix may do so later
        waiting = [puzzle for puzzle in waiting if not _taken(chosen, most, puzzle)]
        if len(waiting) == left and (pair := _pair(chosen, most, waiting)):
            waiting = [puzzle for puzzle in waiting if puzzle not in pair]
    numbered = enumerate(chosen.puzzles[len(kept) :], number + 1)
    return (*kept, *(replace(puzzle, id=one) for one, puzzle in numbered))


def _pair(chosen: Chosen, most: int, waiting: Sequence[Puzzle]) -> tuple[Puzzle, ...]:
    """Keep two puzzles that fit the mix only together, and return them; () where none do."""
    pairs = combinations(waiting, 2)
    return next((pair for pair in pairs if _taken(chosen, most, *pair)), ())


def _taken(chosen: Chosen, most: int, *puzzles: Puzzle) -> bool:
    return len(chosen.puzzles) + len(puzzles) <= most and chosen.take(*puzzles)


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
