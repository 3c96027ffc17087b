"""The stored log of a contest: read with the results of its boards, and added to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from sarsen.core.errors import UserError
from sarsen.language.contests.law import BOTS
from sarsen.services.contests import streamed
from sarsen.services.contests.formats import FORMATS
from sarsen.services.contests.formats.format import Format, numbers_of
from sarsen.services.contests.state import (
    BoardResult,
    Kind,
    Law,
    Logged,
    Phase,
    State,
    after,
    fold,
)
from sarsen.storage.models import (
    Contest,
    ContestBoard,
    ContestEntry,
    ContestEvent,
    Match,
    MatchEvent,
)

MAX_ROWS = 200  # that one statement changes


@dataclass
class Held:
    """A contest with its log, as far as it is written; locked by who adds to it.

    Attributes:
        results: Of its boards, by the number of the board.
        told_at_end: What the letter with its final table tells beside that, as facts: it has just
            been ended by this.
    """

    contest: Contest
    log: list[Logged]
    results: Mapping[int, BoardResult]
    state: State
    told_at_end: Mapping[str, Any] = field(default_factory=dict)

    @property
    def format(self) -> Format:
        return FORMATS[self.contest.format]

    def add(
        self, kind: Kind, now: datetime, facts: Mapping[str, Any], *, due: datetime | None = None
    ) -> None:
        """Add an event to the log, and carry the state on.

        Args:
            due: When the law wants it; None for now.
        """
        self.add_all(kind, now, [facts], due=due)

    def add_all(
        self,
        kind: Kind,
        now: datetime,
        several: Iterable[Mapping[str, Any]],
        *,
        due: datetime | None = None,
    ) -> None:
        """Add events of the same kind with these facts, all in one write."""
        events = [
            Logged(number, kind, now, due or now, facts)
            for number, facts in enumerate(several, len(self.log) + 1)
        ]
        ContestEvent.objects.bulk_create(
            ContestEvent(
                contest=self.contest,
                number=event.number,
                kind=kind,
                at=event.at,
                due=event.due,
                facts=dict(event.facts),
            )
            for event in events
        )
        self.log += events
        self.state = after(self.state, events)
        for event in events:
            streamed.record(self.contest.pk, event, self.state)

    def at(self, instant: datetime) -> State:
        """Return the state with the results that there were at an instant."""
        results = {
            board: result
            for board, result in self.results.items()
            if result.ended_at is not None and result.ended_at <= instant
        }
        return fold(law_of(self.contest), self.log, results)

    def lock_boards(self) -> None:
        """Lock the boards that still run, and read their results anew.

        A move that is just being made there counts first.
        """
        running = [game.board for game in self.state.boards if game.is_running and game.board]
        locked = Match.objects.select_for_update(no_key=True).filter(pk__in=running)
        if any(match.ended_at is not None for match in locked.order_by("pk")):
            self.refresh()

    def refresh(self) -> None:
        """Read the results of the boards anew."""
        self.results = results_of(self.contest)
        self.state = fold(law_of(self.contest), self.log, self.results)

    def save(self, look_at: datetime | None) -> None:
        """Write the columns that are caches of the log, and when to look at it again."""
        contest, state = self.contest, self.state
        contest.state, contest.look_at = state.phase, look_at
        contest.starts_at = state.started_at or state.entry_ends_at
        contest.ends_at = state.ends_at
        columns = ["state", "look_at", "starts_at", "ends_at", "forecast_at", "forecast_made_at"]
        contest.save(update_fields=columns)
        if state.phase is Phase.ENDED:
            self._save_places()

    def _save_places(self) -> None:
        """Write the places of the final table, also after an operator has corrected it."""
        rows = {row.entrant.player: row for row in self.format.table(self.state)}
        changed = []
        for entry in ContestEntry.objects.filter(contest=self.contest, player__in=list(rows)):
            row = rows[entry.player_id]
            if (entry.place, entry.shared_to) != (row.place, row.shared_to):
                entry.place, entry.shared_to = row.place, row.shared_to
                changed.append(entry)
        ContestEntry.objects.bulk_update(changed, ["place", "shared_to"], batch_size=500)


def law_of(contest: Contest) -> Law:
    """Return the figures of a contest that its format needs."""
    law = contest.law
    figures = (law["most"], law["least"], law["games"], law["boards"], law["days"])
    worse = {1.0: 1, 0.0: 0}.get(law.get("value", 0.5))
    return Law(
        *figures,
        has_fillers=law.get("bots") == BOTS,
        worse_seat=worse,
        keeps_day=FORMATS[contest.format].has_seasons,
        is_endless=FORMATS[contest.format].is_endless,
    )


def find(number: int) -> Contest:
    """Return a contest.

    Raises:
        UserError: There is none of this number.
    """
    contest = Contest.objects.select_related("host").filter(pk=number).first()
    if contest is None:
        raise UserError(
            "There is no contest {number}.",
            code="unknown-contest",
            hint="contests",
            number=number,
        )
    return contest


def hold(number: int) -> Held:
    """Lock a contest until the transaction ends, and read it.

    Its row comes before those of its boards, for all who lock both.

    Raises:
        UserError: There is none of this number.
    """
    if not Contest.objects.select_for_update().filter(pk=number).values_list("pk"):
        find(number)
    return read(find(number))


def read(contest: Contest) -> Held:
    """Read a contest with its log and the results of its boards."""
    events = ContestEvent.objects.filter(contest=contest)
    log = [Logged(*row) for row in events.values_list("number", "kind", "at", "due", "facts")]
    results = results_of(contest)
    return Held(contest, log, results, fold(law_of(contest), log, results))


def read_to_show(contest: Contest) -> Held:
    """Read a contest for a page: without the events of its boards, and since when turns last.

    Those are most of a log: 3,500 of the 4,500 of a league of a thousand. The state is the same,
    as the rows of the boards have what it needs of them; `verify` compares them with the log.
    """
    if FORMATS[contest.format].is_endless:
        return read(contest)  # the order of its places comes from the whole log
    begun = Q(kind=Kind.BOARD) & ~Q(facts__board=None)
    events = ContestEvent.objects.filter(contest=contest).exclude(begun)
    log = [Logged(*row) for row in events.values_list("number", "kind", "at", "due", "facts")]
    rows, late = _boards(contest).values_list("match", "key", *_RESULT), _lost_on_time(contest)
    boards: list[Logged] = []
    results: dict[int, BoardResult] = {}
    for board, key, *result in rows.order_by("match"):
        facts = {"key": key, "numbers": numbers_of(key), "board": board}
        boards.append(Logged(0, Kind.BOARD, contest.made_at, contest.made_at, facts))
        results[board] = _result(board in late, *result)
    # Boards stand first: all that happens to one comes later in the log than its start.
    return Held(contest, log, results, fold(law_of(contest), [*boards, *log], results))


def results_of(contest: Contest) -> Mapping[int, BoardResult]:
    """Return the results of the boards of a contest, by the number of the board."""
    rows = _boards(contest).values_list("match", *_RESULT, "match__turn_began_at")
    late = _lost_on_time(contest)
    return {board: _result(board in late, *result) for board, *result in rows}


def _boards(contest: Contest) -> QuerySet[ContestBoard]:
    return ContestBoard.objects.filter(contest=contest)


def _lost_on_time(contest: Contest) -> set[int]:
    lost = MatchEvent.objects.filter(
        match__contest_board__contest=contest,
        match__ended_at__isnull=False,
        kind=MatchEvent.Kind.FORFEIT,
    )
    return set(lost.order_by().values_list("match", flat=True))


_RESULT = ("match__scores", "match__ended_at", "match__ply")  # as `_result` takes them


def _result(
    by_time: bool,
    scores: list[float] | None,
    ended_at: datetime | None,
    plies: int,
    turn_began_at: datetime | None = None,
) -> BoardResult:
    pair = None if scores is None else (scores[0], scores[1])
    return BoardResult(pair, ended_at, by_time, plies, turn_began_at)


def open_until(
    held: Held, starts_at: datetime, ends_at: datetime, now: datetime, due: datetime | None = None
) -> None:
    """Set the dates of a contest that is open for entry."""
    dates = {"starts_at": starts_at.isoformat(), "ends_at": ends_at.isoformat()}
    held.add(Kind.OPENED, now, dates, due=due)


def enter(
    held: Held, player: int, now: datetime, due: datetime | None = None, *, once: bool = False
) -> None:
    """Write that a player has entered, in a ladder perhaps again.

    Args:
        once: Only for this season.
    """
    held.add(Kind.ENTERED, now, {"player": player} | ({"once": True} if once else {}), due=due)
    entrant = held.state.entrant_of(player)
    assert entrant is not None  # just entered
    ContestEntry.objects.update_or_create(
        contest=held.contest,
        player_id=player,
        defaults={"number": entrant.number, "is_out": False, "once": once},
    )


def enter_all(
    held: Held,
    several: Sequence[Mapping[str, Any]],
    now: datetime,
    due: datetime | None = None,
) -> None:
    """Write that players have entered who were never in it.

    Args:
        several: The facts of each: the player, and whether only `once`.
    """
    held.add_all(Kind.ENTERED, now, several, due=due)
    new = held.state.entrants[len(held.state.entrants) - len(several) :]
    ContestEntry.objects.bulk_create(
        ContestEntry(contest=held.contest, player_id=one.player, number=one.number, once=one.once)
        for one in new
    )


def wait(held: Held, player: int, now: datetime) -> None:
    """Write that a player waits for a seat that becomes free."""
    held.add(Kind.ENTERED, now, {"player": player, "waits": True})
    place = len(held.state.waiting)
    ContestEntry.objects.create(
        contest=held.contest, player_id=player, number=place, is_waiting=True
    )


def seat(held: Held, player: int, number: int) -> None:
    """Write that a player has the number of an entrant, after the log has it."""
    ContestEntry.objects.update_or_create(
        contest=held.contest, player_id=player, defaults={"number": number, "is_waiting": False}
    )
    renumber(held)


def renumber(held: Held) -> None:
    """Write the entries as the log has them, after somebody has left or the contest has started."""
    entries = {one.player: (one.number, one.tier) for one in held.state.entrants}
    entries |= {player: (place, 1) for place, player in enumerate(held.state.waiting, 1)}
    stored = ContestEntry.objects.filter(contest=held.contest)
    gone = [row.pk for row in stored if row.player_id not in entries]
    ContestEntry.objects.filter(pk__in=gone).delete()
    changed = []
    for row in stored:
        written = entries.get(row.player_id)
        if written and (row.number, row.tier) != written:
            row.number, row.tier = written
            changed.append(row)
    # An update of a thousand rows by their keys would take half a second.
    ContestEntry.objects.bulk_create(
        changed,
        batch_size=MAX_ROWS,
        update_conflicts=True,
        unique_fields=["contest", "player"],
        update_fields=["number", "tier"],
    )


def is_open(held: Held) -> bool:
    """Return whether players may still enter."""
    return held.state.phase is Phase.OPEN
