"""Plug-ins run in processes of their own, and answer there as they would here."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.core.referee import judge
from sarsen.drawing.boards import square_board
from sarsen.drawing.kits import BoardView
from sarsen.drawing.scene import Polygon, Scene
from sarsen.drawing.svg import svg
from sarsen.drawing.taps import tap_tree
from sarsen.drawing.view import plan, roles_of_sides
from sarsen.isolation import stand_in
from sarsen.isolation.stand_in import PluginGame, isolated

PLUGIN = Path(__file__).parents[1] / "plugin"


@dataclass
class Both:
    """Nim as its package plays it, and isolated."""

    here: Game
    there: Game


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Iterator[Both]:
    monkeypatch.syspath_prepend(str(PLUGIN))
    monkeypatch.setattr("sarsen.drawing.view._views", {})
    for name in [name for name in sys.modules if name.startswith("sarsen_nim")]:
        monkeypatch.delitem(sys.modules, name)
    import sarsen_nim

    isolated_nim = isolated(sarsen_nim)
    yield Both(sarsen_nim.GAME, isolated_nim.GAME)
    stop(isolated_nim.GAME)
    # Its view is registered in the table of this test alone: the next import must register it.
    for name in [name for name in sys.modules if name.startswith("sarsen_nim")]:
        del sys.modules[name]


def stop(game: PluginGame) -> None:
    for process in game._processes:
        process.end()


def told(position: AnyPosition) -> tuple[object, ...]:
    """Return all that a position says."""
    return (
        position.write(),
        dict(position.options),
        (position.seat, position.sides, position.outcome(), position.effects()),
        [position.format(move) for move in position.legal_moves()],
    )


def test_isolated_game_is_played_as_it_is_without_a_process_of_its_own(nim: Both) -> None:
    here, there = nim.here.start("-rows=2"), nim.there.start("-rows=2")
    assert told(here) == told(there)
    while here.outcome() is None:
        text = here.format(here.legal_moves()[0])
        here, there = judge(here, text).position, judge(there, text.upper()).position
        assert told(here) == told(there)
        assert told(nim.there.read(here.write())) == told(nim.here.read(here.write()))
    assert there.outcome() is not None


def test_isolated_game_refuses_in_the_same_words(nim: Both) -> None:
    for text in ("a9", "nonsense"):
        refusals = []
        for game in (nim.here, nim.there):
            with pytest.raises(UserError) as refused:
                judge(game.start(), text)
            found = refused.value
            refusals.append((type(found), found.text, found.code, found.hint, found.args))
        assert refusals[0] == refusals[1]


def test_view_of_an_isolated_game_draws_the_same(nim: Both) -> None:
    there = nim.there.start()
    assert plan(there) is None
    text, scene = drawing.text(there), drawing.scene(there, 1)
    taps, words = tap_tree(there), drawing.describe(there)
    from sarsen_nim import view

    drawing.register("nim", view.NimView())
    here = nim.here.start()
    assert (text, scene, words) == (
        drawing.text(here),
        drawing.scene(here, 1),
        drawing.describe(here),
    )
    assert taps == tap_tree(here)


def test_view_of_an_isolated_game_keeps_the_roles_of_its_sides(
    nim: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sarsen_nim

    drawing.register("nim", BoardView(lambda _: square_board(3), lambda _: {}, roles=("white",)))
    game = isolated(sarsen_nim).GAME
    assert roles_of_sides("nim") == ("white",)
    stop(game)


def test_a_plugins_scene_made_of_lists_is_drawn_like_one_of_tuples() -> None:
    class Position:
        def ask(self, *question: object) -> Scene:
            shapes: Any = [Polygon([[0, 0], [9, 0], [9, 9]], "first")]  # type: ignore[list-item]
            return Scene(9, 9, "", shapes)

    position: Any = Position()
    scene = stand_in._draw("scene", position)
    assert scene == Scene(9, 9, "", (Polygon(((0, 0), (9, 0), (9, 9)), "first"),))
    assert svg(scene)
