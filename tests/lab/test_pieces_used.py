"""A report tells how much each kind of piece is used."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sarsen.drawing.boards import square_board
from sarsen.drawing.kits import BoardView, Piece
from sarsen.drawing.view import registered
from sarsen.lab.checking.loading import load_game
from sarsen.lab.reporting.measures import ReportGames
from sarsen.lab.reporting.plan import GameRecord, ReportSetup, Task
from sarsen.lab.reporting.use import pieces

ROOT = Path(__file__).parents[2]
CONTROL = ROOT / "examples" / "control_set"


def judged_games(*lines: str) -> ReportGames:
    games = ReportGames(ReportSetup("x", "", 1, 3))
    for index, line in enumerate(lines):
        games.add(Task("judged", index, ("2", "2")), GameRecord(tuple(line.split())))
    return games


def test_pieces_used_are_those_on_the_places_of_each_move() -> None:
    crosses = {"X": Piece(0, name="cross"), "O": Piece(1, "o")}
    view = BoardView(
        board=lambda position: square_board(3),
        contents=lambda position: {
            **{cell: crosses["XO"[ply % 2]] for ply, cell in enumerate(position.moves)},
            "d4": Piece(None, name="rock"),
        },
    )
    start = load_game(str(CONTROL / "tic_tac_toe.py")).start("")
    found = pieces(judged_games("a1 b2 c3", "a1 a2 b1 b2 c3 c2"), start, view)
    # Two and three of the moves, one and three; the rock stands there, and nobody touches it.
    assert [(one.label, one.value) for one in found] == [
        ("cross", pytest.approx((2 / 3 + 1 / 2) / 2)),
        ("o", pytest.approx((1 / 3 + 1 / 2) / 2)),
        ("rock", 0.0),
    ]
    assert all(one.low <= one.value <= one.high for one in found)


def test_a_move_that_takes_a_piece_off_the_board_uses_it() -> None:
    coin = Piece(None, name="coin")
    view = BoardView(
        board=lambda position: square_board(3),
        contents=lambda position: dict.fromkeys(position.legal_moves(), coin),
    )
    start = load_game(str(CONTROL / "tic_tac_toe.py")).start("")
    (found,) = pieces(judged_games("a1 b2 c3"), start, view)
    assert (found.label, found.value) == ("coin", 1.0)


def test_an_amazon_moves_and_an_arrow_flies_in_each_move() -> None:
    game = load_game(str(ROOT / "examples" / "games" / "amazons"))
    position, moves, chance = game.start("-size=6"), [], random.Random(1)
    while position.outcome() is None:
        move = chance.choice(position.legal_moves())
        moves.append(position.format(move))
        position = position.play(move)
    view = registered("amazons")
    found = pieces(judged_games(" ".join(moves)), game.start("-size=6"), view)
    assert {one.label: one.value for one in found} == {"amazon": 1.0, "arrow": 1.0}


def test_views_without_kinds_of_pieces_tell_nothing_of_them() -> None:
    hexes = load_game(str(ROOT / "examples" / "games" / "hex"))
    games = judged_games("a1 b2 c3")
    assert pieces(games, hexes.start("-size=3"), registered("hex")) == []  # stones are stones
    assert pieces(games, hexes.start("-size=3"), None) == []
