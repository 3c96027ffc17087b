"""Positions replayed from move texts, remembered while this process lives."""

from __future__ import annotations

from collections import OrderedDict

from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.games import load

MOST_KEPT = 2000

_kept: OrderedDict[tuple[str, str, tuple[str, ...]], AnyPosition] = OrderedDict()


def position_after(game: str, options: str, texts: tuple[str, ...]) -> AnyPosition:
    """Give the position after these moves, from the longest beginning still remembered.

    Texts decide everything, so what is remembered can never be stale.
    """
    known = len(texts)
    position = _kept.get((game, options, texts))
    while position is None and known:
        known -= 1
        position = _kept.get((game, options, texts[:known]))
    if position is None:
        position = load(game).start(options)
    for count in range(known, len(texts)):
        position = judge(position, texts[count]).position
        _remember((game, options, texts[: count + 1]), position)
    return position


def _remember(key: tuple[str, str, tuple[str, ...]], position: AnyPosition) -> None:
    _kept[key] = position
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
