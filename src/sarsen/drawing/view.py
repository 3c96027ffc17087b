"""What a game's `view.py` provides, and how a position finds its view."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from sarsen.core.game import AnyPosition
from sarsen.core.phrases import Phrase, joined
from sarsen.drawing.scene import Label, Scene


class View(Protocol):
    """Draw the positions of one game.

    `viewer` is the seat that looks, or None for somebody who plays neither;
    most games look the same from everywhere.
    """

    def text(self, position: Any, viewer: int | None = None) -> str:
        """Draw with plain ASCII characters, for mails and terminals.

        Lines carry no trailing blanks; no line feed at the end.
        """

    def scene(self, position: Any, viewer: int | None = None) -> Scene:
        """Draw with neutral shapes."""

    def clicks(self, position: Any, move: Any) -> tuple[str, ...]:
        """Name the spots of the scene to point at, in order, to make a legal move."""

    def describe(self, position: Any) -> str:
        """Return the position in words for screen readers: sentences without names of players."""


_views: dict[str, View] = {}


def register(name: str, view: View) -> None:
    """Make a view known for the game of that name; each `view.py` ends with this."""
    _views[name] = view


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


class _PlainView:
    """Show a position as its written line, for a plug-in game without a view."""

    def text(self, position: AnyPosition, viewer: int | None = None) -> str:
        return position.write()

    def scene(self, position: AnyPosition, viewer: int | None = None) -> Scene:
        line = position.write()
        label = Label(10, 20, line, size=12, role="ink", anchor="start")
        title = f"{position.game.info.title}: {line}"
        return Scene(20 + 8 * len(line), 40, title, (label,))

    def clicks(self, position: AnyPosition, move: Any) -> tuple[str, ...]:
        return ()

    def describe(self, position: AnyPosition) -> str:
        return position.write()


_PLAIN = _PlainView()


@runtime_checkable
class ViewWithPlan(Protocol):
    """A view whose picture shows depth."""

    def plan(self, position: Any) -> Scene:
        """Draw a position from straight above, with heights as numbers and the same spots."""


def plan(position: AnyPosition) -> Scene | None:
    """Draw a position from straight above; None where its picture is flat already."""
    view = view_of(position)
    return view.plan(position) if isinstance(view, ViewWithPlan) else None


@runtime_checkable
class ViewWithPieces(Protocol):
    """A view whose moves name a piece, which says more than its number of a place."""

    def pieces(self) -> dict[str, Scene]:
        """Draw the pieces, by the letters with which the texts of their moves begin."""


def pieces(game: str) -> dict[str, Scene]:
    """Return the pieces that moves of a game name; empty where they name none."""
    view = _views.get(game)
    return view.pieces() if isinstance(view, ViewWithPieces) else {}


@runtime_checkable
class ViewWithRoles(Protocol):
    """A view that draws its sides in other roles of the palette than `first` and `second`."""

    @property
    def roles(self) -> tuple[str, ...]:
        """The role of each side, in the order of the game's seats: `("black", "white")`."""


def roles_of_sides(game: str) -> tuple[str, ...]:
    """Return the role in which each side of a game is drawn, in the order of its seats."""
    view = _views.get(game)
    return view.roles if isinstance(view, ViewWithRoles) else ("first", "second")


@runtime_checkable
class ViewWithCompactText(Protocol):
    """A view whose text board can be larger than a terminal."""

    def compact_text(self, position: Any, rows: int, columns: int) -> str:
        """Draw in at most so many lines and columns; a part around the last move if need be."""


def compact_text(position: AnyPosition, rows: int, columns: int) -> str:
    """Draw the usual text board where it fits, otherwise the smaller one if the game has one."""
    usual = text(position)
    lines = usual.splitlines()
    view = view_of(position)
    is_fitting = len(lines) <= rows and max(map(len, lines)) <= columns
    if is_fitting or not isinstance(view, ViewWithCompactText):
        return usual
    return view.compact_text(position, rows, columns)


def window(middle: int, room: int, whole: range) -> range:
    """Return the part of a range that has a number of elements, around one of them."""
    begin = max(whole.start, min(middle - room // 2, whole.stop - room))
    return range(begin, min(begin + room, whole.stop))
