"""A flat picture for games whose own picture hides what stands behind something taller."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from sarsen.core.game import AnyPosition
from sarsen.drawing.scene import Scene
from sarsen.drawing.view import view_of


@runtime_checkable
class ViewWithPlan(Protocol):
    """What a view adds whose picture has a depth."""

    def plan(self, position: Any) -> Scene:
        """Draw a position from straight above, with heights as numbers and the same spots."""


def plan(position: AnyPosition) -> Scene | None:
    """Draw a position from straight above; None where its picture is flat already."""
    view = view_of(position)
    return view.plan(position) if isinstance(view, ViewWithPlan) else None
