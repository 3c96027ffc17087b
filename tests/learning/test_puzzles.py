"""Every move at every position of the shipped puzzles is judged as what is proven of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache

import pytest

from right_moves import has_won
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.learning.lessons import lesson_of, start_of
from sarsen.learning.puzzles import shelf
from sarsen.learning.puzzles.puzzle import Answers, Puzzle, Task, puzzles_of, right_moves
from sarsen.learning.puzzles.shelf import (
    game_with_puzzles,
    has_daily,
    playable,
    puzzle_numbered,
    puzzle_of_day,
    puzzled,
)
from sarsen.learning.puzzles.tries import (
    Verdict,
    judge_tries,
    line_number,
    lines_of,
    numbered_line,
    solution,
)
from spellings import spellings

SPELLINGS, WHOLE = 4, 400  # of each right move of a game
EVERY = 7  # of the positions each so many is tried with legal moves
MOST_TRIED = 40  # legal moves of a position, beside all that are listed


@dataclass(frozen=True)
class Node:
    """A position of the solver, reached by the rules alone."""

    puzzle: Puzzle
    own: tuple[str, ...]
    position: AnyPosition
    known: Answers


@cache
def nodes(game: str) -> tuple[Node, ...]:
    """Return all positions at which a solver of a game's puzzles is to move."""
    return tuple(
        node
        for puzzle in puzzles_of(game).values()
        for node in _walk(puzzle, (), puzzle.position(game), puzzle.answers)
    )


def _walk(
    puzzle: Puzzle, own: tuple[str, ...], position: AnyPosition, known: Answers
) -> Iterator[Node]:
    yield Node(puzzle, own, position, known)
    for move in right_moves(known):
        if len(known[move]) > 1:
            reply, following = known[move]
            after = position.play(position.parse(move))
            yield from _walk(puzzle, (*own, move), after.play(after.parse(reply)), following)


def _after(node: Node, text: str) -> str:
    return node.position.play(node.position.parse(text)).write()


def _count_refused(game: str, most: int) -> tuple[int, int]:
    """Return how many spellings of right moves were tried, and how many were not taken."""
    tried = refused = 0
    for node in nodes(game):
        moves = right_moves(node.known)
        right = {_after(node, move): move for move in moves}
        for text in spellings(game, node.position, moves, most):
            try:
                move = right.get(_after(node, text))
            except UserError:
                continue
            if move is not None:
                judged = judge_tries(game, node.puzzle, (*node.own, text))
                tried += 1
                refused += judged.own != (*node.own, move)
    return tried, refused


@pytest.mark.parametrize("game", puzzled())
def test_every_listed_move_is_right_in_every_spelling_that_the_game_reads(game: str) -> None:
    tried, refused = _count_refused(game, SPELLINGS)
    assert refused == 0
    assert tried >= 300


@pytest.mark.slow
@pytest.mark.parametrize("game", puzzled())
def test_no_right_move_is_refused_in_a_large_corpus(game: str) -> None:
    tried, refused = _count_refused(game, WHOLE)
    print(f"{game}: {tried} right moves in other spellings, {refused} not taken")
    assert refused == 0
    assert tried >= 40_000


