"""The examples in the help pages of games: positions to show, and moves that are refused.

A page writes `show druid -size=4 --moves "a1 a2"`, or `refused druid --moves "d4" : CODE`.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.referee import replayed
from sarsen.games import find, names


@dataclass(frozen=True)
class Example:
    """A line of a page that speaks of a position: its options, and the moves to it."""

    game: str
    options: str
    moves: tuple[str, ...]


def read_example(line: str) -> Example | None:
    """Read an example without what stands behind its colon; None where it is about no board."""
    try:
        _, game, *words = shlex.split(line.rpartition(" : ")[0] or line)
    except ValueError:
        return None
    if game not in names() or words[-2:-1] != ["--moves"]:
        return None
    return Example(game, " ".join(words[:-2]), tuple(words[-1].split()))


def refusal_of(example: Example) -> UserError | None:
    """Ask the rules what they say against the moves of an example; None when they play."""
    *before, last = example.moves or ("",)
    try:
        position = replayed(find()[example.game].start(example.options), before)
        position.play(position.parse(last))
    except UserError as refusal:
        return refusal
    return None
