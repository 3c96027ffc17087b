"""The board on the screen: drawn, with a cursor on its places, for keys and the mouse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.doors.tui.colours import Colours, highlighted, palette, style_of_cell
from sarsen.doors.tui.mosaic import At, Character, Mosaic, draw_board, text_mosaic
from sarsen.language.translating import translated

NEAR = 3  # columns from a place within which a click still means it
EDGE = 2  # characters that stay visible around the cursor
LIT = "•"
SIDEWAYS_COST = 3  # of a step to the side, where a step onwards costs 1


@dataclass(frozen=True)
class Pointers:
    """The marks over a board: spots that lead on, spots that were tapped."""

    next_spots: tuple[str, ...] = ()
    tapped: tuple[str, ...] = ()
    has_cursor: bool = False


class BoardWidget(Widget, can_focus=True):
    """One position."""

    DEFAULT_CSS = "BoardWidget { width: 1fr; height: 1fr; }"

    class Tapped(Message):
        """A click on a spot."""

        def __init__(self, spot: str) -> None:
            super().__init__()
            self.spot = spot

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self.position: AnyPosition | None = None
        self.start: AnyPosition | None = None
        self.pointers = Pointers()
        self.cursor = ""
        self.zoom = 0
        self.is_text = False
        self.colours = Colours.MANY
        self.is_dark = True
        self.mosaic = Mosaic(())
        self._drawn: tuple[object, ...] = ()
        self._corner: At = (0, 0)
        self._over: dict[At, tuple[str, bool]] = {}

    def show(self, position: AnyPosition, start: AnyPosition, pointers: Pointers) -> None:
        """Show a position; the cursor stays where it was, or goes where it is wanted."""
        self.position, self.start, self.pointers = position, start, pointers
        self.redraw()

    def redraw(self) -> None:
        """Draw again what has changed."""
        if self.position is None or self.start is None or not self.size.width:
            return
        drawn_state = (self.position, self.size, self.zoom, self.is_text)
        if not self._drawn or self._drawn != drawn_state:
            if self.is_text:
                self.mosaic = text_mosaic(translated(drawing.text(self.position)))
            else:
                self.mosaic = draw_board(
                    self.position, self.start, (self.size.width, self.size.height), self.zoom
                )
            self._drawn = drawn_state
        self._place_cursor()
        self._over = self._overlay()
        self._scroll()
        self.refresh()

    def move_cursor(self, across: int, down: int) -> None:
        """Move the cursor to the nearest spot in a direction, of those that lead on."""
        places = self.mosaic.places
        candidates = [spot for spot in self.pointers.next_spots if spot in places] or places
        middles = {
            spot: places[spot].middle for spot in (*candidates, self.cursor) if spot in places
        }
        target = neighbour(middles, self.cursor, across, down)
        if target:
            self.cursor = target
        self.redraw()

    def move_to_next_spot(self, step: int) -> None:
        """Move the cursor to the next spot that leads on."""
        lit = [spot for spot in self.pointers.next_spots if spot in self.mosaic.places]
        if lit:
            at = lit.index(self.cursor) + step if self.cursor in lit else 0
            self.cursor = lit[at % len(lit)]
        self.redraw()

    def move_to_nearest_spot(self) -> None:
        """Move the cursor to the nearest spot that leads on."""
        place = self.mosaic.places.get(self.cursor)
        if place is not None and self.cursor not in self.pointers.next_spots:
            self.cursor = self._nearest(place.middle)
        self.redraw()

    def scroll_board(self, rows: int) -> None:
        """Look further up or down."""
        column, row = self._corner
        self._corner = (column, max(0, min(row + rows, self.mosaic.rows - self.size.height)))
        self.refresh()

    def spot_at(self, column: int, row: int) -> str:
        """Return the spot at a point of the widget; "" for none."""
        left, top = self.offset_of_board
        at = (column - left, row - top)
        places = self.mosaic.places
        inside = [spot for spot, place in places.items() if at in place.cells]
        lit = [spot for spot in inside if spot in self.pointers.next_spots]
        if inside:
            return (lit or inside)[0]
        near = [
            (abs(place.middle[0] - at[0]) + 2 * abs(place.middle[1] - at[1]), spot)
            for spot, place in places.items()
        ]
        distance, spot = min(near, default=(NEAR + 1, ""))
        return spot if distance <= NEAR else ""

    def render_line(self, y: int) -> Strip:
        """Return one line of the screen."""
        left, top = self.offset_of_board
        row, width = y - top, self.size.width
        paper = self._paper()
        if not 0 <= row < self.mosaic.rows:
            return Strip([Segment(" " * width, paper)])
        cells = self.mosaic.cells[row]
        segments = [Segment(" " * max(left, 0), paper)]
        for column in range(max(0, -left), min(len(cells), width - left)):
            sign, style = self._signed(cells[column], (column, row))
            segments.append(Segment(sign, style))
        strip = Strip(segments).simplify()
        return strip.extend_cell_length(width, paper).crop(0, width)

    def on_resize(self) -> None:
        """Draw in the new size."""
        self.redraw()

    def on_click(self, event: Click) -> None:
        """Tap the spot below the mouse."""
        spot = self.spot_at(event.x, event.y)
        if spot:
            self.post_message(self.Tapped(spot))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Look further down."""
        self.scroll_board(2)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Look further up."""
        self.scroll_board(-2)

    def _place_cursor(self) -> None:
        """Find a place for a cursor that has none on this drawing."""
        if self.cursor not in self.mosaic.places:
            self.cursor = self._nearest((self.mosaic.columns // 2, self.mosaic.rows // 2))

    def _nearest(self, begin: At) -> str:
        places = self.mosaic.places
        lit = [spot for spot in self.pointers.next_spots if spot in places]
        return min(
            lit or places, key=lambda spot: _distance(places[spot].middle, begin), default=""
        )

    def _overlay(self) -> dict[At, tuple[str, bool]]:
        overlay: dict[At, tuple[str, bool]] = {}
        places, pointers = self.mosaic.places, self.pointers
        if pointers.tapped or 2 * len(pointers.next_spots) <= len(places):
            for spot in pointers.next_spots:
                if spot in places:
                    overlay[places[spot].middle] = ("spot", False)
        for spot in pointers.tapped:
            if spot in places:
                overlay.update(dict.fromkeys(places[spot].cells, ("mark", False)))
        if pointers.has_cursor and self.cursor in places:
            overlay.update(dict.fromkeys(places[self.cursor].cells, ("ink", True)))
        return overlay

    def _signed(self, cell: Character, at: At) -> tuple[str, Style]:
        over = self._over.get(at)
        if over is None:
            return style_of_cell(cell, self.colours, self.is_dark)
        role, is_cursor = over
        if role == "spot" and not cell.sign.isalnum():
            ground = Character(LIT, "spot", cell.behind)
            return LIT, style_of_cell(ground, self.colours, self.is_dark)[1]
        return highlighted(cell, self.colours, self.is_dark, role, is_cursor)

    def _scroll(self) -> None:
        """Keep in sight what is pointed at."""
        spots = [*self.pointers.tapped, self.cursor]
        places = [self.mosaic.places[spot].middle for spot in spots if spot in self.mosaic.places]
        if not self.pointers.has_cursor:
            places = self._marked()
        for at in places:
            self._corner = (
                _scrolled(self._corner[0], at[0], self.size.width, self.mosaic.columns, 2 * EDGE),
                _scrolled(self._corner[1], at[1], self.size.height, self.mosaic.rows, EDGE),
            )

    def _marked(self) -> list[At]:
        """Return the corners of what the last move has changed."""
        marked = [
            (column, row)
            for row, line in enumerate(self.mosaic.cells)
            for column, cell in enumerate(line)
            if "mark" in (cell.front, cell.behind)
        ]
        if not marked:
            return []
        columns, rows = zip(*marked, strict=True)
        return [(max(columns), max(rows)), (min(columns), min(rows))]

    @property
    def offset_of_board(self) -> At:
        """Return where the first character of the board stands in the widget."""
        (width, height), (column, row) = self.size, self._corner
        left = (width - self.mosaic.columns) // 2 if self.mosaic.columns <= width else -column
        top = (height - self.mosaic.rows) // 2 if self.mosaic.rows <= height else -row
        return left, top

    def _paper(self) -> Style:
        if self.colours is Colours.NONE:
            return Style()
        roles = palette(self.colours, is_dark=self.is_dark)
        return Style(color=roles["ink"], bgcolor=roles["paper"])


def _scrolled(corner: int, at: int, room: int, whole: int, edge: int) -> int:
    """Return the first character to show, so that one stays in sight."""
    corner = min(corner, at - edge)
    corner = max(corner, at + edge + 1 - room)
    return max(0, min(corner, whole - room))


def _distance(a: At, b: At) -> int:
    return abs(a[0] - b[0]) + 2 * abs(a[1] - b[1])


def neighbour(places: Mapping[str, At], start: str, across: int, down: int) -> str:
    """Return the nearest place in a direction; "" where there is none.

    Args:
        places: Columns and rows; a row is twice as high as a column is wide.
        across, down: -1, 0 or 1; one of them is 0.
    """
    if start not in places:
        return next(iter(places), "")
    x, y = places[start]
    candidates: list[tuple[int, str]] = []
    for name, (column, row) in places.items():
        right, below = column - x, 2 * (row - y)
        onwards = right * across + below * down
        aside = abs(below if across else right)
        if onwards > 0 and aside <= 2 * onwards:
            candidates.append((onwards + SIDEWAYS_COST * aside, name))
    return min(candidates, default=(0, ""))[1]
