"""The games of `examples/games/` are packages that obey the laws, and are short."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from packages import PYTEST, install, needs_node, passed, run

TESTS = Path(__file__).parent
GAMES = sorted((TESTS.parent / "examples" / "games").iterdir())
MAX_LINES = 120
NAMES = [folder.name for folder in GAMES]
ANY_OF_THEM = " or ".join(NAMES)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which all of them are installed."""
    site = tmp_path_factory.mktemp("site")
    for folder in GAMES:
        install(folder, site)
    return site


@pytest.mark.parametrize("folder", GAMES, ids=NAMES)
def test_game_takes_few_lines(folder: Path) -> None:
    package = folder / f"sarsen_{folder.name}"
    beside = ("coding.py", "proof.py", "symmetry.py")  # they play no game
    files = [path for path in package.glob("*.py") if path.name not in beside]
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()]
    assert 50 < len(lines) <= MAX_LINES


@pytest.mark.ci
def test_games_obey_all_laws_and_examples_of_their_help_pages_are_true(installed: Path) -> None:
    files = [str(TESTS / "games" / f"test_{name}.py") for name in ("laws", "help_examples")]
    assert passed(run(installed, *PYTEST, *files, "-k", ANY_OF_THEM)) >= 45 * len(GAMES)


SOLVED = """
from sarsen.games import load
from sarsen.lab.reporting.solving import Solver, solved_sizes
hex, found = load("hex"), []
for one in solved_sizes(hex, "-size=SIZE", 60) + solved_sizes(hex, "-size=SIZE -swap", 60):
    found.append((one.options, one.score, one.nodes))
print(found)
from sarsen_hex.proof import Solver as Own
for size, firsts in ((3, hex.start("-size=3").legal_moves()), (4, ("c1", "b3")))[: SIZE - 3]:
    start = hex.start(f"-size={size}")
    for first in firsts:
        by_rules = Solver(60).score(start.play(first))
        cell = 1 << (int(first[1:]) - 1) * size + ord(first[0]) - 97
        second_wins, _ = Own(size, float("inf")).solve(0, cell, 1)
        print(size, first, by_rules == 1.0 - second_wins)
"""


