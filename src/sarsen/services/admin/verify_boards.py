"""Compare the stored columns of a board with those that follow from its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.db import DatabaseError

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.games import load
from sarsen.services.admin.verify_totals import Difference
from sarsen.services.matches import matches
from sarsen.services.matches.proofs import is_proof, proved_scores
from sarsen.services.ratings import counting
from sarsen.services.records import signatures
from sarsen.services.records.collections import EVENTS_AT_ONCE, parts
from sarsen.services.records.recording import record_of
from sarsen.services.records.signatures import PublicKey
from sarsen.storage.models import Match, MatchEvent
from sarsen.storage.models.matches import StoredEvent

AT_ONCE = 100  # boards in memory, with all their events
MAX_LOOKS = 5  # at a board that differs, while somebody may be moving at it

_KIND = MatchEvent.Kind
_LOADED = ("seats__player", "events", "results", "record", "claims")


@dataclass
class VerifyReport:
    """The counts of a check.

    Attributes:
        boards: That were looked at, and `events` of them.
        other_rules: Boards that began under other rules than are installed.
        contests: That were looked at, and `contest_events` of them.
        differences: How many were found.
    """

    boards: int = 0
    events: int = 0
    other_rules: int = 0
    players: int = 0
    contests: int = 0
    contest_events: int = 0
    differences: int = 0

    def as_dict(self) -> dict[str, int]:
        """Return what a program reads."""
        return dict(vars(self))


class Boards:
    """Check boards one after the other, some in memory at a time, and count them.

    Args:
        seen: Called after every board.
    """

    def __init__(self, report: VerifyReport, seen: Callable[[], None] = lambda: None) -> None:
        self._report, self._seen = report, seen
        # Right after an upgrade the results of release 0.1 are still to come.
        self._has_counted = counting.are_results_kept()
        # None is made by the way, where a server has none.
        self._secret, self._public = _keys()

    def differences(self, board: int | None = None) -> Iterator[Difference]:
        """Yield every difference.

        Args:
            board: Only this one.
        """
        chosen = Match.objects.order_by("pk")
        if board is not None:
            chosen = chosen.filter(pk=board)
        last = 0
        while rows := list(chosen.filter(pk__gt=last).only("event_count")[:AT_ONCE]):
            for part in parts(rows, EVENTS_AT_ONCE):
                for item in _loaded([row.pk for row in part]):
                    self._report.boards += 1
                    yield from self._check(item) if isinstance(item, Match) else [item]
                    self._seen()
            last = rows[-1].pk

    def _check(self, match: Match) -> Iterator[Difference]:
        self._report.events += match.event_count
        try:
            game = load(match.game)
        except UserError as refusal:
            yield Difference(f"board {match.pk}", "game", match.game, refusal.text)
            return
        self._report.other_rules += match.rules_version != game.info.rules_version
        differences = self._compare(match, game)
        looks = 1
        # Somebody may have moved while it was read: what differs, does so twice alike.
        while differences and looks < MAX_LOOKS:
            reloaded = Match.objects.filter(pk=match.pk).prefetch_related(*_LOADED).first()
            previous, differences = differences, self._compare(reloaded, game) if reloaded else []
            if differences == previous:
                break
            looks += 1
        yield from differences

    def _compare(self, match: Match, game: Game) -> list[Difference]:
        try:
            rows = list(self._rows(match, game))
        except DatabaseError:
            raise
        except Exception as error:
            # A game may be anybody's code: whatever is wrong with one board, all the
            # others are looked at.
            rows = [("replay", "", f"{type(error).__name__}: {error}")]
        version = game.info.rules_version
        rules = "" if match.rules_version == version else f"{match.rules_version}, now {version}"
        differences = (Difference(f"board {match.pk}", *row) for row in rows)
        return [replace(difference, rules=rules) for difference in differences]

    def _rows(self, match: Match, game: Game) -> Iterator[tuple[str, str, str]]:
        """Yield name, stored and found of what differs."""
        seats = [row.seat for row in match.seats.all()]
        if seats != list(range(len(game.info.seats))):
            yield "seats", str(seats), ", ".join(game.info.seats)
            return
        stored_events = [
            StoredEvent(event.number, event.kind, event.ply, event.seat, event.text, event.at)
            for event in match.events.all()
        ]
        replayed = walk(game.start(match.options), stored_events)
        yield from replayed.faults
        if replayed.is_stopped:
            return
        stored = _stored_facts(match)
        for name, expected in _expected_facts(match, replayed, stored_events).items():
            if stored[name] != expected:
                yield name, str(stored[name]), str(expected)
        yield from self._results(match)
        if not match.is_imported:
            yield from _claims(match, replayed)
        if match.ended_at is not None:
            yield from self._record(match, game)

    def _results(self, match: Match) -> Iterator[tuple[str, str, str]]:
        players = [row.player_id for row in match.seats.all()]
        scores = match.scores or []
        stored = sorted(
            (row.seat, row.player_id, row.opponent_id, row.game, row.score, row.is_private, row.at)
            for row in match.results.all()
        )
        is_counted = match.ended_at is not None and not match.is_imported
        if not is_counted or len(scores) != len(players):
            expected = []
        elif not stored and not self._has_counted:
            return
        else:
            is_private = bool(match.terms.get("private"))
            pair = players[::-1] if len(players) == 2 else [None] * len(players)
            expected = [
                (seat, player, pair[seat], match.game, scores[seat], is_private, match.ended_at)
                for seat, player in enumerate(players)
            ]
        if stored != expected:
            yield "results", _format_rows(stored), _format_rows(expected)
        if any(row.is_rated for row in match.results.all()) and _is_never_rated(match, players):
            yield "results", "rated", "not rated"

    def _record(self, match: Match, game: Game) -> Iterator[tuple[str, str, str]]:
        """Sign the record of a finished game as an export would, and check that and old ones."""
        record = record_of(match)
        if not match.is_imported and self._secret is not None:
            record = signatures.signed(record, game, self._secret)
        name = record.signature.partition(":")[0]
        if name not in {key.name for key in self._public}:
            return  # another server's, or none
        try:
            signatures.check(record, game, self._public)
        except UserError as refusal:
            yield "signature", name, refusal.text


def _loaded(keys: list[int]) -> list[Match | Difference]:
    """Load boards with all that is theirs; a difference for one that cannot be read."""
    try:
        return [*Match.objects.filter(pk__in=keys).order_by("pk").prefetch_related(*_LOADED)]
    except DatabaseError:
        raise
    except Exception as error:  # a value that is none of its kind, such as a day "tomorrow"
        if len(keys) > 1:
            return [item for key in keys for item in _loaded([key])]
        return [Difference(f"board {keys[0]}", "replay", "", f"{type(error).__name__}: {error}")]


def _keys() -> tuple[bytes | None, tuple[PublicKey, ...]]:
    has_key = bool(settings.SARSEN_SIGNING_KEY) or (settings.DATA / signatures.FILE).exists()
    return (signatures.secret_key(), signatures.public_keys()) if has_key else (None, ())


def _stored_facts(match: Match) -> dict[str, Any]:
    """Return the columns of a match that follow from its events."""
    return {
        "events": match.event_count,
        "ply": match.ply,
        "position": match.position,
        "seat to move": match.seat_to_move,
        "end": match.ended_at,
        "last move": match.moved_at,
        "scores": match.scores,
        "reason": match.reason,
        "clock": match.turn_began_at is not None and match.look_at is not None,
    }


def _expected_facts(
    match: Match, replayed: ReplayedMatch, stored_events: list[StoredEvent]
) -> dict[str, Any]:
    """Return what should be kept; of an imported game, only what the moves decide."""
    last = stored_events[-1].at if stored_events else match.started_at
    scores, reason = _result(match, replayed)
    is_over = bool(reason) or match.is_imported
    facts = {
        "events": len(stored_events),
        "ply": replayed.ply,
        "position": replayed.position.write(),
        "seat to move": replayed.position.seat,
        "end": (match.ended_at or last) if match.is_imported else (last if is_over else None),
        "last move": match.moved_at if match.is_imported else last,
        "clock": not is_over and not _is_programs_turn(match, replayed),
    }
    if not match.is_imported:
        facts |= {"scores": scores, "reason": reason}
    elif scores is not None:
        facts["scores"] = scores
    return facts


def _result(match: Match, replayed: ReplayedMatch) -> tuple[list[float] | None, str]:
    """Return scores and reason as `services.matches` writes them; None and "" while it runs."""
    outcome = replayed.position.outcome()
    if replayed.ending is None:
        return (list(outcome.scores), outcome.reason) if outcome else (None, "")
    if outcome is not None:
        return list(outcome.scores), f"{outcome.reason} (before {replayed.ending.kind})"
    if replayed.ending.kind in (_KIND.DECIDE.value, _KIND.CLOSE.value, _KIND.CLAIM.value):
        return matches.read_decision(replayed.ending.kind, replayed.ending.text)
    seats = len(replayed.position.game.info.seats)
    if replayed.ending.kind == _KIND.DRAW.value:
        return [1.0 / seats] * seats, "Agreed a draw."
    loser = replayed.ending.seat
    is_resigned = replayed.ending.kind == _KIND.RESIGN.value
    side = replayed.position.sides[loser]
    scores = [0.0 if seat == loser else 1.0 / (seats - 1) for seat in range(seats)]
    return scores, f"{side} {'resigned' if is_resigned else 'ran out of time'}."


def _claims(match: Match, replayed: ReplayedMatch) -> Iterator[tuple[str, str, str]]:
    """Yield what differs in the claims at a board: which of them are proven, and end the game."""
    ending = replayed.ending
    is_by_claim = ending is not None and ending.kind == _KIND.CLAIM.value
    answered = [row for row in match.claims.all() if row.answered_at is not None]
    proven = [row for row in answered if is_proof(row.proof)]
    ends = [(row.event, row.seat) for row in proven]
    expected = [(ending.number - 1, ending.seat)] if ending is not None and is_by_claim else []
    if ends != expected:
        yield "proven claims", str(ends), str(expected)
    for row in proven:
        forced = proved_scores(replayed.position, row.proof)
        if forced != match.scores or row.is_draw != (forced == [0.5, 0.5]):
            yield f"proof of claim {row.pk}", str(match.scores), str(forced)
    early = [row.pk for row in answered if row.answered_at and row.answered_at < row.due_at]
    if early:
        yield "claims answered early", str(early), "none"


def _is_programs_turn(match: Match, replayed: ReplayedMatch) -> bool:
    return bool(match.bots) and match.bots[replayed.position.seat] is not None


def _is_never_rated(match: Match, players: list[int]) -> bool:
    """Return what no setting changes of `ratings.counting.why_unrated`."""
    return bool(match.terms.get("unrated")) or len(players) != 2 or players[0] == players[1]


def _format_rows(rows: Iterable[tuple[Any, ...]]) -> str:
    """Return rows of results in one line."""
    return "; ".join(" ".join(map(str, row)) for row in rows) or "none"


_ENDINGS = tuple(
    kind.value
    for kind in (
        *(_KIND.RESIGN, _KIND.DRAW, _KIND.FORFEIT),
        *(_KIND.DECIDE, _KIND.CLOSE, _KIND.CLAIM),
    )
)


@dataclass
class ReplayedMatch:
    """Where the events of a board lead.

    Attributes:
        positions: After 0, 1, … of the moves that stand.
        ending: What ended the game other than a move, if anything did.
        faults: Each event that does not follow: its number, as stored, as the rules have it.
        is_stopped: An event could not be taken at all, and those after it were not looked at.
    """

    positions: list[AnyPosition]
    ending: StoredEvent | None = None
    faults: list[tuple[str, str, str]] = field(default_factory=list)
    is_stopped: bool = False

    @property
    def position(self) -> AnyPosition:
        return self.positions[-1]

    @property
    def ply(self) -> int:
        return len(self.positions) - 1

    def _fault(self, stored_event: StoredEvent, stored: object, found: object) -> None:
        self.faults.append((f"event {stored_event.number}", str(stored), str(found)))

    def stop(self, stored_event: StoredEvent, stored: object, found: object) -> None:
        """Stop at an event."""
        self._fault(stored_event, stored, found)
        self.is_stopped = True

    def expect(self, stored_event: StoredEvent, what: str, stored: object, found: object) -> None:
        """Note a fact of an event that should be another."""
        if stored != found:
            self._fault(stored_event, f"{what} {stored}", f"{what} {found}")


def walk(start: AnyPosition, stored_events: Sequence[StoredEvent]) -> ReplayedMatch:
    """Replay the events in order, as far as they can be replayed."""
    replayed = ReplayedMatch([start])
    for number, event in enumerate(stored_events, start=1):
        replayed.expect(event, "number", event.number, number)
        _take(replayed, event)
        if replayed.is_stopped:
            break
    return replayed


def _take(replayed: ReplayedMatch, event: StoredEvent) -> None:
    if replayed.ending is not None and event.kind != _KIND.RESUME.value:
        replayed.stop(event, event.kind, f"nothing after {replayed.ending.kind}")
    elif event.kind == _KIND.MOVE.value:
        _move(replayed, event)
    elif event.kind == _KIND.UNDO.value:
        if not 0 <= event.ply < len(replayed.positions):
            replayed.stop(event, f"back to ply {event.ply}", f"at most {replayed.ply}")
        del replayed.positions[event.ply + 1 :]
    elif event.kind == _KIND.RESUME.value:
        ended_by = replayed.ending.kind if replayed.ending else ""
        replayed.expect(event, "after", _KIND.FORFEIT.value, ended_by)
        replayed.ending = None
    elif event.kind in _ENDINGS:
        replayed.expect(event, "ply", event.ply, replayed.ply)
        replayed.ending = event
    else:
        replayed.stop(event, event.kind, "no such kind")


def _move(replayed: ReplayedMatch, event: StoredEvent) -> None:
    replayed.expect(event, "ply", event.ply, replayed.ply + 1)
    replayed.expect(event, "seat", event.seat, replayed.position.seat)
    outcome = replayed.position.outcome()
    if outcome is not None:
        replayed.stop(event, event.text, f"nothing: {outcome.reason}")
        return
    try:
        # Not `referee.judge`: to write each move in full once more takes twenty times as long
        # as to play it, and no two moves that are kept in full are written alike.
        replayed.positions.append(replayed.position.play(replayed.position.parse(event.text)))
    except UserError as refusal:
        replayed.stop(event, event.text, f"{refusal.text} [{refusal.code}]")
