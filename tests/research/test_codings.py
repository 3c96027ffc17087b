"""Numbers of moves and planes of positions, of every game that has a coding."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator, Sequence
from importlib.util import find_spec

import numpy as np
import pytest

import sarsen
from sarsen.core.coding import MAX_MOVES, NumberedPosition, coding_of, numbers_by_place
from sarsen.core.errors import IllegalMove, UserError
from sarsen.games import names
from sarsen.games.gyges.board import RingMove
from sarsen.games.vasco.board import FIRST_CELL, neighbours, place_of
from sarsen.games.vasco.moves import Move as Placement
from sarsen.research import ResearchPosition
from search.noughts import GAME, Noughts

CASES = [
    ("druid", "-size=3 -swap", 60),
    ("druid", "-size=5 -nogaps -exact", 60),
    ("gyges", "", 12),
    ("vasco", "-size=6", 20),
    ("vasco", "-size=9", 20),
    ("visavis", "-size=5 -swap", 60),
    ("visavis", "-size=9", 60),
    # Of other packages, where they are installed: test_page.py and test_plugin.py do that.
    *((name, "", 60) for name in ("hex", "nim", "breakthrough") if name in names()),
]


def random_game(name: str, options: str, plies: int, seed: int = 0) -> Iterator[ResearchPosition]:
    position, rng = sarsen.load(name).start(options), random.Random(f"{name}{options}{seed}")
    yield position
    while position.legal_moves() and len(position.moves) < plies:
        position = position.play_action(rng.choice(position.action_numbers()))
        yield position


def test_every_game_of_ours_has_a_coding() -> None:
    for name in names():
        if find_spec(f"sarsen.games.{name}"):
            assert find_spec(f"sarsen.games.{name}.coding"), name


@pytest.mark.parametrize(("name", "options", "plies"), CASES)
def test_every_legal_move_has_a_number_of_its_own_that_plays_it(
    name: str, options: str, plies: int
) -> None:
    for position in random_game(name, options, plies):
        actions = position.actions()
        assert sorted(actions.values()) == sorted(position.legal_moves())
        assert list(actions) == sorted(actions) == list(position.action_numbers())
        assert all(0 <= number < position.coding.actions for number in actions)
        for number in list(actions)[::7]:
            assert position.action_text(number) == actions[number]
            after, told = position.play_action(number), position.play(actions[number])
            assert after == told
            assert after.moves == told.moves
            assert after.effects() == told.effects()
            assert after.text() == told.text()


@pytest.mark.parametrize(("name", "options", "plies"), CASES)
def test_a_number_means_the_same_move_in_every_position(
    name: str, options: str, plies: int
) -> None:
    meant: dict[int, object] = {}
    for seed in range(3):
        for position in random_game(name, options, plies, seed):
            moves = position.rules.legal_moves()
            numbers = [position.coding.number(move) for move in moves]
            assert position.coding.numbers(position.rules, moves) == numbers
            for move, number in zip(moves, numbers, strict=True):
                meaning = essence(move)
                assert meant.setdefault(number, meaning) == meaning
    assert len(set(meant.values())) == len(meant)


def essence(move: object) -> object:
    """Return what a number stands for: of a ring's move not the way, of a goal not whose."""
    if isinstance(move, RingMove):
        return move.stops[0], move.stops[-1].replace("S", "N"), move.relocation
    return move


@pytest.mark.parametrize(("name", "options", "plies"), CASES)
def test_a_position_goes_to_other_processes_with_its_numbers(
    name: str, options: str, plies: int
) -> None:
    *_, position = random_game(name, options, min(plies, 5))
    sent = pickle.loads(pickle.dumps(position))
    assert (sent, sent.moves) == (position, position.moves)
    assert sent.actions() == position.actions()


@pytest.mark.parametrize(("name", "options", "plies"), CASES)
def test_planes_have_their_shape_and_differ_between_positions(
    name: str, options: str, plies: int
) -> None:
    seen: dict[bytes, str] = {}
    for position in random_game(name, options, plies):
        planes = position.observation()
        assert planes.shape == position.coding.shape
        assert planes.dtype == np.float32
        assert planes.min() >= 0
        assert planes.max() <= max(position.coding.highest, 1)
        assert np.all(planes[-1] == position.seat)
        if position.outcome() is None:
            assert seen.setdefault(planes.tobytes(), position.write()) == position.write()


@pytest.mark.parametrize("options", ["-size=3", "-size=4 -swap", "-size=3 -exact"])
def test_no_game_of_druid_is_longer_than_its_coding_says(options: str) -> None:
    assert_bound("druid", options)


