"""Symmetries that a game declares, and exchanges of its sides: they map games to games."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.lab.checking.walks import (
    Finding,
    Note,
    begun,
    in_words,
    mixed_options,
    typed_moves,
    walk,
)

MAX_GAMES = 60  # played with a symmetry; the deadline mostly comes first
FEW_GAMES = 12  # played with an exchange of the sides


def symmetries_hold(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """Games mapped by a declared symmetry are legal and end alike.

    A game may have `symmetries`, a mapping of names to functions from move text to move text
    on the board of default options. Every other game has other options, by chance, where the
    function maps the first moves to each other; what fails then may be meant.
    """
    for name, mapped in getattr(game, "symmetries", {}).items():
        for seed in range(MAX_GAMES):
            if time.process_time() > deadline:
                return
            if seed % 2:
                yield from _mirrored_elsewhere(game, name, mapped, seed, note)
                continue
            fault = _mirrored(game, "", name, mapped, seed, note)
            if fault is not None:
                yield fault
                break


def _mirrored_elsewhere(
    game: Game, name: str, mapped: Callable[[str], str], seed: int, note: Note
) -> Iterator[Finding]:
    options = mixed_options(game, random.Random(seed))
    begin = game.start(options)
    fault = None
    with suppress(Exception):  # of a function that knows one size of the board
        if _more_in_image(begin, begin, mapped) is None:
            fault = _mirrored(game, options, name, mapped, seed, note)
    if fault is not None:
        yield Finding("symmetry-with-options", fault.text, fault.line, is_error=False)


def _mirrored(
    game: Game, options: str, name: str, mapped: Callable[[str], str], seed: int, note: Note
) -> Finding | None:
    mirrored = begun(game, options, note)
    for found in walk(game, options, seed, 400, note):
        try:
            if found.moves:
                mirrored = mirrored.play(_image(mirrored.position, mapped, found.texts[-1]))
        except UserError as refusal:
            said = f"The symmetry {name!r} maps a legal move to a refused one: {refusal.text}"
            return Finding("symmetry", said, found.line())
        ends = found.position.outcome(), mirrored.position.outcome()
        scores = [end and end.scores for end in ends]
        if scores[0] != scores[1]:
            return Finding(
                "symmetry", f"A game and its image by {name!r} end differently.", found.line()
            )
        more = _more_in_image(found.position, mirrored.position, mapped)
        if more:
            said = f"{more} is legal, and the symmetry {name!r} maps no legal move to it."
            return Finding("symmetry", said, mirrored.line(more))
    return None


def _image(image: AnyPosition, mapped: Callable[[str], str], text: str) -> Any:
    """Return the move that one is mapped to: a word that a function does not map, to itself."""
    if in_words(image, text):
        with suppress(Exception):  # what the function raises at a word is no fault: it maps moves
            return image.parse(mapped(text))
        return image.parse(text)
    return image.parse(mapped(text))


def _more_in_image(
    position: AnyPosition, image: AnyPosition, mapped: Callable[[str], str]
) -> str | None:
    """Return a legal move of an image that no legal move of a position is mapped to.

    One that is mapped to a refused move is found when it is played.
    """
    images = set[str]()
    for text in typed_moves(position):
        with suppress(UserError):
            # A map may write a move in another way: `b1-a1` for `a1-b1`.
            images.add(image.format(_image(image, mapped, text)))
    return min(set(typed_moves(image)) - images, default=None)


def exchanges_hold(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """Games mapped by a declared exchange of the sides are legal, and won by the other seat.

    A game may have `exchanges`, a mapping as `symmetries`, which also exchange the sides. The
    first side still begins, so each two plies are played in the other order.
    """
    for name, mapped in getattr(game, "exchanges", {}).items():
        for seed in range(FEW_GAMES):
            if time.process_time() > deadline:
                return
            fault = _exchanged(game, name, mapped, random.Random(seed), note)
            if fault is not None:
                yield fault
                break


def _exchanged(
    game: Game, name: str, mapped: Callable[[str], str], chance: random.Random, note: Note
) -> Finding | None:
    found, image = begun(game, "", note), begun(game, "", note)
    while (legal := found.position.legal_moves()) and len(found.moves) < 400:
        firsts = [found.play(move) for move in chance.sample(list(legal), min(3, len(legal)))]
        # What may be answered to each of these does not depend on the first move.
        answers = set.intersection(*(set(one.position.legal_moves()) for one in firsts))
        if not answers:
            return None
        found = firsts[0].play(chance.choice(sorted(answers, key=repr)))
        first, answer = map(mapped, found.texts[-2:])
        try:
            image = image.play(image.position.parse(answer))
        except UserError as refusal:
            text = f"The exchange {name!r} maps a legal move to a refused one: {refusal.text}"
            return Finding("exchange", text, image.line(answer))
        if image.position.outcome() is None:
            try:
                image = image.play(image.position.parse(first))
            except UserError:  # the answer stands in its way
                return None
        ends = [found.position.outcome(), image.position.outcome()]
        scores = [end and end.scores for end in ends]
        if scores[0] != (scores[1] and scores[1][::-1]):
            text = f"A game and its image by {name!r} are not won by one seat and by the other."
            return Finding("exchange", text, found.line())
    return None
