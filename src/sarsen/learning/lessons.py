"""Lessons: the steps of `lessons.toml` in a game's folder.

docs/adding-a-game.md explains its fields. A step is a position, a task, and what solves it; texts
go through the game's catalogue.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any
from zlib import crc32

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game, GameInfo
from sarsen.core.phrases import Phrase, quoted
from sarsen.core.referee import replay
from sarsen.games import known_names, load, names, text_file

FILE = "lessons.toml"
MAX_STEPS = 20  # of a lesson: three minutes have five to eight
MAX_TASK = 120  # characters: a task is read at one glance
TRIES = 3  # after which the move is shown, where a step does not say another number
# Numbers of steps and lines stand in reply addresses, of 64 characters before the @ in all.
_STEPS, _LINES = 10**6, 10**4

# Called between the moves that are played, by what has to know how long each takes.
Look = Callable[[], None]

log = logging.getLogger(__name__)


class Success(StrEnum):
    """The ways in which a step is solved.

    Attributes:
        WIN: The learner has won, after so many own moves at most.
        SAFE: The other side cannot win at once.
        ACCEPT: The position is that after one of the listed moves.
        REFUSED: The rules refuse the move, with the code of the step.
        PLAY: The learner wins the game, and keeps a win that is certain with every move.
    """

    WIN = "win"
    SAFE = "safe"
    ACCEPT = "accept"
    REFUSED = "refused"
    PLAY = "play"


class LessonFault(Exception):
    """A `lessons.toml` that cannot be used; the text names step and field."""


@dataclass(frozen=True)
class Step:
    """One step of a lesson.

    Attributes:
        id: Never changes, because progress hangs on it.
        options, moves: The position: options as typed, and the line before it.
        task: What is asked, which also says who the learner is.
        success: What solves it.
        within: Own moves in which to win.
        accept: All right moves, one tuple for each own move that is compared with a list.
        replies: The answers of the other side in between, where they are scripted.
        code: Of the refusal that is meant.
        shown: The line that is suggested: of a refusal the one to try.
        marks, arrows: Places ringed, and ways `a1-a3` drawn.
        right, wrong: What is said afterwards.
        hint: Where to look; the same as `wrong` where the file has none.
        tries: After so many the move is shown.
    """

    id: str
    task: str
    success: Success
    right: str
    wrong: str
    hint: str
    options: str = ""
    moves: tuple[str, ...] = ()
    within: int = 1
    accept: tuple[tuple[str, ...], ...] = ()
    replies: tuple[str, ...] = ()
    code: str = ""
    shown: str = ""
    marks: tuple[str, ...] = ()
    arrows: tuple[str, ...] = ()
    tries: int = TRIES

    @property
    def number(self) -> int:
        """A number of its id, of six digits at most, for addresses that hold no letters."""
        return crc32(self.id.encode()) % _STEPS

    @property
    def texts(self) -> tuple[str, ...]:
        """All that a learner may read of it, which is translated; each once."""
        return tuple(dict.fromkeys((self.task, self.right, self.wrong, self.hint)))

    @property
    def own_moves(self) -> int:
        """The number of the learner's moves at most; 0 where a game is played to its end."""
        if self.success is Success.PLAY:
            return 0
        return self.within if self.success is Success.WIN else max(1, len(self.accept))


@dataclass(frozen=True)
class Lesson:
    """The steps of a game's lesson, in order."""

    info: GameInfo
    steps: tuple[Step, ...]

    def step(self, id_: str) -> Step | None:
        """Return the step of an id, None when there is none."""
        return next((step for step in self.steps if step.id == id_), None)

    def place_of(self, step: Step) -> int:
        """Return the place of a step, counted from 1."""
        return self.steps.index(step) + 1


def taught() -> tuple[str, ...]:
    """Return the names of the games that have a lesson."""
    return tuple(name for name in names() if has_lesson(name))


@cache
def has_lesson(game: str) -> bool:
    """Return whether a game brings a lesson; its steps are not read."""
    return bool(text_file(game, FILE))


def lesson_of(game: str) -> Lesson:
    """Return the lesson of a game.

    Raises:
        UserError: There is no such game, or it has no lesson; with those that have one.
    """
    info = load(game).info if game.lower() in known_names() else None
    lesson = _lesson(info.name) if info else None
    if lesson is None or not lesson.steps:
        raise _no_lesson(game, info)
    return lesson