@pytest.mark.parametrize("options", ["-size=5", "-size=7 -swap"])
def test_no_game_of_visavis_is_longer_than_its_coding_says(options: str) -> None:
    assert_bound("visavis", options)


def assert_bound(name: str, options: str) -> None:
    for seed in range(4):
        *_, last = random_game(name, options, 10_000, seed)
        assert last.coding.longest is not None
        assert len(last.moves) <= last.coding.longest


def test_planes_of_druid_show_tops_heights_and_the_swap_as_the_picture_does() -> None:
    position = sarsen.load("druid").start("-size=4 -swap").play("a1", "swap", "d4", "a1", "d4")
    planes = position.observation()
    assert position.coding.planes == ("topped by V", "topped by H", "height")
    assert planes[0][3][0] == 1  # a1 stands at the bottom left
    assert planes[1][0][3] == 1  # d4 at the top right
    assert planes[2][3][0] == planes[2][0][3] == 2
    assert planes[:3].sum() == 6
    assert np.all(planes[3] == 1)  # swapped
    assert position.coding.number(position.rules.parse("c2")) == 4 * 2 + 2


def test_planes_of_visavis_show_bridges_as_the_picture_does() -> None:
    position = sarsen.load("visavis").start("-size=5").play("B2", "C4", "A3")
    planes = position.observation()
    assert [tuple(at) for at in np.argwhere(planes[0])] == [(1, 1), (2, 0)]
    assert [tuple(at) for at in np.argwhere(planes[1])] == [(3, 2)]
    assert position.actions()[0 * 5 + 3] == "D1"


def test_planes_of_gyges_show_row_6_at_the_top() -> None:
    planes = sarsen.load("gyges").start().play("231123", "321123").observation()
    assert planes[:3, 5].argmax(0).tolist() == [1, 2, 0, 0, 1, 2]
    assert planes[:3, 0].argmax(0).tolist() == [2, 1, 0, 0, 1, 2]
    assert planes[:3].sum() == 12


def test_planes_of_vasco_have_the_first_tile_in_the_middle() -> None:
    position = sarsen.load("vasco").start("-size=9").play("c1")
    planes = position.observation()
    assert planes.shape == (8, 9, 17)
    assert [tuple(at) for at in np.argwhere(planes[:6])] == [(2, 4, 8)]
    numbered = position.coding.number(Placement(1, 0, "a"))
    assert numbered == 4 * 17 + 9


@pytest.mark.parametrize("size", [6, 7, 12])
def test_planes_of_vasco_hold_every_cell_that_a_pool_can_reach_and_no_more_rows(size: int) -> None:
    reached = edge = {FIRST_CELL}
    for _ in range(size - 1):
        edge = {near for cell in edge for near in neighbours(cell)} - reached
        reached |= edge
    places = [place_of(cell) for cell in reached]
    coding = sarsen.load("vasco").start(f"-size={size}").coding
    assert max(abs(x) for x, _ in places) == coding.columns // 2
    assert max(abs(y) for _, y in places) == coding.rows // 2


def test_a_number_that_is_no_legal_move_is_refused_with_one_that_is() -> None:
    position = sarsen.load("visavis").start("-size=5")
    for number in (-1, 25, 10**9):
        with pytest.raises(IllegalMove) as refusal:
            position.play_action(number)
        assert refusal.value.code == "no-such-action"
        assert int(refusal.value.hint.split()[-1]) in position.action_numbers()


def test_a_game_without_a_coding_has_its_moves_listed_once_for_all_numbers() -> None:
    class Counting(Noughts):
        listed = 0

        def legal_moves(self) -> Sequence[int]:
            Counting.listed += 1
            return super().legal_moves()

    position = ResearchPosition(NumberedPosition(Counting(), numbers_by_place()))
    assert position.action_numbers() == tuple(range(9))
    assert position.actions() == {number: str(number) for number in range(9)}
    assert position.action_text(4) == "4"
    assert Counting.listed == 1


def test_a_game_without_a_coding_numbers_its_moves_in_order_and_has_no_planes() -> None:
    position = GAME.start()
    coding = coding_of(position)
    moves = position.legal_moves()
    assert list(coding.numbers(position, moves)) == list(range(len(moves)))
    assert coding.actions == MAX_MOVES
    assert coding.longest is None
    from sarsen.research.playing import observe

    with pytest.raises(UserError) as refusal:
        observe(position, coding)
    assert refusal.value.code == "no-planes"