@pytest.mark.ci
@pytest.mark.parametrize("largest", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_hex_is_solved_as_by_its_rules_and_as_theory_says(installed: Path, largest: int) -> None:
    printed = run(installed, "-c", SOLVED.replace("SIZE", str(largest)))
    assert printed.returncode == 0, printed.stderr
    known, *compared = printed.stdout.strip().split("\n")
    # Without a swap the first player wins (Nash, 1949), with one the second.
    plain = [(f"-size={size}", 1.0, None) for size in range(3, largest + 1)]
    swapped = [(f"-size={size} -swap", 0.0, None) for size in range(3, largest + 1)]
    assert known == str(plain + swapped)
    # After each first stone the search of the rules alone finds the same winner.
    assert len(compared) == (9 if largest == 4 else 9 + 2)
    assert all(line.endswith("True") for line in compared)


MIRRORED = """
import random, re
from dataclasses import replace
from sarsen.core.symmetry import canonical
from sarsen.games import load
def named(column, row):
    return f"{chr(96 + column)}{row}"
TURNS = {
    "hex": {"turn": lambda c, r, n: (n + 1 - c, n + 1 - r)},
    "ygame": {"mirror": lambda c, r, n: (r, c), "turn": lambda c, r, n: (r, 2 * n + 1 - c - r)},
    "amazons": {"mirror": lambda c, r, n: (n + 1 - c, r), "turn": lambda c, r, n: (r, n + 1 - c)},
    "breakthrough": {"mirror": lambda c, r, n: (n + 1 - c, r)},
}
def mapped(text, turn, size):
    cell = lambda at: named(*turn(ord(at[0][0]) - 96, int(at[0][1:]), size))
    return re.sub(r"\\b[a-z][0-9]+", cell, text)
for name, turns in TURNS.items():
    for seed, turn in enumerate([*turns.values()] * 3):
        chance = random.Random(seed)
        one = other = load(name).start("-size=6")
        if name == "amazons":
            taken = {mapped(at, turn, 6): kind for at, kind in one.taken.items()}
            other = replace(one, taken=taken)
        while True:
            assert canonical(one) == canonical(other), (name, seed, one.write())
            moves = {text: mapped(text, turn, 6) for text in one.legal_moves()}
            assert sorted(moves.values()) == sorted(other.legal_moves()), (name, seed)
            if not moves:
                break
            text = chance.choice(list(moves))
            one, other = one.play(text), other.play(moves[text])
    start = load(name).start("-size=6")
    texts = {canonical(start.play(move)) for move in start.legal_moves()}
    orbits, left = 0, set(start.legal_moves())
    own = [t for t in turns.values() if {mapped(text, t, 6) for text in left} == left]
    while left:
        orbits, todo = orbits + 1, [left.pop()]
        for text in todo:
            todo += [found for turn in own if (found := mapped(text, turn, 6)) in left]
            left -= {*todo}
    print(name, len(texts), orbits)
"""


def test_mirrored_games_have_the_same_canonical_texts(installed: Path) -> None:
    printed = run(installed, "-c", MIRRORED)
    assert printed.returncode == 0, printed.stderr
    counts = [line.split() for line in printed.stdout.strip().split("\n")]
    assert len(counts) == 4
    assert all(texts == orbits for _, texts, orbits in counts), counts


EVALUATED = """
from sarsen.core.referee import replayed
from sarsen.games import load
from sarsen.search.general.functions import functions_of
game = load("breakthrough")
for moves in ("", "b2-b3 b5-b4", "b2-c3", "b2-c3 c5-d4 c3-d4"):
    print(functions_of(game).evaluate(replayed(game.start("-size=6"), moves.split())))
"""


def test_position_is_worth_nothing_when_even_and_less_with_men_lost(installed: Path) -> None:
    printed = run(installed, "-c", EVALUATED)
    assert printed.returncode == 0, printed.stderr
    start, mirrored, behind, robbed = map(float, printed.stdout.split())
    assert (start, mirrored) == (0, 0)
    assert robbed < behind < 0


KNOWN = """
from itertools import pairwise
from random import Random
from sarsen.games import load
from sarsen.lab.reporting.solving import Solver
kalah, dots = load("kalah"), load("dots")
for pits, values in ((1, "DLWLWD"), (2, "WLLLWW"), (3, "DWW")):
    for seeds, value in enumerate(values, 1):
        score = Solver(60).score(kalah.start(f"-pits={pits} -seeds={seeds}"))
        print("kalah", pits, seeds, {1.0: "W", 0.5: "D", 0.0: "L"}[score] == value)
for seed in range(20):
    positions, chance = [dots.start("-size=3")], Random(seed)
    while moves := positions[-1].legal_moves():
        positions.append(positions[-1].play(chance.choice(moves)))
    taken = [len(after.boxes) - len(before.boxes) for before, after in pairwise(positions)]
    # The last box ends the game, not a turn.
    print("dots", seed, 16 + taken.count(2) == taken.count(0) + 1)
"""


def test_kalah_is_won_as_is_known_and_dots_have_as_many_turns_as_theory_says(
    installed: Path,
) -> None:
    # Irving, Donkers and Uiterwijk: Solving Kalah (2000). Berlekamp: The Dots and Boxes Game
    # (2000): dots and moves that take two boxes are together as many as turns.
    printed = run(installed, "-c", KNOWN)
    assert printed.returncode == 0, printed.stderr
    found = printed.stdout.split("\n")[:-1]
    assert len(found) == 6 + 6 + 3 + 20
    assert [line for line in found if not line.endswith("True")] == []


@pytest.mark.ci
def test_games_are_played_by_mail_and_shown_on_pages(installed: Path) -> None:
    doors = str(TESTS / "plugin" / "examples_at_doors.py")
    assert passed(run(installed, *PYTEST, doors)) == 6


@needs_node
def test_engine_in_another_language_plays_a_match(installed: Path) -> None:
    engine = f"js=node {GAMES[0].parents[1] / 'hex_engine.js'}"
    words = (engine, "random", "--game", "hex", "-size=5", "--games", "10", "--json")
    played = json.loads(run(installed, "sarsen", "match", *words).stdout)
    assert played["faults"] == []
    assert played["results"] == [10, 0, 0]
