"""What taps on a picture mean: every legal move by the spots that are pointed at for it.

The tree of a position has one key for each spot that may be tapped next. Its value is the
text of a move, when that tap makes one; several, when the tap does not tell them apart; or
the tree of what may follow. The key "" stands for the moves that are made by the taps so
far, although further taps would make others:

    {"d4": "d4", "b4": {"": "b4", "b6": "b4-b6"}}

A move that is said in a word, such as a swap, is there without any tap, too:

    {"d4": "d4", "": "swap"}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from random import choice
from typing import Any, Literal, Protocol, runtime_checkable

from sarsen.core.game import AnyPosition
from sarsen.drawing.scene import Arc, Circle, Label, Point, Polygon, Scene, Shape, Stroke
from sarsen.drawing.view import scene, view_of

Tree = dict[str, "str | list[str] | Tree"]
Taps = tuple[str, ...]
# No place has such a name: places have numbers, or are letters.
_WORD = re.compile(r"[^\W\d_]{4,}")
MAX_WORDS = 4  # moves in words; where there are more, they name something to point at


def tap_tree(position: AnyPosition) -> Tree:
    """Return the tree of all legal moves of a position."""
    tree: Tree = {}
    ways = list(_ways(position))
    for taps, text in ways:
        _insert(tree, taps, text)
    untapped = {text for taps, text in ways if not taps}
    for text in _move_texts(text for _, text in ways):
        if text not in untapped:
            _insert(tree, (), text)
    return tree


def moves_in_words(position: AnyPosition) -> tuple[str, ...]:
    """Return the texts of the legal moves that are said in a word and name no place: `swap`."""
    return _move_texts(position.format(move) for move in position.legal_moves())


def _move_texts(texts: Iterable[str]) -> tuple[str, ...]:
    words = tuple({text: None for text in texts if _WORD.fullmatch(text)})
    return words if len(words) <= MAX_WORDS else ()


def tapped(tree: Tree) -> Iterator[tuple[Taps, str]]:
    """Yield every way through a tree, and the move it makes."""
    for spot, below in tree.items():
        taps = (spot,) if spot else ()
        match below:
            case str():
                yield taps, below
            case list():
                yield from ((taps, text) for text in below)
            case dict():
                yield from (((*taps, *further), text) for further, text in tapped(below))


def _ways(position: AnyPosition) -> Iterator[tuple[Taps, str]]:
    view = view_of(position)
    ways = [(view.clicks(position, move), position.format(move)) for move in position.legal_moves()]
    yield from ways
    all_taps = {taps for taps, _ in ways}
    starts = {taps[0] for taps in all_taps if taps}
    for taps, text in ways:
        reverse = taps[::-1]
        # Between two spots that both begin moves, such as the ends of a lintel, no one is first.
        if len(taps) == 2 and reverse[0] in starts and reverse not in all_taps:
            yield reverse, text


def _insert(tree: Tree, taps: Taps, text: str) -> None:
    *way, last = taps or ("",)
    for spot in way:
        below = tree.setdefault(spot, {})
        if not isinstance(below, dict):
            below = tree[spot] = {"": below}
        tree = below
    entry = tree.get(last)
    if isinstance(entry, dict):
        _insert(entry, (), text)
    elif isinstance(entry, list):
        entry.append(text)
    else:
        tree[last] = text if entry is None else [entry, text]


@runtime_checkable
class ViewWithPrompts(Protocol):
    """A view whose moves need prompts."""

    def prompts(self, position: Any) -> tuple[str, ...]:
        """Return the prompts: before the first tap, after one tap, after two …

        The last one holds for all further taps.
        """


@runtime_checkable
class ViewWithTray(Protocol):
    """A view in which a move is put together from pieces of a tray."""

    def landings(self, position: Any) -> tuple[str, ...]:
        """Name the spots on which the pieces pointed at will stand, tap by tap."""

    def presets(self, position: Any) -> dict[str, str]:
        """Return moves to choose at one press, by `usual` and `mirror`."""


@runtime_checkable
class ViewWithWays(Protocol):
    """A view in which a piece goes a way that its taps do not spell out."""

    def ways(self, position: Any) -> dict[Taps, tuple[Point, ...]]:
        """Return the way through the picture for each start and end of a legal move."""


def ways(position: AnyPosition) -> dict[str, str]:
    """Return the points of each way, as SVG writes them, by its taps: `{"16-25": "76,142 …"}`."""
    view = view_of(position)
    ways_by_taps = view.ways(position) if isinstance(view, ViewWithWays) else {}
    return {
        "-".join(taps): " ".join(f"{x:g},{y:g}" for x, y in points)
        for taps, points in ways_by_taps.items()
    }


def landings(position: AnyPosition) -> tuple[str, ...]:
    """Return where pieces that are pointed at will stand; empty where they come from no tray."""
    view = view_of(position)
    return view.landings(position) if isinstance(view, ViewWithTray) else ()


def presets(position: AnyPosition) -> dict[str, str]:
    """Return moves to choose at one press, with a random one; empty where the view names none."""
    view = view_of(position)
    moves = view.presets(position) if isinstance(view, ViewWithTray) else {}
    if not moves:
        return {}
    drawn = choice(position.legal_moves())
    return moves | {"random": position.format(drawn)}


def prompts(position: AnyPosition) -> tuple[str, ...]:
    """Return a text that says what to point at after so many taps; empty where the view says
    nothing.
    """
    view = view_of(position)
    if not isinstance(view, ViewWithPrompts) or position.outcome() is not None:
        return ()
    return view.prompts(position)


Sign = Literal["ring", "cross"]
_ROLES = {"ring": "spot", "cross": "ink"}
SAME_SIZE = 1.05
# Of a spot's smaller side.
_REACH = {"ring": 0.36, "cross": 0.22}


def pointed(position: AnyPosition, moves: Sequence[tuple[Any, Sign]]) -> Scene:
    """Draw a position, and over it moves that could be made there."""
    drawn = scene(position)
    signs: list[Shape] = []
    for move, sign in moves:
        spots = view_of(position).clicks(position, move)
        places = [place_of(drawn, spot) for spot in spots]
        signs += _signs([place for place in places if place], sign, drawn.width)
    return replace(drawn, shapes=(*drawn.shapes, *signs))


def _signs(places: Sequence[tuple[Point, float]], sign: Sign, width: float) -> list[Shape]:
    """Draw the way of a move, and a sign where it ends.

    Spots of one size are places a piece goes through. Others, such as a cell and the tile
    for it, are chosen one after the other: each gets the sign.
    """
    stroke = max(width / 140, 1.5)
    sizes = [size for _, size in places]
    if len(places) < 2 or max(sizes) > SAME_SIZE * min(sizes):
        return [shape for place in places for shape in _sign(place, sign, stroke)]
    shapes: list[Shape] = []
    for (start, _), (end, _) in pairwise(places):
        shapes += _haloed(Stroke((start, end), _ROLES[sign], stroke), stroke)
    x, y = places[0][0]
    shapes.append(Circle(x, y, stroke * 1.6, _ROLES[sign], "paper", stroke * 0.6))
    return [*shapes, *_sign(places[-1], sign, stroke)]


def _sign(place: tuple[Point, float], sign: Sign, stroke: float) -> list[Shape]:
    (x, y), size = place
    reach = max(size * _REACH[sign], stroke * 1.5)
    if sign == "ring":
        return [
            Circle(x, y, reach, "", "paper", stroke * 2.4),
            Circle(x, y, reach, "", _ROLES[sign], stroke * 1.4),
        ]
    strokes = []
    for ends in (((-1, -1), (1, 1)), ((-1, 1), (1, -1))):
        points = tuple((x + reach * right, y + reach * down) for right, down in ends)
        strokes.append(Stroke(points, _ROLES[sign], stroke * 1.4))
    # Both halos below both strokes.
    haloed = [_haloed(line, stroke) for line in strokes]
    return [*(below for below, _ in haloed), *(above for _, above in haloed)]


def _haloed(line: Stroke, stroke: float) -> list[Shape]:
    return [replace(line, role="paper", width=line.width + stroke), line]


def place_of(drawn: Scene, spot: str) -> tuple[Point, float] | None:
    """Return the middle of a spot and its smaller side; None when it is not drawn."""
    boxes = [box for shape in drawn.shapes if shape.spot == spot and (box := _box(shape))]
    if not boxes:
        return None
    left, top, right, bottom = boxes[0]
    return ((left + right) / 2, (top + bottom) / 2), min(right - left, bottom - top)


def _box(shape: Shape) -> tuple[float, float, float, float] | None:
    match shape:
        case Circle():
            x, y, reach = shape.x, shape.y, shape.radius
            return x - reach, y - reach, x + reach, y + reach
        case Polygon():
            across = [x for x, _ in shape.points]
            down = [y for _, y in shape.points]
            return min(across), min(down), max(across), max(down)
        case Label():
            half = shape.size / 2
            return shape.x - half, shape.y - half, shape.x + half, shape.y + half
        case Stroke() | Arc():
            return None
