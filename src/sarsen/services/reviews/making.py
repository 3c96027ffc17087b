"""Reviews: asked for by `review BOARD` and `reviews on|off`, made step by step, and told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.language.commands import SetReviews, ShowReview
from sarsen.language.learning.mistakes import MistakeResult, MistakeShown
from sarsen.language.reviews import ReviewAsked, ReviewShown, ReviewsSet
from sarsen.search.bots import MOST
from sarsen.search.reviews.study import (
    MAX_LOOKS,
    Findings,
    count_steps,
    is_current,
    read,
    take_step,
    write,
)
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services import speakers, task_queue, wake_pipes
from sarsen.services.bots.accounts import strongest_here
from sarsen.services.learning.own_puzzles import note_try
from sarsen.services.limits import daily
from sarsen.services.matches import matches
from sarsen.services.notices import Event, gets_mail, notify_all
from sarsen.services.request import BoardEvent, Request
from sarsen.services.reviews.again import find_mistake, is_puzzle, require_short, try_mistake
from sarsen.services.reviews.view import find_review, game_of, reviewed_game, waits_for
from sarsen.storage.models import Match, Player, Review, ReviewRequest

# (game, position, seed, budget, stop) -> thought
Thinker = Callable[[str, AnyPosition, int, Budget, Stop], Thought]
# Of thought, for all positions of one game together: others wait for theirs.
REVIEW_SECONDS = 90.0
# A process that dies at a step leaves it to the next one after this time; a step takes less.
CLAIM_LASTS = timedelta(seconds=15)
# The same step is not tried for ever.
MAX_ATTEMPTS = 5
# A thought for a review never takes longer: moves that are due must not wait behind it.
MAX_SECONDS, LEAST_SECONDS = 1.5, 0.02
# A rated game that stands in one of its positions has moved on by then, perhaps; when it ends, or
# somebody asks, that is looked for at once.
LOOK_AGAIN = timedelta(minutes=30)


def show_review(command: ShowReview, request: Request) -> ReviewAsked | ReviewShown | MistakeShown:
    """Show the review of a finished game, or try its moves again; or have it made first."""
    require_short(command.move)
    match = matches.find(command.board, command.game, viewer=request.actor.player)
    review = find_review(match)
    if review is not None and review.state == Review.State.DONE:
        if command.again:
            return _try_again(command, match, request)
        return ReviewShown(match.pk, reviewed_game(match, review))
    check_reviewable(match)
    player = request.player(f"{match.game} review {match.pk} USERID PASSWORD")
    if not are_made():
        raise UserError("There are no reviews on this server.", code="review-off", hint="help")
    if not ReviewRequest.objects.filter(review__match=match, player=player).exists():
        daily.check(player, "review", request.now)
    review, is_new = request_review(match, player, request.now)
    if review.state == Review.State.DONE:
        # Done between the look above and the request: nobody would ever be told of it.
        review.requests.filter(player=player).update(told_at=request.now)
        return ReviewShown(match.pk, reviewed_game(match, review))
    if review.state == Review.State.FAILED:
        _retry(review, request)
    done = len(read(review.findings).looks)
    by_mail = gets_mail(player, Event.REVIEW)
    of = min(match.ply + 1, MAX_LOOKS)
    return ReviewAsked(
        match.pk, done, of, is_new, by_mail, waits=waits_for(player, match, game_of(match))
    )


def _try_again(command: ShowReview, match: Match, request: Request) -> MistakeShown:
    """Judge a move at a turning point; an own one that is a puzzle is offered again later."""
    player = request.actor.player
    mistake = find_mistake(match.pk, command.again, player)
    shown = try_mistake(mistake, command.move)
    is_tried = bool(shown.result or shown.is_finished)
    if player is not None and not player.is_guest and is_tried and is_puzzle(mistake):
        is_solved = shown.result == MistakeResult.RIGHT
        ply, number = mistake.turn.ply, mistake.number
        note_try(player, match.pk, ply, number, request.now, is_solved=is_solved)
    return shown


def set_reviews(command: SetReviews, request: Request) -> ReviewsSet:
    """Set whether every game of the player is reviewed when it ends."""
    player = request.player("reviews USERID PASSWORD on")
    Player.objects.filter(pk=player.pk).update(wants_reviews=command.are_on)
    return ReviewsSet(command.are_on)


def check_reviewable(match: Match) -> None:
    """Refuse a game that still runs, or in which there is nothing to review.

    Raises:
        UserError: Says which, and what to do.
    """
    if match.ended_at is None:
        raise UserError(
            "Board {board} is still being played: reviews come after the game.",
            code="review-running",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )
    if not match.ply:
        raise UserError(
            "Board {board} ended before its first move: there is nothing to review.",
            code="review-empty",
            hint=f"{match.game} history",
            board=match.pk,
        )
    if match.seats.count() != 2:
        raise UserError(
            "Board {board} has {seats} seats; only games of two are reviewed.",
            code="review-seats",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
            seats=match.seats.count(),
        )


def are_made() -> bool:
    """Return whether this server makes reviews: somebody must think for it."""
    is_wanted = settings.SARSEN_BOTS
    # Only the compiled searches review.
    return bool(is_wanted) and strongest_here() == MOST


def request_review(match: Match, player: Player, now: datetime) -> tuple[Review, bool]:
    """Note that a player wants the review of a finished match, which is begun if it is new.

    Returns:
        The review, and whether the player had not asked for it before.
    """
    Review.objects.bulk_create(
        [Review(match=match, asked_at=now, due_at=now)],
        ignore_conflicts=True,  # somebody else asked for it
    )
    # Held, so that it is not done between here and the request, which would then never be told.
    review = Review.objects.select_for_update(no_key=True).get(match=match)
    if review.state == Review.State.DONE and not is_current(review.findings):
        _restart(review, now)
    _look_again(Review.objects.filter(pk=review.pk), now)
    _, is_new = ReviewRequest.objects.get_or_create(
        review=review, player=player, defaults={"asked_at": now}
    )
    wake_pipes.call(wake_pipes.THINKER)
    return review, is_new


def request_chosen_reviews(event: BoardEvent) -> None:
    """Begin the review of a match that an event ends, for those who want it of every game.

    Reviews that may have waited for this match look again.
    """
    match = event.match
    if not event.ends_match or not match.ply or not are_made():
        return
    wishers = ReviewRequest.objects.filter(player__seats__match=match)
    if _look_again(Review.objects.filter(requests__in=wishers, match__game=match.game), event.now):
        wake_pipes.call(wake_pipes.THINKER)
    candidates = Player.objects.filter(seats__match=match, wants_reviews=True, is_active=True)
    players = list(candidates.filter(is_bot=False).distinct().order_by("pk"))
    if players and match.seats.count() == 2:
        for player in players:
            request_review(match, player, event.now)


def _look_again(reviews: QuerySet[Review], now: datetime) -> int:
    """Make reviews due that wait for a running game; return how many."""
    waiting = reviews.filter(state=Review.State.WAITING, due_at__gt=now + CLAIM_LASTS)
    return Review.objects.filter(pk__in=waiting.values("pk")).update(due_at=now)


@dataclass(frozen=True)
class _Claim:
    """A review that nobody else takes for a while."""

    review: int
    steps: int
    match: Match
    findings: Findings


def is_any_waiting(now: datetime) -> bool:
    """Return whether a review waits for its next step, or is at one."""
    claims_end = now + CLAIM_LASTS
    return Review.objects.filter(state=Review.State.WAITING, due_at__lte=claims_end).exists()


def work_step(think: Thinker, stop: Stop, now: datetime) -> bool:
    """Do one step of a review; False when none waits.

    Results are stored before the next step begins. With the last one the players who
    want the review are notified, in the same transaction and so once.

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
    wishers = Player.objects.filter(review_requests__review=claim.review).order_by("pk")
    if any(waits_for(player, claim.match, game) for player in wishers):
        Review.objects.filter(pk=claim.review).update(attempts=0, due_at=now + LOOK_AGAIN)
        return True
    budget = _share(count_steps(game))
    findings = take_step(
        claim.findings,
        game,
        lambda position, seed: think(claim.match.game, position, seed, budget, stop),
    )
    if stop.is_set():
        # Cut short: what the search says now is worth less than what it would have said.
        Review.objects.filter(pk=claim.review).update(attempts=0, due_at=now)
    else:
        _store_step(claim, findings, now)
    return True


