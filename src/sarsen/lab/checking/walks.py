"""Random games to their end, and the shortest game that shows a fault."""

from __future__ import annotations

import random
import sysconfig
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.core.options import Choice, Days, Flag, Number, Option

MAX_PLIES = 1500  # of a random game; a check reports one that has not ended then
MAX_TRIES = 200  # to make a game shorter: each plays it again
MAX_DRAWN = 10  # option texts, until one is accepted: some go together with none
MAX_AVOIDED = 4  # moves that end a long game, one after another

# Files of these are never where an author of a game looks first; our games lie in `games`.
_OURS = (str(Path(__file__).parents[2] / one) for one in ("core", "drawing", "lab"))
_FOREIGN = (sysconfig.get_path("stdlib"), *_OURS)

Note = Callable[[str], None]


def unnoted(line: str) -> None:
    """Note nothing."""


@dataclass
class LastNote:
    """Pass notes on, and keep the last one: the command that repeats a call which failed."""

    note: Note
    line: str = ""

    def __call__(self, line: str) -> None:
        self.line = line
        self.note(line)


@dataclass(frozen=True)
class Walk:
    """A game as it was played.

    Attributes:
        options: As typed: `-size=4 -swap`.
        moves, texts: As the game accepts them and as players write them, in order.
        position: After them.
        note: Called before a move with the command that plays it: it may never return.
    """

    game: Game
    options: str
    moves: tuple[Any, ...]
    texts: tuple[str, ...]
    position: AnyPosition
    note: Note = field(default=unnoted, repr=False, compare=False)

    def play(self, move: Any) -> Walk:
        """Return the game after a further move."""
        text = _written(self.position, move)
        self.note(self.line(text))
        after = self.position.play(move)
        moves, texts = (*self.moves, move), (*self.texts, text)
        return Walk(self.game, self.options, moves, texts, after, self.note)

    def after(self, move: Any) -> Any:
        """Return the position after a further move."""
        return self.play(move).position

    def line(self, *further: str) -> str:
        """Return the command that shows this position, or what a further move does there."""
        moves = " ".join((*self.texts, *further))
        options = f" {self.options}" if self.options else ""
        end = f' --moves "{moves}"' if moves else ""
        return f"sarsen show {self.game.info.name}{options}{end}"


@dataclass(frozen=True)
class Finding:
    """A fault of a game.

    Attributes:
        code: Stable, for programs: `unlisted-move`.
        text: What is wrong, in one sentence.
        line: A command that repeats it, or shows it where a board is what shows it.
        is_error: False for what an author should know, but may mean.
        shown: A command that shows the position, where `line` does not name one.
    """

    code: str
    text: str
    line: str = ""
    is_error: bool = True
    shown: str = ""


@dataclass(frozen=True)
class Fault:
    """What a law found in one position.

    Attributes:
        further: A move text behind the moves of the walk, where the fault is about one.
    """

    code: str
    text: str
    further: str = ""
    is_error: bool = True


Law = Callable[[Walk], Iterator[Fault]]


def option_texts(game: Game) -> tuple[str, ...]:
    """Return option texts that try every kind: defaults, then each extreme by itself."""
    found = [""]
    for option in game.info.options:
        found += [f"-{option.name}{end}" for end in _ends(option)]
    return tuple(dict.fromkeys(found))


def _ends(option: Option) -> list[str]:
    match option:
        case Flag():
            return [""]
        case Number():
            return [f"={option.low}", f"={option.high}"]
        case Days():
            return [f"={option.low:g}", f"={option.high:g}"]
        case Choice():
            return [f"={word}" for word in option.words]


def mixed_options(game: Game, chance: random.Random) -> str:
    """Return an option text with a value of each option by chance; small numbers more often.

    Options that a game does not accept together are drawn again, a few times.
    """
    for _ in range(MAX_DRAWN):
        text = " ".join(filter(None, (_drawn(one, chance) for one in game.info.options)))
        with suppress(UserError):
            game.start(text)
            return text
    return ""


def _drawn(option: Option, chance: random.Random) -> str:
    match option:
        case Flag():
            return f"-{option.name}" * chance.randrange(2)
        case Number():
            steps = (option.high - option.low) // option.step
            some = min(steps, int(chance.expovariate(0.5)))
            taken = chance.choice((some, some, chance.randint(0, steps)))
            return f"-{option.name}={option.low + option.step * taken}"
        case Choice():
            return f"-{option.name}={chance.choice(option.words)}"
        case Days():  # of a clock, which no rule looks at
            return ""


def walk(
    game: Game,
    options: str,
    seed: int,
    most: int = MAX_PLIES,
    note: Note = unnoted,
    is_long: bool = False,
) -> Iterator[Walk]:
    """Play a random game; yield it after each ply, the start included.

    With an odd seed, a move that names no place (`swap`, `pass`) is played where it can be for
    the first time, and then at every fourth ply.

    Args:
        is_long: A move that ends the game is taken back, and another one is tried, a few times.
    """
    chance = random.Random(f"{game.info.name} {options} {seed}")
    found = begun(game, options, note)
    yield found
    while len(found.moves) < most:
        legal = found.position.legal_moves()
        if not legal:
            return
        words = [move for move in legal if in_words(found.position, move)] if seed % 2 else ()
        is_new = any(move not in found.moves for move in words)
        is_word = words and (is_new or chance.random() < 0.25)
        before, found = found, found.play(chance.choice(words if is_word else legal))
        for _ in range(MAX_AVOIDED * is_long):
            if found.position.outcome() is None:
                break
            found = before.play(chance.choice(legal))
        yield found


def in_words(position: AnyPosition, move: Any) -> bool:
    """Return whether the text of a move names no place: `swap`, `pass`."""
    text = move if isinstance(move, str) else _written(position, move)
    return not any(map(str.isdigit, text))


def begun(game: Game, options: str, note: Note = unnoted) -> Walk:
    """Return a game without a move."""
    note(f"sarsen show {game.info.name} {options}".rstrip())
    return Walk(game, options, (), (), game.start(options), note)


def replayed(walk: Walk, moves: Sequence[Any]) -> Walk | None:
    """Return the game of a walk with other moves; None when one of them is not legal."""
    try:
        found = begun(walk.game, walk.options, walk.note)
        for move in moves:
            if move not in found.position.legal_moves():
                return None
            found = found.play(move)
    except Exception:  # a fault of its own, which its own law tells of
        return None
    return found


def shortest(found: Walk, shows: Callable[[Walk], bool]) -> Walk:
    """Return a shorter game that still shows a fault, found by leaving moves out."""
    tries, size = 0, max(1, len(found.moves) // 2)
    while size and tries < MAX_TRIES:
        begin = 0
        while begin < len(found.moves) and tries < MAX_TRIES:
            tries += 1
            moves = found.moves[:begin] + found.moves[begin + size :]
            shorter = replayed(found, moves)
            if shorter is not None and shows(shorter):
                found = shorter
            else:
                begin += size
        size //= 2
    return found


def failure(failed: Exception) -> str:
    """Return what was raised, and where: in the files of the game, if they are on the stack."""
    frames = traceback.extract_tb(failed.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(_FOREIGN)]
    frame = (own or frames)[-1]
    return f"{type(failed).__name__}: {failed} ({Path(frame.filename).name}:{frame.lineno})"


def typed_moves(position: AnyPosition) -> list[str]:
    """Return the texts of the legal moves, sorted."""
    return sorted(map(position.format, position.legal_moves()))


def _written(position: AnyPosition, move: Any) -> str:
    try:
        return position.format(move)
    except Exception:
        return repr(move)  # for a report of just this failure
