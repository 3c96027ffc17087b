"""Read the words of the lab's commands: a game, its options, players, numbers with limits."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

import click

from sarsen.core.errors import UnknownGame, UserError
from sarsen.core.game import Game
from sarsen.core.phrases import quoted
from sarsen.games import load, names, nearest
from sarsen.lab.elo import Sprt
from sarsen.language.grammar.typography import normalise
from sarsen.search.bots import LEAST, MOST, level_in
from sarsen.search.thought import Budget

WORDS = click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="GAME [-OPTIONS]")
SCHEDULER = click.option(
    "--scheduler",
    default="",
    metavar="ADDRESS",
    help="Address of a Dask cluster to use instead of --jobs (docs/engine.md).",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@dataclass(frozen=True)
class LabArguments:
    """The words of a line, sorted.

    Attributes:
        options: Options of the game, as typed: `-size=6 -nogaps`.
        others: Those without a dash.
    """

    options: str
    others: tuple[str, ...]


def read_words(words: tuple[str, ...]) -> LabArguments:
    """Sort words: those with a dash are the game's options."""
    options = " ".join(normalise(word) for word in words if normalise(word).startswith("-"))
    return LabArguments(
        options, tuple(word for word in words if not normalise(word).startswith("-"))
    )


def read_game(words: tuple[str, ...], options: str, usage: str) -> Game:
    """Read the one word that names a game, and make sure that it has these options.

    Raises:
        UserError: No such game or option, or another count of words.
    """
    if len(words) != 1:
        raise UserError(
            "Which game?" if not words else f"Unexpected argument: {quoted(words[1])}.",
            code="game-missing" if not words else "too-many-words",
            hint=_joined(words, options, usage) or f"{usage}; the games are: {', '.join(names())}.",
        )
    try:
        game = load(words[0])
    except UnknownGame as refusal:
        near = nearest(words[0])
        hint = f"{' '.join(usage.split()[:2])} {near} {options}".strip() if near else usage
        raise UnknownGame(refusal.text, code=refusal.code, hint=hint) from None
    game.start(options)
    return game


def _joined(words: tuple[str, ...], options: str, usage: str) -> str:
    """Return the line that was meant by `vasco -size 54`, or nothing."""
    if len(words) != 2 or not re.fullmatch("-+[a-z]+", options):
        return ""
    option = f"-{options.lstrip('-')}={words[1]}"
    try:
        load(words[0]).start(option)
    except UserError:
        return ""
    return f"{' '.join(usage.split()[:2])} {words[0]} {option}"


def read_level(text: str) -> int:
    """Read a level: a number, as `5` or `bot5`, or `max`.

    Raises:
        UserError: It is neither.
    """
    if text.lower() == "max":
        return MOST
    if (level := level_in(text)) is not None:
        return level
    raise UserError(
        f"{quoted(text, 40)} is not a level: levels range from {LEAST} to {MOST}.",
        code="no-such-level",
        hint="--level max",
    )


def read_levels(text: str) -> tuple[int, ...]:
    """Read a span of levels, `1-8`, or some of them, `1,4,8`.

    Raises:
        UserError: Fewer than two, or not rising, or none of ours.
    """
    levels: list[int] = []
    for part in text.split(","):
        span = re.fullmatch(r"\s*(?:bot)?([0-9])(?:-(?:bot)?([0-9]))?\s*", part, re.ASCII)
        if span:
            levels += range(int(span[1]), int(span[2] or span[1]) + 1)
    is_rising = levels == sorted(set(levels))
    if len(levels) < 2 or not is_rising or levels[0] < LEAST or levels[-1] > MOST:
        raise UserError(
            f"{quoted(text, 40)} is not a range of levels: use two or more ascending levels "
            f"from {LEAST} to {MOST}.",
            code="no-such-ladder",
            hint=f"--levels {LEAST}-{MOST}",
        )
    return tuple(levels)


def read_sprt(text: str) -> Sprt:
    """Read the two bounds of a test: `0,20`.

    Raises:
        UserError: These are not two rising numbers.
    """
    number = r"\s*([+-]?[0-9]{1,4}(?:\.[0-9]{1,2})?)\s*"
    bounds = re.fullmatch(f"{number},{number}", normalise(text), re.ASCII)
    if not bounds or float(bounds[1]) >= float(bounds[2]):
        raise UserError(
            f"{quoted(text, 40)} is not a valid test: use two Elo values, the smaller one first.",
            code="unreadable-sprt",
            hint="--sprt 0,20",
        )
    return Sprt(float(bounds[1]), float(bounds[2]))


def budget_of(nodes: int | None, seconds: float | None) -> Budget | None:
    """Make a budget of what was asked for; None when nothing was."""
    return None if nodes is None and seconds is None else Budget(nodes, seconds)


def interrupt_on_sigterm() -> None:
    """Let a SIGTERM end a command like an interrupt from the keyboard: finished games count."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


class LabCommand(click.Command):
    """Leave words such as `-size=4` to the game, also when a mail program spelled the dash."""

    ignore_unknown_options = True

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        # As a short option `-h` would be found inside every game's option that has an h.
        return ["--help"]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # Only what begins with a dash: an engine's command line is not ours to spell.
        plain = [normalise(word) if normalise(word)[:1] == "-" else word for word in args]
        return super().parse_args(ctx, ["--help" if word == "-h" else word for word in plain])
