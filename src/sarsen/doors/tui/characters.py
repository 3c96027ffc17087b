"""The character that shows a block of samples best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from sarsen.doors.tui.raster import ACROSS, DOWN, ROLES

GROUNDS = frozenset({"", "paper", "ground", "ground-alt", "shadow"})
_WEIGHTS = tuple(1 if role in GROUNDS else 3 for role in ROLES)
_FAMILIES = tuple(role.partition("-")[0] or "paper" for role in ROLES)
_LOWER = "▁▂▃▄▅▆▇"  # one to seven eighths, from below
_LEFT = "▎▌▊"  # one to three quarters, from the left
_QUADRANTS = {
    "▘": (1, 0, 0, 0), "▝": (0, 1, 0, 0), "▖": (0, 0, 1, 0), "▗": (0, 0, 0, 1),
    "▚": (1, 0, 0, 1), "▞": (0, 1, 1, 0), "▛": (1, 1, 1, 0), "▜": (1, 1, 0, 1),
    "▙": (1, 0, 1, 1), "▟": (0, 1, 1, 1),
}  # fmt: skip
_DRAWN = {
    "─": ("....", "....", "....", "####", "....", "....", "....", "...."),
    "━": ("....", "....", "....", "####", "####", "....", "....", "...."),
    "│": (".#..",) * 8,
    "┃": (".##.",) * 8,
    "╱": ("...#", "...#", "..#.", "..#.", ".#..", ".#..", "#...", "#..."),
    "╲": ("#...", "#...", ".#..", ".#..", "..#.", "..#.", "...#", "...#"),
    "╳": ("#..#", "#..#", ".##.", ".##.", ".##.", ".##.", "#..#", "#..#"),
    "•": ("....", "....", ".##.", ".##.", ".##.", "....", "....", "...."),
    "·": ("....", "....", "....", ".##.", ".##.", "....", "....", "...."),
    "■": ("....", "....", "####", "####", "####", "####", "....", "...."),
}


@lru_cache(maxsize=50_000)
def closest_character(block: bytes) -> tuple[str, str, str]:
    """Return a character, the role in front and the role behind it, for one character's samples.

    Two families of roles are shown, such as a stone and the ground; grounds count for less.
    Light and shade are told apart only where there is nothing else.
    """
    counted = Counter(block)
    families: Counter[str] = Counter()
    for role, count in counted.items():
        families[_FAMILIES[role]] += count * _WEIGHTS[role]
    ranked = sorted(families, key=lambda family: (-families[family], family))
    groups = [[role for role in counted if _FAMILIES[role] == family] for family in ranked[:2]]
    if len(groups) == 1:
        groups = [[role] for role, _ in counted.most_common(2)]
    if len(groups) == 1:
        return " ", _role(groups[0][0]), _role(groups[0][0])
    front_group, back_group = sorted(groups, key=lambda group: sum(counted[role] for role in group))
    front, behind = (
        _role(max(group, key=counted.__getitem__)) for group in (front_group, back_group)
    )
    sign, is_turned = _sign(sum(1 << at for at, role in enumerate(block) if role in front_group))
    return (sign, behind, front) if is_turned else (sign, front, behind)


def most_seen(block: bytes) -> str:
    """Return the role that fills most of a character."""
    return _role(max(set(block), key=block.count))


def _role(number: int) -> str:
    return ROLES[number] or "paper"


def _sign(mask: int) -> tuple[str, bool]:
    """Find the character whose strokes lie on most of a mask; True for its reverse."""
    signs = [
        (ACROSS * DOWN - far if is_turned else far, sign, is_turned)
        for sign, shape in _MASKS.items()
        for far in [(mask ^ shape).bit_count()]
        for is_turned in ((False, True) if sign in _SOLID else (False,))
    ]
    _, sign, is_turned = min(signs, key=lambda candidate: candidate[0])
    return sign, is_turned


def _mask(lines: Iterable[str]) -> int:
    return sum(1 << at for at, mark in enumerate("".join(lines)) if mark == "#")


_MASKS = {
    " ": 0,
    **{sign: _mask(("....",) * (7 - at) + ("####",) * (at + 1)) for at, sign in enumerate(_LOWER)},
    **{sign: _mask((("#" * (at + 1)).ljust(4, "."),) * 8) for at, sign in enumerate(_LEFT)},
    **{
        sign: _mask([".#"[a] * 2 + ".#"[b] * 2] * 4 + [".#"[c] * 2 + ".#"[d] * 2] * 4)
        for sign, (a, b, c, d) in _QUADRANTS.items()
    },
    **{sign: _mask(lines) for sign, lines in _DRAWN.items()},
}
# These fill their part of a character in every font, so their reverse does, too.
_SOLID = frozenset({" ", *_LOWER, *_LEFT, *_QUADRANTS})
