"""What a review finds: turning points, where the result was proved, the winner's answers."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.search.reviews.findings import MAX_ANSWERS, MAX_LINE, Look, Think, look_at
from sarsen.search.reviews.study import (
    MAX_LOOKS,
    MAX_TURNS,
    Findings,
    PlayedGame,
    ReviewSummary,
    count_steps,
    proved_from,
    read,
    review_of,
    settled,
    take_step,
    turning_points,
    write,
)
from sarsen.search.thought import Candidate, Thought
from short_sight import ShortSight

# Every move but the last one threw a win away.
THROWN_AWAY = "A3 C2 D3 D1 B4"
LOST_EARLY = "E3 D4 B2 E2"


def played(game: str, options: str, moves: str) -> PlayedGame:
    positions: list[AnyPosition] = [load(game).start(options)]
    texts = []
    for text in moves.split():
        move = positions[-1].parse(text)
        texts.append(positions[-1].format(move))
        positions.append(positions[-1].play(move))
    return PlayedGame(tuple(positions), tuple(texts))


def study(game: PlayedGame, think: Think, findings: Findings | None = None) -> Findings:
    found = findings or Findings()
    while not found.is_done:
        found = take_step(found, game, think)
    return found


def reviewed(game: PlayedGame, sight: int) -> ReviewSummary:
    return review_of(study(game, ShortSight(sight)), game)


def ends_won(position: AnyPosition, line: tuple[str, ...], seat: int) -> bool:
    for text in line:
        position = position.play(position.parse(text))
    outcome = position.outcome()
    return outcome is not None and outcome.scores[seat] == 1.0


def test_turning_points_are_wins_that_were_thrown_away_with_a_line_that_wins() -> None:
    game = played("visavis", "-size=5", THROWN_AWAY)
    review = reviewed(game, 3)
    assert [turn.at + 1 for turn in review.turns] == [1, 2, 3, 4]
    for turn in review.turns:
        look = review.look(turn.at)
        assert (turn.before, turn.after) == (1.0, 0.0)
        assert look.best not in ("", look.played)
        assert look.line[0] == look.best
        assert ends_won(game.positions[turn.at], look.line, game.positions[turn.at].seat)


def test_the_result_is_proved_from_the_ply_after_the_last_mistake() -> None:
    review = reviewed(played("visavis", "-size=5", THROWN_AWAY), 3)
    assert (review.proved_at, review.winner) == (4, 0)
    early = reviewed(played("visavis", "-size=5", LOST_EARLY), 3)
    assert (early.proved_at, early.winner) == (1, 1)


def test_every_answer_of_a_proof_wins_whatever_is_replied() -> None:
    game = played("visavis", "-size=5", LOST_EARLY)
    review = reviewed(game, 3)
    assert review.proved_at is not None
    answers = {answer.path: answer.move for answer in review.answers}
    open_ends = 0

    def walk(position: AnyPosition, path: tuple[str, ...]) -> None:
        nonlocal open_ends
        outcome = position.outcome()
        if outcome is not None:
            assert outcome.scores[1] == 1.0
        elif position.seat == 1:
            if path not in answers:
                open_ends += 1
                return
            walk(position.play(position.parse(answers[path])), (*path, answers[path]))
        else:
            for move in position.legal_moves():
                walk(position.play(move), (*path, position.format(move)))

    walk(game.positions[review.proved_at], ())
    assert len(answers) > 20
    assert open_ends == 0, "the tree has room for all of this proof"


def test_a_proof_is_bounded_and_holds_the_main_line_to_its_end() -> None:
    game = played("druid", "-size=3", "c2 a3 a1 c3 a2 a3-c3")
    review = reviewed(game, 2)
    assert 0 < len(review.answers) <= MAX_ANSWERS
    assert review.proved_at is not None
    line = review.look(review.proved_at).line
    at = game.positions[review.proved_at]
    own = {answer.path: answer.move for answer in review.answers}
    for number, text in enumerate(line):
        if at.seat == review.winner:
            assert own[line[:number]] == text
        at = at.play(at.parse(text))
    assert at.outcome() is not None


def test_a_review_left_anywhere_goes_on_there_and_finds_the_same() -> None:
    game = played("visavis", "-size=5", THROWN_AWAY)
    whole = study(game, ShortSight(3))
    found = Findings()
    while not found.is_done:
        # As after a restart: from what was written, with another thinker.
        found = take_step(read(json.loads(json.dumps(write(found)))), game, ShortSight(3))
    assert found == whole


def test_one_step_thinks_of_one_position_and_once_more_to_check() -> None:
    game = played("visavis", "-size=5", THROWN_AWAY)
    found, before = Findings(), 0
    sight = ShortSight(1)
    while not found.is_done:
        found = take_step(found, game, sight)
        assert len(sight.thoughts) - before <= 2
        before = len(sight.thoughts)


def test_no_thought_is_spent_where_the_move_played_wins() -> None:
    game = played("visavis", "-size=5", THROWN_AWAY)
    sight = ShortSight(3)
    study(game, sight)
    assert game.positions[-2].write() not in sight.thoughts
    assert game.positions[-3].write() in sight.thoughts


def test_findings_of_another_version_count_for_nothing() -> None:
    kept = write(study(played("visavis", "-size=5", THROWN_AWAY), ShortSight(1)))
    assert read(kept | {"version": 0}) == Findings()
    assert read({}) == Findings()


def guess(score: float, promised: float) -> Think:
    """Think that the last listed move is worth `promised`, and any position after it `score`."""

    def think(position: AnyPosition, seed: int) -> Thought:
        moves = position.legal_moves()
        own = promised if seed < 1_000 else 1 - score
        return Thought(moves[-1], own, candidates=(Candidate(moves[-1], own),))

    return think


@pytest.mark.parametrize(
    ("found", "best"), [(0.9, "X4"), (0.4, "")], ids=["kept its promise", "did not"]
)
def test_a_better_move_must_keep_what_it_promised_one_ply_later(found: float, best: str) -> None:
    position = load("visavis").start("-size=5")
    last = position.format(position.legal_moves()[-1])
    after = Look(1, "", "", (), score=0.5)
    first = position.format(position.legal_moves()[0])
    look = look_at(position, first, after, guess(found, promised=0.9), 0)
    assert look.best == (last if best else "")
    assert look.score == (pytest.approx(found) if best else 0.5)
    assert look.proved is None


def test_a_search_that_prefers_the_move_played_blames_nobody() -> None:
    position = load("visavis").start("-size=5")
    last = position.format(position.legal_moves()[-1])
    look = look_at(position, last, Look(1, "", "", (), 0.2), guess(0.9, promised=0.9), 0)
    assert (look.best, look.score, look.line[0]) == ("", 0.2, last)


def test_a_lost_position_has_no_better_move_and_its_loser_made_no_mistake() -> None:
    game = played("visavis", "-size=5", LOST_EARLY)
    review = reviewed(game, 3)
    losing = [at for at in range(1, 4) if game.positions[at].seat == 0]
    assert losing
    assert all(review.look(at).best == "" for at in losing)
    assert not {turn.at for turn in review.turns} & set(losing)


def test_a_proof_is_carried_over_positions_that_the_search_did_not_prove() -> None:
    lost = Look(0, "a", "", (), 0.0, proved=0.0)
    unseen = Look(1, "b", "", (), 0.4)
    over = Look(0, "", "", (), 0.0, proved=0.0, plies=0)
    carried = settled([lost, unseen, over])
    assert carried[1].proved == 0.0
    assert proved_from(carried) == 0
    # A win that its owner did not go for proves nothing of what came after.
    won = replace(lost, seat=1, best="c")
    assert settled([won, unseen, over])[1].proved is None


def test_a_result_that_nothing_but_the_end_proves_is_not_proved_before() -> None:
    open_ = Look(0, "a", "", (), 0.5)
    over = Look(1, "", "", (), 1.0, proved=1.0, plies=0)
    assert proved_from([open_, over]) is None
    assert proved_from([open_]) is None
    assert proved_from([]) is None


def test_only_the_worst_moves_are_told_and_in_the_order_of_the_game() -> None:
    scores = [0.5]
    for number in range(12):
        scores.append(scores[-1] + (0.2 + number / 100) * (-1) ** number)
    looks = [Look(at % 2, "a", "b", (), score) for at, score in enumerate(scores)]
    turns = turning_points([replace(one, seat=0) for one in looks])
    assert len(turns) == MAX_TURNS
    assert [turn.at for turn in turns] == sorted(turn.at for turn in turns)
    assert min(turn.loss for turn in turns) == pytest.approx(0.23)


def test_of_a_very_long_game_only_the_last_positions_are_looked_at() -> None:
    start = load("visavis").start("-size=5")
    long = PlayedGame((start,) * (MAX_LOOKS + 5), ("A3",) * (MAX_LOOKS + 4))
    assert long.first == 5
    assert count_steps(long) == MAX_LOOKS
    assert played("visavis", "-size=5", THROWN_AWAY).first == 0


def test_lines_are_bounded() -> None:
    game = played("visavis", "-size=5", THROWN_AWAY)
    after = Look(1, "", "", ("B2",) * MAX_LINE, 1.0, proved=1.0)
    look = look_at(game.positions[0], game.texts[0], after, ShortSight(1), 0)
    assert len(look.line) == MAX_LINE
