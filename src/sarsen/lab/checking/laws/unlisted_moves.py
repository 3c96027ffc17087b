"""Moves that `legal_moves` does not list: texts and values near the listed ones are refused."""

from __future__ import annotations

import dataclasses
import random
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.lab.checking.walks import Fault, Finding, Note, Walk, begun, option_texts

MAX_NEAR = 150  # moves near the listed ones, of one position: each is asked of the rules
WORDS = ("pass", "swap")  # that games accept at times
MAX_CHANGED = 30  # listed moves that these are made of, drawn by lot: each makes several
_PART = re.compile(r"[0-9]+|[a-z]", re.IGNORECASE)


def unlisted_moves_are_refused(found: Walk) -> Iterator[Fault]:
    """Moves that `legal_moves` does not list are refused: near listed ones, and earlier ones."""
    legal = list(found.position.legal_moves())
    if not legal:
        return
    chance = random.Random(len(found.moves))
    yield from _accepted(found, legal, _candidates(found, legal, chance))


def words_are_listed(found: Walk) -> Iterator[Fault]:
    """`pass` and `swap` are listed where they are accepted."""
    legal = list(found.position.legal_moves())
    if legal:
        yield from _accepted(found, legal, _read(found, WORDS))


def words_are_listed_soon(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """`pass` and `swap` are listed where they are accepted, after each first move."""
    for options in option_texts(game):
        begin = begun(game, options, note)
        for move in begin.position.legal_moves():
            if time.process_time() > deadline:
                return
            found = begin.play(move)
            for fault in words_are_listed(found):
                yield Finding(fault.code, fault.text, found.line(fault.further))
                return


def _accepted(found: Walk, legal: list[Any], moves: Iterable[Any]) -> Iterator[Fault]:
    """Yield the first of some moves that is accepted, and leads where no legal move does."""
    for move in moves:
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
    some = legal if len(legal) < MAX_CHANGED else chance.sample(legal, MAX_CHANGED)
    made = dict.fromkeys(one for move in some for one in _changed(move))
    for move in list(made)[:MAX_NEAR]:
        found.note(found.line())  # each call has its own time
        with suppress(Exception):  # what is no move cannot be written
            if position.parse(position.format(move)) == move:
                yield move
    texts = dict.fromkeys(text for move in some for text in changed_texts(position.format(move)))
    yield from _read(found, (*WORDS, *list(texts)[:MAX_NEAR]))


def _read(found: Walk, texts: Iterable[str]) -> Iterator[Any]:
    """Yield the moves of those texts that are read."""
    for text in texts:
        found.note(found.line(text))
        with suppress(UserError):
            yield found.position.parse(text)


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
