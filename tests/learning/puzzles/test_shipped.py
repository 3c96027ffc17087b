"""The puzzles that games ship: what their lines say is so, as far as the rules can tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from sarsen.core.game import AnyPosition
from sarsen.core.symmetry import canonical_board
from sarsen.games import load, names, text_file
from sarsen.lab.puzzles.checking import CheckJob
from sarsen.lab.puzzles.choosing import length_of
from sarsen.lab.puzzles.settings import settings_of
from sarsen.learning.lessons import lesson_of, start_of
from sarsen.learning.puzzles.puzzle import (
    FILE,
    Answers,
    Puzzle,
    Task,
    digest_of,
    puzzles_of,
    read_puzzles,
    right_moves,
    write_puzzle,
)

OURS = ("druid", "gyges", "vasco", "visavis")


def shipped(game: str) -> list[Puzzle]:
    return list(puzzles_of(game).values())


@cache
def starts(game: str) -> dict[int, AnyPosition]:
    """Return the position of each puzzle: the line to it is played once for all tests."""
    return {puzzle.id: puzzle.position(game) for puzzle in shipped(game)}


def known_at(position: AnyPosition, answers: Answers) -> Iterator[tuple[AnyPosition, Answers]]:
    """Yield each position at which the solver is to move, with what is known there."""
    yield position, answers
    for move, known in answers.items():
        if isinstance(known, list) and len(known) > 1:
            after = position.play(position.parse(move))
            yield from known_at(after.play(after.parse(known[0])), known[1])


@pytest.mark.parametrize("game", OURS)
def test_every_line_is_read_and_written_back(game: str) -> None:
    text = text_file(game, FILE)
    puzzles, faults = read_puzzles(text)
    assert puzzles
    assert not faults
    assert "".join(f"{write_puzzle(puzzle)}\n" for puzzle in puzzles) == text


@pytest.mark.parametrize("game", OURS)
def test_every_move_of_a_puzzle_is_legal_in_full_form_and_wins_end_games(game: str) -> None:
    for puzzle in shipped(game):
        start = starts(game)[puzzle.id]
        assert start.outcome() is None
        assert right_moves(puzzle.answers) == puzzle.first
        assert digest_of(puzzle.answers) == puzzle.proof
        for position, answers in known_at(start, puzzle.answers):
            legal = {position.format(move) for move in position.legal_moves()}
            assert set(answers) <= legal
            assert position.seat == start.seat
            for move, known in answers.items():
                after = position.play(position.parse(move))
                if isinstance(known, list) and known:
                    assert known[0] in {after.format(one) for one in after.legal_moves()}
                elif known == [] and puzzle.task is Task.WIN:
                    outcome = after.outcome()
                    assert outcome is not None
                    assert outcome.winner == start.seat


# Gyges' keys forget a past that its rules ask for, so that nothing is proved beyond the task.
@pytest.mark.parametrize("game", [game for game in OURS if game != "gyges"])
@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_lines_that_meet_wrong_moves_can_be_played_and_are_not_won_by_the_solver(
    game: str, every: int
) -> None:
    """Every seventh line of all puzzles is played, and with `--long` all of them."""
    met = 0
    for puzzle in shipped(game):
        for position, answers in known_at(starts(game)[puzzle.id], puzzle.answers):
            for move, known in answers.items():
                if not isinstance(known, str):
                    continue
                met += 1
                if met % every:
                    continue
                after = position.play(position.parse(move))
                for word in known.split():
                    after = after.play(after.parse(word))
                outcome = after.outcome()
                assert outcome is None or outcome.winner != position.seat
    assert met >= 700


@pytest.mark.parametrize("game", OURS)
def test_no_position_stands_twice_or_in_a_lesson(game: str) -> None:
    boards = [canonical_board(position) for position in starts(game).values()]
    assert len(set(boards)) == len(boards)
    taught = {canonical_board(start_of(game, step)) for step in lesson_of(game).steps}
    assert not taught.intersection(boards)


@pytest.mark.parametrize("game", OURS)
def test_puzzles_are_a_mix(game: str) -> None:
    puzzles = shipped(game)
    count = len(puzzles)
    lengths = Counter(map(length_of, puzzles))
    assert lengths[1] <= 0.12 * count
    seats = Counter(position.seat for position in starts(game).values())
    assert max(seats.values()) <= 0.65 * count
    boards = Counter(puzzle.options for puzzle in puzzles)
    settings = settings_of(load(game))
    assert set(boards) == set(settings.WITHIN)
    openings = Counter((one.options, *one.line[: settings.OPENING]) for one in puzzles)
    assert max(openings.values()) <= settings.PER_OPENING
    assert all(one.legal >= 8 and 1 <= len(one.first) <= 3 for one in puzzles)
    assert all(map(settings.fits, starts(game).values()))


@pytest.mark.parametrize("game", OURS)
def test_numbers_count_up_and_ratings_follow_level_and_length(game: str) -> None:
    puzzles = shipped(game)
    assert [one.id for one in puzzles] == sorted({one.id for one in puzzles})
    for one in puzzles:
        further = 0 if one.task is Task.SAVE else one.within - 1
        assert one.rating == 700 + 150 * one.level + 100 * further


@pytest.mark.parametrize("game", OURS)
def test_some_are_proved_again(game: str) -> None:
    """One of each task is proved: `sarsen puzzles GAME --check` proves all, in minutes."""
    checker = CheckJob(game).open()
    short = [one for one in shipped(game) if one.within <= 2]
    short.sort(key=lambda one: -one.legal)  # each legal move is asked
    chosen = {one.task: one for one in short}  # of each task the one with the fewest
    assert chosen
    assert [checker.do(one) for one in chosen.values()] == [""] * len(chosen)


def test_games_without_puzzles_have_none() -> None:
    assert {game for game in names() if puzzles_of(game)} == set(OURS)