def _retry(review: Review, request: Request) -> None:
    """Retry a failed review; the players who want it are notified again."""
    review.state = Review.State.WAITING
    review.attempts = 0
    review.due_at = request.now
    review.save(update_fields=["state", "attempts", "due_at"])
    review.requests.filter(player=request.actor.player).update(told_at=None)


def _restart(review: Review, now: datetime) -> None:
    """Delete the findings of an older version; only the player who asks now is notified again."""
    review.state = Review.State.WAITING
    review.findings, review.steps, review.attempts = {}, 0, 0
    review.due_at = now
    review.save(update_fields=["state", "findings", "steps", "attempts", "due_at"])


def _claim(now: datetime) -> _Claim | None:
    """Claim the oldest review that waits, and count the attempt."""
    with transaction.atomic():
        # A review that another thinker is just claiming is skipped.
        locked = Review.objects.select_for_update(skip_locked=True, no_key=True)
        due = locked.filter(state=Review.State.WAITING, due_at__lte=now)
        for review in due.order_by("asked_at", "pk")[:10]:
            if review.attempts >= MAX_ATTEMPTS:
                _end(review, Review.State.FAILED, now)
                continue
            review.attempts += 1
            review.due_at = now + CLAIM_LASTS
            review.save(update_fields=["attempts", "due_at"])
            return _Claim(review.pk, review.steps, review.match, read(review.findings))
    return None


