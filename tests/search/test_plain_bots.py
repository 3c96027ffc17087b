"""The search in pure Python: what plays until the compiled one is ready, or without Numba."""

from __future__ import annotations

import math
import random
import subprocess
import sys
import threading

import pytest

from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.games.druid import kernel as druid_kernel
from sarsen.games.druid import plain_bot as druid_plain_bot
from sarsen.games.gyges import kernel as gyges_kernel
from sarsen.games.gyges import plain_bot as gyges_plain_bot
from sarsen.search import plain_bots

PLAY = """
import sys
from sarsen.games import load
from sarsen.search import bots, plain_bots
for game in ("druid", "gyges", "vasco", "visavis"):
    position = load(game).start()
    for ply in range(6):
        position = position.play(plain_bots.think(position, 1 + ply % 4, seed=ply).move)
print(sorted({"numpy", "numba", "llvmlite"} & set(sys.modules)))
"""


def after(game: str, options: str, plies: int, seed: int) -> AnyPosition:
    """Return a position after moves at random that do not end the game."""
    chance, position = random.Random(seed), load(game).start(options)
    for _ in range(plies):
        following = position.play(chance.choice(list(position.legal_moves())))
        position = position if following.outcome() else following
    return position


@pytest.mark.ci
def test_it_loads_neither_numpy_nor_numba() -> None:
    done = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.ci
@pytest.mark.parametrize(
    ("game", "options"),
    [("druid", "-size=5"), ("gyges", ""), ("vasco", "-size=12"), ("visavis", "-size=7")],
)
def test_level_1_beats_chance(game: str, options: str) -> None:
    chance = random.Random(5)
    points = 0.0
    for seat in (0, 1) * 3:
        position = load(game).start(options)
        while position.outcome() is None:
            if position.seat == seat:
                move = plain_bots.think(
                    position, 1, seed=chance.getrandbits(30), seconds=math.inf
                ).move
            else:
                move = chance.choice(list(position.legal_moves()))
            position = position.play(move)
        outcome = position.outcome()
        assert outcome is not None
        points += outcome.scores[seat]
    assert points >= 5


@pytest.mark.parametrize("game", ["druid", "gyges", "vasco", "visavis"])
def test_same_seed_gives_the_same_move_where_the_clock_does_not_decide(game: str) -> None:
    position = after(game, "", 6, seed=1)
    moves = {plain_bots.think(position, 2, seed=3, seconds=math.inf).move for _ in range(2)}
    assert len(moves) == 1


@pytest.mark.parametrize(
    ("game", "options"),
    [("druid", "-size=12"), ("gyges", ""), ("vasco", "-size=600"), ("visavis", "-size=25")],
)
def test_thought_that_is_asked_for_its_move_gives_a_legal_one_at_once(
    game: str, options: str
) -> None:
    stop = threading.Event()
    stop.set()
    position = after(game, options, 8, seed=2)
    thought = plain_bots.think(position, 4, seed=0, stop=stop)
    assert thought.move in position.legal_moves()
    assert thought.nodes <= 2 or game == "visavis"  # which weighs all bridges together


@pytest.mark.ci
@pytest.mark.parametrize(
    ("game", "options"), [("druid", "-size=4"), ("vasco", "-size=12"), ("visavis", "-size=5")]
)
def test_wins_are_taken_and_none_is_allowed_that_can_be_stopped(game: str, options: str) -> None:
    chance, taken, stopped = random.Random(8), 0, 0
    for _ in range(6):
        position = load(game).start(options)
        while position.outcome() is None:
            moves = list(position.legal_moves())
            wins = [move for move in moves if is_won(position.play(move), position.seat)]
            safe = [move for move in moves if is_safe(position.play(move), position.seat)]
            move = plain_bots.think(position, 3, seed=0, seconds=math.inf).move
            if wins:
                assert move in wins
                taken += 1
            elif 0 < len(safe) < len(moves):
                assert move in safe
                stopped += 1
            position = position.play(chance.choice(moves))
    assert taken > 0
    assert stopped > 0


def is_won(position: AnyPosition, seat: int) -> bool:
    outcome = position.outcome()
    return outcome is not None and outcome.scores[seat] == 1.0


def is_safe(position: AnyPosition, seat: int) -> bool:
    """Return whether the seat has not lost, and the other cannot win at once."""
    if position.outcome() is not None:
        return not is_won(position, 1 - seat)
    return not any(is_won(position.play(move), 1 - seat) for move in position.legal_moves())


def test_druid_is_judged_as_the_compiled_search_judges_it() -> None:
    for seed in range(12):
        position = after("druid", "-size=6", 3 + 2 * seed, seed)
        kernel = druid_kernel.kernel(position)
        assert kernel.evaluate is not None
        points = kernel.evaluate(kernel.constants, druid_kernel.encode(position))
        tempo = druid_kernel.TUNED[-1]
        # The compiled one does not solve the equations to the end.
        assert 1000 * druid_plain_bot.advantage(position) == pytest.approx(points - tempo, abs=60)  # type: ignore[arg-type]


def test_gyges_is_judged_by_the_same_net_to_the_last_bit() -> None:
    compared = 0
    for seed in range(30):
        position = after("gyges", "", 4 + seed % 12, seed)
        kernel = gyges_kernel.kernel(position)
        state = gyges_kernel.encode(position)
        assert kernel.evaluate is not None
        if not gyges_plain_bot.can_win(position.rings, position.seat):  # type: ignore[attr-defined]
            points = kernel.evaluate(kernel.constants, state)
            assert gyges_plain_bot.judge(position.rings, position.seat) == points  # type: ignore[attr-defined]
            compared += 1
    assert compared > 5
