"""What to point at next, in words: for people who have never moved in this game."""

from __future__ import annotations

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


def prompts(position: AnyPosition) -> tuple[str, ...]:
    """Say what to point at after so many taps; empty where the view says nothing."""
    view = view_of(position)
    if not isinstance(view, ViewWithPrompts) or position.outcome() is not None:
        return ()
    return view.prompts(position)
