"""Compare the acts in the log of a contest with what its law wanted, and when."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from sarsen.services.admin.cleanup import PAUSES_KEPT
from sarsen.services.admin.verify_absences import absence_rows
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.course import deciding, withdrawals
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Kind, Logged, Phase, fold
from sarsen.services.matches.matches import position_of
from sarsen.services.matches.proofs import is_proof, proved_scores
from sarsen.services.ratings.counting import is_forfeited
from sarsen.storage.models import ContestBoard, MatchEvent

Row = tuple[str, object, object]  # what it is, as stored, as found

_RESULTS = ([1.0, 0.0], [0.0, 1.0], [0.5, 0.5])


def act_rows(held: Held) -> Iterator[Row]:
    """Yield what differs in the acts of a contest: their dates, boards, results and proofs."""
    rows = ContestBoard.objects.filter(contest=held.contest).select_related("match")
    boards = {row.key: row for row in rows.prefetch_related("match__seats")}
    yield from _dates(held)
    yield from _keys(held)
    yield from absence_rows(held)
    for event in held.log:
        match event.kind:
            case Kind.WITHDRAWN if "freed" not in event.facts:  # of a ladder: `verify_ladders`
                yield from _withdrawal(held, event)
            case Kind.DECIDED if event.facts["key"] in boards:
                yield from _decision(held, event, boards[event.facts["key"]])
            case Kind.CLOSED if event.facts.get("key") in boards and "by" not in event.facts:
                scores = boards[event.facts["key"]].match.scores
                if scores is not None:  # only an operator closes a board that has a result
                    yield f"event {event.number}", event.facts["key"], f"a result: {scores}"
            case Kind.CORRECTED if event.facts["scores"] not in _RESULTS:
                yield f"event {event.number}", event.facts["scores"], "no result"
    proved = {e.facts["key"] for e in held.log if e.kind == Kind.DECIDED and "proved" in e.facts}
    kept = {key for key, row in boards.items() if is_proof(row.proof)}
    lost = {key for key in kept - proved if is_forfeited(boards[key].match)}
    if proved != kept - lost:
        yield "proofs", sorted(kept - lost), sorted(proved)
    for key in sorted(lost):
        yield from _confirmation(boards[key])


def _confirmation(row: ContestBoard) -> Iterator[Row]:
    """Compare what is kept behind a loss on time with its result, and its rating (E11)."""
    scores = row.match.scores
    found = proved_scores(position_of(row.match), row.proof)
    if found != scores:
        yield f"proof of {row.key}", found, scores
    elif row.match.terms.get("unrated"):
        yield f"proof of {row.key}", "not rated", "rated"


def _dates(held: Held) -> Iterator[Row]:
    """Compare the days of each act with those that the law knows for it."""
    starts_at = ends_at = started_at = None
    days = timedelta(days=held.state.law.days)
    before: Logged | None = None
    for event in held.log:
        if before is not None and event.at < before.at:
            yield f"event {event.number}", event.at, f"after event {before.number}"
        before = event
        wanted: datetime | None = event.due
        if event.kind == Kind.OPENED:
            starts_at, ends_at = (
                datetime.fromisoformat(event.facts[name]) for name in ("starts_at", "ends_at")
            )
            days += timedelta(days=event.facts.get("days", 0))  # of a downtime (E13)
            if ends_at - starts_at != days:
                yield f"event {event.number}", ends_at, starts_at + days
        elif event.kind == Kind.STARTED:
            started_at = event.due
        elif event.kind == Kind.PAIRED:
            wanted = started_at
        elif event.kind == Kind.DECIDED:
            wanted = ends_at
        elif event.kind in (Kind.BOARD, Kind.ENDED):
            wanted = min(max(event.due, started_at or event.due), ends_at or event.due)
        if event.due != wanted:
            yield f"due of event {event.number}", event.due, wanted
    if started_at is not None and starts_at is not None and started_at > starts_at:
        yield "start", started_at, f"{starts_at} or before"


def _keys(held: Held) -> Iterator[Row]:
    """Compare the boards that the log speaks of with those that it has started."""
    begun: set[str] = set()
    for event in held.log:
        key = event.facts.get("key")
        if event.kind == Kind.BOARD:
            if key in begun:
                yield f"event {event.number}", key, "started twice"
            begun.add(str(key))
        elif key is not None and key not in begun:
            yield f"event {event.number}", key, "no such board"
    running = [game.key for game in held.state.boards if game.is_running]
    if held.state.phase is Phase.ENDED and running:
        yield "running boards", running, "none: it has ended"


def _withdrawal(held: Held, event: Logged) -> Iterator[Row]:
    """Compare what became of the games of an entrant with the results of that time (E9)."""
    log = held.log[: event.number - 1]
    ended_later = {
        later.facts.get("key")
        for later in held.log[event.number :]
        if later.kind in (Kind.DECIDED, Kind.CLOSED)
    }
    boards = {game.board: game.key for game in held.state.boards}
    if MatchEvent.objects.filter(match__in=list(held.results), kind="resume").exists():
        return  # the results of that time are no longer known
    results = {
        board: result
        for board, result in held.results.items()
        if result.ended_at is not None
        and result.ended_at <= event.due
        and boards.get(board) not in ended_later
    }
    state = fold(contest_log.law_of(held.contest), log, results)
    entrant = state.entrant_of(event.facts["player"])
    if entrant is None:
        yield f"event {event.number}", event.facts["player"], "no entrant"
        return
    annulled = held.format.annuls and withdrawals.games_of(held.format, state, entrant).are_annulled
    if event.facts["annulled"] != annulled:
        yield f"event {event.number}, annulled", event.facts["annulled"], annulled
    left = [
        [pairing.key, list(pairing.numbers)]
        for pairing in held.format.to_come(state)
        if entrant.number in pairing.numbers
    ]
    if event.facts["left"] != left:
        yield f"event {event.number}, left", event.facts["left"], left


def _decision(held: Held, event: Logged, row: ContestBoard) -> Iterator[Row]:
    """Compare how a board was decided at the end date with what the law says of it (E16)."""
    match, stored = row.match, event.facts["scores"]
    if stored != match.scores:
        yield f"event {event.number}", stored, match.scores
    if event.facts.get("proved"):
        forced = proved_scores(position_of(match), row.proof)
        if isinstance(forced, str):
            yield f"proof of {row.key}", "a win", forced
            return
        found = forced
    elif event.at < held.log[-1].at - PAUSES_KEPT:
        return
    else:
        scores, _ = deciding.verdict(match, event.due, event.at)
        found = list(scores)
    if stored != found:
        yield f"event {event.number}, decided", stored, found
