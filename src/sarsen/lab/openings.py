"""Openings: a few moves at random, so that no two pairs of a match begin alike."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sarsen.core.game import AnyPosition

TRIES = 50  # of one opening, until it is new and decides nothing
MOST_ASKED = 1_000  # moves asked whether they end the game at once


def openings(start: AnyPosition, plies: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Yield openings for ever, all from one seed; new ones as long as some are found.

    None ends the game, and none leaves a move that ends it at once, as far as that goes.
    """
    chance = random.Random(f"openings {seed}")
    given: set[tuple[str, ...]] = set()
    while True:
        opening: tuple[str, ...] = ()
        for _ in range(TRIES):
            position, opening = _walk(start, plies, chance)
            if opening not in given and not _is_decided(position):
                break
        given.add(opening)
        yield opening


def _walk(
    start: AnyPosition, plies: int, chance: random.Random
) -> tuple[AnyPosition, tuple[str, ...]]:
    position, texts = start, []
    for _ in range(plies):
        after = position
        for move in chance.sample(list(position.legal_moves()), len(position.legal_moves())):
            after = position.play(move)
            if after.outcome() is None:
                texts.append(position.format(move))
                break
        else:
            break  # every move ends the game: the opening is as long as it can be
        position = after
    return position, tuple(texts)


def _is_decided(position: AnyPosition) -> bool:
    moves = position.legal_moves()[:MOST_ASKED]
    return any(position.play(move).outcome() is not None for move in moves)
