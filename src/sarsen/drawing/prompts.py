"""What to point at next, in words: for people who have never moved in this game."""

from __future__ import annotations

from random import choice
from typing import Any, Protocol, runtime_checkable

from sarsen.core.game import AnyPosition
from sarsen.drawing.view import view_of


@runtime_checkable
class ViewWithPrompts(Protocol):
    """What a view adds whose moves are not plain."""

    def prompts(self, position: Any) -> tuple[str, ...]:
        """Say what to point at: before the first tap, after one tap, after two …

        The last one holds for all further taps.
        """


@runtime_checkable
class ViewWithTray(Protocol):
    """What a view adds where a move is put together from pieces of a tray."""

    def landings(self, position: Any) -> tuple[str, ...]:
        """Name the spots on which the pieces pointed at will stand, tap by tap."""

    def presets(self, position: Any) -> dict[str, str]:
        """Return moves to choose at one press, by `usual` and `mirror`."""


def landings(position: AnyPosition) -> tuple[str, ...]:
    """Return where pieces that are pointed at will stand; empty where they come from no tray."""
    view = view_of(position)
    return view.landings(position) if isinstance(view, ViewWithTray) else ()


def presets(position: AnyPosition) -> dict[str, str]:
    """Return moves to choose at one press, with a random one; empty where the view names none."""
    view = view_of(position)
    named = view.presets(position) if isinstance(view, ViewWithTray) else {}
    if not named:
        return {}
    drawn = choice(position.legal_moves())
    return named | {"random": position.format(drawn)}


def prompts(position: AnyPosition) -> tuple[str, ...]:
    """Return a text that says what to point at after so many taps; empty where the view says
    nothing.
    """
    view = view_of(position)
    if not isinstance(view, ViewWithPrompts) or position.outcome() is not None:
        return ()
    return view.prompts(position)
