"""Gyges' symmetries: the mirror of left and right, and the half turn, which exchanges the seats."""

from __future__ import annotations

from operator import itemgetter

from sarsen.games.gyges.board import NORTH, SLOTS, Rings
from sarsen.games.gyges.rules import EndReason, GygesPosition

_DIGITS = bytes.maketrans(bytes(range(4)), b".123")
_MIRRORED = itemgetter(*(place + 5 - 2 * (place % 6) for place in SLOTS))


def canonical(position: GygesPosition) -> str:
    """Return a text as `sarsen.core.symmetry` describes it.

    The slots as the player to move sees them, the own goal below, and whether that player has
    won by a move from there. After the semicolon stand the earlier arrangements, which
    Ruling G5 forbids.
    """
    has_won = position.ending is EndReason.WON
    is_turned = position.seat ^ has_won == NORTH
    here = _seen(position.rings, is_turned)
    mirrored = _mirrored(here)
    earlier = [_seen(rings, is_turned) for rings in position.stood if rings != position.rings]
    texts = []
    if here <= mirrored:
        texts.append((here, sorted(earlier)))
    if mirrored <= here:
        texts.append((mirrored, sorted(map(_mirrored, earlier))))
    rings, before = min(texts)
    stood = b" ".join([rings + b"+" * has_won + b";", *before])
    return stood.translate(_DIGITS).decode("ascii")


def _seen(rings: Rings, is_turned: bool) -> bytes:
    slots = rings[: len(SLOTS)]
    return slots[::-1] if is_turned else slots


def _mirrored(slots: bytes) -> bytes:
    return bytes(_MIRRORED(slots))