def _no_lesson(game: str, info: GameInfo | None) -> UserError:
    """Return the refusal of a lesson that there is not, which names those that there are."""
    known = taught()
    hint, games = f"lesson {known[0]}" if known else "list", ", ".join(known) or "-"
    if info is not None:
        return UserError(
            "{title} has no lesson yet. These games have one: {games}.",
            code="no-lesson",
            hint=hint,
            title=info.title,
            games=games,
        )
    return UserError(
        "There is no game called {typed} here. These games have a lesson: {games}."
        if game
        else "The lesson of which game? These games have one: {games}.",
        code="unknown-game" if game else "lesson-game",
        hint=hint,
        typed=quoted(game),
        games=games,
    )


def step_of(game: str, word: str) -> Step:
    """Return a step of a game by its number, counted from 1, or its id; "" for the first.

    Raises:
        UserError: There is no such step.
    """
    lesson = lesson_of(game)
    if not word:
        return lesson.steps[0]
    if (step := lesson.step(word.lower())) is not None:
        return step
    at = int(word) if word.isascii() and word.isdigit() and len(word) < 5 else 0
    if 0 < at <= len(lesson.steps):
        return lesson.steps[at - 1]
    raise UserError(
        "The lesson of {title} has {count} steps, and {typed} is none of them.",
        code="no-such-step",
        hint=f"lesson {lesson.info.name} {min(max(at, 1), len(lesson.steps))}",
        title=lesson.info.title,
        count=len(lesson.steps),
        typed=quoted(word),
    )


def start_of(game: str, step: Step) -> AnyPosition:
    """Return the position of a step of a game here."""
    return position_of(load(game), step)


def position_of(game: Game, step: Step, look: Look = lambda: None) -> AnyPosition:
    """Return the position of a step; the game need not be installed.

    Raises:
        UserError: The rules refuse its options or its moves.
    """
    position = game.start(step.options)
    for ruling in replay(position, step.moves):
        look()
        position = ruling.position
    return position


@cache
def _lesson(game: str) -> Lesson | None:
    """Return a lesson without the steps that cannot be used; each is logged once."""
    text = text_file(game, FILE)
    if not text:
        return None
    found, faults = read_lesson(load(game), text)
    for fault in faults:
        log.warning("a step of a lesson is left out", extra={"game": game, "fault": str(fault)})
    return found


