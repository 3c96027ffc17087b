"""Play a game and its image by a symmetry side by side, and compare positions by brute force."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from sarsen.core.game import AnyPosition, Position
from sarsen.core.symmetry import canonical

P = TypeVar("P", bound=Position[Any])
TextMap = Callable[[str], str]


def played_both(
    position: P,
    image: P,
    mapped: TextMap,
    chance: random.Random,
    *,
    is_exchanged: bool = False,
    most: int = 1000,
) -> Iterator[tuple[P, P]]:
    """Play random moves in a position and their images in its image, and compare both.

    Yields:
        The two positions of each ply, the first ones included.
    """
    for _ in range(most):
        ends = position.outcome(), image.outcome()
        scores = [end and end.scores for end in ends]
        assert scores[0] == (scores[1] and scores[1][::-1] if is_exchanged else scores[1])
        moves = position.legal_moves()
        assert len(moves) == len(image.legal_moves())
        yield position, image
        if not moves:
            return
        move = chance.choice(moves)
        text = mapped(position.format(move))
        position, image = position.play(move), image.play(image.parse(text))


def has_images_of_all_moves(position: AnyPosition, image: AnyPosition, mapped: TextMap) -> bool:
    """Return whether the legal moves of an image are the images of the legal moves."""
    texts = [image.format(image.parse(mapped(position.format(m)))) for m in position.legal_moves()]
    return sorted(texts) == sorted(map(image.format, image.legal_moves()))


def agreement(
    pairs: Iterable[tuple[P, P]],
    state: Callable[[P], object],
    images: Callable[[P], Sequence[object]],
) -> tuple[int, int]:
    """Compare canonical texts with what brute force over all symmetries says.

    Returns:
        How many pairs were the same, and how many different.
    """
    counts = [0, 0]
    for one, other in pairs:
        is_same = state(other) in images(one)
        assert (canonical(one) == canonical(other)) == is_same, (one.write(), other.write())
        counts[not is_same] += 1
    return counts[0], counts[1]
