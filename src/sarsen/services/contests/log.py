"""The stored log of a contest: read with the results of its boards, and added to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sarsen.core.errors import UserError
from sarsen.language.contests.law import BOTS
from sarsen.services.contests import streamed
from sarsen.services.contests.formats import FORMATS
from sarsen.services.contests.formats.format import Format
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


@dataclass
class Held:
    """A contest with its log, as far as it is written; locked by who adds to it.

    Attributes:
        results: Of its boards, by the number of the board.
    """

    contest: Contest
    log: list[Logged]
    results: Mapping[int, BoardResult]
    state: State

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
        event = Logged(len(self.log) + 1, kind, now, due or now, facts)
        ContestEvent.objects.create(
            contest=self.contest,
            number=event.number,
            kind=kind,
            at=event.at,
            due=event.due,
            facts=dict(facts),
        )
        self.log.append(event)
        self.state = after(self.state, event)
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
        contest.starts_at = state.started_at or state.starts_at
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
    log = [
        Logged(event.number, event.kind, event.at, event.due, event.facts)
        for event in ContestEvent.objects.filter(contest=contest)
    ]
    results = results_of(contest)
    return Held(contest, log, results, fold(law_of(contest), log, results))


def results_of(contest: Contest) -> Mapping[int, BoardResult]:
    """Return the results of the boards of a contest, by the number of the board."""
    boards = ContestBoard.objects.filter(contest=contest).select_related("match")
    matches = [board.match for board in boards]
    over = [match.pk for match in matches if match.ended_at is not None]
    lost = MatchEvent.objects.filter(match__in=over, kind=MatchEvent.Kind.FORFEIT)
    by_time = set(lost.values_list("match", flat=True))
    return {
        match.pk: BoardResult(
            scores=None if match.scores is None else (match.scores[0], match.scores[1]),
            ended_at=match.ended_at,
            by_time=match.pk in by_time,
            plies=match.ply,
            turn_began_at=match.turn_began_at,
        )
        for match in matches
    }


def enter(held: Held, player: int, now: datetime, due: datetime | None = None) -> None:
    """Write that a player has entered."""
    held.add(Kind.ENTERED, now, {"player": player}, due=due)
    entrant = held.state.entrant_of(player)
    assert entrant is not None  # just entered
    ContestEntry.objects.update_or_create(
        contest=held.contest,
        player_id=player,
        defaults={"number": entrant.number, "is_out": False},
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
    """Write the entries as the log has them, after somebody has left."""
    entries = {entrant.player: entrant.number for entrant in held.state.entrants}
    entries |= {player: place for place, player in enumerate(held.state.waiting, 1)}
    stored = ContestEntry.objects.filter(contest=held.contest)
    stored.exclude(player__in=list(entries)).delete()
    rows = list(stored)
    for row in rows:
        row.number = entries[row.player_id]
    ContestEntry.objects.bulk_update(rows, ["number"])


def is_open(held: Held) -> bool:
    """Return whether players may still enter."""
    return held.state.phase is Phase.OPEN