def _store_step(claim: _Claim, findings: Findings, now: datetime) -> None:
    with transaction.atomic():
        # Locked, so that of two that did the same step only the first one stores it.
        review = Review.objects.select_for_update(no_key=True).get(pk=claim.review)
        if review.steps != claim.steps or review.state != Review.State.WAITING:
            return  # somebody else did this step: our claim had run out
        review.findings = write(findings)
        review.steps += 1
        review.attempts = 0
        review.due_at = now
        review.save(update_fields=["findings", "steps", "attempts", "due_at"])
        if findings.is_done:
            _end(review, Review.State.DONE, now)


def _fail(key: int, now: datetime) -> None:
    with transaction.atomic():
        # Locked: a player may ask for it again, or another thinker end it.
        review = Review.objects.select_for_update(no_key=True).get(pk=key)
        if review.state == Review.State.WAITING:
            _end(review, Review.State.FAILED, now)


def _end(review: Review, state: Review.State, now: datetime) -> None:
    """End a locked review, and notify the players who wait for it."""
    speakers.hold_everybody()
    review.state = state
    review.done_at = now
    review.save(update_fields=["state", "done_at"])
    untold = review.requests.filter(told_at=None).select_related("player").order_by("player_id")
    players = [request.player for request in untold]
    facts = {"board": review.match_id}
    notify_all(players, Event.REVIEW, "review", facts, now, match=review.match)
    review.requests.filter(told_at=None).update(told_at=now)
    task_queue.wake(task_queue.SEND_MAIL)


def _share(positions: int) -> Budget:
    """Divide the time for a whole review among its positions."""
    share = REVIEW_SECONDS / positions
    return Budget(seconds=min(max(share, LEAST_SECONDS), MAX_SECONDS))
