"""One's own turning points are tried again, judged by what is proved and by nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from sarsen.core.errors import UserError
from sarsen.core.referee import judge
from sarsen.games import load, names
from sarsen.language.commands import ShowReview
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.language.learning.mistakes import MistakeResult, MistakeShown
from sarsen.language.replies import ReviewAsked, sentence
from sarsen.language.reviews import TurningPoint
from sarsen.services.dispatch import perform
from sarsen.services.learning.own_puzzles import due_puzzles
from sarsen.services.request import NOBODY, Actor
from sarsen.services.reviews import again
from sarsen.services.reviews.again import find_mistake, is_puzzle, judge_mistake
from sarsen.storage.models import OwnPuzzle
from web_world import NOW, World

from .conftest import ask, over, show, work

CHANCE = TurningPoint(1, "ann", "A3", "B4", ("B4",), 0.72, 0.31, False, False, None)


@pytest.fixture
def reviewed(world: World) -> int:
    board = over(world)
    ask(world, board)
    work()
    return board


def try_again(
    world: World, board: int, number: int = 1, move: str = "", userid: str = "ann"
) -> MistakeShown:
    actor = Actor(world.player(userid)) if userid else NOBODY
    reply = perform(ShowReview("", board, number, move), actor, "", NOW)
    assert isinstance(reply, MistakeShown)
    return reply


def test_only_the_own_turning_points_are_asked(world: World, reviewed: int) -> None:
    turns = show(world, reviewed).review.turns
    for userid in ("ann", "bob"):
        own = [turn for turn in turns if turn.player == userid]
        if own:
            asked = [try_again(world, reviewed, at + 1, "", userid) for at in range(len(own))]
            assert [(one.ply, one.is_own) for one in asked] == [(turn.ply, True) for turn in own]
    assert try_again(world, reviewed, userid="").count == len(turns)


def test_nothing_of_the_answer_is_told_before_it_is_over(world: World, reviewed: int) -> None:
    first = try_again(world, reviewed)
    assert (first.better, first.turn, first.moves) == ("win", None, ())
    assert "A3" not in sentence(first)
    wrong = try_again(world, reviewed, 1, "a3")
    assert (wrong.result, wrong.turn, wrong.is_repeated) == ("wrong", None, True)
    shown = try_again(world, reviewed, 1, "Show")
    assert (shown.result, shown.is_finished) == ("", True)
    assert "In the game you played A3. Better was B4" in sentence(shown)


def test_every_move_is_judged_as_the_exact_prover_judges_it(world: World, reviewed: int) -> None:
    from sarsen.games.visavis.proof.verdict import judge as verdict

    position = load("visavis").start("-size=5")
    results = set()
    for move in position.legal_moves():
        text = position.format(move)
        after = position.play(move)
        found = verdict(after)
        wins = found.winner is not None and found.winner != after.side
        told = try_again(world, reviewed, 1, text.lower())  # in another spelling
        assert told.result == ("right" if wins else "wrong"), text
        results.add(told.result)
    assert results == {"right", "wrong"}


def test_without_a_proof_nothing_is_right_or_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(again, "exact_winner", lambda position: None)
    position = load("visavis").start("-size=5")

    def judged(turn: TurningPoint, move: str, **facts: bool) -> MistakeResult:
        known = {"is_best": False, "is_repeated": False} | facts
        return judge_mistake(turn, judge(position, move), **known)

    for facts in ({}, {"is_best": True}, {"is_repeated": True}):
        assert judged(CHANCE, "c3", **facts) is MistakeResult.CHANCE
    proved = replace(CHANCE, before=1.0, was_proved=True)
    assert judged(proved, "b4", is_best=True) is MistakeResult.RIGHT
    # Of another move nothing is known, so it is not called wrong.
    assert judged(proved, "c3") is MistakeResult.NOT_PROVED
    assert judged(proved, "a3", is_repeated=True) is MistakeResult.NOT_PROVED
    lost = replace(proved, after=0.0, is_proved=True)
    assert judged(lost, "a3", is_repeated=True) is MistakeResult.WRONG


def test_chances_are_told_as_chances(world: World, reviewed: int) -> None:
    shown = replace(
        try_again(world, reviewed), better="chance", result="chance", tried="C3", turn=CHANCE
    )
    said = sentence(shown)
    assert said.startswith(
        "No right or wrong here: nothing is proven of this move. The review has no number"
    )
    assert "In the game you played A3. Better was B4: ann's chances with it are 72%" in said


def test_a_missing_number_and_a_refused_move_are_said(world: World, reviewed: int) -> None:
    with pytest.raises(UserError) as caught:
        try_again(world, reviewed, 9)
    assert (caught.value.code, caught.value.hint) == ("no-such-line", f"review {reviewed} again")
    with pytest.raises(UserError):
        try_again(world, reviewed, 1, "z99")


def test_without_a_review_one_is_made_first(world: World) -> None:
    board = over(world)
    reply: Any = perform(ShowReview("", board, 1), Actor(world.player("ann")), "", NOW)
    assert isinstance(reply, ReviewAsked)


def test_lines_are_read() -> None:
    def read(line: str, speaker: str = "") -> Any:
        return read_line(line, Context(names(), speaker=speaker)).command

    assert read("review 123 again") == ShowReview("", 123, 1)
    assert read("druid review 123 Again 2 b4") == ShowReview("druid", 123, 2, "b4")
    assert read("review 123 ann secret again 2 show", "") == ShowReview("", 123, 2, "show")
    assert read("review 123 again b4", "ann") == ShowReview("", 123, 1, "b4")


def test_a_proven_turning_point_of_ones_own_is_offered_again(world: World, reviewed: int) -> None:
    def due() -> list[int]:
        later = (NOW + timedelta(days=1)).date()
        return [one.number for one in due_puzzles(world.player("ann"), later)]

    try_again(world, reviewed)
    assert due() == []  # seen, but not tried
    try_again(world, reviewed, 1, "a3")
    assert due() == [1]
    try_again(world, reviewed, 1, "b4", userid="")
    try_again(world, reviewed, 1, "b4", userid="cyd")  # of others nothing is kept
    assert OwnPuzzle.objects.count() == 1


def test_what_puzzles_of_games_keep_out_is_no_puzzle_of_ones_own(
    world: World, reviewed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    mistake = find_mistake(reviewed, 1, world.player("ann"))
    assert is_puzzle(mistake)
    for change in ({"was_proved": False}, {"plies": 1}):
        assert not is_puzzle(replace(mistake, turn=replace(mistake.turn, **change)))
    assert not is_puzzle(replace(mistake, is_own=False))
    won_before = replace(mistake.review, chances=(1.0,) * 6, proved=(True,) * 6)
    third = replace(mistake, turn=replace(mistake.turn, ply=3), review=won_before)
    assert not is_puzzle(third)
    monkeypatch.setattr(again, "MIN_MOVES", 100)
    assert not is_puzzle(mistake)
