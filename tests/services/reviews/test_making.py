"""How reviews are made: step by step, by one thinker or two, and after failures."""

from __future__ import annotations

from datetime import timedelta

import pytest

from sarsen.core.game import AnyPosition
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services.reviews.making import CLAIM_LASTS, MAX_ATTEMPTS, work_step
from sarsen.services.reviews.view import view_review
from sarsen.storage.models import Review
from services.reviews.conftest import SIGHT, ask, letters, over, show, think, work
from web_world import NOW, World


def test_who_is_killed_at_a_step_leaves_it_to_the_next_who_goes_on_there(world: World) -> None:
    board = over(world)
    ask(world, board)
    assert work(3) == 3
    kept = Review.objects.get(match=board).findings

    class Killed(BaseException):
        pass

    def die(*_: object) -> Thought:
        raise Killed

    def work_until_killed() -> None:
        while work_step(die, Stop(), NOW):
            pass

    with pytest.raises(Killed):
        work_until_killed()
    # Nothing was lost, nothing half written; for a while nobody else takes it.
    stored = Review.objects.get(match=board)
    assert stored.findings["looks"][:3] == kept["looks"]
    done = len(stored.findings["looks"])
    assert work() == 0
    before = len(SIGHT.thoughts)
    assert work(now=NOW + CLAIM_LASTS) > 0
    again = SIGHT.thoughts[before:]
    assert len(set(again)) == len(again)
    whole = Review.objects.get(match=board).findings
    assert whole["looks"][:done] == stored.findings["looks"]
    assert len(letters()) == 1


def test_a_step_that_fails_every_time_ends_the_review_and_its_asker_is_told(world: World) -> None:
    board = over(world)
    ask(world, board)

    def fail(*_: object) -> Thought:
        raise RuntimeError("the net is damaged")

    now, attempts = NOW, 0
    work(1)  # the last position of this game needs no thought
    while True:
        try:
            if not work_step(fail, Stop(), now):
                break
        except RuntimeError:
            attempts += 1
            now += CLAIM_LASTS
        assert attempts <= MAX_ATTEMPTS
    assert attempts == MAX_ATTEMPTS
    assert Review.objects.get(match=board).state == Review.State.FAILED
    assert view_review(board, None).has_failed
    assert len(letters()) == 1
    # To ask again begins again, from where it was.
    assert ask(world, board, now=now).done > 0
    work(now=now)
    assert show(world, board).review.proved_ply == 5
    assert len(letters()) == 2


def test_what_is_cut_short_for_something_urgent_is_given_back_as_it_was(world: World) -> None:
    board = over(world)
    ask(world, board)
    work(2)
    before = Review.objects.get(match=board)
    stop = Stop()
    stop.set()
    assert work_step(think, stop, NOW)
    after = Review.objects.get(match=board)
    assert (after.findings, after.steps, after.attempts) == (before.findings, before.steps, 0)
    assert after.due_at == NOW
    work()
    assert len(letters()) == 1


def test_two_thinkers_at_one_review_do_no_step_twice(world: World) -> None:
    board = over(world)
    ask(world, board)
    work(1)

    def slow(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
        # Our claim runs out while we think: another thinker does this step, and the next.
        for _ in range(2):
            work_step(think, Stop(), NOW + CLAIM_LASTS)
        return think(game, position, seed, budget, stop)

    # The next position but one is the first that needs a thought.
    while Review.objects.get(match=board).steps < 3:
        assert work_step(slow, Stop(), NOW)
        review = Review.objects.get(match=board)
        assert len(review.findings["looks"]) == review.steps
    assert Review.objects.get(match=board).steps >= 4, "the other's steps stand"
    work(now=NOW + 2 * CLAIM_LASTS)
    review = Review.objects.get(match=board)
    assert review.state == Review.State.DONE
    assert len(review.findings["looks"]) == 6
    assert len(letters()) == 1


def test_the_oldest_review_is_done_first_and_to_its_end(world: World) -> None:
    first, second = over(world), over(world)
    ask(world, first, now=NOW + timedelta(seconds=1))
    ask(world, second, now=NOW)
    work(4, now=NOW + timedelta(seconds=2))
    assert Review.objects.get(match=first).steps == 0
    assert Review.objects.get(match=second).steps == 4


def test_the_time_for_a_review_is_shared_among_its_positions(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.services.reviews.making.REVIEW_SECONDS", 3)
    board = over(world)
    ask(world, board)
    given = []

    def noting(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
        given.append(budget.seconds)
        return think(game, position, seed, budget, stop)

    while work_step(noting, Stop(), NOW):
        pass
    assert set(given) == {0.5}
