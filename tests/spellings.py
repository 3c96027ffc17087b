"""Moves spelled as people write them: in any case, with blanks, in the other order, another way."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from sarsen.core.game import AnyPosition
from sarsen.core.referee import MAX_MOVE


def spelled(text: str, game: str, chance: random.Random) -> str:
    """Return a move as somebody might write it; not every game reads all of these."""
    match game:
        case "druid" if "-" in text:
            first, last = text.split("-")
            middle = first[0] + str((int(first[1:]) + int(last[1:])) // 2)
            named = [first, middle, last] if chance.random() < 0.5 else [first, last]
            chance.shuffle(named)
            text = chance.choice(("-", "")).join(named)
        case "gyges":
            text = _other_route(text, chance).replace("x", chance.choice("xX×"))
            text += ";" * (chance.random() < 0.2)
        case "vasco" if chance.random() < 0.5:
            text = text[1:] + text[0]
        case "visavis" if chance.random() < 0.5:
            column, row = ord(text[0]), int(text[1:])
            across = chance.random() < 0.5
            ends = [
                f"{chr(column - across)}{row - (not across)}",
                f"{chr(column + across)}{row + (not across)}",
            ]
            chance.shuffle(ends)
            text = chance.choice(("-", "")).join(ends)
    cased = "".join(chance.choice((sign.lower(), sign.upper())) for sign in text)
    blanks = chance.choice((0.0, 0.0, 0.3))
    between = "".join(sign + " " * (chance.random() < blanks) for sign in cased)
    return " " * chance.randrange(2) + between + " " * chance.randrange(2)


def _other_route(text: str, chance: random.Random) -> str:
    """Return a way with the same ends that bounces elsewhere; mostly no legal one."""
    if chance.random() < 0.4:
        return text
    way, mark, relocation = text.partition("=")
    stops = re.split("[-x]", way)
    rings = [f"{row}{column}" for row in range(1, 7) for column in range(1, 7)]
    bounced = chance.sample(rings, chance.randrange(3))
    joined = "-".join([stops[0], *bounced])
    return f"{joined}{'x' if mark else '-'}{stops[-1]}{mark}{relocation}"


def spellings(game: str, position: AnyPosition, right: Sequence[str], most: int) -> Iterator[str]:
    """Yield right moves, each spelled so many times, always the same ones."""
    chance = random.Random(f"{game} {position.write()}")
    for text in right:
        for _ in range(most):
            yield spelled(text, game, chance)[:MAX_MOVE]
