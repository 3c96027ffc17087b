"""What a game's `view.py` provides, and how a position finds its view."""

from __future__ import annotations

from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.core.phrases import Phrase, joined
from sarsen.drawing.cells import CellTable, cells_in
from sarsen.drawing.scene import Label, Point, Scene


class View:
    """Draw the positions of one game: the base class of all views, with defaults.

    A view of a game overrides `text`, `scene`, `clicks` and `describe`, and of the others what
    it needs. `viewer` is the seat that looks, or None for somebody who plays neither; most games
    look the same from everywhere.

    Attributes:
        roles: The role of the palette in which each side is drawn, in the order of the game's
            seats: `("black", "white")`.
    """

    roles: tuple[str, ...] = ("first", "second")

    def text(self, position: Any, viewer: int | None = None) -> str:
        """Draw with plain ASCII characters, for mails and terminals.

        Lines carry no trailing blanks; no line feed at the end.
        """
        return str(position.write())

    def scene(self, position: Any, viewer: int | None = None) -> Scene:
        """Draw with neutral shapes."""
        line = position.write()
        label = Label(10, 20, line, size=12, role="ink", anchor="start")
        title = f"{position.game.info.title}: {line}"
        return Scene(20 + 8 * len(line), 40, title, (label,))

    def clicks(self, position: Any, move: Any) -> tuple[str, ...]:
        """Return the spots of the scene to point at, in order, to make a legal move."""
        return ()

    def describe(self, position: Any) -> str:
        """Return the position in words for screen readers: sentences without names of players."""
        return str(position.write())

    def cells(self, position: Any) -> CellTable:
        """Return the cells in words; by default, what the picture shows of them."""
        return cells_in(self.scene(position), position.game.info.seats)

    def compact_text(self, position: Any, rows: int, columns: int) -> str:
        """Draw in at most so many lines and columns; a part around the last move if need be.

        By default the usual text board, whatever its size.
        """
        return self.text(position)

    def bare_text(self, position: Any) -> str:
        """Draw the text board without the letters and numbers of coordinates around it.

        By default the usual text board.
        """
        return self.text(position)

    def plan(self, position: Any) -> Scene | None:
        """Draw a position from straight above, with heights as numbers and the same spots.

        None where the picture is flat already.
        """
        return None

    def pieces(self) -> dict[str, Scene]:
        """Draw the pieces, by the letters with which the texts of their moves begin.

        Empty where moves name no piece.
        """
        return {}

    def prompts(self, position: Any) -> tuple[str, ...]:
        """Return what to point at: before the first tap, after one tap, after two …

        The last one holds for all further taps.
        """
        return ()

    def landings(self, position: Any) -> tuple[str, ...]:
        """Return the spots on which pieces pointed at in a tray will stand, tap by tap.

        Empty where pieces come from no tray.
        """
        return ()

    def presets(self, position: Any) -> dict[str, str]:
        """Return moves to choose at one press, by `usual` and `mirror`."""
        return {}

    def ways(self, position: Any) -> dict[tuple[str, ...], tuple[Point, ...]]:
        """Return the way through the picture for each start and end of a legal move.

        Empty where a piece goes straight, or the taps name each step.
        """
        return {}


MEMBERS = tuple(name for name in vars(View) if not name.startswith("_"))


class _CompletedView(View):
    """Another object's members, and the defaults of `View` for those that it lacks."""

    def __init__(self, view: object) -> None:
        for name in members_of(view):
            setattr(self, name, getattr(view, name))


def completed(view: object) -> View:
    """Return a view that has all members, from one that need not inherit from `View`.

    Views of packages made for release 0.4 inherit from nothing.
    """
    return view if isinstance(view, View) else _CompletedView(view)


def members_of(view: object) -> tuple[str, ...]:
    """Return the names of the members that a view brings itself, without the defaults of `View`."""
    if not isinstance(view, View):
        return tuple(name for name in MEMBERS if hasattr(view, name))
    return tuple(
        name
        for name in MEMBERS
        if name in vars(view) or getattr(type(view), name) is not getattr(View, name)
    )


_views: dict[str, View] = {}


def register(name: str, view: object) -> None:
    """Make a view known for the game of that name; each `view.py` ends with this.

    Args:
        view: A `View`, or an object that has some of its members.
    """
    _views[name] = completed(view)


def registered(name: str) -> View | None:
    """Return the view of the game of that name, None when it brings none."""
    return _views.get(name)


def view_of(position: AnyPosition) -> View:
    """Return the view of a position's game; a plain one when the game brings none."""
    return _views.get(position.game.info.name, _PLAIN)


def text(position: AnyPosition, viewer: int | None = None) -> str:
    """Draw a position as a text board."""
    return view_of(position).text(position, viewer)


def scene(position: AnyPosition, viewer: int | None = None) -> Scene:
    """Draw a position as neutral shapes."""
    return view_of(position).scene(position, viewer)


def describe(position: AnyPosition, ended: str = "") -> str:
    """Return a position in words.

    Args:
        ended: How the game was ended there, where its rules do not say so: somebody resigned.
            It takes the place of the first sentence, which says who is to move.
    """
    words = view_of(position).describe(position)
    if not ended or position.outcome() is not None:
        return words
    if isinstance(words, Phrase) and len(words.facts) > 1:
        _, *sentences = (fact for fact in words.facts.values() if isinstance(fact, str))
        return joined([ended, *sentences])
    first, _, left = words.partition(". ")
    return f"{ended} {left or first}"


_PLAIN = View()


def plan(position: AnyPosition) -> Scene | None:
    """Draw a position from straight above; None where its picture is flat already."""
    return view_of(position).plan(position)


def pieces(game: str) -> dict[str, Scene]:
    """Return the pieces that moves of a game name; empty where they name none."""
    return _views.get(game, _PLAIN).pieces()


def roles_of_sides(game: str) -> tuple[str, ...]:
    """Return the role in which each side of a game is drawn, in the order of its seats."""
    return _views.get(game, _PLAIN).roles


def cells(position: AnyPosition) -> CellTable:
    """Return the cells of a position, by its view's own knowledge or by its picture."""
    return view_of(position).cells(position)


def compact_text(position: AnyPosition, rows: int, columns: int) -> str:
    """Draw the usual text board where it fits, otherwise the smaller one if the game has one."""
    usual = text(position)
    lines = usual.splitlines()
    is_fitting = len(lines) <= rows and max(map(len, lines)) <= columns
    return usual if is_fitting else view_of(position).compact_text(position, rows, columns)


def bare_text(position: AnyPosition) -> str:
    """Draw a position as a text board without coordinates, if the game has one."""
    return view_of(position).bare_text(position)


def window(middle: int, room: int, whole: range) -> range:
    """Return the part of a range that has a number of elements, around one of them."""
    begin = max(whole.start, min(middle - room // 2, whole.stop - room))
    return range(begin, min(begin + room, whole.stop))
