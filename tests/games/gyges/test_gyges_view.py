"""The text board to the character, the picture, the spots and the words."""

from __future__ import annotations

import pytest

from sarsen import drawing
from sarsen.core.referee import replayed
from sarsen.drawing.palette import DARK, LIGHT
from sarsen.drawing.scene import Circle, Label, Polygon, Stroke
from sarsen.drawing.svg import svg
from sarsen.games.gyges import GAME
from sarsen.games.gyges.board import NAMES
from sarsen.games.gyges.rules import GygesPosition

STALEMATE = "S f/f/c1b/c1a2/112232/a3a3a3"

BOARD = """\
1 2 3 4 5 6
     N
3 2 1 1 2 3 6
. . . . . . 5
. . . . . . 4
. . . . . . 3
. . . . . . 2
2 3 1 1 2 3 1
     S"""

WON = """\
1 2 3 4 5 6
     1
. 3 . 3 . 3 6
1 1 2 2 3 2 5
. . . 1 . 2 4
. . . . . . 3
. . . . . . 2
. . . . . . 1
     S"""


def spots(position: GygesPosition) -> set[str]:
    return {shape.spot for shape in drawing.scene(position).shapes if shape.spot}


def outlined(position: GygesPosition, role: str) -> set[str]:
    """Return the spots of the circles with an outline of a role."""
    shapes = drawing.scene(position).shapes
    return {shape.spot for shape in shapes if isinstance(shape, Circle) and shape.outline == role}


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_text_board_is_the_same_from_every_seat(ready: GygesPosition, viewer: int | None) -> None:
    assert drawing.text(ready, viewer) == BOARD


def test_text_board_puts_the_ring_that_won_in_the_place_of_the_goal() -> None:
    position = replayed(GAME.read(STALEMATE), ["34-44-43; 43-53-N"])
    assert drawing.text(position) == WON


def test_clicks_are_the_ring_its_end_and_where_the_other_ring_goes(ready: GygesPosition) -> None:
    view = drawing.view_of(ready)
    assert view.clicks(ready, ready.parse("12-42")) == ("12", "42")
    assert view.clicks(ready, ready.parse("13-14-24")) == ("13", "24")
    assert view.clicks(ready, ready.parse("13x14=44")) == ("13", "14", "44")


def test_clicks_tell_all_listed_moves_apart(ready: GygesPosition) -> None:
    view = drawing.view_of(ready)
    moves = ready.legal_moves()
    assert len({view.clicks(ready, move) for move in moves}) == len(moves)


def test_clicks_of_moves_in_a_row_follow_each_other() -> None:
    position = GAME.read(STALEMATE)
    move = position.parse("34-44-43; 43-53-N")
    assert drawing.view_of(position).clicks(position, move) == ("34", "43", "43", "N")


def test_clicks_of_a_set_up_are_six_rings_of_the_tray() -> None:
    start = GAME.start()
    assert drawing.view_of(start).clicks(start, start.parse("231123")) == tuple("231123")
    assert set("123") <= spots(start)


def test_tray_is_gone_once_both_have_set_up(ready: GygesPosition) -> None:
    assert spots(ready) == set(NAMES)


def test_words_of_the_tray_fit_into_it_in_a_wide_font() -> None:
    labels = [shape for shape in drawing.scene(GAME.start()).shapes if isinstance(shape, Label)]
    (words,) = [label for label in labels if label.text.startswith("Six rings")]
    assert len(words.text) * words.size * 0.56 <= 264  # its plate; 0.56: DejaVu Sans


def test_picture_marks_the_rings_that_can_move() -> None:
    position = GAME.read("S 23d/2b2b/b3a11/b3c/b21b/b1a3a")
    assert outlined(position, "spot") == {move.stops[0] for move in position.legal_moves()}
    assert outlined(position, "spot") == {"12"}


def test_picture_draws_a_band_for_each_connection(ready: GygesPosition) -> None:
    bands = [
        shape.spot
        for shape in drawing.scene(ready).shapes
        if isinstance(shape, Circle) and shape.outline == "neutral-ink"
    ]
    assert [bands.count(slot) for slot in ("11", "12", "13", "64", "65", "66")] == [
        2,
        3,
        1,
        1,
        2,
        3,
    ]


def test_picture_marks_the_last_move_and_its_relocation(ready: GygesPosition) -> None:
    position = replayed(ready, ["13-14x15=44"])
    assert outlined(position, "mark") == {"13", "44"}
    filled = [
        s for s in drawing.scene(position).shapes if isinstance(s, Circle) and s.role == "mark"
    ]
    assert [disc.spot for disc in filled] == ["15"]
    marks = [
        s for s in drawing.scene(position).shapes if isinstance(s, Stroke) and s.role == "mark"
    ]
    assert [line.dashed for line in marks] == [False, True]
    # 13, 14 and 15: the trail goes through the ring it bounced on.
    assert len(marks[0].points) == 3


def test_picture_puts_the_ring_that_won_on_the_goal() -> None:
    position = replayed(GAME.read(STALEMATE), ["34-44-43", "43-53-N"])
    assert outlined(position, "neutral-ink") >= {"N", "44"}
    assert "43" not in outlined(position, "neutral-ink")
    labels = {shape.text for shape in drawing.scene(position).shapes if isinstance(shape, Label)}
    assert {"South has won", "North"} <= labels


def test_picture_uses_roles_of_both_palettes_only(ready: GygesPosition) -> None:
    for position in (GAME.start(), ready, replayed(ready, ["13x14=44"])):
        for shape in drawing.scene(position).shapes:
            for role in (shape.role, getattr(shape, "outline", "")):
                assert not role or (role in LIGHT and role in DARK)


def test_title_says_who_moves_and_where_the_shores_are() -> None:
    assert drawing.scene(GAME.start()).title == "Gyges: South to set up"
    position = GAME.read(STALEMATE)
    assert drawing.scene(position).title == "Gyges: South to move, shores in rows 3 and 6"
    won = replayed(position, ["34-44-43", "43-53-N"])
    assert drawing.scene(won).title == "Gyges: South landed a ring on North's goal."


def test_description_says_turn_rings_shores_and_what_was_caused() -> None:
    position = replayed(GAME.read(STALEMATE), ["34-44-43"])
    assert drawing.describe(position) == (
        "South to move. Row 6, North's shore: triple 62, triple 64, triple 66. "
        "Row 5: single 51, single 52, double 53, double 54, triple 55, double 56. "
        "Row 4, South's shore: single 43, single 44, double 46. "
        "South's last move was 34-44-43. South's shore is now row 4. "
        "North cannot move, so South moves again."
    )


def test_description_of_the_end_says_who_won() -> None:
    position = replayed(GAME.read(STALEMATE), ["34-44-43", "43-53-N"])
    assert drawing.describe(position).startswith("South has won.")
    assert drawing.describe(position).endswith("South landed a ring on North's goal.")
    assert drawing.describe(GAME.start()) == "South to set up six rings. The board is empty."


def test_all_of_the_tray_is_marked_as_such(ready: GygesPosition) -> None:
    def marked(position: GygesPosition) -> list[Circle | Label | Polygon]:
        shapes = drawing.scene(position).shapes
        return [one for one in shapes if isinstance(one, Circle | Label | Polygon) and one.is_tray]

    start = GAME.start()
    assert {shape.spot for shape in marked(start)} == {"", "1", "2", "3"}
    assert svg(drawing.scene(start)).count('class="tray ') == len(marked(start))
    assert not marked(ready)
