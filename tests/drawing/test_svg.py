"""The one SVG writer: whole, safe, and coloured by roles only."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from sarsen.drawing.palette import DARK, LIGHT
from sarsen.drawing.scene import Arc, Circle, Label, Line, Polygon, Scene, Shape
from sarsen.drawing.svg import style_sheet, svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
SHAPES: list[Shape] = [
    Polygon(((0, 0), (10, 0), (5, 7.25)), "first", "first-shade", 1.5, spot="a1"),
    Circle(5, 5, 2, "second", spot="b2"),
    Line(((0, 0), (3, 1 / 3)), "grid", 0.5, dashed=True, spot="c3"),
    Arc((0, 0), (4, 4), 4, "mark", 2, bulge=-1, spot="d4"),
    Label(5, 5, "V", 10, "ink", "start", bold=True, spot="e5"),
]


def drawn(*shapes: Shape, title: str = "A board") -> ElementTree.Element:
    return ElementTree.fromstring(svg(Scene(100, 62.5, title, shapes)))


def test_picture_has_its_size_one_title_and_the_shapes_in_order() -> None:
    root = drawn(*SHAPES)
    assert root.get("viewBox") == "0 0 100 62.5"
    assert (root.get("width"), root.get("height"), root.get("role")) == ("100", "62.5", "img")
    assert [child.tag.removeprefix(NAMESPACE) for child in root] == [
        "title",
        *("polygon", "circle", "polyline", "path", "text"),
    ]


def test_every_kind_of_shape_carries_its_spot() -> None:
    spots = [child.get("data-spot") for child in drawn(*SHAPES)][1:]
    assert spots == ["a1", "b2", "c3", "d4", "e5"]
    assert "data-spot" not in svg(Scene(1, 1, "", (Circle(0, 0, 1, "first"),)))


@pytest.mark.parametrize("text", ["<script>", "a & b", "\"quoted\" 'too'", "</title><x>", "]]>"])
def test_texts_titles_and_spots_are_escaped(text: str) -> None:
    root = drawn(Label(0, 0, text, 9, spot=text), title=text)
    assert root.findtext(f"{NAMESPACE}title") == text
    (label,) = root.findall(f"{NAMESPACE}text")
    assert (label.text, label.get("data-spot")) == (text, text)
    assert len(list(root.iter())) == 3


def test_roles_are_classes_and_colours_are_attributes() -> None:
    (_, polygon, circle, line, *_) = drawn(*SHAPES)
    assert polygon.get("class") == "f-first s-first-shade"
    assert (polygon.get("fill"), polygon.get("stroke")) == (LIGHT["first"], LIGHT["first-shade"])
    assert (circle.get("class"), circle.get("stroke")) == ("f-second", None)
    assert (line.get("class"), line.get("fill")) == ("s-grid", "none")


def test_a_ring_has_no_filling() -> None:
    (_, ring) = drawn(Circle(0, 0, 5, "", "mark", 2))
    assert (ring.get("class"), ring.get("fill")) == ("s-mark", "none")


def test_colours_are_those_asked_for() -> None:
    assert DARK["first"] in svg(Scene(1, 1, "", (Circle(0, 0, 1, "first"),)), DARK)


def test_an_unknown_role_is_a_defect() -> None:
    with pytest.raises(KeyError):
        drawn(Circle(0, 0, 1, "no-such-role"))


def test_numbers_are_short_and_plain() -> None:
    text = svg(Scene(10, 10, "", (Line(((1 / 3, 10.0), (1e-9, 2.5)), "grid", 100),)))
    assert 'points="0.33,10 0,2.5"' in text
    assert 'stroke-width="100"' in text


def test_themes_have_the_same_roles() -> None:
    assert list(LIGHT) == list(DARK)
    for colour in (*LIGHT.values(), *DARK.values()):
        assert re.fullmatch("#[0-9a-f]{6}", colour)


def test_style_sheet_gives_every_role_a_colour_in_both_themes() -> None:
    sheet = style_sheet()
    light, dark = sheet.split("@media (prefers-color-scheme:dark)")
    for role in LIGHT:
        assert f"--{role}:{LIGHT[role]};" in light
        assert f"--{role}:{DARK[role]};" in dark
        assert f".f-{role}{{fill:var(--{role})}}" in sheet
        assert f".s-{role}{{stroke:var(--{role})}}" in sheet
    assert sheet.count("{") == sheet.count("}")


def luminance(colour: str) -> float:
    """Give the relative luminance of WCAG 2: 0 is black, 1 is white."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Give the contrast ratio of WCAG 2, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_counted_as_wcag_counts_it() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("writing", "below"),
    [
        ("first-ink", "first"),
        ("second-ink", "second"),
        ("neutral-ink", "neutral"),
        ("ink", "ground"),
        ("ink", "ground-alt"),
        ("ink", "paper"),
    ],
)
def test_writing_can_be_read_on_what_it_stands_on(
    theme: dict[str, str], writing: str, below: str
) -> None:
    assert contrast(theme[writing], theme[below]) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("below", ["paper", "ground"])
def test_coordinates_can_be_told_from_their_ground(theme: dict[str, str], below: str) -> None:
    assert contrast(theme["ink-soft"], theme[below]) >= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("stones", ["first", "second"])
def test_stones_can_be_told_from_the_ground(theme: dict[str, str], stones: str) -> None:
    assert contrast(theme[stones], theme["ground"]) >= 3
