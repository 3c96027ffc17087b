"""X forces a loop from 47 tiles on: every line, by the rules."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sarsen.games.vasco.board import FIRST_CELL
from sarsen.games.vasco.moves import Move
from sarsen.games.vasco.proof import forced_loop
from sarsen.games.vasco.proof.forced_loop import TURNS, back, turn_to, turned, turned_tiles
from sarsen.games.vasco.proof.pools import walk
from sarsen.games.vasco.rules import GAME, VascoPosition
from sarsen.search import bots
from sarsen.search.thought import Budget

PAGE = Path(__file__).parents[3] / "docs" / "vasco-small-pools.md"
FIRST_TILES = ("a1", "b1", "c1", "d1", "e1", "f1")
AS_IT_IS = (0, 1, 2)


def test_every_line_after_a1_ends_in_a_loop_of_x_by_ply_10_within_47_tiles() -> None:
    # No line and no try of O's lays more than 47 tiles, so the size of a greater pool is never
    # asked for: what holds for 100 holds for every pool from 47 on.
    found = walk(100, "a1")
    assert found.escapes == []
    assert (found.positions, found.replies, found.plies) == (55, 5001, 10)
    assert found.tiles <= forced_loop.SMALLEST


@pytest.mark.slow
@pytest.mark.parametrize("size", [47, 54, 600])
@pytest.mark.parametrize("first", FIRST_TILES)
def test_every_line_after_every_first_tile_ends_in_a_loop_of_x(size: int, first: str) -> None:
    found = walk(size, first)
    assert (found.escapes, found.positions, found.plies) == ([], 55, 10)


def test_walk_tells_when_an_answer_is_wrong() -> None:
    def careless(position: VascoPosition) -> Move | None:
        right = forced_loop.answer(position)
        return right and position.legal_moves()[0]

    assert walk(54, "a1", careless).escapes


@pytest.mark.slow
def test_program_finds_the_answers_again() -> None:
    from sarsen.games.vasco.proof.building import build

    assert [tuple(line.split()) for line in build()] == list(forced_loop.lines())


def test_documentation_has_every_answer() -> None:
    page = PAGE.read_text("utf-8")
    assert "\n".join(" ".join(line) for line in forced_loop.lines()) in page
    assert f"{len(forced_loop.lines())} of them" in page


def test_turning_a_table_turns_its_legal_moves_what_they_force_and_the_end() -> None:
    for seed in range(4):
        chance = random.Random(seed)
        start = GAME.start({"size": 200})
        position = start.play(chance.choice(start.legal_moves()))
        images = {
            turn: start.play(turned(Move(0, 0, position.tiles[FIRST_CELL]), turn)) for turn in TURNS
        }
        for _ in range(6):
            if position.outcome() is not None:
                break
            move = chance.choice(position.legal_moves())
            position = position.play(move)
            for turn in TURNS:
                image = images[turn] = images[turn].play(turned(move, turn))
                assert turned_tiles(position.tiles, turn) == turned_tiles(image.tiles, AS_IT_IS)
                assert turned(turned(move, turn), back(turn)) == move
                legal = {turned(each, turn) for each in position.legal_moves()}
                assert legal == set(image.legal_moves())
                assert position.outcome() == image.outcome()


def test_each_first_tile_is_turned_to_lie_like_any_other() -> None:
    start = GAME.start("")
    for move in start.legal_moves():
        tiles = start.play(move).tiles
        for rotation in "abcdef":
            found = turned_tiles(tiles, turn_to(rotation, tiles))
            assert found == {Move(0, 0, rotation)}


def test_no_answer_is_given_for_o_or_below_47_tiles_or_off_the_lines() -> None:
    start = GAME.start({"size": 46})
    assert forced_loop.answer(start.play(start.parse("a1"))) is None
    start = GAME.start("")
    assert forced_loop.answer(start) is None
    position = start
    for text in ("a1", "a1", "a1"):
        position = position.play(position.parse(text))
    assert forced_loop.answer(position) is None


@pytest.mark.parametrize("first", FIRST_TILES)
def test_highest_level_as_x_closes_a_loop_by_ply_10_whatever_o_replies(first: str) -> None:
    chance = random.Random(first)
    start = GAME.start("")
    position = start.play(start.parse(first))
    plies = 1
    while position.outcome() is None:
        if position.seat == forced_loop.X:
            # So few nodes find nothing by themselves.
            thought = bots.load(8).think(position, seed=plies, budget=Budget(nodes=20))
            assert thought.proved == 1.0
            position = position.play(thought.move)
        else:
            position = position.play(chance.choice(position.legal_moves()))
        plies += 1
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == forced_loop.X
    assert "X has a closed loop" in outcome.reason or "Both have closed loops" in outcome.reason
    assert plies <= 10
