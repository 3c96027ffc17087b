"""A view has every member: its own, and the defaults of the base class."""

from __future__ import annotations

from typing import Any

import pytest

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.drawing.taps import landings, presets, prompts, ways
from sarsen.drawing.view import (
    MEMBERS,
    View,
    compact_text,
    members_of,
    pieces,
    plan,
    roles_of_sides,
)
from sarsen.games import load


class Inheriting(View):
    """A view that overrides one method."""

    def text(self, position: Any, viewer: int | None = None) -> str:
        return "a board"


class Independent:
    """A view that inherits from nothing, as those of release 0.4."""

    roles = ("black", "white")

    def text(self, position: AnyPosition, viewer: int | None = None) -> str:
        return "a board"


@pytest.fixture(params=[Inheriting, Independent])
def position(request: Any, monkeypatch: pytest.MonkeyPatch) -> AnyPosition:
    monkeypatch.setattr("sarsen.drawing.view._views", {})
    drawing.register("visavis", request.param())
    return load("visavis").start("-size=5")


def test_view_with_a_text_alone_is_drawn_by_the_defaults(position: AnyPosition) -> None:
    assert drawing.text(position) == compact_text(position, 1, 1) == "a board"
    assert drawing.bare_text(position) == "a board"
    assert drawing.scene(position).title == f"Visavis: {position.write()}"
    assert drawing.describe(position) == position.write()
    assert (plan(position), pieces("visavis")) == (None, {})
    assert (prompts(position), landings(position), presets(position), ways(position)) == (
        (),
        (),
        {},
        {},
    )


def test_members_of_a_view_are_those_that_it_brings_itself() -> None:
    assert members_of(Inheriting()) == ("text",)
    assert set(members_of(Independent())) == {"roles", "text"}
    assert members_of(View()) == ()
    assert {"cells", "prompts", "ways"} < {*MEMBERS}


def test_sides_have_the_roles_of_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sarsen.drawing.view._views", {})
    drawing.register("visavis", Independent())
    assert roles_of_sides("visavis") == ("black", "white")
    assert roles_of_sides("druid") == ("first", "second")
