"""Druid on 3 x 3, checked by two programs that know nothing of sarsen.

They are `check_druid.py` and `check_druid.c` in the folder `solved` of the game.
"""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sarsen.core.errors import UserError
from sarsen.core.referee import replayed
from sarsen.games.druid import proof
from sarsen.games.druid.board import SIDES
from sarsen.games.druid.rules import GAME, DruidPosition
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

VARIANTS = ["-size=3", "-size=3 -nogaps", "-size=3 -exact", "-size=3 -exact -nogaps"]
FILES = dict(zip(VARIANTS, [run["certificate"] for run in runs_of("druid")], strict=True))


def text_of(options: str) -> str:
    return (folder_of("druid") / FILES[options]).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def checker() -> ModuleType:
    return checker_module("druid")


def test_the_claims_are_well_formed() -> None:
    assert_well_formed("druid")
    for claim in claims_of("druid"):
        game, *words = claim["picture"].split()
        options = [word for word in words if word.startswith("-")]
        position = replayed(GAME.start(" ".join(options)), words[len(options) :])
        assert isinstance(position, DruidPosition)
        assert game == "druid"
        # The picture shows a blockade: the side to move can never win.
        assert proof.blockade(position.monument, position.side, position.terms) is not None


def test_both_checkers_confirm_every_claim_and_count_the_same(tmp_path: Path) -> None:
    for claim in runs_of("druid"):
        certificate = str(folder_of("druid") / claim["certificate"])
        code, lines = run(in_python("druid", tmp_path), certificate)
        assert (code, lines[-1]) == (0, claim["last"])
        for command in in_c("druid", tmp_path):
            assert run(command, certificate) == (code, lines)


@pytest.mark.parametrize("options", VARIANTS[:2])
def test_certificates_are_what_the_search_writes(options: str) -> None:
    told: list[str] = []
    assert "\n".join([*proof.certificate(options, 60, told.append), ""]) == text_of(options)
    assert [line.split(":")[0] for line in told] == ["V never loses", "H never loses"]


@pytest.mark.slow
@pytest.mark.parametrize("options", VARIANTS[2:])
def test_with_exact_the_search_writes_what_v_does_and_no_more(options: str) -> None:
    told: list[str] = []
    assert "\n".join([*proof.certificate(options, 600, told.append), ""]) == text_of(options)
    assert told[1:] == ["Nothing is proved for H."]


def test_without_time_there_is_no_certificate() -> None:
    with pytest.raises(UserError):
        list(proof.certificate("-size=3", 0, lambda line: None))


def planted() -> dict[str, str]:
    """Return certificates with one fault each, by what is wrong."""
    text = text_of("-size=3")
    blockade = " a3 b3 : a1 a2 b3>c3\n"
    assert text.count(blockade) >= 2
    lines, exact = text.splitlines(), text_of("-size=3 -exact")
    broken = " a3 : b1 c1 a2 c2 a3 b3\n"
    assert broken in exact
    return {
        "a guard in the blockade, below": text.replace("b2>a2 b2>b1 a3", "b2>a2 b2>b1 b2>a1 a3", 1),
        "guards at both ends": text.replace(blockade, " a3 b3 : a1>c1 a2 b3>c3\n", 1),
        "a guard in the middle": text.replace(blockade, " a3 b3 : a1>c2 a2 b3>c3\n", 1),
        "a guard as high": text.replace(blockade, " a3 b3 : a1>b1 a2 b3>c3\n", 1),
        "a hole with exact lintels": exact.replace(broken, " a3 : c1 a2 c2 a3 b3\n", 1),
        "nothing": "",
        "another game": text.replace("-size=3", "-size=4", 1),
        "no parts": lines[0],
        "an answer left out": text.replace("  b1 a3 wins\n", "", 1),
        "the last answer left out": "\n".join(lines[:-1]),
        "a first stone left out": text.replace("\nc3\n", "\n", 1),
        "an answer too many": text + "c3 a1\n",
        "a part twice": text + "\n".join(lines[1 : lines.index("H never loses")]),
        "an empty line": text.replace("\n", "\n\n", 3),
        "an illegal answer": text.replace("  b1 a3 wins\n", "  b1 b1 wins\n", 1),
        "no such move": text.replace("  b1 a3 wins\n", "  b1 a4 wins\n", 1),
        "a move without an answer": text.replace("  b1 a3 wins\n", "  b1\n", 1),
        "an answer that does not win": text.replace("  b1 a3 wins\n", "  b1 c3 wins\n", 1),
        "another ending": text.replace("  b1 a3 wins\n", "  b1 a3 draws\n", 1),
        "an empty blockade": text.replace(blockade, " a3 b3 :\n", 1),
        "a blockade with a hole": text.replace(blockade, " a3 b3 : a1 b3>c3\n", 1),
        "no guard": text.replace(blockade, " a3 b3 : a1 a2 b3\n", 1),
        "a guard elsewhere": text.replace(blockade, " a3 b3 : a1 a2 b3>b1\n", 1),
        "a guard of two": text.replace(blockade, " a3 b3 : a1 a2>c3 b3>c3\n", 1),
        "a guard in the blockade": text.replace(blockade, " a3 b3 : a1 a2 b3>a1\n", 1),
        "another side's square": text.replace(blockade, " a3 b3 : a1 a2 b3>c3 a3\n", 1),
        "no square": text.replace(blockade, " a3 b3 : a1 a2 b3>d3\n", 1),
        "no text": text.replace(blockade, " a3 b3 : a1 a2 b3>c3>c3 \x00\n", 1),
        "nothing but noise": "ü\x01>" * 5_000,
    }


