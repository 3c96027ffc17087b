"""A puzzle, as it stands in a line of `puzzles.jsonl` in a game's folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from functools import cache
from hashlib import sha256
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.core.referee import replayed
from sarsen.games import load, text_file

FILE = "puzzles.jsonl"

# What is known of the moves of the solver at one position, by move in full form. A list is a right
# move: empty where the game or the puzzle is over, else the answer of the other side and, if more
# is asked, what is known of the next position. A text is the line that meets a wrong move, where
# that is proved. None is a move that wins, but too late for the task. Nothing is known of others.
Answers = dict[str, Any]
# By how a field of a puzzle is annotated; the others are named as their types.
_KINDS: dict[str, type] = {"int": int, "Answers": dict}
_NAMES = {int: "number", str: "text", list: "list", dict: "object"}


class Task(StrEnum):
    """What has to be shown.

    Attributes:
        WIN: The game is won within so many own moves, whatever the other side does.
        KEEP: The game stays won, with no limit: other moves than the right ones lose it.
        SAVE: The game is not lost within so many moves of the other side: all others are.
    """

    WIN = "win"
    KEEP = "keep"
    SAVE = "save"


class PuzzleFault(Exception):
    """A line of a file of puzzles that cannot be read; the text names the field."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle. Its id is never given again, and what it asks never changes.

    Attributes:
        id: Counts up within the game.
        options, moves: The position: options as typed, and the moves before it, with blanks.
        task: What has to be shown.
        within: Own moves of `WIN` and `KEEP`; moves of the other side of `SAVE`.
        first: All right first moves in full form, one for each different position.
        legal: How many legal moves there are.
        answers: What is known of each position at which the solver is to move.
        proof: `digest_of` the answers.
        source: The game that it comes from.
        level: The lowest level of bots that finds a right first move with each of three seeds.
        rating: What it begins with.
        made: The version that made it.
        retired: Why it is given to nobody any more; "" for one that is.
        since: The first year in which it may be the puzzle of a day; 0 for any.
    """

    id: int
    options: str
    moves: str
    task: Task
    within: int
    first: tuple[str, ...]
    legal: int
    answers: Answers
    proof: str
    source: str
    level: int
    rating: int
    made: str
    retired: str = ""
    since: int = 0

    @property
    def line(self) -> tuple[str, ...]:
        """The moves before the position."""
        return tuple(self.moves.split())

    def position(self, game: str) -> AnyPosition:
        """Return the position of the puzzle.

        Raises:
            UserError: The rules refuse its line.
        """
        return replayed(load(game).start(self.options), self.line)


def right_moves(answers: Answers) -> tuple[str, ...]:
    """Return the right moves at a position."""
    return tuple(move for move, known in answers.items() if isinstance(known, list))


def own_moves(answers: Answers) -> int:
    """Return how many own moves the longest line has."""
    return max(
        (1 + (own_moves(known[1]) if len(known) > 1 else 0) for known in _rights(answers).values()),
        default=0,
    )


def proof_lines(answers: Answers, before: str = "") -> Iterator[str]:
    """Yield a line for each position of the solver: the moves before it, and the right answers."""
    yield f"{before} -> {' '.join(sorted(right_moves(answers)))}".strip()
    for move, known in _rights(answers).items():
        if len(known) > 1:
            yield from proof_lines(known[1], f"{before} {move} {known[0]}".strip())


def digest_of(answers: Answers) -> str:
    """Return the digest of the sorted lines of a proof."""
    return "sha256:" + sha256("\n".join(sorted(proof_lines(answers))).encode()).hexdigest()


def _rights(answers: Answers) -> dict[str, list[Any]]:
    return {move: known for move, known in answers.items() if isinstance(known, list)}


_TYPES = {field.name: field for field in fields(Puzzle)}


def write_puzzle(puzzle: Puzzle) -> str:
    """Return the line of a puzzle. The pair of `read_puzzle`."""
    facts: dict[str, Any] = asdict(puzzle)
    for name in ("retired", "since"):
        if not facts[name]:
            del facts[name]
    return json.dumps(facts, separators=(", ", ": "), ensure_ascii=False)


def read_puzzle(line: str) -> Puzzle:
    """Read the line of a puzzle.

    Raises:
        PuzzleFault: A field is missing, unknown, or of another kind.
    """
    try:
        read: Any = json.loads(line)
    except ValueError as error:
        raise PuzzleFault(f"no JSON: {error}") from None
    if not isinstance(read, dict):
        raise PuzzleFault("no object")
    for name in read:
        if name not in _TYPES:
            raise PuzzleFault(f"{name!r} is no field of a puzzle")
    facts: dict[str, Any] = {"retired": "", "since": 0} | read
    for name, field in _TYPES.items():
        kind: type = list if name == "first" else _KINDS.get(str(field.type), str)
        if not isinstance(facts.get(name), kind):
            wrong = "is missing" if name not in facts else f"is no {_NAMES[kind]}"
            raise PuzzleFault(f"{name} {wrong}")
    if facts["task"] not in list(Task):
        raise PuzzleFault(f"task is none of {', '.join(Task)}")
    if list(right_moves(facts["answers"])) != facts["first"] or not facts["first"]:
        raise PuzzleFault("first holds other moves than the right ones of answers")
    return Puzzle(**(facts | {"task": Task(facts["task"]), "first": tuple(facts["first"])}))


def read_puzzles(text: str) -> tuple[tuple[Puzzle, ...], tuple[PuzzleFault, ...]]:
    """Read a file of puzzles; return those that can be read, and what is wrong with the others."""
    puzzles: dict[int, Puzzle] = {}
    faults: list[PuzzleFault] = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            puzzle = read_puzzle(line)
        except PuzzleFault as fault:
            faults.append(PuzzleFault(f"{FILE}:{number}: {fault}"))
            continue
        if puzzles and puzzle.id <= max(puzzles):
            faults.append(PuzzleFault(f"{FILE}:{number}: id {puzzle.id} does not count up"))
            continue
        puzzles[puzzle.id] = puzzle
    return tuple(puzzles.values()), tuple(faults)


@cache
def puzzles_of(game: str) -> dict[int, Puzzle]:
    """Return the puzzles that a game ships, by id, retired ones among them."""
    found, _ = read_puzzles(text_file(game, FILE))
    return {puzzle.id: puzzle for puzzle in found}
