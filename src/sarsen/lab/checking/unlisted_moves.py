"""Moves that `legal_moves` does not list: texts and values near the listed ones are refused."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.lab.checking.walks import Fault, Walk

MOST_NEAR = 150  # moves near the listed ones, of one position
WORDS = ("pass", "swap")  # that games accept at times
MOST_CHANGED = 30  # listed moves that these are made of
_PART = re.compile(r"[0-9]+|[a-z]", re.IGNORECASE)


def unlisted_moves_are_refused(found: Walk) -> Iterator[Fault]:
    """What `legal_moves` does not list is refused: moves near the listed ones, and earlier ones."""
    position = found.position
    legal = list(position.legal_moves())
    if not legal:
        return
    chance = random.Random(len(found.moves))
    for move in _candidates(found, legal, chance):
        try:
            accepted = None if move in legal else found.after(move)
        except UserError:
            continue
        except (TypeError, ValueError, IndexError, KeyError, AttributeError):
            continue  # no move at all: nobody can type it
        if accepted and (fault := unlisted(found, move, accepted)):
            yield fault
            return


def unlisted(found: Walk, move: Any, accepted: AnyPosition) -> Fault | None:
    """Return that `play` accepts a move which is not listed; None when it is a listed one.

    Several texts may be one move: another way to the same position.
    """
    legal = found.position.legal_moves()
    if accepted.write() in {found.after(one).write() for one in legal}:
        return None
    text = found.position.format(move)
    said = f"`play` accepts {text}, which `legal_moves` does not list."
    return Fault("unlisted-move", said, text)


def _candidates(found: Walk, legal: list[Any], chance: random.Random) -> Iterator[Any]:
    """Yield moves that are not listed and can be typed: earlier ones, near ones, and words."""
    position = found.position
    yield from found.moves[-40:]
    some = legal if len(legal) < MOST_CHANGED else chance.sample(legal, MOST_CHANGED)
    made = dict.fromkeys(one for move in some for one in _changed(move))
    for move in list(made)[:MOST_NEAR]:
        found.note(found.line())  # each call has its own time
        with suppress(Exception):  # what is no move cannot be written
            if position.parse(position.format(move)) == move:
                yield move
    texts = dict.fromkeys(text for move in some for text in changed_texts(position.format(move)))
    for text in (*WORDS, *list(texts)[:MOST_NEAR]):
        found.note(found.line(text))
        with suppress(UserError):
            yield position.parse(text)


def _changed(move: Any) -> Iterator[Any]:
    """Yield values like a move in which one number, text or flag differs."""
    if isinstance(move, bool):
        yield not move
    elif isinstance(move, int):
        yield from (move + 1, move - 1, move + 2, move - 2)
    elif isinstance(move, str):
        yield from changed_texts(move)
    elif isinstance(move, tuple) and hasattr(move, "_replace"):
        named: Any = move
        for name, value in named._asdict().items():
            yield from (named._replace(**{name: other}) for other in _changed(value))
    elif isinstance(move, tuple):
        for at, value in enumerate(move):
            yield from ((*move[:at], other, *move[at + 1 :]) for other in _changed(value))
        yield move[::-1]
    elif dataclasses.is_dataclass(move):
        for one in dataclasses.fields(move):
            for other in _changed(getattr(move, one.name)):
                yield dataclasses.replace(move, **{one.name: other})  # type: ignore[type-var]


def changed_texts(text: str) -> Iterator[str]:
    """Yield a text with one letter or number of it one higher or lower, or its signs exchanged."""
    for part in _PART.finditer(text):
        word = part[0]
        if word.isdigit():
            others = [str(int(word) + step) for step in (1, -1, 2) if int(word) + step >= 0]
        else:
            others = [chr(ord(word) + step) for step in (1, -1)]
        yield from (text[: part.start()] + other + text[part.end() :] for other in others)
    if "-" in text:
        yield text.replace("-", "x", 1)
        head, _, tail = text.partition("-")
        yield f"{tail}-{head}"
    if "x" in text:
        yield text.replace("x", "-", 1)
