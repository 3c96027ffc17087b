"""The players of a match: our bots, plain UCT, chance, and engines of others."""

from __future__ import annotations

import random
import re
import shlex
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.phrases import quoted
from sarsen.lab.contestants import Choice, Contestant, EngineFault, EngineMoved, EngineResigned
from sarsen.search import bots, plain_bots
from sarsen.search.thought import Budget, gives_up

_WORD = re.compile(r"(bot[0-9]+|pure[1-4]|uct|random)((?:@[a-z]+=[0-9.]{1,12})*)", re.ASCII)
_NODES = re.compile(r"[1-9][0-9]{0,11}", re.ASCII)
_SECONDS = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,4})?", re.ASCII)
_NAMED = re.compile(r"([A-Za-z][A-Za-z0-9_.-]{0,23})=(.+)", re.ASCII | re.DOTALL)
# What a level in pure Python may take in a match: never reached, so that games can be repeated.
_UNHURRIED = 60.0  # seconds


@dataclass(frozen=True)
class PlayerSpec:
    """A player and its thinking time, as typed.

    Attributes:
        word: `bot1` .. `bot8`, `pure1` .. `pure4`, `uct` or `random`; "" for an engine of
            others.
        command: The words that start an engine of others.
        budget: None for a level's own.
    """

    name: str
    word: str
    command: tuple[str, ...] = ()
    budget: Budget | None = None


def read_entry(text: str, budget: Budget | None = None) -> PlayerSpec:
    """Read `bot5`, `bot5@nodes=1000`, `uct@time=0.5`, `random`, or a command line.

    A command line may have a name for the tables before it: `mine=python engine.py`.

    Args:
        text: As typed.
        budget: For those that name none of their own.

    Raises:
        UserError: Nothing of that name plays here.
    """
    typed = text.strip().lower()
    word_match = _WORD.fullmatch(f"bot{typed}" if typed[:1].isdecimal() else typed)
    if word_match:
        word, limits = word_match[1], word_match[2]
        if word.startswith("bot"):
            bots.load(int(word[3:5]) if len(word) < 6 else 0)
        return PlayerSpec(word_match[0], word, budget=_limits(limits) if limits else budget)
    name_match = _NAMED.fullmatch(text.strip())
    name, line = name_match.groups() if name_match else (text, text)
    if _WORD.fullmatch(name.lower()):
        raise _name_of_a_bot(name.lower(), line)
    command = _command(line)
    if command and shutil.which(command[0]):
        return PlayerSpec(name, "", command, budget)
    raise UserError(
        f"{quoted(text, 80)} is not a bot, and no program with that name was found.",
        code="no-such-player",
        hint="bot5, bot5@nodes=1000, uct@time=0.5, random, or a command line in quotes, "
        "optionally with a name: 'mine=python my_engine.py'",
    )


def _name_of_a_bot(name: str, value: str) -> UserError:
    """Return the refusal of `uct=1000`, and of `uct=python engine.py`: tables would show two."""
    limit = re.fullmatch(r"(?:(nodes|time)=)?([0-9.]{1,12}?)(s?)", value.strip(), re.ASCII)
    if limit:
        is_time = limit[1] == "time" or limit[3] or "." in limit[2]
        meant = f"@{'time' if is_time else 'nodes'}={limit[2]}"
        _limits(meant)  # refuses 0
        return UserError(
            f"{quoted(f'{name}={value}', 80)} does not limit {name}: write @ and nodes or time.",
            code="unreadable-limit",
            hint=f"{name}{meant}",
        )
    return UserError(
        f"{name} is a bot of this program, so your engine needs another name.",
        code="name-of-a-bot",
        hint=shlex.quote(f"my-{name}={value}"),
    )


def _command(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError:  # a quote that is not closed
        return ()


def _limits(text: str) -> Budget:
    nodes: int | None = None
    seconds: float | None = None
    for part in text.strip("@").split("@"):
        name, _, value = part.partition("=")
        if name == "nodes" and _NODES.fullmatch(value):
            nodes = int(value)
        elif name == "time" and _SECONDS.fullmatch(value) and float(value) > 0:
            seconds = float(value)
        else:
            raise UserError(
                f"{quoted(part)} is not a limit: use nodes=NUMBER or time=SECONDS.",
                code="unreadable-limit",
                hint="bot5@nodes=1000 or bot5@time=0.5",
            )
    return Budget(nodes, seconds)


@dataclass
class LocalPlayer:
    """A player in this process, which needs the position only, and random numbers.

    Attributes:
        pick: Chooses what to do.
        load: Loads what thinking about such a position needs.
    """

    name: str
    pick: Callable[[AnyPosition, random.Random], Choice]
    load: Callable[[AnyPosition], object] = lambda position: None
    chance: random.Random = field(default_factory=lambda: random.Random(0))

    def begin(self, start: AnyPosition, seed: int) -> EngineFault | None:
        self.chance = random.Random(seed)
        return None

    def watch(self, position: AnyPosition, text: str) -> EngineFault | None:
        return None

    def get_ready(self, position: AnyPosition) -> None:
        self.load(position)

    def choose(self, position: AnyPosition) -> Choice:
        return self.pick(position, self.chance)

    def close(self) -> None:
        """Do nothing: it holds no resources."""


def _bot(entry: PlayerSpec) -> LocalPlayer:
    """Return the player of one of our bots."""
    bot = bots.load(int(entry.word[3:]))
    is_loaded = False

    def pick(position: AnyPosition, chance: random.Random) -> Choice:
        thought = bot.think(position, seed=chance.getrandbits(32), budget=entry.budget)
        if gives_up(bot.level, thought):
            return EngineResigned()
        return EngineMoved(position.format(thought.move))

    def load(position: AnyPosition) -> None:
        # The first thought compiles its search, or loads it from the disk.
        nonlocal is_loaded
        if not is_loaded:
            bot.think(position, budget=Budget(nodes=1))
            is_loaded = True

    return LocalPlayer(entry.name, pick, load)


def _any_move(position: AnyPosition, chance: random.Random) -> Choice:
    return EngineMoved(position.format(chance.choice(position.legal_moves())))


def _pure_move(position: AnyPosition, chance: random.Random, *, level: int) -> Choice:
    """Return the move of a level by the search in pure Python, instead of the compiled one."""
    seed = chance.getrandbits(32)
    thought = plain_bots.think(position, level, seed=seed, seconds=_UNHURRIED)
    return EngineMoved(position.format(thought.move))


def make_player(entry: PlayerSpec, patience: float) -> Contestant:
    """Make the player of an entry.

    Args:
        entry: Who plays.
        patience: Seconds that an engine of others may take for an answer beyond its time.
    """
    if entry.word == "random":
        return LocalPlayer(entry.name, _any_move)
    if entry.word.startswith("pure"):
        return LocalPlayer(entry.name, partial(_pure_move, level=int(entry.word[4:])))
    if entry.word == "uct":
        from sarsen.lab import uct

        pick = partial(uct.pick, budget=entry.budget)
        return LocalPlayer(entry.name, pick, lambda position: uct.kernel_module(position.game))
    if entry.word:
        return _bot(entry)
    from sarsen.lab.outside_engines import OutsidePlayer

    return OutsidePlayer(entry.name, entry.command, entry.budget, patience)