def test_every_planted_fault_is_found_by_both(tmp_path: Path) -> None:
    python, certificate = in_python("druid", tmp_path), tmp_path / "certificate.txt"
    compiled = list(in_c("druid", tmp_path))
    for fault, text in planted().items():
        assert text != text_of("-size=3"), fault
        certificate.write_text(text, encoding="utf-8")
        for command in [python, *compiled]:
            code, lines = run(command, str(certificate))
            assert code == 1, (fault, command)
            assert lines[-1].startswith("Line "), fault


def test_a_lost_position_is_no_answer(checker: ModuleType) -> None:
    bare = ("", 0)
    board = (bare, ("H", 1), ("H", 1), *[bare] * 6)
    started = checker.Checker("druid -size=3")
    started.options, started.replies, started.met = [], 0, set()
    with pytest.raises(checker.CertificateError, match="H has won"):
        started.check_all(board, "V", [])


def test_the_line_of_play_at_fault_is_named(tmp_path: Path) -> None:
    certificate = tmp_path / "certificate.txt"
    certificate.write_text(planted()["an answer that does not win"], encoding="utf-8")
    for command in [in_python("druid", tmp_path), *in_c("druid", tmp_path)]:
        assert run(command, str(certificate))[1][-1].startswith("Line 5, after a1 b1 a2 b1 c3: ")


def mutated(text: str, chance: random.Random) -> str:
    """Change one word of an early line, or leave a line or a word out; most often a blockade."""
    lines = text.splitlines()
    at = chance.randrange(1, 150)
    squares = [f"{column}{row}" for column in "abc" for row in "123"]
    words = lines[at].split(" ")
    which = chance.randrange(len(words))
    match chance.randrange(8):
        case 0:
            del lines[at]
            return "\n".join(lines)
        case 1:
            del words[which]
        case 2:
            words[which] = chance.choice(squares)
        case _:
            at = chance.choice([at for at, line in enumerate(lines[:250]) if ":" in line])
            words = lines[at].split(" ")
            which = chance.randrange(words.index(":") + 1, len(words))
            words[which] = words[which][: chance.choice((2, 3, 3, 3))]
            words[which] += chance.choice(squares) if ">" in words[which] else ""
            words += [f"{chance.choice(words[-3:])[:2]}>{chance.choice(squares)}"]
            words = words[: len(words) - chance.randrange(2)]
    lines[at] = " ".join(words)
    return "\n".join(lines)


# What both say of a certificate that proves nothing, among other words.
COMPLAINTS = (
    "no part of a blockade",
    "is not a square of",
    "not higher",
    "guards two squares",
    "can pass the blockade",
    "a guard is in the blockade",
    "can break the blockade",
    "raises too many guards",
    "no guard keeps",
    "neither a win nor a blockade",
    "no legal answer to this move",
    " has won",
    " has not won",
    "answers nothing",
    "nothing follows",
)


