"""The pictures of mails beside what resvg, an independent painter, makes of the same scene."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import font_source_sans_pro
import pytest
import resvg_py
from PIL import Image, ImageChops

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.drawing.palette import LIGHT
from sarsen.drawing.png import HEIGHT, WIDTH, png, width_of
from sarsen.drawing.pointing import pointed
from sarsen.drawing.scene import Arc, Circle, Label, Polygon, Scene, Shape, Stroke
from sarsen.drawing.svg import svg
from sarsen.games import load, names

PLIES = (0, 1, 2, 9, 25, 60)
BLOCK = 4  # pixels across and down that an eye takes together
# Levels of 256 by which blocks may differ, of which edges that are half a pixel aside make less.
LARGEST, MEAN = 68, 2.5


@lru_cache(maxsize=1)
def fonts() -> list[str]:
    folder = Path(font_source_sans_pro.font_directory)
    return [str(folder / f"SourceSansPro-{weight}.ttf") for weight in ("Regular", "Bold")]


def reference(scene: Scene, width: int) -> Image.Image:
    """Draw the SVG of a scene in full colour."""
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg(scene),
        width=width,
        background=LIGHT["paper"],
        skip_system_fonts=True,
        font_files=fonts(),
        font_family="Source Sans Pro",
        sans_serif_family="Source Sans Pro",
    )
    return Image.open(BytesIO(drawn)).convert("RGB")


def assert_alike(scene: Scene) -> None:
    largest, mean = differences(scene)
    assert largest <= LARGEST
    assert mean <= MEAN


def differences(scene: Scene, theirs: Image.Image | None = None) -> tuple[float, float]:
    """Return by how many levels blocks of both pictures differ: the largest, and the mean."""
    picture = png(scene)
    ours = Image.open(BytesIO(picture)).convert("RGB")
    theirs = theirs or reference(scene, width_of(picture))
    assert abs(ours.height - theirs.height) <= 1
    box = (0, 0, ours.width, min(ours.height, theirs.height))
    blocks = [image.crop(box).reduce(BLOCK) for image in (ours, theirs)]
    difference = ImageChops.difference(*blocks)
    levels = [extreme for _, extreme in difference.getextrema()]
    counted = difference.convert("L").histogram()
    mean = sum(level * count for level, count in enumerate(counted)) / sum(counted)
    return max(levels), mean


def played(name: str, plies: int) -> AnyPosition:
    """Play a game at random that goes on."""
    chance = random.Random(plies)
    position: AnyPosition = load(name).start()
    for _ in range(plies):
        following = position.play(chance.choice(position.legal_moves()))
        if following.outcome() is not None:
            break
        position = following
    return position


@pytest.mark.parametrize("plies", PLIES)
@pytest.mark.parametrize("name", names())
def test_pictures_look_like_those_of_resvg(name: str, plies: int) -> None:
    assert_alike(drawing.scene(played(name, plies)))


@pytest.mark.parametrize("name", names())
def test_pictures_of_games_of_which_nothing_is_known_look_the_same(name: str) -> None:
    assert_alike(replace(drawing.scene(played(name, 9)), step=0.0, fixed=0))


@pytest.mark.parametrize("name", names())
def test_pictures_with_moves_pointed_out_look_the_same(name: str) -> None:
    position = played(name, 9)
    first, *_, last = position.legal_moves()
    assert_alike(pointed(position, [(first, "ring"), (last, "cross")]))


@pytest.mark.parametrize("name", names())
def test_pictures_take_at_most_30_kb(name: str) -> None:
    pictures = [png(drawing.scene(played(name, plies))) for plies in PLIES]
    assert max(map(len, pictures)) <= 30_000
    assert all(450 <= width_of(picture) <= 600 for picture in pictures)


def test_shapes_of_every_kind_look_the_same() -> None:
    corners = ((20.0, 20.0), (93.0, 31.0), (61.0, 88.0))
    arc = Arc((150, 40), (190, 60), 30, "second", 5)
    shapes: tuple[Shape, ...] = (
        Polygon(corners, "first", "mark", 5),
        Polygon(tuple((x + 100, y + 100) for x, y in corners), "", "ink", 3),
        Polygon(((180, 20), (320, 20), (320, 120), (180, 120)), "neutral"),  # over the edge
        Circle(60, 150, 30, "second", "second-shade", 4),
        Circle(60, 240, 25, "", "spot", 6),
        Circle(120, 240, 20, "both"),
        Circle(-50, 150, 20, "both"),  # outside
        arc,
        replace(arc, bulge=-1, role="first"),
        Arc((200, 150), (240, 150), 1, "ink", 4),  # whose radius is too short
        Stroke(((20, 290), (110, 280), (150, 296)), "grid", 1.4),
        Stroke(((170, 200), (250, 200), (250, 280)), "mark", 3.5, dashed=True),
        Stroke(((270, 250), (270, 250)), "ink", 12),  # a point
        Label(150, 20, "Middle", 18),
        Label(20, 120, "Start g", 15, anchor="start", bold=True),
        Label(290, 140, "10 of 54", 22, "ink-soft", anchor="end"),
        Label(290, 180, " ", 22),
    )
    assert_alike(Scene(300, 300, "shapes", shapes))


def test_a_position_written_as_a_line_looks_the_same() -> None:
    line = "isolation 6x8 A1 F8 - - x"
    label = Label(10, 20, line, size=12, role="ink", anchor="start")
    assert_alike(Scene(20 + 8 * len(line), 40, line, (label,)))


@pytest.mark.parametrize("name", names())
def test_a_mark_that_is_left_out_is_seen(name: str) -> None:
    scene = drawing.scene(played(name, 9))
    theirs = reference(scene, width_of(png(scene)))
    unmarked = [
        one for one in scene.shapes if "mark" not in (one.role, getattr(one, "outline", ""))
    ]
    assert len(unmarked) < len(scene.shapes)
    assert differences(replace(scene, shapes=tuple(unmarked)), theirs)[0] > LARGEST


def test_areas_have_exactly_their_colours() -> None:
    for name in names():
        picture = png(drawing.scene(played(name, 25)))
        image = Image.open(BytesIO(picture))
        assert image.mode == "P"
        colours = image.convert("RGB").getcolors()
        assert colours is not None
        used = {f"#{red:02x}{green:02x}{blue:02x}" for _, (red, green, blue) in colours}
        assert len({LIGHT[role] for role in areas(name)} - used) == 0


def areas(name: str) -> set[str]:
    """Return the roles of areas that no later shape covers."""
    shapes = drawing.scene(played(name, 25)).shapes
    return {shape.role for shape in shapes if isinstance(shape, Polygon | Circle)} - {""}


def test_nothing_is_to_be_seen_of_unseen_shapes() -> None:
    scene = drawing.scene(played("visavis", 9))
    seen = [one for one in scene.shapes if not (isinstance(one, Polygon) and one.is_unseen)]
    assert len(seen) < len(scene.shapes) - 100
    with_all, without = reference(scene, 600), reference(replace(scene, shapes=tuple(seen)), 600)
    assert ImageChops.difference(with_all, without).getbbox() is None


@pytest.mark.parametrize(
    "scene",
    [
        Scene(60_000, 40, "", (Label(10, 20, "x" * 6000, size=12, anchor="start"),)),
        Scene(6000, 6000, "", (Circle(3000, 3000, 900, "first"),), step=1),
        Scene(40, 40, "", (Polygon((), "first"), Stroke((), "ink", 2), Label(5, 5, "x", size=0))),
        Scene(40, 40, "", (Arc((9, 9), (9, 9), 5, "ink", 2), Circle(20, 20, 1e7, "first"))),
    ],
)
def test_odd_scenes_of_plug_ins_have_a_picture_within_its_bounds(scene: Scene) -> None:
    with Image.open(BytesIO(png(scene))) as picture:
        assert 1 <= picture.width <= WIDTH
        assert 1 <= picture.height <= HEIGHT
