"""The palettes as other eyes see them: what must be told apart stays apart.

Eyes without one kind of cones see a colour as the matrices of Machado, Oliveira and
Fernandes say (A Physiologically-based Model for Simulation of Color Vision Deficiency,
2009, severity 1), in linear light. How far two colours are apart is counted in CIELAB.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest

from sarsen.drawing.palette import (
    CONTRAST_DARK,
    CONTRAST_LIGHT,
    DARK,
    EBONY_DARK,
    EBONY_LIGHT,
    LIGHT,
    SAFE_DARK,
    SAFE_LIGHT,
    WOOD_DARK,
    WOOD_LIGHT,
)

Colour = tuple[float, float, float]
EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
}
# For whom only lightness is left, it is far; otherwise hue and lightness together are.
FAR = {"grey": 12.0}
USUALLY_FAR = 20.0
SIDES, GROUNDS = ("first", "second", "both"), ("ground", "ground-alt", "paper")
TOLD_APART = [
    *(("first", "second"), ("first", "both"), ("second", "both"), ("mark", "spot")),
    *product(SIDES, GROUNDS),
    *product(("mark",), ("first", "second", *GROUNDS)),
    *product(("spot",), GROUNDS),
    ("neutral-ink", "neutral"),
    *(("white", "black"), ("white", "white-shade"), ("black", "black-shade")),
]
FOR_EVERY_EYE = {
    "safe light": SAFE_LIGHT,
    "safe dark": SAFE_DARK,
    "contrast light": CONTRAST_LIGHT,
    "contrast dark": CONTRAST_DARK,
}
EBONY = {"ebony light": EBONY_LIGHT, "ebony dark": EBONY_DARK}
WOOD = {"wood light": WOOD_LIGHT, "wood dark": WOOD_DARK, **EBONY}
ALL = {"light": LIGHT, "dark": DARK, **WOOD, **FOR_EVERY_EYE}
every_palette = pytest.mark.parametrize("palette", ALL.values(), ids=list(ALL))


def linear(colour: str) -> Colour:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _linear(red), _linear(green), _linear(blue)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def seen(colour: str, eye: str) -> Colour:
    light = linear(colour)
    red, green, blue = (
        min(max(sum(a * b for a, b in zip(row, light, strict=True)), 0.0), 1.0) for row in EYES[eye]
    )
    return red, green, blue


def cielab(light: Colour) -> Colour:
    red, green, blue = light
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (
        part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116
        for part in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: str, other: str, eye: str) -> float:
    places = zip(cielab(seen(one, eye)), cielab(seen(other, eye)), strict=True)
    return float(sum((a - b) ** 2 for a, b in places) ** 0.5)


def contrast(one: str, other: str) -> float:
    dark, light = sorted(seen(colour, "grey")[0] for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def near(palette: Mapping[str, str], eye: str) -> list[tuple[str, str, float]]:
    """Return the pairs that an eye can hardly tell apart."""
    far = FAR.get(eye, USUALLY_FAR)
    apart = [(a, b, distance(palette[a], palette[b], eye)) for a, b in TOLD_APART]
    return [pair for pair in apart if pair[2] < far]


def test_distances_are_counted_as_others_count_them() -> None:
    assert cielab(linear("#ff0000")) == pytest.approx((53.24, 80.09, 67.20), abs=0.05)
    assert distance("#000000", "#ffffff", "grey") == pytest.approx(100)
    # Pure red and a dark olive: one colour to eyes without red cones, almost.
    assert (
        distance("#ff0000", "#6b5900", "protan") < 8 < 80 < distance("#ff0000", "#6b5900", "usual")
    )


@pytest.mark.parametrize("palette", FOR_EVERY_EYE.values(), ids=list(FOR_EVERY_EYE))
def test_what_must_be_told_apart_is_far_apart_for_every_eye(palette: dict[str, str]) -> None:
    assert [(eye, pair) for eye in EYES for pair in near(palette, eye)] == []


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_the_usual_palette_is_for_usual_eyes_and_not_for_all(palette: dict[str, str]) -> None:
    assert near(palette, "usual") == []
    assert {pair[:2] for pair in near(palette, "protan")} == {("second", "both")} | (
        {("mark", "spot")} if palette is DARK else set()
    )
    assert ("first", "second") in {pair[:2] for pair in near(palette, "grey")}


@pytest.mark.parametrize("palette", WOOD.values(), ids=list(WOOD))
def test_wooden_boards_are_for_usual_eyes(palette: dict[str, str]) -> None:
    assert near(palette, "usual") == []


@pytest.mark.parametrize("palette", EBONY.values(), ids=list(EBONY))
def test_white_and_black_pieces_are_far_apart_for_every_eye(palette: dict[str, str]) -> None:
    pieces = {"first", "second", "both"}
    found = [(eye, pair) for eye in EYES for pair in near(palette, eye)]
    assert [(eye, pair) for eye, pair in found if {*pair[:2]} <= pieces] == []


@every_palette
def test_writing_can_be_read_on_what_it_stands_on(palette: dict[str, str]) -> None:
    pairs = [(f"{one}-ink", one) for one in ("first", "second", "neutral")]
    pairs += [("ink", ground) for ground in GROUNDS]
    pairs.append(("second-ink", "second-stripe"))  # the letter of a striped piece
    assert [pair for pair in pairs if contrast(*(palette[one] for one in pair)) < 4.5] == []


@every_palette
def test_coordinates_and_stones_can_be_told_from_their_ground(palette: dict[str, str]) -> None:
    pairs = [("ink-soft", "paper"), ("ink-soft", "ground"), ("first", "ground")]
    pairs.append(("second", "ground"))
    assert [pair for pair in pairs if contrast(*(palette[one] for one in pair)) < 3] == []


@every_palette
def test_large_letters_can_be_read_on_the_last_move(palette: dict[str, str]) -> None:
    for role in ("first-shade", "second-shade"):
        assert contrast(palette[role], palette["mark"]) >= 3, role


@every_palette
def test_stripes_can_be_seen(palette: dict[str, str]) -> None:
    assert contrast(palette["second"], palette["second-stripe"]) >= 1.7


@pytest.mark.parametrize("palette", [CONTRAST_LIGHT, CONTRAST_DARK], ids=["light", "dark"])
def test_lines_and_stones_of_high_contrast_stand_out(palette: dict[str, str]) -> None:
    assert contrast(palette["ink"], palette["ground"]) == pytest.approx(21)
    for role in ("first", "second", "both", "grid"):
        assert contrast(palette[role], palette["ground"]) >= 4.5, role
    for role in ("mark", "spot"):
        assert contrast(palette[role], palette["ground"]) >= 3, role


@every_palette
def test_every_palette_has_the_same_roles(palette: dict[str, str]) -> None:
    assert list(palette) == list(LIGHT)
    assert all(len(colour) == 7 and int(colour[1:], 16) >= 0 for colour in palette.values())


@every_palette
def test_white_and_black_pieces_show_by_themselves_or_by_their_outlines(
    palette: dict[str, str],
) -> None:
    for eye, piece, ground in product(EYES, ("white", "black"), ("ground", "ground-alt")):
        parts = (palette[piece], palette[f"{piece}-shade"])
        seen_by = max(distance(part, palette[ground], eye) for part in parts)
        assert seen_by >= FAR.get(eye, USUALLY_FAR), (eye, piece, ground)
