"""The picture of a position: dishes joined by connections, rings, shores and two goals.

Rings show their value as that many bands. What lies behind a shore is tinted,
with a coast in the player's colour: no ring is relocated across it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sarsen.core.phrases import Phrase
from sarsen.drawing.scene import Circle, Label, Polygon, Scene, Shape, Stroke
from sarsen.games.gyges.board import (
    GOALS,
    NAMES,
    NORTH,
    PLACES,
    ROWS,
    SIDES,
    SLOTS,
    SOUTH,
    column_of,
    row_of,
    shore,
    shore_rings,
)
from sarsen.games.gyges.routes import RingRequest, choices_of, find_route
from sarsen.games.gyges.rules import GygesPosition

SPACE = 64.0  # from slot to slot
LEFT, TOP = 76.0, 142.0  # the middle of slot 61
RIGHT, BOTTOM = LEFT + 5 * SPACE, TOP + 5 * SPACE
WIDTH, HEIGHT = LEFT + RIGHT, TOP + BOTTOM
MIDDLE = WIDTH / 2
EDGE = 44.0  # from the outermost slots to the edge of the playing area
GOAL_AWAY = 70.0  # from a starting row to the middle of its goal
GOAL_HALF = 22.0
DISH = 27.0
BANDS = {1: (6.5,), 2: (6.5, 13.5), 3: (6.5, 13.5, 20.5)}  # radii of the bands by value
BAND = 4.0
ROLES = ("first", "second")


def picture(position: GygesPosition) -> Scene:
    """Draw a position."""
    shapes = [
        *_ground(),
        *_waters(position),
        *_connections(),
        *_goals(position),
        *_dishes(),
        *_path(position),
        *_rings(position),
        *_numbers(),
        *(_tray(position.seat) if position.is_setting_up else ()),
    ]
    return Scene(WIDTH, HEIGHT, _title(position), tuple(shapes), SPACE, 1)


def _ground() -> Iterator[Shape]:
    yield _plate(LEFT - EDGE, TOP - EDGE, RIGHT + EDGE, BOTTOM + EDGE, "ground", 20)


def _waters(position: GygesPosition) -> Iterator[Shape]:
    if position.is_setting_up:
        return
    for seat in (SOUTH, NORTH):
        row = shore(position.rings, seat)
        coast = _y_of_row(row) + (SPACE / 2 if seat == SOUTH else -SPACE / 2)
        shallow = BOTTOM + EDGE if seat == SOUTH else TOP - EDGE
        if row not in (ROWS[0], ROWS[-1]):
            top, bottom = sorted((coast, shallow))
            yield _plate(LEFT - EDGE, top, RIGHT + EDGE, bottom, "ground-alt", 20)
        yield Stroke(((LEFT - EDGE + 4, coast), (RIGHT + EDGE - 4, coast)), ROLES[seat], 2.5)


def _connections() -> Iterator[Shape]:
    for row in ROWS:
        y = _y_of_row(row)
        yield Stroke(((LEFT, y), (RIGHT, y)), "grid", 2.5)
    for column in range(6):
        x = LEFT + column * SPACE
        yield Stroke(((x, TOP - GOAL_AWAY), (x, BOTTOM + GOAL_AWAY)), "grid", 2.5)


def _goals(position: GygesPosition) -> Iterator[Shape]:
    for seat in (SOUTH, NORTH):
        y, role, spot = _y_of_goal(seat), ROLES[seat], SIDES[seat][0]
        ends = ((LEFT - 12, y), (RIGHT + 12, y))
        yield Stroke(ends, f"{role}-shade", 2 * GOAL_HALF, spot=spot)
        yield Stroke(ends, role, 2 * GOAL_HALF - 5, spot=spot)
        x = _x_of_name(position, seat)
        yield Label(x, y, _standing(position, seat), 22, f"{role}-ink", bold=True, spot=spot)


def _x_of_name(position: GygesPosition, seat: int) -> float:
    """Keep clear of a ring that came to rest on the goal."""
    last = position.last
    if last is None or last.trail[-1] != GOALS[seat]:
        return MIDDLE
    return MIDDLE + (SPACE if column_of(last.trail[-2]) <= 3 else -SPACE)


def _dishes() -> Iterator[Shape]:
    for place in SLOTS:
        x, y = _middle(place)
        yield Circle(x, y, DISH, "paper", "grid", 1.5, NAMES[place])


def _path(position: GygesPosition) -> Iterator[Shape]:
    if position.last is None:
        return
    trail, move = position.last.trail, position.last.move
    points = tuple(_point(trail, step) for step in range(len(trail)))
    yield Stroke(points, "mark", 9)
    yield Circle(*points[0], 8, "paper", "mark", 4, NAMES[trail[0]])
    if move.relocation:
        yield Stroke((points[-1], _middle(PLACES[move.relocation])), "mark", 4, dashed=True)


def way_of(position: GygesPosition, stops: tuple[str, ...]) -> tuple[tuple[float, float], ...]:
    """Return the points of a legal way, the slots between its stops included."""
    places = tuple(PLACES[stop] for stop in stops)
    request = RingRequest(places, (None,) * (len(places) - 1))
    route = find_route(position.rings, request, position.seat, may_add=False)
    trail = route.trail if route else places
    return tuple(_point(trail, step) for step in range(len(trail)))


def _rings(position: GygesPosition) -> Iterator[Shape]:
    movable = _movable(position)
    for place in SLOTS:
        value = position.shown[place]
        if value:
            yield from _halo(position, place, can_move=place in movable)
            yield from _ring(*_middle(place), value, NAMES[place])
    last = position.last
    if last is not None and last.trail[-1] in GOALS:
        goal = last.trail[-1]
        x, y = _point(last.trail, len(last.trail) - 1)
        yield Circle(x, y, GOAL_HALF + 4, "mark", spot=NAMES[goal])
        yield from _ring(x, y, position.shown[goal], NAMES[goal])


def _halo(position: GygesPosition, place: int, *, can_move: bool) -> Iterator[Shape]:
    """Mark where the last move ended, where it relocated to, and what can move now."""
    x, y = _middle(place)
    last = position.last
    if last is not None and place == last.trail[-1]:
        yield Circle(x, y, DISH + 4, "mark", spot=NAMES[place])
    elif last is not None and NAMES[place] == last.move.relocation:
        yield Circle(x, y, DISH + 1.5, "paper", "mark", 3, NAMES[place])
    if can_move:
        yield Circle(x, y, DISH - 1, "", "spot", 3, NAMES[place])


def _movable(position: GygesPosition) -> tuple[int, ...]:
    if position.is_setting_up or position.outcome() is not None:
        return ()
    rings, seat, stood = position.rings, position.seat, position.stood
    return tuple(
        origin
        for origin in shore_rings(rings, seat)
        if next(choices_of(rings, origin, seat, stood), None)
    )


def _ring(x: float, y: float, value: int, spot: str) -> Iterator[Circle]:
    """Draw one band a connection."""
    for radius in reversed(BANDS[value]):
        yield Circle(x, y, radius, "neutral", "neutral-ink", BAND, spot)


def _numbers() -> Iterator[Shape]:
    for row in ROWS:
        for x in (LEFT - EDGE - 16, RIGHT + EDGE + 16):
            yield Label(x, _y_of_row(row), str(row), 18, "ink-soft", is_coordinate=True)
    for column in range(1, 7):
        x = LEFT + (column - 1) * SPACE
        for y in (TOP - GOAL_AWAY - GOAL_HALF - 16, BOTTOM + GOAL_AWAY + GOAL_HALF + 16):
            yield Label(x, y, str(column), 18, "ink-soft", is_coordinate=True)


def _tray(seat: int) -> Iterator[Shape]:
    """Show the six rings to point at, two of each value, for the columns 1 to 6."""
    # It covers the middle of the board, where nothing stands yet.
    for shape in _tray_shapes(seat):
        yield replace(shape, is_tray=True)


def _tray_shapes(seat: int) -> Iterator[Circle | Label | Polygon]:
    y = (TOP + BOTTOM) / 2
    yield _plate(MIDDLE - 135, y - 99, MIDDLE + 135, y + 99, ROLES[seat], 30)
    yield _plate(MIDDLE - 132, y - 96, MIDDLE + 132, y + 96, "paper", 26)
    yield Label(MIDDLE, y - 72, Phrase("Six rings, left to right"), 15, "ink")
    for value in BANDS:
        for row in (y - 20, y + 50):
            x = MIDDLE + (value - 2) * 80
            yield Circle(x, row, 26, "paper", "spot", 2.5, str(value))
            yield from _ring(x, row, value, str(value))


def _plate(
    left: float, top: float, right: float, bottom: float, role: str, corner: float
) -> Polygon:
    """Return a rectangle whose corners an outline of its own colour rounds."""
    inset = corner / 2
    left, top, right, bottom = left + inset, top + inset, right - inset, bottom - inset
    points = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Polygon(points, role, role, corner)


def _point(trail: tuple[int, ...], step: int) -> tuple[float, float]:
    """Return a point of the trail; a goal is entered straight on from the slot before."""
    place = trail[step]
    if place in GOALS:
        return _middle(trail[step - 1])[0], _y_of_goal(GOALS.index(place))
    return _middle(place)


def _middle(place: int) -> tuple[float, float]:
    return LEFT + (column_of(place) - 1) * SPACE, _y_of_row(row_of(place))


def _y_of_row(row: int) -> float:
    return BOTTOM - (row - 1) * SPACE


def _y_of_goal(seat: int) -> float:
    return BOTTOM + GOAL_AWAY if seat == SOUTH else TOP - GOAL_AWAY


def _title(position: GygesPosition) -> str:
    """Return the position in one line: `Gyges: South to move, shores in rows 1 and 5`."""
    outcome = position.outcome()
    if outcome is not None:
        return Phrase("Gyges: {reason}", reason=outcome.reason)
    side = SIDES[position.seat]
    if position.is_setting_up:
        return Phrase("Gyges: {side} to set up", side=side)
    south, north = (shore(position.rings, seat) for seat in (SOUTH, NORTH))
    return Phrase(
        "Gyges: {side} to move, shores in rows {south} and {north}",
        side=side,
        south=south,
        north=north,
    )


def _standing(position: GygesPosition, seat: int) -> str:
    """Return the label of a side: `South to move`, `South has won`, or its name."""
    outcome, side = position.outcome(), SIDES[seat]
    if outcome is not None:
        return Phrase("{side} has won", side=side) if outcome.winner == seat else side
    if position.seat != seat:
        return side
    if position.is_setting_up:
        return Phrase("{side} to set up", side=side)
    return Phrase("{side} to move", side=side)
