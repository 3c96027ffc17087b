"""Connect Four's own proof agrees with its rules, and with what others have found."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from sarsen.core.game import AnyPosition, Game
from sarsen.lab.checking.loading import load_game
from sarsen.lab.proofs import proof_module
from sarsen.lab.reporting.solving import Solver, solved_sizes

FOLDER = Path(__file__).parents[2] / "examples" / "control_set" / "connect_four"
DRAW, FIRST, SECOND = 0.5, 1.0, 0.0
# By width and height; John Tromp, "Connect Four Playground", tromp.github.io/c4/c4.html.
KNOWN = {
    **{(4, 4): DRAW, (4, 5): DRAW, (4, 6): DRAW, (4, 9): DRAW, (5, 4): DRAW},
    **{(5, 5): DRAW, (6, 4): SECOND, (7, 4): DRAW, (6, 5): DRAW, (5, 6): DRAW},
}
# Plies after which the rules alone can search the rest of a game in a moment.
LATE = {(5, 4): 9, (4, 5): 9, (6, 4): 13, (5, 5): 14, (4, 9): 20, (7, 6): 29, (9, 6): 41}


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game(str(FOLDER))


@pytest.fixture(scope="module")
def proof(game: Game) -> Any:
    return proof_module(game)


def options(size: tuple[int, int]) -> str:
    return f"-width={size[0]} -height={size[1]}"


def position_after(game: Game, size: tuple[int, int], plies: int, seed: int) -> AnyPosition:
    """Return a position after random moves, drawn anew where one of them ends the game."""
    chance = random.Random(seed)
    while True:
        position = game.start(options(size))
        for _ in range(plies):
            position = position.play(chance.choice(position.legal_moves()))
            if position.outcome() is not None:
                break
        else:
            return position


@pytest.mark.ci
@pytest.mark.parametrize("size", KNOWN, ids=str)
def test_board_is_won_by_whom_tromp_says(proof: Any, size: tuple[int, int]) -> None:
    assert proof.score(options(size), 300) == KNOWN[size]


@pytest.mark.ci
@pytest.mark.parametrize("size", [(4, 4), (4, 5)], ids=str)
def test_small_board_is_worth_what_the_rules_say(
    game: Game, proof: Any, size: tuple[int, int]
) -> None:
    assert proof.score(options(size), 300) == Solver(300).score(game.start(options(size)))


@pytest.mark.ci
@pytest.mark.parametrize("size", LATE, ids=str)
def test_rest_of_a_game_is_worth_what_the_rules_say(
    game: Game, proof: Any, size: tuple[int, int]
) -> None:
    scores = []
    for seed in range(20):
        position = position_after(game, size, LATE[size], seed)
        scores.append(proof.score_after(position, 60))
        assert scores[-1] == Solver(300).score(position), position.write()
    assert len(set(scores)) > 1


def test_report_finds_the_proof(game: Game, proof: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # To compile it takes half a minute; what it really says is asked above.
    monkeypatch.setattr(proof, "score", {"-width=5 -height=4": DRAW}.get)
    (found,) = solved_sizes(game, "-width=5 -height=4", 60)
    assert (found.score, found.how) == (DRAW, "by the game's own proof")


def test_nothing_is_claimed_without_time_or_of_a_board_too_large(proof: Any) -> None:
    assert proof.score("", 0.0) is None
    assert proof.score("-width=9 -height=9", 60) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moves", "winner"), [("", FIRST), ("d", FIRST), ("c", DRAW), ("b", SECOND), ("a", SECOND)]
)
def test_only_the_first_move_in_the_middle_wins(
    game: Game, proof: Any, moves: str, winner: float
) -> None:
    # Allen (1988) and Allis (1988); e, f and g mirror these.
    position = game.start("")
    for move in moves:
        position = position.play(move)
    assert proof.score_after(position, 600) == winner
