"""Positions replayed from move texts, remembered while this process lives."""

from __future__ import annotations

from collections import OrderedDict

from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.services.rulings import judged_at

MOST_KEPT = 2000

# Each with its line, which is written once.
_kept: OrderedDict[tuple[str, str, tuple[str, ...]], tuple[AnyPosition, str]] = OrderedDict()


def position_after(game: str, options: str, texts: tuple[str, ...]) -> AnyPosition:
    """Return the position after these moves, from the longest beginning still remembered.

    Texts decide everything, so what is remembered can never be stale.
    """
    known = len(texts)
    found = _kept.get((game, options, texts))
    while found is None and known:
        known -= 1
        found = _kept.get((game, options, texts[:known]))
    if found is None:
        start = load(game).start(options)
        found = start, start.write()
    for count in range(known, len(texts)):
        # Of a move just played the ruling is known: it hangs on nothing but these two.
        ruling = judged_at(game, found[1], texts[count])
        found = ruling.position, ruling.line
        _remember((game, options, texts[: count + 1]), found)
    return found[0]


def _remember(key: tuple[str, str, tuple[str, ...]], found: tuple[AnyPosition, str]) -> None:
    _kept[key] = found
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