def read_lesson(
    game: Game, text: str, look: Look = lambda: None
) -> tuple[Lesson, tuple[LessonFault, ...]]:
    """Read a `lessons.toml`; return the steps that can be used, and what is wrong with others."""
    info = game.info
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as broken:  # it names line and column
        return Lesson(info, ()), (LessonFault(f"{FILE}: {broken}"),)
    steps: dict[str, Step] = {}
    faults = [
        LessonFault(f"{FILE}: {name!r} is no field here") for name in tables if name != "step"
    ]
    rows = tables.get("step", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return Lesson(info, ()), (LessonFault(f"{FILE}: steps are written [[step]]"),)
    for at, row in enumerate(rows, start=1):
        try:
            step = _read_step(row)
            if step.id in steps or any(step.number == other.number for other in steps.values()):
                raise LessonFault(f"id {step.id!r} is there twice")
            _check(game, step, look)
            if len(steps) == MAX_STEPS:
                raise LessonFault(f"a lesson has at most {MAX_STEPS} steps")
            steps[step.id] = step
        except LessonFault as fault:
            faults.append(LessonFault(f"{FILE}: step {at} ({row.get('id', 'no id')}): {fault}"))
    return Lesson(info, tuple(steps.values())), tuple(faults)


# The field's name in the file, and whether a step has to have it.
_TEXTS = {"id": True, "task": True, "success": True, "right": True, "wrong": True}
_TEXTS |= {"options": False, "moves": False, "code": False, "try": False, "hint": False}
_LISTS = ("accept", "replies", "marks", "arrows")
_NUMBERED = ("within", "tries")


def _read_step(row: Mapping[str, Any]) -> Step:
    """Read a table of the file.

    Raises:
        LessonFault: A field is missing, unknown or of the wrong kind.
    """
    for name, value in row.items():
        kind = str if name in _TEXTS else list if name in _LISTS else int
        if name not in (*_TEXTS, *_LISTS, *_NUMBERED):
            raise LessonFault(f"{name!r} is no field of a step")
        if not isinstance(value, kind):
            raise LessonFault(f"{name} = {value!r} is no {kind.__name__}")
    for name, is_needed in _TEXTS.items():
        if is_needed and not row.get(name):
            raise LessonFault(f"{name} is missing")
    if row["success"] not in list(Success):
        raise LessonFault(f"success = {row['success']!r} is none of {', '.join(Success)}")
    return Step(
        id=row["id"],
        task=row["task"],
        success=Success(row["success"]),
        right=row["right"],
        wrong=row["wrong"],
        hint=row.get("hint") or row["wrong"],
        options=row.get("options", ""),
        moves=tuple(row.get("moves", "").split()),
        within=row.get("within", 1),
        accept=tuple(_alternatives(row.get("accept", []))),
        replies=_words("replies", row.get("replies", [])),
        code=row.get("code", ""),
        shown=row.get("try", ""),
        marks=_words("marks", row.get("marks", [])),
        arrows=_words("arrows", row.get("arrows", [])),
        tries=row.get("tries", TRIES),
    )


def _alternatives(accept: list[Any]) -> Iterator[tuple[str, ...]]:
    """Return the right moves, one tuple an own move: `["a3"]` and `[["a3"], ["a1-a3"]]`."""
    if accept and not any(isinstance(one, list) for one in accept):
        accept = [accept]
    for one in accept:
        if not isinstance(one, list) or not one:
            raise LessonFault(f"accept = {one!r} is no list of moves")
        yield _words("accept", one)


def _words(name: str, words: list[Any]) -> tuple[str, ...]:
    if not all(isinstance(word, str) for word in words):
        raise LessonFault(f"{name} holds something that is no text")
    return tuple(words)


def _check(game: Game, step: Step, look: Look) -> None:
    """Refuse a step that cannot be played; whether its answers are right, tests find out.

    Raises:
        LessonFault: It cannot.
    """
    if len(step.task) > MAX_TASK:
        raise LessonFault(f"task has {len(step.task)} characters, at most {MAX_TASK} are read")
    if not step.id.isascii() or not step.id.replace("-", "").isalnum() or step.id.isdigit():
        raise LessonFault("id has other signs than letters, digits and dashes")
    if step.id != step.id.lower():
        raise LessonFault("id has capital letters")
    if step.within < 1 or step.tries < 1:
        raise LessonFault("within and tries are at least 1")
    with _in_field("options"):
        game.start(step.options)
    with _in_field("moves"):
        position = position_of(game, step, look)
    if position.outcome() is not None:
        raise LessonFault("moves: the game is over in its position")
    if step.success is Success.REFUSED:
        if not (step.code and step.shown):
            raise LessonFault("code or try is missing")
        return
    if not step.accept:
        raise LessonFault("accept is missing")
    with _in_field("accept"):
        for text in step.accept[0]:
            look()
            position.play(position.parse(text))


@contextmanager
def _in_field(name: str) -> Iterator[None]:
    """Raise a `LessonFault` that names a field for what the rules refuse."""
    try:
        yield
    except UserError as refusal:
        raise LessonFault(f"{name}: {refusal}") from refusal


def line_number(moves: Sequence[str]) -> int:
    """Return a number of a line of own moves, of four digits at most, 0 for none."""
    return crc32(" ".join(moves).encode()) % _LINES


def shown_move(step: Step, own: int = 0) -> str:
    """Return the move that is shown after too many tries; "" where no list has it.

    Args:
        own: How many own moves have been played.
    """
    if step.success is Success.REFUSED:
        return step.shown
    return step.accept[own][0] if own < len(step.accept) else ""


def first_game(info: GameInfo) -> str:
    """Return the line that challenges the weakest program, on the short game for beginners."""
    return " ".join(filter(None, (info.name, "challenge", "me", "bot1", info.quick)))


def step_title(lesson: Lesson, step: Step) -> Phrase:
    """Return `Step 3 of 8`."""
    return Phrase("Step {at} of {count}", at=lesson.place_of(step), count=len(lesson.steps))
