"""The one SVG writer: whole, safe, and coloured by roles only."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from sarsen.drawing.palette import DARK, LIGHT
from sarsen.drawing.scene import Arc, Circle, Label, Polygon, Scene, Shape, Stroke
from sarsen.drawing.svg import style_rules, svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
SHAPES: list[Shape] = [
    Polygon(((0, 0), (10, 0), (5, 7.25)), "first", "first-shade", 1.5, spot="a1"),
    Circle(5, 5, 2, "second", spot="b2"),
    Stroke(((0, 0), (3, 1 / 3)), "grid", 0.5, dashed=True, spot="c3"),
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
    text = svg(Scene(10, 10, "", (Stroke(((1 / 3, 10.0), (1e-9, 2.5)), "grid", 100),)))
    assert 'points="0.33,10 0,2.5"' in text
    assert 'stroke-width="100"' in text


def test_stripes_are_a_pattern_of_the_second_side_and_of_nobody_else() -> None:
    scene = Scene(9, 9, "", (Circle(0, 0, 1, "first"), Circle(5, 5, 1, "second", "second", 2)))
    plain, striped = svg(scene), svg(scene, is_striped=True)
    assert "<pattern" not in plain
    assert striped.count('id="stripes"') == 1
    root = ElementTree.fromstring(striped)
    (first, second) = root.findall(f"{NAMESPACE}circle")
    assert first.get("fill") == LIGHT["first"]
    assert (second.get("fill"), second.get("stroke")) == ("url(#stripes)", "url(#stripes)")
    parts = [one.get("fill") for one in root.iter(f"{NAMESPACE}rect")]
    assert parts == [LIGHT["second"], LIGHT["second-stripe"]]


def test_a_picture_in_a_page_has_no_colours_of_its_own() -> None:
    text = svg(Scene(9, 9, "", tuple(SHAPES)), None, is_striped=True)
    assert "#" not in text
    assert "<pattern" not in text


def test_rules_of_a_page_give_every_role_its_variable() -> None:
    rules = style_rules()
    for role in LIGHT:
        assert f".f-{role}{{fill:var(--{role})}}" in rules
        assert f".s-{role}{{stroke:var(--{role})}}" in rules
