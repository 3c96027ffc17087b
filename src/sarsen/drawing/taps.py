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
from collections.abc import Iterable, Iterator
from contextlib import suppress
from random import choice

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
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
    for text in words_among(text for _, text in ways):
        if text not in untapped:
            _insert(tree, (), text)
    return tree


def with_move(tree: Tree, position: AnyPosition, text: str) -> Tree:
    """Return a tree in which one more move can be tapped, such as one that the rules refuse.

    Args:
        text: The move; "" for none.
    """
    is_there = not text or any(text == other for _, other in tapped(tree))
    if not is_there and (taps := taps_of(position, text)):
        _insert(tree, taps, text)
    return tree


def taps_of(position: AnyPosition, text: str) -> tuple[str, ...]:
    """Return the taps that mean a move; where the rules refuse it, the places that it names.

    Those come in the order in which a legal move with as many places has them.
    """
    view = view_of(position)
    with suppress(UserError):
        return view.clicks(position, position.parse(text))
    shapes = scene(position).shapes
    spots = sorted({shape.spot for shape in shapes if shape.spot}, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, spots)))
    named = tuple(pattern.findall(text))
    for move in position.legal_moves():
        written, taps = tuple(pattern.findall(position.format(move))), view.clicks(position, move)
        if len(taps) == len(written) == len(named):
            return named if written == taps else named[::-1]
    return named


def moves_in_words(position: AnyPosition) -> tuple[str, ...]:
    """Return the texts of the legal moves that are said in a word and name no place: `swap`."""
    return words_among(position.format(move) for move in position.legal_moves())


def words_among(texts: Iterable[str]) -> tuple[str, ...]:
    """Return those of the texts of all legal moves that are said in a word."""
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


def ways(position: AnyPosition) -> dict[str, str]:
    """Return the points of each way, as SVG writes them, by its taps: `{"16-25": "76,142 …"}`."""
    return {
        "-".join(taps): " ".join(f"{x:g},{y:g}" for x, y in points)
        for taps, points in view_of(position).ways(position).items()
    }


def landings(position: AnyPosition) -> tuple[str, ...]:
    """Return where pieces that are pointed at will stand; empty where they come from no tray."""
    return view_of(position).landings(position)


def presets(position: AnyPosition) -> dict[str, str]:
    """Return moves to choose at one press, with a random one; empty where the view names none."""
    moves = view_of(position).presets(position)
    if not moves:
        return {}
    drawn = choice(position.legal_moves())
    return moves | {"random": position.format(drawn)}


def prompts(position: AnyPosition) -> tuple[str, ...]:
    """Return a text that says what to point at after so many taps; empty where the view says
    nothing.
    """
    return () if position.outcome() is not None else view_of(position).prompts(position)
