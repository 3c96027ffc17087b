"""One bounded step of the oldest review that waits, done by the process that thinks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.search.reviews.study import Findings, PlayedGame, count_steps, read, take_step, write
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services import task_queue
from sarsen.services.notices import Event, notify_all
from sarsen.services.reviews.view import game_of
from sarsen.storage.models import Match, Review

# (game, position, seed, budget, stop) -> thought
Thinker = Callable[[str, AnyPosition, int, Budget, Stop], Thought]

# A process that dies at a step leaves it to the next one after this time.
REVIEW_SECONDS = 90.0  # of thought, for all positions of one game together
CLAIM_LASTS = timedelta(seconds=15)
# The same step is not tried for ever.
MOST_ATTEMPTS = 5
# A thought for a review never takes longer: moves that are due must not wait behind it.
MOST_SECONDS, LEAST_SECONDS = 1.5, 0.02
# A review must not advise in a rated game that stands in one of its positions; from this
# ply on, since every game begins alike.
ADVICE_FROM = 4
LOOK_AGAIN = timedelta(minutes=30)


@dataclass(frozen=True)
class _Claim:
    """A review that nobody else takes for a while."""

    review: int
    steps: int
    match: Match
    findings: Findings


def work_step(think: Thinker, stop: Stop, now: datetime) -> bool:
    """Do one step of a review; False when none waits.

    Results are stored before the next step begins. With the last one everybody who
    wants the review is told, in the same transaction and so once.

    Args:
        stop: Set by another thread; the step is then given back as it was.
    """
    claim = _claim(now)
    if claim is None:
        return False
    try:
        game = game_of(claim.match)
    except UserError:  # the rules have changed, or the game is no longer installed
        _fail(claim.review, now)
        return True
    if _would_advise(claim, game):
        Review.objects.filter(pk=claim.review).update(attempts=0, due_at=now + LOOK_AGAIN)
        return True
    budget = _share(count_steps(game))
    found = take_step(
        claim.findings,
        game,
        lambda position, seed: think(claim.match.game, position, seed, budget, stop),
    )
    if stop.is_set():
        # Cut short: what the search says now is worth less than what it would have said.
        Review.objects.filter(pk=claim.review).update(attempts=0, due_at=now)
    else:
        _keep(claim, found, now)
    return True


def _claim(now: datetime) -> _Claim | None:
    """Take the oldest review that waits, and count the attempt."""
    with transaction.atomic():
        held = Review.objects.select_for_update(skip_locked=True, no_key=True)
        due = held.filter(state=Review.State.WAITING, due_at__lte=now)
        for review in due.order_by("asked_at", "pk")[:10]:
            if review.attempts >= MOST_ATTEMPTS:
                _end(review, Review.State.FAILED, now)
                continue
            review.attempts += 1
            review.due_at = now + CLAIM_LASTS
            review.save(update_fields=["attempts", "due_at"])
            return _Claim(review.pk, review.steps, review.match, read(review.findings))
    return None


def _keep(claim: _Claim, found: Findings, now: datetime) -> None:
    with transaction.atomic():
        review = Review.objects.select_for_update(no_key=True).get(pk=claim.review)
        if review.steps != claim.steps or review.state != Review.State.WAITING:
            return  # somebody else did this step: our claim had run out
        review.findings = write(found)
        review.steps += 1
        review.attempts = 0
        review.due_at = now
        review.save(update_fields=["findings", "steps", "attempts", "due_at"])
        if found.is_done:
            _end(review, Review.State.DONE, now)


def _fail(key: int, now: datetime) -> None:
    with transaction.atomic():
        review = Review.objects.select_for_update(no_key=True).get(pk=key)
        if review.state == Review.State.WAITING:
            _end(review, Review.State.FAILED, now)


def _end(review: Review, state: Review.State, now: datetime) -> None:
    """End a held review, and tell the players who wait for it."""
    review.state = state
    review.done_at = now
    review.save(update_fields=["state", "done_at"])
    untold = review.wishes.filter(told_at=None).select_related("player").order_by("player_id")
    players = [wish.player for wish in untold]
    facts = {"board": review.match_id}
    notify_all(players, Event.REVIEW, "review", facts, now, match=review.match)
    review.wishes.filter(told_at=None).update(told_at=now)
    task_queue.wake(task_queue.SEND_MAIL)


def _share(positions: int) -> Budget:
    """Divide the time for a whole review among its positions."""
    share = REVIEW_SECONDS / positions
    return Budget(seconds=min(max(share, LEAST_SECONDS), MOST_SECONDS))


def _would_advise(claim: _Claim, game: PlayedGame) -> bool:
    """Return whether somebody who wants the review plays on, rated, from a position of it."""
    match = claim.match
    running = Match.objects.filter(
        game=match.game,
        options=match.options,
        ended_at=None,
        ply__gte=ADVICE_FROM,
        seats__player__review_wishes__review=claim.review,
    )
    stand = {one.position for one in running.distinct() if not one.terms.get("unrated")}
    return bool(stand) and any(position.write() in stand for position in game.positions)
