"""Who wins Vasco, checked by two programs that know nothing of sarsen."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sarsen.core.referee import replayed
from sarsen.games.vasco.proof.pool_certificates import DRAWN_POOLS, certificate, names
from sarsen.games.vasco.proof.pools import solve
from sarsen.games.vasco.rules import GAME, VascoPosition
from solved_claims import (
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
# Checked whenever the tests run: a second each in Python.
QUICK = ("vasco-6", "vasco-7-o", "vasco-7-x", "vasco-8-x", "vasco-9", "vasco-11")
LAST = {each["certificate"]: each["last"] for each in runs_of("vasco")}


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
def test_both_checkers_confirm_small_pools_and_count_the_same(tmp_path: Path, name: str) -> None:
    path = str(folder_of("vasco") / f"{name}.txt")
    code, lines = run(in_python("vasco", tmp_path), path)
    assert (code, lines[-1]) == (0, LAST[f"{name}.txt"])
    for command in in_c("vasco", tmp_path):
        assert run(command, path) == (code, lines)


def test_the_checker_in_c_confirms_pools_of_each_kind(tmp_path: Path) -> None:
    for command in in_c("vasco", tmp_path):
        for name in ("vasco-18-o", "vasco-18-x", "vasco-41", "vasco-47"):
            code, lines = run(command, str(folder_of("vasco") / f"{name}.txt"))
            assert (code, lines[-1]) == (0, LAST[f"{name}.txt"])


@pytest.mark.slow
def test_the_checker_in_c_confirms_every_pool(tmp_path: Path) -> None:
    for command in in_c("vasco", tmp_path):
        for name in POOLS:
            code, lines = run(command, str(folder_of("vasco") / f"{name}.txt"))
            assert (code, lines[-1]) == (0, LAST[f"{name}.txt"])


@pytest.mark.slow
def test_both_checkers_confirm_every_pool_from_47_on(tmp_path: Path) -> None:
    code, lines = run(in_python("vasco", tmp_path), str(folder_of("vasco") / "vasco-47.txt"))
    assert (code, lines[-1]) == (0, LAST["vasco-47.txt"])


@pytest.mark.parametrize("name", ["vasco-9", "vasco-13", "vasco-14-x", "vasco-47"])
def test_the_program_writes_the_certificate_again(name: str) -> None:
    assert "\n".join([*certificate(name), ""]) == text_of(name)


@pytest.mark.parametrize("size", range(6, 14))
def test_what_the_certificates_claim_is_what_the_search_of_all_lines_finds(size: int) -> None:
    assert solve(size).winner == ("draw" if size in DRAWN_POOLS else "X")


def spoilt() -> list[tuple[str, str]]:
    """Return what was done to the certificate of 13 tiles, and the text."""
    claim, *answers = text_of("vasco-13").splitlines()
    chance = random.Random(13)
    changed = []
    for at in sorted(chance.sample(range(len(answers)), 8)):
        rotation = chance.choice([letter for letter in "abcdef" if letter != answers[at][0]])
        wrong = [*answers[:at], rotation + answers[at][1:], *answers[at + 1 :]]
        changed.append((f"answer {at} turned", "\n".join([claim, *wrong])))
        changed.append(
            (f"answer {at} left out", "\n".join([claim, *answers[:at], *answers[at + 1 :]]))
        )
    changed.append(("one answer too many", "\n".join([claim, *answers, answers[-1]])))
    changed.append(("another side", "\n".join([claim.replace("X", "O"), *answers])))
    changed.append(("another pool", "\n".join([claim.replace("13", "14"), *answers])))
    changed.append(("no claim", "\n".join(answers)))
    return changed


@pytest.mark.parametrize(("what", "text"), spoilt(), ids=[what for what, _ in spoilt()])
def test_both_checkers_find_what_was_spoilt(tmp_path: Path, what: str, text: str) -> None:
    path = tmp_path / "spoilt.txt"
    path.write_text(text + "\n", encoding="ascii")
    for command in (in_python("vasco", tmp_path), *in_c("vasco", tmp_path)):
        code, lines = run(command, str(path))
        assert code == 1
        assert lines[-1].startswith("Not proven")


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