def complaint_in(line: str) -> str:
    (found,) = [complaint for complaint in COMPLAINTS if complaint in line]
    return found


def assert_both_judge_alike(checker: ModuleType, folder: Path, count: int, seed: int) -> set[str]:
    """Return what both complained of."""
    chance, certificate, found = random.Random(seed), folder / "certificate.txt", set[str]()
    for command in in_c("druid", folder):
        for _ in range(count):
            text = mutated(text_of(chance.choice(VARIANTS)), chance)
            certificate.write_text(text, encoding="utf-8")
            code, lines = run(command, str(certificate))
            try:
                assert (code, checker.Checker(text).check()) == (0, lines[-1])
            except checker.CertificateError as fault:
                assert code == 1
                found.add(complaint_in(f" {fault}"))
                assert complaint_in(lines[-1]) == complaint_in(f" {fault}")
    return found


def test_both_judge_changed_certificates_alike(checker: ModuleType, tmp_path: Path) -> None:
    assert_both_judge_alike(checker, tmp_path, 120, 1)


@pytest.mark.slow
def test_both_find_every_kind_of_fault_in_changed_certificates(
    checker: ModuleType, tmp_path: Path
) -> None:
    found = assert_both_judge_alike(checker, tmp_path, 2_000, 2)
    assert len(found) >= 10


@pytest.mark.parametrize("options", VARIANTS)
def test_the_checkers_moves_are_those_of_the_rules(checker: ModuleType, options: str) -> None:
    chance = random.Random(options)
    for _ in range(40):
        position, board = GAME.start(options), checker.BARE
        while position.outcome() is None and position.ply < 40:
            moves = checker.moves(board, SIDES[position.side], options.split()[1:])
            legal = [position.format(move) for move in position.legal_moves()]
            assert list(moves) == legal
            text = chance.choice([move for move in legal if "-" in move] or legal)
            board = checker.put(board, moves[text], SIDES[position.side])
            position = position.play(position.parse(text))
        assert [checker.has_won(board, side) for side in SIDES] == [
            position.winner == side for side in range(2)
        ]


def some_board(checker: ModuleType, keeper: str, chance: random.Random) -> Any:
    """Draw owners and heights, as no game might bring them about."""
    most = chance.choice((2, 4))
    owners = [chance.choice((keeper, keeper, keeper, "V", "H", "")) for _ in checker.SQUARES]
    return tuple((owner, chance.randint(1, most) if owner else 0) for owner in owners)


def some_blockade(checker: ModuleType, board: Any, keeper: str, chance: random.Random) -> list[str]:
    """Draw some of the keeper's squares, and guards lower than they."""
    words: list[str] = []
    for square, name in enumerate(checker.SQUARES):
        if board[square][0] != keeper or chance.random() < 0.2:
            continue
        words.append(name)
        for first, middle, last in checker.LINES:
            end = chance.choice((first, last))
            is_lower = board[end][1] < board[square][1]
            if middle == square and (is_lower or chance.random() < 0.05):
                words.append(f"{name}>{checker.SQUARES[end]}")
    return words


def is_kept(
    checker: ModuleType, board: Any, keeper: str, words: list[str], rest: list[str]
) -> bool:
    try:
        checker.check_blockade(board, keeper, words, rest)
    except checker.CertificateError:
        return False
    return True


@pytest.mark.parametrize("options", VARIANTS)
def test_an_accepted_blockade_can_always_be_kept(checker: ModuleType, options: str) -> None:
    chance, rest, seen = random.Random(options), options.split()[1:], 0
    for _ in range(4_000):
        keeper = chance.choice("VH")
        board, other = some_board(checker, keeper, chance), checker.OTHER[keeper]
        words = some_blockade(checker, board, keeper, chance)
        if not is_kept(checker, board, keeper, words, rest):
            continue
        seen += 1
        assert not checker.has_won(board, other)
        for covered in checker.moves(board, other, rest).values():
            after = checker.put(board, covered, other)
            assert not checker.has_won(after, other)
            own = [at for at, name in enumerate(checker.SQUARES) if name in words]
            raised = [checker.put(after, (at,), keeper) for at in own if after[at][0] == keeper]
            assert any(is_kept(checker, board, keeper, words, rest) for board in raised)
    assert seen > 50
