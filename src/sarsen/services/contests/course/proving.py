"""Wins that are proved: of boards that run at the end date (E16), and behind losses on time (E11).

A search takes seconds a board, so it runs outside of all transactions: the sweep asks for one
board after the other, for some processor time a run, and carries the contest on once all have been
asked. No position changes on the way: no move is accepted after the end date, nor at a board that
is over.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime

from django.db.models import QuerySet

from sarsen.core.answers import scores_of, winner_of
from sarsen.services import ratings
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.course.absences import RATED_PLIES
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Phase
from sarsen.services.matches.matches import position_of
from sarsen.services.matches.proofs import NOTHING, is_proof
from sarsen.storage.models import Contest, ContestBoard, Match, MatchEvent
from sarsen.storage.transactions import asking_transaction

# (game, position as stored) -> a win as answers that the rules have checked; "" for none. It is
# bounded by nodes alone, so that a sweep two days late finds the same.
Prover = Callable[[str, str], str]
PROOFS = "proofs"  # of a law: boards are tried to be proved
RUN_SECONDS = 20.0  # of processor time a run, or one board: other jobs get their turn


def prove_on(contests: Sequence[int], now: datetime, prove: Prover | None) -> None:
    """Ask for wins at one board of each contest after another, as long as a run may take."""
    waiting, began = deque(contests), _processor_time()
    while waiting and _processor_time() - began < RUN_SECONDS:
        contest = waiting.popleft()
        if prove_next(contest, now, prove):
            waiting.append(contest)


def _processor_time() -> float:
    """Return the seconds that this process and its children have used: a child searches."""
    return sum(os.times()[:4])


def prove_next(contest: int, now: datetime, prove: Prover | None) -> bool:
    """Ask for a win at one board of a contest: one that was lost on time, or runs at its end date.

    Args:
        prove: None where no program can be asked: then nothing is proved.

    Returns:
        Whether further boards have still to be asked.
    """
    losses = _losses(contest)
    if prove is not None and (lost := losses.select_related("match").first()):
        _confirm(lost, prove)
        if losses.exists():
            return True
    ending = Contest.objects.filter(pk=contest, state=Phase.RUNNING, ends_at__lte=now)
    found = ending.filter(law__proofs=True).first()
    if found is None:
        return False
    rows = unasked(contest_log.read_to_show(found))
    if prove is None:
        rows.update(proof=NOTHING)
        return False
    row = rows.select_related("match").order_by("pk").first()
    if row is None:
        return False
    proof = prove(row.match.game, row.match.position) or NOTHING
    # As it was asked: nothing is written over what another worker has found.
    ContestBoard.objects.filter(pk=row.pk, proof="").update(proof=proof)
    return rows.exists()


def _losses(contest: int) -> QuerySet[ContestBoard]:
    """Return the boards that were lost on time and are not rated, if no win was asked for there.

    Only those with news: when they have been asked, or nobody can be, the contest is carried on.
    """
    rows = ContestBoard.objects.filter(contest=contest, has_news=True, proof="")
    rated = rows.filter(contest__law__proofs=True).exclude(contest__terms__unrated=True)
    lost = rated.filter(match__terms__unrated=True, match__ply__lt=RATED_PLIES)
    return lost.filter(
        match__ended_at__isnull=False, match__events__kind=MatchEvent.Kind.FORFEIT
    ).distinct()


def _confirm(row: ContestBoard, prove: Prover) -> None:
    """Rate a further loss on time of an absence if the other side can force a win (E11)."""
    proof = prove(row.match.game, row.match.position)
    with asking_transaction():
        match = Match.objects.select_for_update(no_key=True).get(pk=row.match_id)
        if match.ended_at is None or match.scores is None:
            return  # an operator lets it go on
        if not proof or match.scores != scores_of(position_of(match), proof):
            proof = NOTHING
        asked = ContestBoard.objects.filter(pk=row.pk, proof="").update(proof=proof)
        if asked and proof != NOTHING:
            del match.terms["unrated"]
            match.save(update_fields=["terms"])
            ratings.uncount(match)
            ratings.count(match, match.ended_at)


def unasked(held: Held) -> QuerySet[ContestBoard]:
    """Return the running boards of a contest for which no win has been asked for, if one is."""
    keys = [game.key for game in held.state.boards if game.is_running and game.board]
    rows = ContestBoard.objects.filter(contest=held.contest, key__in=keys, proof="")
    return rows if held.contest.law.get(PROOFS) else rows.none()


def proved_boards(contest: int) -> tuple[int, ...]:
    """Return the boards of a contest where a win is proved."""
    rows = ContestBoard.objects.filter(contest=contest).exclude(proof__in=("", NOTHING))
    return tuple(rows.order_by("match").values_list("match", flat=True))


def proved_winner(row: ContestBoard) -> int | None:
    """Return the seat whose win is proved at a board; None where none is."""
    if not is_proof(row.proof):
        return None
    return winner_of(position_of(row.match), row.proof)
