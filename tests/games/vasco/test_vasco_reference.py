"""Vasco against a second, slow reading of the rules, by another method.

The reference knows no bits, no neighbourhoods to look again at and no survey: it
labels edges, looks at every cell of the table after every tile, and finds loops
by joining edges.
"""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from sarsen.games.vasco.board import ORDERS, place_of
from sarsen.games.vasco.rules import GAME, VascoPosition

Place = tuple[int, int]
Edge = frozenset[Place]
Board = dict[Place, str]  # the colours left, right, base

COLOURS = "ox*"


def beyond(place: Place) -> list[Place]:
    x, y = place
    return [(x - 1, y), (x + 1, y), (x, y + 1 if (x + y) % 2 == 0 else y - 1)]


def corners(place: Place) -> set[Place]:
    """Return the three corners on a grid twice as fine sideways."""
    x, y = place
    if (x + y) % 2 == 0:
        return {(x, y), (x - 1, y + 1), (x + 1, y + 1)}
    return {(x, y + 1), (x - 1, y), (x + 1, y)}


def labels(board: Board) -> dict[Edge, str]:
    """Return the colour of every edge of the tiles."""
    return {
        frozenset({place, other}): colour
        for place, order in board.items()
        for other, colour in zip(beyond(place), order, strict=True)
    }


def ends_at(place: Place, found: dict[Edge, str]) -> list[str]:
    edges = (frozenset({place, other}) for other in beyond(place))
    return [found[edge] for edge in edges if edge in found]


def is_possible(found: dict[Edge, str], place: Place, order: str) -> bool:
    after = dict(found)
    for other, colour in zip(beyond(place), order, strict=True):
        if after.setdefault(frozenset({place, other}), colour) != colour:
            return False
    for near in beyond(place):
        ends = ends_at(near, after)
        if len(set(ends)) < len(ends):
            return False
    return True


def choices(found: dict[Edge, str], place: Place) -> list[str]:
    orders = ("".join(order) for order in permutations(COLOURS))
    return [order for order in orders if is_possible(found, place, order)]


def open_cells(board: Board) -> list[Place]:
    """List the empty cells that share an edge with a tile, in reading order."""
    cells = {near for place in board for near in beyond(place)} - board.keys()
    return sorted(cells, key=lambda place: (place[1], place[0]))


def settled(board: Board, pool: int) -> Board:
    while len(board) < pool:
        found = labels(board)
        for place in open_cells(board):
            orders = choices(found, place)
            if len(orders) == 1:
                board = board | {place: orders[0]}
                break
        else:
            break
    return board


def is_legal_board(board: Board) -> bool:
    group, ahead = set(), [next(iter(board))]
    while ahead:
        place = ahead.pop()
        if place not in group:
            group.add(place)
            ahead += [near for near in beyond(place) if near in board]
    found = labels(board)
    return len(group) == len(board) and all(choices(found, place) for place in open_cells(board))


def placements(board: Board, pool: int) -> dict[tuple[Place, str], Board]:
    if not board:
        return {((0, 0), "".join(order)): {(0, 0): "".join(order)} for order in permutations("ox*")}
    found = labels(board)
    xs, ys = [x for x, _ in board], [y for _, y in board]
    taken = set().union(*map(corners, board))
    legal = {}
    for y in range(min(ys) - 2, max(ys) + 3):
        for x in range(min(xs) - 3, max(xs) + 4):
            place = (x, y)
            if place not in board and corners(place) & taken:
                for order in choices(found, place):
                    after = settled(board | {place: order}, pool)
                    if is_legal_board(after):
                        legal[place, order] = after
    return legal


def path_lengths(board: Board, colour: str) -> tuple[list[int], list[int]]:
    """Return the lengths of the closed and of the open paths: joined tiles, and their links."""
    group = {place: place for place in board}

    def root(place: Place) -> Place:
        while group[place] != place:
            place = group[place]
        return place

    links = []
    for place, order in board.items():
        for near, end in zip(beyond(place), order, strict=True):
            if near in board and place < near and end in (colour, "*"):
                links.append((place, near))
                group[root(place)] = root(near)
    tiles: dict[Place, int] = {}
    joints: dict[Place, int] = {}
    for place in board:
        tiles[root(place)] = tiles.get(root(place), 0) + 1
    for place, _ in links:
        joints[root(place)] = joints.get(root(place), 0) + 1
    closed = [count for at, count in tiles.items() if joints.get(at, 0) == count]
    return closed, [count for at, count in tiles.items() if joints.get(at, 0) < count]


def scores(board: Board, pool: int) -> tuple[float, float] | None:
    (o_loops, o_paths), (x_loops, x_paths) = path_lengths(board, "o"), path_lengths(board, "x")
    if o_loops or x_loops:
        if not x_loops:
            return (1.0, 0.0)
        if not o_loops:
            return (0.0, 1.0)
        longest = max(o_loops), max(x_loops)
    elif len(board) == pool:
        longest = max(o_paths), max(x_paths)
    else:
        return None
    if longest[0] == longest[1]:
        return (0.5, 0.5)
    return (0.0, 1.0) if longest[0] > longest[1] else (1.0, 0.0)


def board_of(position: VascoPosition) -> Board:
    return {place_of(cell): ORDERS[rotation] for cell, rotation in position.tiles.items()}


def check_one_game(size: int, seed: int) -> int:
    """Play one random game, comparing everything at every ply; give its plies."""
    rng = random.Random(f"{size} {seed}")
    position = GAME.start({"size": size})
    plies = 0
    while position.outcome() is None:
        board = board_of(position)
        expected = placements(board, size)
        moves = position.legal_moves()
        results = [board_of(position.play(move)) for move in moves]
        assert {frozenset(after.items()) for after in results} == {
            frozenset(after.items()) for after in expected.values()
        }
        assert len(moves) == len(expected)
        assert {
            ((move.x, move.y), ORDERS[move.rotation]) for move in position.survey().placements
        } == set(expected)
        assert scores(board, size) is None
        position = position.play(rng.choice(moves))
        plies += 1
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == scores(board_of(position), size)
    return plies


@pytest.mark.parametrize(
    ("size", "seed"), [(6, 1), (6, 2), (6, 3), (8, 1), (13, 1), (20, 1), (20, 2)]
)
def test_random_games_agree_with_the_reference(size: int, seed: int) -> None:
    assert check_one_game(size, seed) > 1


def test_two_plies_agree_with_the_reference_for_every_first_tile() -> None:
    for first in GAME.start().legal_moves():
        position = GAME.start().play(first)
        results = {
            frozenset(board_of(position.play(move)).items()) for move in position.legal_moves()
        }
        expected = placements(board_of(position), 54)
        assert results == {frozenset(after.items()) for after in expected.values()}
        assert len(results) == 45


@pytest.mark.slow
@pytest.mark.parametrize("size", range(6, 15))
def test_many_random_games_agree_with_the_reference(size: int) -> None:
    assert all(check_one_game(size, seed) > 1 for seed in range(100, 250))
