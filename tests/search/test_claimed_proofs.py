"""Proofs of what is claimed: of a win of one seat, or of a draw by the answers of both."""

from __future__ import annotations

import pytest

from claim_world import DRAWN, LOST, WON, Line
from puzzle_lines import puzzle_with
from sarsen.core.answers import BETWEEN, NotProvedError, check, longest_line, scores_of
from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.search.written_proofs import prove_claim


def position_of(line: Line) -> AnyPosition:
    position: AnyPosition = load(line.game).start(line.options)
    for move in line.moves.split():
        position = position.play(position.parse(move))
    return position


def test_only_what_is_claimed_is_proven() -> None:
    # The first seat is to move.
    for line, proven in ((WON, 0), (LOST, 1), (DRAWN, None)):
        position = position_of(line)
        for seat in (0, 1, None):
            proof = prove_claim(position, seat, 200_000)
            assert bool(proof) == (seat == proven), (line, seat)
            if proof:
                assert check(position, proof).winner == proven
                scores = {0: [1.0, 0.0], 1: [0.0, 1.0], None: [0.5, 0.5]}[proven]
                assert check(position, proof).scores == scores_of(position, proof) == scores


def test_a_draw_takes_the_answers_of_both_seats() -> None:
    position = position_of(DRAWN)
    first, second = prove_claim(position, None, 200_000).split(BETWEEN)
    for text in (
        first,
        second,
        BETWEEN.join((second, first)),
        BETWEEN.join((first, first)),
        BETWEEN.join((first, second, second)),
        BETWEEN.join((first, "")),
        BETWEEN.join((first, second.partition("\n")[2])),
    ):
        with pytest.raises(NotProvedError):
            check(position, text)


def test_the_longest_line_of_a_proof_can_be_played() -> None:
    position = position_of(WON)
    line = longest_line(prove_claim(position, 0))
    for move in line:
        assert position.outcome() is None
        position = position.play(position.parse(move))
    assert len(line) > 1


def test_a_win_at_gyges_is_proven_by_exhaustion() -> None:
    puzzle = puzzle_with("gyges", "win", 2)
    position = puzzle.position("gyges")
    proof = prove_claim(position, position.seat)
    assert check(position, proof).winner == position.seat
    assert prove_claim(position, None) == ""