@pytest.mark.parametrize("game", puzzled())
@pytest.mark.parametrize("most", [MOST_TRIED, pytest.param(10**6, marks=pytest.mark.slow)])
def test_no_other_legal_move_is_right(game: str, most: int) -> None:
    """Up to 40 legal moves of a position, and with `--long` all: Gyges has hundreds."""
    tried = 0
    for node in nodes(game)[::EVERY]:
        right = {_after(node, move) for move in right_moves(node.known)}
        legal = [(move, node.position.format(move)) for move in node.position.legal_moves()]
        every = -(-len(legal) // most)
        for at, (move, text) in enumerate(legal):
            if at % every and text not in node.known:
                continue
            judged = judge_tries(game, node.puzzle, (*node.own, text))
            is_right = judged.verdict in (Verdict.RIGHT, Verdict.SOLVED)
            assert is_right == (node.position.play(move).write() in right), (node, text)
            if not is_right:
                known = node.known.get(text, "")
                expected = Verdict.LATE if known is None else Verdict.NOT_PROVED
                assert judged.verdict is expected
                assert judged.own == node.own
                assert judged.met == tuple((known or "").split())
            tried += 1
    assert tried >= 500


@pytest.mark.parametrize("game", puzzled())
def test_the_solution_solves_every_puzzle_from_every_position(game: str) -> None:
    for node in nodes(game):
        line = solution(judge_tries(game, node.puzzle, node.own))
        judged = judge_tries(game, node.puzzle, (*node.own, *line[::2]))
        assert judged.verdict is Verdict.SOLVED
        assert judged.line[-len(line) :] == line
        if node.puzzle.task is Task.WIN and not judged.answer:
            outcome = judged.position.outcome()
            assert outcome is not None
            assert outcome.winner == node.position.seat


def test_another_way_to_the_same_position_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    # A piece of Gyges bounces along several ways to one place, each a text of its own.
    step = lesson_of("gyges").steps[0]
    position = start_of("gyges", step)
    listed, other = "13-12-14-33", "13-12-14-44-65-63-33"
    same = {position.play(position.parse(text)).write() for text in (listed, other)}
    assert len(same) == 1
    moves = " ".join(step.moves)
    puzzle = Puzzle(
        9**9, step.options, moves, Task.WIN, 1, (listed,), 9, {listed: []}, "", "", 1, 1000, ""
    )
    monkeypatch.setitem(puzzles_of("gyges"), puzzle.id, puzzle)
    judged = judge_tries("gyges", puzzle, (other,))
    assert (judged.verdict, judged.own, judged.tried) == (Verdict.SOLVED, (listed,), other)


def test_a_refused_move_leaves_the_position() -> None:
    puzzle = puzzle_numbered("druid", 1)
    judged = judge_tries("druid", puzzle, ("z99",))
    assert judged.verdict is Verdict.REFUSED
    assert judged.refusal is not None
    assert (judged.own, judged.position) == ((), puzzle.position("druid"))


def test_nothing_comes_after_the_end_of_a_line() -> None:
    puzzle = puzzle_numbered("druid", 1)
    line = solution(judge_tries("druid", puzzle, ()))[::2]
    with pytest.raises(UserError) as refused:
        judge_tries("druid", puzzle, (*line, "a1"))
    assert refused.value.code == "line-over"
    assert refused.value.hint.startswith("puzzle druid-1 ")


@pytest.mark.parametrize("game", puzzled())
def test_every_line_is_found_by_its_number(game: str) -> None:
    for puzzle in puzzles_of(game).values():
        lines = list(lines_of(puzzle.answers))
        assert len({line_number(line) for line in lines}) == len(lines)
        for line in lines:
            assert numbered_line(puzzle, line_number(line)) == line


@pytest.mark.parametrize("game", puzzled())
def test_the_puzzle_of_the_day_is_another_one_until_all_were_there(game: str) -> None:
    count = len(playable(game))
    days = [date(2027, 1, 1) + timedelta(days=at) for at in range(365)]
    ids = [puzzle_of_day(game, day).id for day in days]
    assert has_daily(game) == (count >= 30)
    assert set(ids[:count]) == {puzzle.id for puzzle in playable(game)}
    assert ids[:count] != [puzzle_of_day(game, day.replace(year=2029)).id for day in days[:count]]


def test_puzzles_that_there_are_not_are_refused_with_one_that_there_is() -> None:
    most = max(puzzles_of("druid"))
    with pytest.raises(UserError) as refused:
        puzzle_numbered("druid", 999_999)
    assert (refused.value.code, refused.value.hint) == ("no-such-puzzle", f"puzzle druid-{most}")
    for game, code in (("chess", "unknown-game"), ("", "puzzle-game")):
        with pytest.raises(UserError) as refused:
            game_with_puzzles(game)
        assert refused.value.code == code


def _wins_within(position: AnyPosition, seat: int, own: int) -> bool:
    """Return whether a seat wins with so many own moves, by the rules alone."""
    if position.outcome() is not None:
        return has_won(position, seat)
    if not own:
        return False
    decides = any if position.seat == seat else all
    left = own - (position.seat == seat)
    # The last own move has to win: whatever is answered comes too late.
    return decides(_wins_within(position.play(move), seat, left) for move in position.legal_moves())


def _first_by_rules(game: str, puzzle: Puzzle) -> set[str]:
    """Return the positions after all moves that do what the task asks for, by the rules alone."""
    position = puzzle.position(game)
    afters = {position.play(move).write(): position.play(move) for move in position.legal_moves()}
    seat = position.seat
    if puzzle.task is Task.SAVE:
        return {
            text
            for text, after in afters.items()
            if not _wins_within(after, 1 - seat, puzzle.within)
        }
    return {text for text, after in afters.items() if _wins_within(after, seat, puzzle.within - 1)}


def _small(game: str) -> list[Puzzle]:
    """Return the puzzles that are played out in a few seconds each."""
    return [
        one
        for one in puzzles_of(game).values()
        if one.task is not Task.KEEP and one.within <= 2 and one.legal <= 40
    ]


def _listed(game: str, puzzle: Puzzle) -> set[str]:
    position = puzzle.position(game)
    return {position.play(position.parse(move)).write() for move in puzzle.first}


@pytest.mark.parametrize("puzzle", _small("druid")[:3], ids=lambda one: str(one.id))
def test_right_first_moves_are_those_that_the_rules_alone_find(puzzle: Puzzle) -> None:
    assert _listed("druid", puzzle) == _first_by_rules("druid", puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", _small("druid"), ids=lambda one: str(one.id))
def test_all_small_puzzles_have_the_first_moves_that_the_rules_find(puzzle: Puzzle) -> None:
    assert _listed("druid", puzzle) == _first_by_rules("druid", puzzle)


def test_a_release_within_a_year_moves_no_day_but_those_of_what_it_retires(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    days = [date(2027, 1, 1) + timedelta(days=one) for one in range(365)]
    before = dict(shelf.puzzles_of("druid"))
    last = max(before)

    def released(puzzles: dict[int, Puzzle]) -> list[int]:
        monkeypatch.setattr(shelf, "puzzles_of", lambda game: puzzles)
        shelf._order.cache_clear()
        return [shelf.puzzle_of_day("druid", day).id for day in days]

    shown = released(before)
    new = {last + one: replace(before[1], id=last + one, since=2028) for one in range(1, 51)}
    assert released(before | new) == shown
    retired = shown[10]
    after = released(before | new | {retired: replace(before[retired], retired="wrong")})
    changed = [at for at, id_ in enumerate(shown) if after[at] != id_]
    assert changed == [at for at, id_ in enumerate(shown) if id_ == retired]
    days = [day.replace(year=2028) for day in days]
    assert set(new) & set(released(before | new))
    shelf._order.cache_clear()
