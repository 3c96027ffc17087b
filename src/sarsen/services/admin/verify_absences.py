"""Compare when entrants were reminded, replaced, warned and withdrawn with the law (E5, E7, E8).

Boards and moves are kept; other signs of life are not: a token ends, and requests are kept for some
weeks. So a date is wrong that no sign of life explains: one before what the known signs allow, and
one that lies between two dates that the law knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from sarsen.services.admin.cleanup import PAUSES_KEPT
from sarsen.services.clocks.turns import Pauses, end_of_budget, pauses_of, pauses_of_player
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.course import absences, life, seats
from sarsen.services.contests.course.withdrawals import Why
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Kind, Logged, State, after, fold
from sarsen.services.matches.terms import playing_time
from sarsen.storage.models import MatchEvent, Player

Row = tuple[str, object, object]  # what it is, as stored, as found

# A sign of life that was stored while the sweep already ran may not have been seen.
SWEEP_LASTS = timedelta(minutes=1)
_KINDS = (Kind.REMINDED, Kind.SUBSTITUTED, Kind.WARNED, Kind.WITHDRAWN)


def absence_rows(held: Held) -> Iterator[Row]:
    """Yield the acts towards absent entrants whose dates do not follow from what was before."""
    resumed = MatchEvent.objects.filter(
        kind=MatchEvent.Kind.RESUME, match__contest_board__contest=held.contest
    )
    if resumed.exists():
        return  # the results of that time are no longer known
    past = _Past(held)
    for event in held.log:
        if event.kind in _KINDS and event.at >= held.log[-1].at - PAUSES_KEPT:
            wanted = _wanted(past, event)
            if wanted is not None:
                yield f"due of event {event.number}", event.due, wanted
        if event.kind in (Kind.WARNED, Kind.ENTERED):
            past.note(event)


@dataclass
class _Past:
    """A contest up to some event of its log.

    Attributes:
        warned: When the last warning of each player was due, and counts as given, by reason.
        entered_at: When each player entered last.
    """

    held: Held
    warned: dict[tuple[int, str], tuple[datetime, datetime]] = field(default_factory=dict)
    entered_at: dict[int, datetime] = field(default_factory=dict)
    _state: State | None = None
    _folded: int = 0

    def note(self, event: Logged) -> None:
        player = event.facts["player"]
        if event.kind == Kind.ENTERED:
            self.entered_at[player] = event.due
        else:
            given = max(event.due, event.at + absences.SURE_NOTICE - absences.NOTICE)
            self.warned[player, event.facts["why"]] = event.due, given

    def before(self, event: Logged) -> State:
        """Return the state before an event, without results; events come in their order."""
        new = self.held.log[self._folded : event.number - 1]
        if self._state is None:
            self._state = fold(contest_log.law_of(self.held.contest), new, {})
        else:
            self._state = after(self._state, new)
        self._folded = event.number - 1
        return self._state

    @cached_property
    def losses(self) -> Mapping[int, list[datetime]]:
        """When each player lost on time here, in order."""
        found: dict[int, list[datetime]] = {}
        for game in self.held.state.boards:
            result = self.held.results.get(game.board or 0)
            if result is None or not result.by_time or result.scores is None:
                continue
            for number, score in zip(game.numbers, result.scores, strict=True):
                if score == 0.0 and result.ended_at is not None:
                    player = self.held.state.by_number[number].player
                    found.setdefault(player, []).append(result.ended_at)
        return {player: sorted(ends) for player, ends in found.items()}


def _wanted(past: _Past, event: Logged) -> object:
    """Return when an act should have been due; None where its date may be right."""
    why = event.facts.get("why")
    if event.kind in (Kind.REMINDED, Kind.SUBSTITUTED):
        return _first_move(past, event)
    if event.kind == Kind.WARNED and why == Why.LOSSES:
        later = past.losses.get(event.facts["player"], [])[1:]
        return None if event.due in later else "a further loss on time"
    if why == Why.SILENCE:
        return _silence(past, event)
    if event.kind == Kind.WITHDRAWN and why == Why.LOSSES:
        warned = past.warned.get((event.facts["player"], Why.LOSSES))
        wanted = None if warned is None else warned[1] + absences.NOTICE
        return None if event.due == wanted else wanted or "after a warning"
    if event.kind == Kind.WITHDRAWN and why in (Why.LEFT, Why.HOST):
        return None if event.due == event.at else event.at
    return None


def _silence(past: _Past, event: Logged) -> object:
    """Compare a warning, or a withdrawal, after 23 or 30 days without a sign of life (E8)."""
    player, at = event.facts["player"], event.at
    if event.kind == Kind.WITHDRAWN:
        warned = past.warned.get((player, Why.SILENCE))
        if warned is None:
            return "after a warning"
        # No sign came since the one from which the warning counts: it would have undone that.
        due, given = warned
        thirty_days = life.end_of_absence(player, due, absences.NOTICE, at)
        wanted = max(thirty_days, given + absences.NOTICE)
        return None if event.due == wanted else wanted
    started_at = past.held.state.started_at
    assert started_at is not None  # nobody is away before
    since = max(started_at, past.entered_at.get(player, started_at))
    sign = max(since, life.last_signs({player}, at - SWEEP_LASTS)[player])
    earliest = life.end_of_absence(player, sign, absences.SILENCE - absences.NOTICE, at)
    return None if event.due >= earliest else f"{earliest} or later"


def _first_move(past: _Past, event: Logged) -> object:
    """Compare a reminder of a first move, or the loss of a seat to somebody who waits (E7)."""
    player, at = event.facts["player"], event.at
    lengths, earliest = _lengths(past, event)
    if not Player.everyone.filter(pk=player, level=None).exists() or not lengths:
        return None  # a program gives its seat to a person whenever one comes (E29)
    since = _turn_since(past, event)
    if since is None:
        return "no first move was due"
    pauses = Pauses(pauses_of_player(pauses_of({player}, since, at), player))
    lost_at = end_of_budget(since, 2 * playing_time(past.held.contest.terms).nag, pauses)
    sign = life.last_signs({player}, at - SWEEP_LASTS)[player]
    # A sign of life after the loss of the seat, but before the sweep, gives as much time again.
    base = sign if sign >= lost_at else since
    dues = [max(end_of_budget(base, length, pauses), earliest) for length in lengths]
    later = max(base, lost_at)
    again = max(end_of_budget(later, lengths[0], pauses), earliest)
    if event.due in dues or event.due >= again:
        return None
    return " or ".join(map(str, [*dues, f"{again} or later"]))


def _lengths(past: _Past, event: Logged) -> tuple[list[timedelta], datetime]:
    """Return how long after the turn began an act may be due, and the earliest that it can be."""
    nag = playing_time(past.held.contest.terms).nag
    began = past.held.log[0].due
    if event.kind == Kind.REMINDED:
        return [nag, nag + seats.SECOND_REMINDER], began
    state = past.before(event)
    substitute = event.facts["substitute"]
    if state.waiting[:1] != (substitute,):
        return [], began
    return [2 * nag], past.entered_at.get(substitute, began)


def _turn_since(past: _Past, event: Logged) -> datetime | None:
    """Return since when a first move was due at the time of an act; None where none was."""
    state = past.before(event)
    entrant = state.entrant_of(event.facts["player"])
    if entrant is None:
        return None
    own = [game for game in state.boards if entrant.number in game.numbers and game.board]
    began = {one.facts["key"]: one.due for one in past.held.log if one.kind == Kind.BOARD}
    moves = MatchEvent.objects.filter(
        match__in=[game.board for game in own], kind=MatchEvent.Kind.MOVE, ply__lte=2
    )
    moved: dict[int, list[datetime]] = {}
    for board, moved_at in moves.order_by("number").values_list("match", "at"):
        if moved_at < event.at - SWEEP_LASTS:
            moved.setdefault(board, []).append(moved_at)
    turns: list[datetime] = []
    for game in own:
        assert game.board is not None
        seat, times = game.numbers.index(entrant.number), moved.get(game.board, [])
        result = past.held.results.get(game.board)
        ended_at = result.ended_at if result is not None else None
        if len(times) > seat or not game.is_running:
            return None
        if ended_at is not None and ended_at < event.at - SWEEP_LASTS:
            return None
        if len(times) == seat:
            turns.append(times[-1] if seat else began[game.key])
    return min(turns, default=None)
