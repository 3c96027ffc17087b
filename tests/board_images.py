"""Positions turned, mirrored and with the seats exchanged, written apart from the games' code."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.games.druid import test_druid_symmetry as druid
from tests.games.gyges import test_gyges_symmetry as gyges
from tests.games.vasco import test_vasco_symmetry as vasco
from tests.games.visavis import test_visavis_symmetry as visavis

from sarsen.core.game import AnyPosition
from sarsen.core.referee import replay
from sarsen.games import load

# Of the four games, with several sizes.
OPTIONS = {
    "druid": ("", "-size=5", "-size=6 -nogaps"),
    "gyges": ("",),
    "vasco": ("", "-size=30"),
    "visavis": ("", "-size=9", "-size=11"),
}
Images = Iterator[AnyPosition]
Line = tuple[str, ...]


def random_line(game: str, options: str, plies: int, chance: random.Random) -> Line:
    """Return random moves from the first position on; the game is not over after them."""
    position, texts = load(game).start(options), list[str]()
    for _ in range(plies):
        move = chance.choice(position.legal_moves())
        after = position.play(move)
        if after.outcome() is not None:
            break
        texts.append(position.format(move))
        position = after
    return tuple(texts)


def positions_along(game: str, options: str, line: Line) -> list[AnyPosition]:
    """Return the positions along a line, the first one included."""
    start = load(game).start(options)
    return [start, *(ruling.position for ruling in replay(start, line))]


def images_of(game: str, options: str, line: Line, chance: random.Random) -> list[AnyPosition]:
    """Return the position after a line as it is, mirrored or turned, with the seats exchanged."""
    position: Any = positions_along(game, options, line)[-1]
    if game == "druid":
        images = _of_druid(position, chance)
    elif game == "gyges":
        images = _of_gyges(position)
    elif game == "vasco":
        images = _of_vasco(position, chance)
    else:
        images = _of_visavis(options, line, chance)
    return [position, *images]


def seen_from_all_sides(position: Any) -> set[Any]:
    """Return what lies on the board, without the past, in all its images: by brute force.

    Of Visavis only as it lies: its symmetries are too many.
    """
    game = position.game.info.name
    if game == "druid":
        return {(one[0], *one[4:]) for one in map(_parts, druid.images(position))}
    if game == "gyges":
        return {one[:2] for one in map(_parts, gyges.images(position))}
    if game == "vasco":
        return set(vasco.images(position, vasco.EVERY)) if position.tiles else set()
    return {visavis.state(position)}


def _of_druid(position: Any, chance: random.Random) -> Images:
    over = druid.over_the_diagonal
    for mirror in druid.MIRRORS.values():
        # Over the diagonal and back with a mirror: the seats are as they were.
        yield druid.exchanged(druid.exchanged(position, over(druid.ITSELF)), over(mirror))
    yield druid.exchanged(position, over(chance.choice(druid.ALL)))


def _of_gyges(position: Any) -> Images:
    yield gyges.image_of(position, gyges.MIRROR)
    turned = gyges.image_of(position, gyges.TURN)
    yield turned
    yield gyges.image_of(turned, gyges.MIRROR)


def _of_vasco(position: Any, chance: random.Random) -> Images:
    for symmetry in chance.sample(vasco.EVERY, 4):
        yield vasco.image_of(position, symmetry, (2 * chance.randrange(3), 0))


def _of_visavis(options: str, line: Line, chance: random.Random) -> Images:
    """Yield positions with bridges moved to places that do the same; never O and X."""
    for _ in range(3):
        position: Any = load("visavis").start(options)
        maps = visavis.some_symmetry(position.terms.number("size"), chance)
        for text in line:
            position = position.play(position.parse(visavis.image(text, position.side, maps)))
        yield position


def _parts(state: Any) -> tuple[Any, ...]:
    return tuple(state)
