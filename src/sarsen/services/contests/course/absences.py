"""Entrants who are away: warned, withdrawn, and rated for one loss on time an absence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sarsen.services.clocks.turns import Pause, pauses_of
from sarsen.services.contests.course import life, withdrawals
from sarsen.services.contests.course.withdrawals import Why
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Entrant, Kind
from sarsen.services.matches.terms import CONTEST
from sarsen.services.notices import Event, notify
from sarsen.services.request import BoardEvent, Request
from sarsen.storage.models import Contest, Match, MatchEvent, Player

WARNED = "contest-warned"  # the letter
NOTICE = timedelta(days=7)  # from the warning on (E8)
SURE_NOTICE = timedelta(days=5)  # from its letter on, however late the sweep that wrote it
SILENCE = timedelta(days=30)  # without a sign of life (E8)
MAX_LOSSES = 2  # absences in which somebody loses on time (E8)
RATED_PLIES = 20  # of a further loss on time in the same absence (E11)


@dataclass(frozen=True)
class Concern:
    """A warning or a withdrawal that the law wants.

    Attributes:
        due: When.
        is_last: It is the withdrawal.
    """

    entrant: Entrant
    why: Why
    due: datetime
    is_last: bool


def concerns(held: Held, now: datetime) -> Iterator[Concern]:
    """Yield what is due next of each entrant who may be away."""
    playing = [entrant for entrant in _playing(held) if not entrant.is_out]
    people = Player.objects.filter(pk__in=[one.player for one in playing], level=None)
    keys = set(people.values_list("pk", flat=True))
    signs = life.last_signs(keys, now)
    started_at = held.state.started_at
    assert started_at is not None  # it runs
    pauses = pauses_of(keys, min(signs.values(), default=now), now)
    entered_at = entries(held)
    losses, warnings = _losses_on_time(held), _warnings(held)
    for entrant in playing:
        if entrant.player in keys:
            since = max(started_at, entered_at.get(entrant.player, started_at))
            sign = max(signs[entrant.player], since)
            warned = warnings[entrant.player, Why.SILENCE]
            yield _silence(entrant, sign, warned, now, pauses)
            ends = [end for end in losses[entrant.number] if end > since]
            yield from _losses(entrant, sign, warnings[entrant.player, Why.LOSSES], ends)


def _playing(held: Held) -> Iterable[Entrant]:
    """Return the entrants with games that are not over: nobody waits for the others.

    On a ladder these are all: who is gone for good must not be climbed for ever.
    """
    state = held.state
    if held.format.is_endless:
        return state.entrants
    going_on = {number for game in state.boards if game.is_running for number in game.numbers}
    going_on.update(number for one in held.format.to_come(state) for number in one.numbers)
    return (entrant for entrant in state.entrants if entrant.number in going_on)


def carry_out(held: Held, concern: Concern, request: Request) -> None:
    """Warn, or withdraw."""
    entrant, due = concern.entrant, concern.due
    if concern.is_last:
        withdrawals.withdraw(held, entrant, concern.why, request, due=due)
        return
    facts = {"player": entrant.player, "why": str(concern.why)}
    held.add(Kind.WARNED, request.now, facts, due=due)
    letter = {"contest": held.contest.pk, "why": str(concern.why), "event": len(held.log)}
    notify(Player.objects.get(pk=entrant.player), Event.CONTEST, WARNED, letter, request.now)


def entries(held: Held) -> Mapping[int, datetime]:
    """Return when each player entered; in a ladder, where one can come back, the last time."""
    return {event.facts["player"]: event.due for event in held.log if event.kind == Kind.ENTERED}


def _silence(
    entrant: Entrant,
    sign: datetime,
    warned: Sequence[datetime],
    now: datetime,
    pauses: tuple[Pause, ...],
) -> Concern:
    was_warned = bool(warned) and warned[-1] > sign
    length = SILENCE if was_warned else SILENCE - NOTICE
    due = life.end_of_absence(entrant.player, sign, length, now, pauses)
    if was_warned:
        due = max(due, warned[-1] + NOTICE)
    return Concern(entrant, Why.SILENCE, due, is_last=was_warned)


def _losses(
    entrant: Entrant, sign: datetime, warnings: Sequence[datetime], ends: Sequence[datetime]
) -> Iterator[Concern]:
    """Yield what two absences, or more, with losses on time lead to.

    A sign of life after the warning undoes it once; after a further absence it does not.
    """
    if len(ends) < MAX_LOSSES:
        return
    absences = _absences(entrant, ends)
    warned = [at for at in warnings if at >= ends[0]]
    if len(absences) < MAX_LOSSES + max(len(warned) - 1, 0):
        return
    if len(warned) < len(absences) - MAX_LOSSES + 1:
        yield Concern(entrant, Why.LOSSES, absences[-1], is_last=False)
    elif len(warned) > 1 or sign <= warned[-1]:
        yield Concern(entrant, Why.LOSSES, warned[-1] + NOTICE, is_last=True)


def _losses_on_time(held: Held) -> Mapping[int, list[datetime]]:
    """Return when each entrant lost on time here, by number, in order."""
    losses: dict[int, list[datetime]] = defaultdict(list)
    for game in held.state.boards:
        result = held.results.get(game.board or 0)
        if result is None or not result.by_time or game.is_ordinary:
            continue
        if result.scores is not None and result.ended_at is not None:
            for number, score in zip(game.numbers, result.scores, strict=True):
                if score == 0.0:
                    losses[number].append(result.ended_at)
    return defaultdict(list, {number: sorted(ends) for number, ends in losses.items()})


def _absences(entrant: Entrant, ends: Sequence[datetime]) -> list[datetime]:
    """Return the first loss on time of each absence: several boards lost in one are one (E8)."""
    firsts: list[datetime] = []
    for end in ends:
        signs = life.last_signs({entrant.player}, end)
        if not firsts or signs[entrant.player] > firsts[-1]:
            firsts.append(end)
    return firsts


def _warnings(held: Held) -> Mapping[tuple[int, str], list[datetime]]:
    """Return when the warnings of each player count as given: when the law wanted them (E5).

    A sweep that is two days late moves no date; one that is later leaves at least `SURE_NOTICE`.
    """
    warnings: dict[tuple[int, str], list[datetime]] = defaultdict(list)
    for event in held.log:
        if event.kind == Kind.WARNED:
            given = max(event.due, event.at + SURE_NOTICE - NOTICE)
            warnings[event.facts["player"], event.facts["why"]].append(given)
    return warnings


def leave_unrated(event: BoardEvent) -> None:
    """Leave a loss on time unrated if it is not the first of an absence (E11).

    One with twenty plies or more is rated: it may have been lost on the board. So is one that a
    program proves to have been lost, once it has been asked: `proving`. A game that goes on after
    such a loss is as rated as its contest.
    """
    match = event.match
    contest = match.terms.get(CONTEST)
    if not contest:
        return
    if event.kind == MatchEvent.Kind.RESUME:
        _set_unrated(match, is_unrated=_is_unrated(contest))
    elif event.kind == MatchEvent.Kind.FORFEIT and _is_further_loss(match, event.seat, event.now):
        _set_unrated(match, is_unrated=True)


def _is_further_loss(match: Match, seat: int, at: datetime) -> bool:
    """Return whether a short game lost on time is not the first of an absence (E11)."""
    if match.ply >= RATED_PLIES:
        return False
    loser = match.seat_rows[seat].player_id
    sign = life.last_signs({loser}, at)[loser]
    earlier = Match.objects.filter(
        contest_board__contest=match.terms[CONTEST],
        ended_at__gt=sign,
        events__kind=MatchEvent.Kind.FORFEIT,
        seats__player=loser,
    ).exclude(pk=match.pk)
    return any(_lost(match, loser) for match in earlier.distinct())


def _set_unrated(match: Match, *, is_unrated: bool) -> None:
    if is_unrated:
        match.terms["unrated"] = True
    else:
        match.terms.pop("unrated", None)
    match.save(update_fields=["terms"])


def _is_unrated(contest: int) -> bool:
    terms = Contest.objects.values_list("terms", flat=True).get(pk=contest)
    return bool(terms.get("unrated"))


def _lost(match: Match, player: int) -> bool:
    seats = {row.player_id: row.seat for row in match.seat_rows}
    return match.scores is not None and match.scores[seats[player]] == 0.0
