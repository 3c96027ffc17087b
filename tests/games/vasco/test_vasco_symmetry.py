"""Shifts, turns and mirrors of Vasco, and the exchange of O and X with their seats."""

from __future__ import annotations

import cmath
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import pytest

from sarsen.core.symmetry import canonical, canonical_board
from sarsen.games.vasco.board import ORDERS, Rotation, cell_at, table_of
from sarsen.games.vasco.moves import Move
from sarsen.games.vasco.rules import GAME, VascoPosition

HEIGHT = 3**0.5 / 2
ROTATION_OF = {order: rotation for rotation, order in ORDERS.items()}
Place = tuple[int, int]
Tile = tuple[Place, Rotation]


@dataclass(frozen=True)
class Symmetry:
    """A number of turns by 60 degrees, then a mirror, then an exchange of the colours."""

    turns: int = 0
    is_mirrored: bool = False
    is_exchanged: bool = False

    @property
    def is_exact(self) -> bool:
        return not self.turns and not self.is_mirrored

    def point(self, at: complex) -> complex:
        at *= cmath.exp(1j * cmath.pi / 3 * self.turns)
        return at.conjugate() if self.is_mirrored else at

    def tile(self, tile: Tile) -> Tile:
        return tile_image(self, tile)


@cache
def tile_image(symmetry: Symmetry, tile: Tile) -> Tile:
    """Map a tile by the middles of its edges in the plane."""
    (x, y), rotation = tile
    colours = ORDERS[rotation]
    if symmetry.is_exchanged:
        colours = colours.translate(str.maketrans("ox", "xo"))
    seen = {
        rounded(symmetry.point(middle)): colour
        for middle, colour in zip(middles((x, y)), colours, strict=True)
    }
    centre = symmetry.point(sum(middles((x, y))) / 3)
    place = place_at(centre)
    return place, ROTATION_OF["".join(seen[rounded(at)] for at in middles(place))]


EVERY = [Symmetry(*parts) for parts in product(range(6), (False, True), (False, True))]


def middles(place: Place) -> tuple[complex, complex, complex]:
    """Return the middles of the left, the right and the base edge, one edge being 1 long."""
    x, y = place
    left, above, below = x / 2, (1 - y) * HEIGHT, -y * HEIGHT
    base = below if (x + y) % 2 == 0 else above
    beside = (above + below) / 2
    return complex(left + 0.25, beside), complex(left + 0.75, beside), complex(left + 0.5, base)


def rounded(at: complex) -> tuple[int, int]:
    return round(at.real * 4), round(at.imag / HEIGHT * 2)


def place_at(centre: complex) -> Place:
    return round(2 * centre.real - 1), -math.floor(centre.imag / HEIGHT)


def tiles_of(position: VascoPosition) -> list[Tile]:
    """Read the tiles from the written position."""
    tiles = []
    for word in position.write().split():
        if "=" in word:
            begin, rotations = word.split("=")
            x, y = map(int, begin.split(","))
            tiles += [((x + step, y), rotation) for step, rotation in enumerate(rotations)]
    return tiles


def image_of(position: VascoPosition, symmetry: Symmetry, shift: Place = (0, 0)) -> VascoPosition:
    tiles = {
        cell_at(x + shift[0], y + shift[1]): rotation
        for (x, y), rotation in map(symmetry.tile, tiles_of(position))
    }
    return VascoPosition(position.size, position.seat ^ symmetry.is_exchanged, table_of(tiles))


def move_image(move: Move, symmetry: Symmetry, shift: Place = (0, 0)) -> Move:
    (x, y), rotation = symmetry.tile(((move.x, move.y), move.rotation))
    return Move(x + shift[0], y + shift[1], rotation)


def is_whole(position: VascoPosition) -> bool:
    """Return whether the pool has more tiles than any move takes."""
    tried = [placement for places in position.survey().tried.values() for placement in places]
    return all(len(placement.filled) < position.room for placement in tried)


