"""What taps on a picture mean: every legal move by the spots that are pointed at for it.

The tree of a position has one key for each spot that may be tapped next. Its value is the
text of a move, when that tap makes one; several, when the tap does not tell them apart; or
the tree of what may follow. The key "" stands for the moves that are made by the taps so
far, although further taps would make others:

    {"d4": "d4", "b4": {"": "b4", "b6": "b4-b6"}}
"""

from __future__ import annotations

from collections.abc import Iterator

from sarsen.core.game import AnyPosition
from sarsen.drawing.view import view_of

Tree = dict[str, "str | list[str] | Tree"]
Taps = tuple[str, ...]


def tap_tree(position: AnyPosition) -> Tree:
    """Return the tree of all legal moves of a position."""
    tree: Tree = {}
    for taps, text in _ways(position):
        _hang(tree, taps, text)
    return tree


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
                yield from (((*taps, *more), text) for more, text in tapped(below))


def _ways(position: AnyPosition) -> Iterator[tuple[Taps, str]]:
    view = view_of(position)
    ways = [(view.clicks(position, move), position.format(move)) for move in position.legal_moves()]
    yield from ways
    known = {taps for taps, _ in ways}
    starts = {taps[0] for taps in known if taps}
    for taps, text in ways:
        back = taps[::-1]
        # Between two spots that both begin moves, such as the ends of a lintel, no one is first.
        if len(taps) == 2 and back[0] in starts and back not in known:
            yield back, text


def _hang(tree: Tree, taps: Taps, text: str) -> None:
    *way, last = taps or ("",)
    for spot in way:
        below = tree.setdefault(spot, {})
        if not isinstance(below, dict):
            below = tree[spot] = {"": below}
        tree = below
    found = tree.get(last)
    if isinstance(found, dict):
        _hang(found, (), text)
    elif isinstance(found, list):
        found.append(text)
    else:
        tree[last] = text if found is None else [found, text]
