"""The winner of each pool of Vasco, checked by two programs that know nothing of sarsen.

They are `check_vasco.py` and `check_vasco.c` in the folder `solved` of the game; what they read is
written by `pool_certificates`.
"""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from sarsen.core.referee import replayed
from sarsen.games.vasco.proof.pool_certificates import DRAWN_POOLS, certificate, names
from sarsen.games.vasco.proof.pools import solve
from sarsen.games.vasco.rules import GAME, VascoPosition
from solved_claims import (
    Command,
    assert_well_formed,
    checker_module,
    claims_of,
    folder_of,
    in_c,
    in_python,
    run,
    runs_of,
)

POOLS = tuple(name for size in range(6, 48) for name in names(size))
# Checked whenever the tests run: a second each in Python, some in C.
QUICK = ("vasco-6", "vasco-7-o", "vasco-7-x", "vasco-8-x", "vasco-10", "vasco-11")
QUICK_IN_C = ("vasco-15-o", "vasco-18-x", "vasco-47")
LAST = {each["certificate"]: each["last"] for each in runs_of("vasco")}


@pytest.fixture(scope="module")
def checkers(tmp_path_factory: pytest.TempPathFactory) -> list[Command]:
    """Return the commands of both checkers; of that in Python alone where nothing compiles C."""
    folder = tmp_path_factory.mktemp("checkers")
    return [in_python("vasco", folder), *in_c("vasco", folder)]


def text_of(name: str) -> str:
    return (folder_of("vasco") / f"{name}.txt").read_text(encoding="ascii")


def test_the_claims_are_well_formed_and_every_pool_from_6_to_600_is_in_them() -> None:
    assert_well_formed("vasco")
    assert sorted(LAST) == sorted(f"{name}.txt" for name in POOLS)
    assert LAST["vasco-47.txt"].endswith(" The same holds with more tiles.")
    for claim in claims_of("vasco"):
        game, options, *moves = claim["picture"].split()
        assert game == "vasco"
        replayed(GAME.start(options), moves)


@pytest.mark.parametrize("name", QUICK)
def test_both_checkers_confirm_small_pools_and_count_the_same(
    checkers: list[Command], name: str
) -> None:
    path = str(folder_of("vasco") / f"{name}.txt")
    for command in checkers:
        assert run(command, path) == (0, [LAST[f"{name}.txt"]])


@pytest.mark.parametrize("name", QUICK_IN_C)
def test_the_checker_in_c_confirms_pools_of_each_kind(checkers: list[Command], name: str) -> None:
    for command in checkers[1:]:
        path = str(folder_of("vasco") / f"{name}.txt")
        assert run(command, path) == (0, [LAST[f"{name}.txt"]])


@pytest.mark.slow
def test_the_checker_in_c_confirms_every_pool(checkers: list[Command]) -> None:
    for command in checkers[1:]:
        for name in POOLS:
            path = str(folder_of("vasco") / f"{name}.txt")
            assert run(command, path) == (0, [LAST[f"{name}.txt"]])


@pytest.mark.ci
def test_the_checker_in_python_confirms_every_pool_from_47_on(checkers: list[Command]) -> None:
    path = str(folder_of("vasco") / "vasco-47.txt")
    assert run(checkers[0], path) == (0, [LAST["vasco-47.txt"]])


@pytest.mark.parametrize("name", ["vasco-9", "vasco-13", "vasco-14-x", "vasco-47"])
def test_the_program_writes_the_certificate_again(name: str) -> None:
    assert "\n".join([*certificate(name), ""]) == text_of(name)


@pytest.mark.parametrize("size", range(6, 14))
def test_what_the_certificates_claim_is_what_the_search_of_all_lines_finds(size: int) -> None:
    assert solve(size).winner == ("draw" if size in DRAWN_POOLS else "X")


def spoilt() -> list[tuple[str, str]]:
    """Return what was done to the certificate of 11 tiles, and the text."""
    claim, *answers = text_of("vasco-11").splitlines()
    changed = [
        ("one answer too many", [claim, *answers, answers[-1]]),
        ("another side", [claim.replace("X", "O"), *answers]),
        ("another pool", [claim.replace("11", "12"), *answers]),
        ("no claim", answers),
        ("nothing", []),
    ]
    for at in range(0, len(answers), 3):
        short = [claim, *answers[:at], *answers[at + 1 :]]
        changed.append((f"answer {at} left out", short))
        illegal = [claim, *answers[:at], "a99", *answers[at + 1 :]]
        changed.append((f"answer {at} illegal", illegal))
    return [(what, "\n".join(lines)) for what, lines in changed]


@pytest.mark.parametrize(("what", "text"), spoilt(), ids=[what for what, _ in spoilt()])
def test_both_checkers_find_what_was_spoilt(
    checkers: list[Command], tmp_path: Path, what: str, text: str
) -> None:
    path = tmp_path / "spoilt.txt"
    path.write_text(text + "\n", encoding="ascii")
    for command in checkers:
        code, lines = run(command, str(path))
        assert code == 1
        assert lines[-1].startswith("Not proven")


def test_a_move_that_lets_the_win_go_is_found_by_both_checkers(
    checkers: list[Command], tmp_path: Path
) -> None:
    claim, *answers = text_of("vasco-11").splitlines()
    path, found = tmp_path / "weak.txt", 0
    for at, letter in product((0, 9), "abcdef"):
        weak = [claim, *answers[:at], letter + answers[at][1:], *answers[at + 1 :], ""]
        path.write_text("\n".join(weak), encoding="ascii")
        # Another move may win as well: then all is proven by both.
        codes = {run(command, str(path))[0] for command in checkers}
        assert len(codes) == 1
        found += codes == {1}
    assert found >= 6  # of 12, two of which are the answers themselves


def test_a_claim_that_is_false_is_not_proven() -> None:
    # With 14 tiles neither side wins, so no answers make the claim true.
    check = checker_module("vasco").Check
    with pytest.raises(ValueError, match=r"answer|ends the game"):
        check(["vasco -size=14: X wins", *text_of("vasco-14-x").splitlines()[1:]])


@pytest.mark.parametrize("seed", range(6))
def test_the_checkers_rules_are_those_of_the_game(seed: int) -> None:
    """Moves, the tiles that they force, and the end, in whole random games."""
    chance, size = random.Random(seed), (9, 14, 20, 26, 34, 54)[seed]
    position: VascoPosition = GAME.start({"size": size})
    checker = checker_module("vasco").Check.__new__(checker_module("vasco").Check)
    checker.pool, checker.is_pool_asked = size, False
    tiles: dict[tuple[int, int], str] = {}
    while position.outcome() is None:
        moves = dict(checker.moves(tiles))
        ours = {((move.y, move.x), move.rotation): move for move in position.legal_moves()}
        assert list(moves) == list(ours)
        chosen = chance.choice(list(ours))
        position, (tiles, laid) = position.play(ours[chosen]), moves[chosen]
        assert len(tiles) == len(position.tiles)
        outcome = position.outcome()
        ended = (
            "" if outcome is None else "draw" if outcome.winner is None else "OX"[outcome.winner]
        )
        assert checker.result(tiles, laid) == ended