def state(tiles: list[Tile], position: VascoPosition, seat: int) -> object:
    left, top = min(x for (x, _), _ in tiles), min(y for (_, y), _ in tiles)
    left -= (left + top) % 2  # a shift keeps what points up
    shifted = frozenset((x - left, y - top, rotation) for (x, y), rotation in tiles)
    return position.size, seat, shifted


def images(position: VascoPosition, symmetries: list[Symmetry]) -> list[object]:
    tiles = tiles_of(position)
    return [
        state(list(map(symmetry.tile, tiles)), position, position.seat ^ symmetry.is_exchanged)
        for symmetry in symmetries
    ]


def played(chance: random.Random, plies: int, options: str = "") -> VascoPosition:
    position = GAME.start(options)
    for _ in range(plies):
        after = position.play(chance.choice(position.legal_moves()))
        if after.outcome() is not None:
            break
        position = after
    return position


@pytest.mark.parametrize("symmetry", EVERY, ids=str)
@pytest.mark.parametrize("options", ["", "-size=20"])
def test_images_of_moves_lead_to_images(options: str, symmetry: Symmetry) -> None:
    chance = random.Random(options)
    shift = (chance.randrange(-40, 40) * 2, chance.randrange(-40, 40) * 2)
    one = played(chance, 1 + symmetry.turns, options)
    image = image_of(one, symmetry, shift)
    while symmetry.is_exact or (is_whole(one) and is_whole(image)):
        assert canonical_board(one) == canonical_board(image)
        assert (canonical(one) == canonical(image)) or not symmetry.is_exact
        ends = one.outcome(), image.outcome()
        scores = [end and end.scores for end in ends]
        assert scores[1] == (scores[0] and scores[0][:: -1 if symmetry.is_exchanged else 1])
        moves = one.legal_moves()
        mapped = [move_image(move, symmetry, shift) for move in moves]
        assert set(mapped) == set(image.legal_moves())
        if not moves:
            break
        at = chance.randrange(len(moves))
        one, image = one.play(moves[at]), image.play(mapped[at])
    assert len(one.tiles) > 10


def close_pairs(count: int) -> Iterator[tuple[VascoPosition, VascoPosition]]:
    chance = random.Random(7)
    stem = played(chance, 1)
    for number in range(count):
        if number % 20 == 0:
            stem = played(chance, chance.randrange(1, 12), chance.choice(["", "-size=60"]))
        symmetry = chance.choice(EVERY if chance.random() < 0.5 else [Symmetry(), EVERY[1]])
        one, other = stem, image_of(stem, symmetry, (2 * chance.randrange(9), 0))
        if chance.random() < 0.8:
            moves = [chance.choice(one.legal_moves()) for _ in "12"]
            last = moves[0] if chance.random() < 0.5 else moves[1]
            one, other = one.play(moves[0]), image_of(one.play(last), symmetry)
        yield one, other


def test_texts_are_equal_for_the_same_positions_and_for_no_others() -> None:
    exact = [symmetry for symmetry in EVERY if symmetry.is_exact]
    counts = {(same, alike): 0 for same in (True, False) for alike in (True, False)}
    for one, other in close_pairs(2000):
        plain = state(tiles_of(other), other, other.seat)
        is_same, is_alike = plain in images(one, exact), plain in images(one, EVERY)
        assert (canonical(one) == canonical(other)) == is_same
        assert (canonical_board(one) == canonical_board(other)) == is_alike
        counts[is_same, is_alike] += 1
    assert min(counts[key] for key in ((True, True), (False, True), (False, False))) > 300


def test_turned_tables_differ_when_the_pool_ends_in_the_middle_of_a_move() -> None:
    one, turn = GAME.read("9 X @2,1 1,-1=e 0,0=ebf 0,1=ebf"), Symmetry(1)
    image = image_of(one, turn)
    move = Move(-1, 0, "b")  # it forces more than the one tile that remains
    after, other = one.play(move), image.play(move_image(move, turn))
    assert image_of(after, turn).tiles != other.tiles
    assert canonical(one) != canonical(image)
    assert canonical_board(one) == canonical_board(image)


def test_the_pool_is_part_of_the_text() -> None:
    assert len({canonical_board(GAME.read(f"{size} X 0,0=a")) for size in (18, 54)}) == 2
