"""Puzzles that are made: repeatable, complete by the rules alone, and a mix."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from sarsen.core.game import AnyPosition
from sarsen.games import load, text_file
from sarsen.lab.puzzles.checking import CheckJob
from sarsen.lab.puzzles.choosing import choose, key_of, length_of
from sarsen.lab.puzzles.command import puzzles_command
from sarsen.lab.puzzles.making import GameTask, PuzzleJob
from sarsen.lab.puzzles.provers import moves_of
from sarsen.lab.puzzles.settings import settings_of
from sarsen.learning.lessons import lesson_of, start_of
from sarsen.learning.puzzles.puzzle import Puzzle, Task, digest_of, read_puzzles, write_puzzle
from search.test_win_within import forces


@cache
def made(game: str, options: str, games: int) -> tuple[Puzzle, ...]:
    maker = PuzzleJob(game).open()
    return tuple(puzzle for seed in range(games) for puzzle in maker.do(GameTask(options, seed)))


def druids() -> tuple[Puzzle, ...]:
    return made("druid", "-size=5", 10)


def own_positions(
    position: AnyPosition, answers: dict[str, list[object] | str | None]
) -> Iterator[tuple[AnyPosition, dict[str, list[object] | str | None], int]]:
    """Yield each position of the solver with its answers, and how many own moves came before."""
    yield position, answers, 0
    for move, known in answers.items():
        if isinstance(known, list) and len(known) > 1:
            after = position.play(position.parse(move))
            reply, further = known
            met = after.play(after.parse(str(reply)))
            for one, more, own in own_positions(met, further):  # type: ignore[arg-type]
                yield one, more, own + 1


def test_the_same_seed_makes_the_same_puzzles() -> None:
    again = PuzzleJob("druid").open()
    found = [puzzle for seed in range(3) for puzzle in again.do(GameTask("-size=5", seed))]
    assert found == list(druids()[: len(found)])


def test_every_right_move_is_listed_and_no_other_by_the_rules_alone() -> None:
    """Brute force; positions of up to two own moves, for three take minutes each."""
    compared = 0
    for puzzle in druids():
        if puzzle.task is not Task.WIN:
            continue
        start = puzzle.position("druid")
        for position, answers, before in own_positions(start, puzzle.answers):
            own = puzzle.within - before
            if own > 2:
                continue
            right = {
                after.write()
                for _, after in moves_of(position)
                if forces(after, position.seat, own - 1)
            }
            listed = {
                position.play(position.parse(move)).write()
                for move, known in answers.items()
                if isinstance(known, list)
            }
            assert listed == right, (puzzle.source, position.write())
            compared += 1
    assert compared > 10


def test_the_other_side_holds_out_longest() -> None:
    for puzzle in druids():
        if puzzle.task is not Task.WIN or puzzle.within != 2:
            continue
        position = puzzle.position("druid")
        for move, known in puzzle.answers.items():
            if not isinstance(known, list) or len(known) < 2:
                continue
            after = position.play(position.parse(move))
            counted = {
                reply: sum(1 for _, won in moves_of(met) if forces(won, position.seat, 0))
                for reply, met in moves_of(after)
            }
            assert all(counted.values())  # each reply loses
            right = [one for one in known[1].values() if isinstance(one, list)]
            assert len(right) == counted[known[0]]


def test_moves_that_save_are_all_that_do_not_lose_soon() -> None:
    saving = [puzzle for puzzle in druids() if puzzle.task is Task.SAVE]
    assert saving
    for puzzle in saving:
        position = puzzle.position("druid")
        other = 1 - position.seat
        held = {after.write() for _, after in moves_of(position) if not forces(after, other, 2)}
        listed = {position.play(position.parse(move)).write() for move in puzzle.first}
        assert listed == held


def test_nothing_is_won_in_one_move_and_there_is_something_to_choose_from() -> None:
    for game, puzzles in (("druid", druids()), ("visavis", made("visavis", "-size=7", 60))):
        assert puzzles
        for puzzle in puzzles:
            position = puzzle.position(game)
            assert puzzle.legal >= 8
            assert not any(forces(after, position.seat, 0) for _, after in moves_of(position))
            assert 1 <= len(puzzle.first) <= 3
            assert puzzle.proof == digest_of(puzzle.answers)


def test_other_moves_than_those_that_keep_a_win_at_visavis_lose_it() -> None:
    winner = settings_of(load("visavis")).winner
    for puzzle in made("visavis", "-size=7", 60):
        position = puzzle.position("visavis")
        right = {position.play(position.parse(move)).write() for move in puzzle.first}
        for _, after in moves_of(position):
            found = winner(after)
            assert found is not None
            assert (found[0] == position.seat) == (after.write() in right)


@pytest.mark.parametrize(
    "planted",
    [
        {"answers": {}},
        {"within": 3},
        {"legal": 9},
        {"proof": "sha256:0"},
        {"first": ()},
        {"task": Task.SAVE},
    ],
)
def test_a_changed_puzzle_is_found(planted: dict[str, object]) -> None:
    checker = CheckJob("druid").open()
    puzzle = next(one for one in druids() if one.task is Task.WIN and one.within == 2)
    assert checker.do(puzzle) == ""
    assert checker.do(replace(puzzle, **planted)) != ""  # type: ignore[arg-type]


def test_a_right_move_that_is_left_out_is_found() -> None:
    checker = CheckJob("druid").open()
    puzzle = next(one for one in druids() if len(one.first) > 1)
    fewer = {move: known for move, known in puzzle.answers.items() if move != puzzle.first[0]}
    assert "first" in checker.do(replace(puzzle, answers=fewer, first=puzzle.first[1:]))


def chosen(found: Sequence[Puzzle], most: int, kept: Sequence[Puzzle] = ()) -> tuple[Puzzle, ...]:
    game = load("druid")
    return choose(game, settings_of(game), kept, found, most)


def test_the_choice_does_not_depend_on_the_order_and_keeps_numbers() -> None:
    found = list(druids())
    first = chosen(found, 6)
    assert chosen(found[::-1], 6) == first
    assert [puzzle.id for puzzle in first] == list(range(1, len(first) + 1))
    more = chosen(found, 12, kept=first[:3])
    assert more[:3] == first[:3]
    assert len({key_of(puzzle.position("druid")) for puzzle in more}) == len(more)


def test_the_choice_is_a_mix() -> None:
    found = druids()
    picked = chosen(found, 10)
    lengths = Counter(length_of(puzzle) for puzzle in picked)
    assert lengths[1] <= 1
    assert lengths[2] <= 5
    seats = Counter(puzzle.position("druid").seat for puzzle in picked)
    assert max(seats.values()) <= 6
    openings = Counter(puzzle.line[:4] for puzzle in picked)
    assert max(openings.values()) <= 5


def test_two_puzzles_that_fit_the_mix_only_together_are_both_chosen() -> None:
    by_kind: dict[tuple[int, int], list[Puzzle]] = defaultdict(list)
    for puzzle in read_puzzles(text_file("druid", "puzzles.jsonl"))[0]:
        by_kind[length_of(puzzle), puzzle.position("druid").seat].append(puzzle)
    short, long = by_kind[2, 0], by_kind[3, 1]
    # Six of ten have two own moves, and six are of the second seat: as many as may be.
    kept = (*short[:3], *by_kind[2, 1][:3], *long[:3], *by_kind[3, 0][:1])
    one, other = long[4], short[4]
    assert chosen([one], 12, kept) == chosen([other], 12, kept) == kept
    both = chosen([one, other], 12, kept)
    assert {puzzle.moves for puzzle in both[10:]} == {one.moves, other.moves}


def test_positions_of_lessons_are_none() -> None:
    game = load("druid")
    step = next(one for one in lesson_of("druid").steps if one.moves)
    puzzle = replace(druids()[0], options=step.options, moves=" ".join(step.moves))
    assert key_of(puzzle.position("druid")) == key_of(start_of("druid", step))
    assert choose(game, settings_of(game), (), [puzzle], 10) == ()


def test_the_command_goes_on_after_what_it_has_kept(tmp_path: Path) -> None:
    kept, file = tmp_path / "kept", tmp_path / "puzzles.jsonl"
    run = CliRunner()
    words = ["visavis", "--keep", str(kept), "--write", str(file), "--most", "50", "--games"]
    assert run.invoke(puzzles_command, [*words, "30"]).exit_code == 0
    before = file.read_text().splitlines()
    games = [json.loads(line)["task"] for line in kept.read_text().splitlines()]
    assert len(games) == len(set(games)) == 30
    done = run.invoke(puzzles_command, [*words, "45"])
    assert done.exit_code == 0, done.output
    assert len(kept.read_text().splitlines()) == 45
    after = file.read_text().splitlines()
    assert after[: len(before)] == before
    puzzles, faults = read_puzzles(file.read_text())
    assert not faults
    assert [write_puzzle(puzzle) for puzzle in puzzles] == after
    assert f"{len(after)} in all" in done.output
