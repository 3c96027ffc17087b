"""A whole view from one description: a board, and what stands on it.

    register(GAME.info.name, BoardView(board, contents))

Text, picture, spots to point at, cells and words come from the same contents.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.core.phrases import Phrase, joined
from sarsen.drawing.boards import LETTERS, Board, Cell
from sarsen.drawing.cells import Cell as Place
from sarsen.drawing.cells import CellRow, CellTable
from sarsen.drawing.scene import Circle, Label, Point, Polygon, Scene, Shape, Stroke

STEP = 40.0  # units of a scene from cell to cell
MARGIN = 0.72  # cells from the outermost middles, of letters too, to the border of the picture
LARGEST_LETTER = 22.0
PIECE = 0.36  # radius, of a cell
CROWN = 0.2  # radius of the ring of a crowned piece
LIFT = 0.11  # of a cell, from piece to piece of a stack
MOST_DRAWN = 4  # pieces of a stack; its height is written on it
EMPTY, CROSSING = ".", "+"
RED_AND_BLUE, WHITE_AND_BLACK = ("first", "second"), ("white", "black")


@dataclass(frozen=True)
class Piece:
    """A piece, or anything else that stands on a place.

    Attributes:
        side: An index into the seats of the game, by which it is coloured; None is nobody's.
        letter: On the text board, and on the picture where it is a letter. If not given, the
            first of the side's name, or x and o where both names begin alike; `*` for nobody.
        name: What it is, for descriptions: `amazon`.
        height: Of a stack.
        is_crowned: It has a ring on the picture, and a capital letter in text, such as a king.
    """

    side: int | None
    letter: str = ""
    name: str = ""
    height: int = 1
    is_crowned: bool = False


Contents = Mapping[str, "Piece | int"]


def _last_of_moves(position: Any) -> str:
    return "".join(position.moves[-1:]) if hasattr(position, "moves") else ""


def _spots_in_text(position: Any, move: Any) -> Sequence[str]:
    return _places_in(position.format(move))


def _places_in(text: str) -> list[str]:
    return re.findall(r"[a-z]\d+", text.lower())


@dataclass(frozen=True)
class BoardView:
    """Draw the positions of one game, which look the same from every seat.

    Attributes:
        board: Return the empty board of a position.
        contents: Return what stands on it, by names of places; a side alone is a plain piece.
        last_move: Return the text of the last move, or another that names the places to mark;
            "" for none. It is the last of the position's `moves`, if not given.
        spots_of_move: Return the places to point at for a move; those that its text names, if
            not given.
        roles: Of the palette, for each side: `RED_AND_BLUE`, which everybody sees in the colours
            they have chosen, or `WHITE_AND_BLACK`.
        prompt_texts: What to point at before the first tap, after one tap …
    """

    board: Callable[[Any], Board]
    contents: Callable[[Any], Contents]
    last_move: Callable[[Any], str] = _last_of_moves
    spots_of_move: Callable[[Any, Any], Sequence[str]] = _spots_in_text
    roles: tuple[str, ...] = RED_AND_BLUE
    prompt_texts: tuple[str, ...] = ()

    def text(self, position: AnyPosition, viewer: int | None = None) -> str:
        """Return the board in ASCII; the last move stands in brackets."""
        return _text(
            self.board(position), self._marks(position), self._last(position), _seats_of(position)
        )

    def scene(self, position: AnyPosition, viewer: int | None = None) -> Scene:
        """Return the board as shapes."""
        board = self.board(position)
        empty = _empty_board(board, self.roles)
        drawn = [*empty]
        for place, piece in self._pieces(position).items():
            drawn += _piece(board, place, piece, self.roles)
        drawn += _last_move(board, self._last(position), self._pieces(position))
        width, height = _extent(board)
        title = Phrase("{game}: {state}", game=position.game.info.title, state=_state(position))
        return Scene(width, height, title, tuple(drawn), STEP, len(empty))

    def clicks(self, position: AnyPosition, move: Any) -> tuple[str, ...]:
        """Return the places to point at for a move."""
        return tuple(self.spots_of_move(position, move))

    def prompts(self, position: AnyPosition) -> tuple[str, ...]:
        """Return what to point at, tap by tap."""
        return self.prompt_texts

    def describe(self, position: AnyPosition) -> str:
        """Return who is to move, what stands where, and the last move."""
        sentences = [_state(position)]
        groups: dict[tuple[int | None, str], list[str]] = {}
        for place, piece in self._pieces(position).items():
            groups.setdefault((piece.side, piece.name), []).append(_with_height(place, piece))
        for side, name in sorted(groups, key=lambda group: (group[0] is None, group)):
            owner = _owner(position, Piece(side, name=name))
            places = joined(groups[side, name], ", ")
            sentences.append(Phrase("{pieces}: {places}.", pieces=owner, places=places))
        if not groups:
            sentences.append(Phrase("The board is empty."))
        if last := self._last(position):
            sentences.append(Phrase("Last move: {places}.", places=", ".join(last)))
        # What ended the game is also what the last move caused: once is enough.
        return joined(list(dict.fromkeys([*sentences, *position.effects()])))

    def cells(self, position: AnyPosition) -> CellTable:
        """Return the board as a table in words."""
        board, pieces = self.board(position), self._pieces(position)
        rows: dict[int, list[Place]] = {}
        for place, (_, row) in board.places.items():
            piece = pieces.get(place)
            words = _with_height(_owner(position, piece), piece) if piece else ""
            rows.setdefault(row, []).append(Place(words, place))
        columns = tuple(LETTERS[: board.columns]) if board.is_numbered_left else ()
        return CellTable(
            columns,
            tuple(CellRow(str(board.number(row)), tuple(places)) for row, places in rows.items()),
        )

    def _pieces(self, position: AnyPosition) -> dict[str, Piece]:
        """Return what stands on the board, in the order of its places.

        Raises:
            ValueError: It stands on a place that the board does not have.
        """
        contents = self.contents(position)
        places = self.board(position).places
        for place in contents:
            if place not in places:
                first, *_, last = places
                raise ValueError(
                    f"`contents` names {place}, which this board of {len(places)} places, "
                    f"from {first} to {last}, does not have"
                )
        pieces = {place: contents[place] for place in places if place in contents}
        return {
            place: piece if isinstance(piece, Piece) else Piece(piece)
            for place, piece in pieces.items()
        }

    def _marks(self, position: AnyPosition) -> dict[str, str]:
        return {
            place: _mark(piece, _seats_of(position))
            for place, piece in self._pieces(position).items()
        }

    def _last(self, position: AnyPosition) -> list[str]:
        places = self.board(position).places
        return [place for place in _places_in(self.last_move(position)) if place in places]


def _seats_of(position: AnyPosition) -> tuple[str, ...]:
    return position.game.info.seats


def _state(position: AnyPosition) -> str:
    outcome = position.outcome()
    if outcome is not None:
        return Phrase("The game is over: {reason}", reason=outcome.reason)
    return Phrase("{side} is to move.", side=position.sides[position.seat])


def _owner(position: AnyPosition, piece: Piece) -> str:
    if piece.side is None:
        return piece.name or Phrase("nobody")
    side = _seats_of(position)[piece.side]
    return joined([side, piece.name]) if piece.name else side


def _with_height(words: str, piece: Piece) -> str:
    if piece.height == 1:
        return words
    return Phrase("{pieces}, {height} high", pieces=words, height=piece.height)


def _mark(piece: Piece, seats: Sequence[str]) -> str:
    letter = piece.letter or ("*" if piece.side is None else _initials(seats)[piece.side])
    letter = letter.upper() if piece.is_crowned else letter
    return f"{letter}{piece.height}" if piece.height > 1 else letter


def _initials(seats: Sequence[str]) -> str:
    letters = "".join(seat[0].lower() for seat in seats)
    return letters if len(set(letters)) == len(seats) else "xo#@%&"


# The text board: characters by line and column, of which some may be negative.
_Canvas = dict[tuple[int, int], str]


def _text(board: Board, marks: Mapping[str, str], last: Sequence[str], seats: Sequence[str]) -> str:
    wide = max([1, *map(len, marks.values())])
    half = (wide + 2) // 2 if board.is_hexagonal else (wide + 1) / 2
    canvas: _Canvas = {}
    brackets = defaultdict[tuple[int, int], str](str)

    def column_of(cell: Cell) -> int:
        return round(2 * half * board.middle(cell)[0])

    for place, cell in board.places.items():
        mark = marks.get(place, CROSSING if board.on_points else EMPTY)
        _put(canvas, cell[1], column_of(cell), mark)
        if place in last:
            brackets[cell[1], column_of(cell) - 1] += "("
            brackets[cell[1], column_of(cell) + len(mark)] += ")"
    # Where one place ends and the next begins, one pair of brackets holds both: `(r r)`.
    canvas |= {at: found if len(found) == 1 else " " for at, found in brackets.items()}
    for letter, cell in board.column_labels():
        _put(canvas, cell[1], column_of(cell), letter)
    for number, cell in board.row_labels():
        step = round(2 * half)
        shift = step - 1 - len(number) if board.is_numbered_left else wide + 1 - step
        _put(canvas, cell[1], column_of(cell) + shift, number)
    _put_owners(canvas, board, column_of, seats)
    return _lines(canvas)


def _put_owners(
    canvas: _Canvas, board: Board, column_of: Callable[[Cell], int], seats: Sequence[str]
) -> None:
    """Write the name of its side beside the middle of each edge."""
    for edge, side in board.owners:
        cells = list(dict.fromkeys(cell for name, cell, _ in board.border if name == edge))
        _, row = cells[len(cells) // 2]
        name = seats[side]
        if edge in ("top", "bottom"):
            across = sum(map(column_of, cells)) // len(cells) - len(name) // 2
            lines = [line for line, _ in canvas]
            _put(canvas, min(lines) - 1 if edge == "top" else max(lines) + 1, across, name)
            continue
        taken = [at for line, at in canvas if line == row]
        is_left = "left" in edge
        _put(canvas, row, min(taken) - 1 - len(name) if is_left else max(taken) + 2, name)


def _put(canvas: _Canvas, line: int, column: int, text: str) -> None:
    canvas.update({(line, column + at): letter for at, letter in enumerate(text)})


def _lines(canvas: _Canvas) -> str:
    left = min(column for _, column in canvas)
    lines: dict[int, dict[int, str]] = {}
    for (line, column), letter in canvas.items():
        lines.setdefault(line, {})[column - left] = letter
    return "\n".join(
        "".join(row.get(at, " ") for at in range(max(row) + 1)).rstrip()
        for row in (lines[line] for line in sorted(lines))
    )


def _at(board: Board, point: Point) -> Point:
    """Return where a point of a board is in its picture."""
    left, top = _corner(board)
    return (point[0] - left) * STEP, (point[1] - top) * STEP


@lru_cache(maxsize=64)
def _outer(board: Board) -> tuple[float, float, float, float]:
    labels = [cell for _, cell in (*board.column_labels(), *board.row_labels())]
    points = [board.middle(cell) for cell in (*board.places.values(), *labels)]
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def _corner(board: Board) -> Point:
    left, top, _, _ = _outer(board)
    return left - MARGIN, top - MARGIN


def _extent(board: Board) -> tuple[float, float]:
    left, top, right, bottom = _outer(board)
    around = 2 * MARGIN
    return round((right - left + around) * STEP, 2), round((bottom - top + around) * STEP, 2)


@lru_cache(maxsize=64)
def _empty_board(board: Board, roles: tuple[str, ...]) -> tuple[Shape, ...]:
    width, height = _extent(board)
    shapes: list[Shape] = [Polygon(((0, 0), (width, 0), (width, height), (0, height)), "paper")]
    owners = dict(board.owners)
    for edge, _, ends in board.border:
        if edge in owners:
            points = tuple(_at(board, point) for point in ends)
            shapes.append(Stroke(points, roles[owners[edge]], STEP / 4))
    for place, cell in board.places.items():
        shapes.append(_ground(board, place, cell))
    if board.on_points:
        shapes += [
            Stroke((_at(board, start), _at(board, end)), "grid", 1.5)
            for start, end in board.lines()
        ]
    # Large boards are shown smaller, so their letters are larger beside their cells.
    size = min(11 + 0.55 * max(board.columns, board.rows), LARGEST_LETTER)
    for text, cell in (*board.column_labels(), *board.row_labels()):
        x, y = _at(board, board.middle(cell))
        shapes.append(Label(x, y, text, size, "ink-soft", is_coordinate=True))
    return tuple(shapes)


def _ground(board: Board, place: str, cell: Cell) -> Polygon:
    corners = tuple(_at(board, corner) for corner in board.corners(cell))
    if board.on_points:
        return Polygon(corners, "ground", spot=place)
    is_dark = board.is_chequered and (cell[0] + board.number(cell[1])) % 2 == 1  # as a1 is
    return Polygon(corners, "ground-alt" if is_dark else "ground", "grid", 1.2, place)


def _piece(board: Board, place: str, piece: Piece, roles: Sequence[str]) -> Iterator[Shape]:
    x, y = _at(board, board.middle(board.places[place]))
    role = "neutral" if piece.side is None else roles[piece.side]
    reach = STEP * PIECE
    for level in range(min(piece.height, MOST_DRAWN)):
        raised = y - level * LIFT * STEP
        yield Circle(x, raised, reach, role, f"{role}-shade", 1.5, place)
    top = y - _lift(piece)
    if piece.is_crowned:
        yield Circle(x, top, STEP * CROWN, "", f"{role}-ink", 2.5, place)
    words = piece.letter if piece.letter.isalpha() else ""
    words += str(piece.height) if piece.height > 1 else ""
    if words:
        yield Label(x, top, words, STEP * 0.4, f"{role}-ink", bold=True, spot=place)


def _lift(piece: Piece) -> float:
    """Return how far above its place the uppermost piece of a stack is drawn."""
    return (min(piece.height, MOST_DRAWN) - 1) * LIFT * STEP


def _last_move(board: Board, last: Sequence[str], pieces: Mapping[str, Piece]) -> Iterator[Shape]:
    for place in last:
        x, y = _at(board, board.middle(board.places[place]))
        if place in pieces:
            yield Circle(x, y - _lift(pieces[place]), STEP * PIECE + 2, "", "mark", 3.5, place)
        else:
            yield Circle(x, y, STEP * PIECE / 3, "mark", spot=place)
