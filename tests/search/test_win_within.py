"""The search to the end against plain minimax, and against the rules of the four games."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import cache

import pytest

from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.lab.puzzles.provers import kernel_of, moves_of, rights
from sarsen.lab.puzzles.provers import prover as lent_prover
from sarsen.lab.puzzles.settings import settings_of
from sarsen.search.thinking.by_exhausting import question
from sarsen.search.thought import Budget
from search.noughts import GAME, NoughtsModule
from search.test_truth import walks

ENOUGH = Budget(nodes=2_000_000)
BOARDS = [("druid", "-size=3"), ("druid", "-size=5"), ("gyges", ""), ("vasco", "-size=18")]


def forces(position: AnyPosition, attacker: int, own: int) -> bool:
    """Return whether a seat wins within so many own moves, by the rules alone."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner == attacker
    if own == 0:
        return False
    is_attacking = position.seat == attacker
    left = own - 1 if is_attacking else own
    after = (position.play(move) for move in position.legal_moves())
    decides = any if is_attacking else all
    return decides(forces(one, attacker, left) for one in after)


@cache
def late_positions(game: str, options: str, number: int, before_end: int) -> list[AnyPosition]:
    """Collect positions of random games, so many plies before the end."""
    chance, found = random.Random(f"{game} {options}"), []
    while len(found) < number:
        position = load(game).start(options)
        line = [position]
        while position.outcome() is None and len(line) < 200:
            position = position.play(chance.choice(position.legal_moves()))
            line.append(position)
        if position.outcome() is not None and len(line) > before_end:
            found.append(line[-1 - before_end])
    return found


@pytest.mark.parametrize("options", ["", "-twice"])
@pytest.mark.parametrize("attacker", [0, 1])
@pytest.mark.parametrize("own", [1, 2, 3, 4])
def test_every_answer_is_that_of_minimax(options: str, attacker: int, own: int) -> None:
    positions = walks(options, 60)
    with question(NoughtsModule(), positions[0], attacker) as asked:
        for position in positions:
            assert asked.ask(position, own, ENOUGH) == forces(position, attacker, own), position


@pytest.mark.parametrize(("game", "options"), BOARDS)
@pytest.mark.parametrize("before_end", [1, 2, 3])
def test_every_answer_is_that_of_the_rules(game: str, options: str, before_end: int) -> None:
    own = 2 if options in ("-size=3", "-size=5") else 1
    positions = late_positions(game, options, 6, before_end)
    for attacker in (0, 1):
        with question(kernel_of(load(game)), positions[0], attacker) as asked:
            for position in positions:
                found = asked.ask(position, own, ENOUGH)
                assert found == forces(position, attacker, own), position.write()


def test_a_budget_that_is_used_up_decides_nothing() -> None:
    position = GAME.start("")
    with question(NoughtsModule(), position, 0) as asked:
        assert asked.ask(position, 4, Budget(nodes=2)) is None
        # What a question that was ended had found so far spoils no later one.
        assert asked.ask(position, 4, ENOUGH) is False


def test_moves_to_the_same_position_count_once_and_undecided_ones_make_none() -> None:
    game = load("druid")
    settings = settings_of(game)
    for position in late_positions("druid", "-size=5", 6, 3):
        with lent_prover(game, settings, position, position.seat) as asked:
            found = rights(asked, position, 2)
        assert found is not None
        right = {
            after.write() for _, after in moves_of(position) if forces(after, position.seat, 1)
        }
        assert {after.write() for after in found.values()} == right
        assert len(found) == len(right)


def test_code_kept_on_the_disk_answers_in_another_process() -> None:
    """A function that calls itself through another one could be kept, and not be loaded."""
    position = late_positions("vasco", "-size=18", 1, 1)[0]
    program = (
        "import sys\n"
        "from sarsen.games import load\n"
        "from sarsen.lab.puzzles.provers import kernel_of\n"
        "from sarsen.search.thinking.by_exhausting import question\n"
        "from sarsen.search.thought import Budget\n"
        "game = load('vasco')\n"
        "position = game.read(sys.argv[1])\n"
        "with question(kernel_of(game), position, position.seat) as asked:\n"
        "    print(asked.ask(position, 1, Budget(nodes=1000)))\n"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program, position.write()],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr[-2000:]
