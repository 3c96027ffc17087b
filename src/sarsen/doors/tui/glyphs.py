"""The character that looks most like some samples: blocks, parts of blocks, thin strokes."""

from __future__ import annotations

from collections import Counter
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
def matched(block: bytes) -> tuple[str, int, int]:
    """Return a character, the role in front and the role behind it, for one character's samples.

    Two families of roles are shown, such as a stone and the ground; grounds count for less.
    Light and shade are told apart only where there is nothing else.
    """
    counted = Counter(block)
    if len(counted) == 1:
        return " ", block[0], block[0]
    families: dict[str, int] = {}
    for role, count in counted.items():
        family = _FAMILIES[role]
        families[family] = families.get(family, 0) + count * _WEIGHTS[role]
    ranked = sorted(families, key=lambda one: (-families[one], one))
    groups = [[role for role in counted if _FAMILIES[role] == family] for family in ranked[:2]]
    if len(groups) == 1:
        groups = [[role] for role, _ in counted.most_common(2)]
    front, behind = sorted(groups, key=lambda group: sum(counted[role] for role in group))
    return _drawn(block, counted, frozenset(front), behind)


def _drawn(
    block: bytes, counted: Counter[int], shown: frozenset[int], others: list[int]
) -> tuple[str, int, int]:
    """Find the character whose strokes lie where some roles are."""
    front = max(shown, key=lambda role: counted[role])
    behind = max(others, key=lambda role: counted[role])
    mask = sum(1 << at for at, role in enumerate(block) if role in shown)
    best, glyph, is_turned = ACROSS * DOWN + 1, " ", False
    for sign, shape in _MASKS:
        apart = (mask ^ shape).bit_count()
        if apart < best:
            best, glyph, is_turned = apart, sign, False
        if ACROSS * DOWN - apart < best and sign in _SOLID:
            best, glyph, is_turned = ACROSS * DOWN - apart, sign, True
    return (glyph, behind, front) if is_turned else (glyph, front, behind)


def _mask(lines: tuple[str, ...]) -> int:
    return sum(
        1 << row * ACROSS + column
        for row, line in enumerate(lines)
        for column, mark in enumerate(line)
        if mark == "#"
    )


def _masks() -> list[tuple[str, int]]:
    found = [(" ", 0)]
    for eighths, sign in enumerate(_LOWER, start=1):
        found.append((sign, _mask(("....",) * (8 - eighths) + ("####",) * eighths)))
    for quarters, sign in enumerate(_LEFT, start=1):
        found.append((sign, _mask(("#" * quarters + "." * (4 - quarters),) * 8)))
    for sign, (a, b, c, d) in _QUADRANTS.items():
        upper, lower = "#" * 2 * a + "." * 2 * (1 - a), "#" * 2 * c + "." * 2 * (1 - c)
        upper, lower = upper + ("##" if b else ".."), lower + ("##" if d else "..")
        found.append((sign, _mask((upper,) * 4 + (lower,) * 4)))
    found += [(sign, _mask(lines)) for sign, lines in _DRAWN.items()]
    return found


_MASKS = _masks()
# These fill their part of a character in every font, so their reverse does, too.
_SOLID = frozenset({" ", *_LOWER, *_LEFT, *_QUADRANTS})
