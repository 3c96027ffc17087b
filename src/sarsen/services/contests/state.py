"""The state of a contest: a fold of its log with the results of its boards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any

FILLED_AFTER = timedelta(days=2)  # the first entry


class Kind(StrEnum):
    """The kinds of events of a contest, as its log has them."""

    MADE = "made"
    ENTERED = "entered"
    LEFT = "left"
    OPENED = "opened"  # open for entry, with its dates
    STARTED = "started"  # who plays, in the order of their numbers
    BOARD = "board"  # a board has started
    PAIRED = "paired"  # all boards that could start at once have, and the entrants are told
    REMINDED = "reminded"  # an entrant whose first move is due
    SUBSTITUTED = "substituted"  # somebody else has the seat of an entrant
    WARNED = "warned"  # an entrant who may be withdrawn soon, or goes down a ladder
    WITHDRAWN = "withdrawn"
    LOWERED = "lowered"  # an entrant of a ladder who has not played for long is a place lower
    DECIDED = "decided"  # a board was decided by the law
    CORRECTED = "corrected"  # an operator has set the result of a board
    CLOSED = "closed"  # a board, or the contest, ends without a result
    ENDED = "ended"


class Phase(StrEnum):
    """How far a contest has come."""

    OPEN = "open"
    RUNNING = "running"
    ENDED = "ended"
    CLOSED = "closed"


GOING_ON = (Phase.OPEN, Phase.RUNNING)
PLAYED = (Phase.RUNNING, Phase.ENDED)  # before, and where it was closed, nobody has a place


@dataclass(frozen=True)
class Logged:
    """An event of a contest.

    Attributes:
        due: When the law wants it: facts up to then decide.
        at: When it was written.
    """

    number: int
    kind: str
    at: datetime
    due: datetime
    facts: Mapping[str, Any]

    @property
    def public_facts(self) -> Mapping[str, Any]:
        """The facts that anybody may read: not why a player has declined, which is for the host.

        Only logs of early 0.5 have that.
        """
        is_of_decline = self.kind == Kind.CLOSED and "player" in self.facts
        hidden = ("reason",) if is_of_decline else ()
        return {name: value for name, value in self.facts.items() if name not in hidden}


@dataclass(frozen=True)
class Law:
    """The figures of a contest that its format and its table need.

    Attributes:
        most, least: Entrants.
        games: Between each pair.
        boards: Of one entrant at the same time.
        days: From the start to the end date.
        has_fillers: Programs make up the least number, two days after the first entry (E29).
        is_endless: It is a ladder, which starts at once and never ends.
        worse_seat: Which loses with best play, where that is known (E32); None elsewhere.
        keeps_day: It starts on its day, not before: neither when it is full, nor when programs
            could make up the number.
    """

    most: int
    least: int
    games: int
    boards: int
    days: int
    has_fillers: bool = False
    worse_seat: int | None = None
    keeps_day: bool = False
    is_endless: bool = False


@dataclass(frozen=True)
class BoardResult:
    """A board of the server as a contest counts it.

    Attributes:
        scores: By seat; None while it runs.
        by_time: A clock ran out.
        turn_began_at: Of the turn that runs, or ran last.
    """

    scores: tuple[float, float] | None = None
    ended_at: datetime | None = None
    by_time: bool = False
    plies: int = 0
    turn_began_at: datetime | None = None


@dataclass(frozen=True)
class Entrant:
    """A player of a contest.

    Attributes:
        player: The key of the player.
        number: By order of entry, from 1; it names the entrant in pairings.
        tier: From 1, the highest; 1 where a format has none.
        once: Only for this season; else the player is entered in the next one, too (E23).
        is_out: Left or withdrawn after the start.
        is_annulled: All games count for nothing (E9).
    """

    player: int
    number: int
    is_out: bool = False
    is_annulled: bool = False
    tier: int = 1
    once: bool = False


@dataclass(frozen=True)
class ContestGame:
    """A board of a contest.

    Attributes:
        key: As of `Pairing`.
        numbers: The entrants by seat.
        board: Of the server; None where it never began there.
        scores: By seat; None while it runs, and where it was closed or annulled.
        is_closed: It ended without a result, and counts for nothing.
        is_played: Its result comes from the players; else from a clock, the law or an operator.
        is_forgone: It counts as lost for an entrant who is out.
        is_ordinary: It is no board of the contest any more (E28).
    """

    key: str
    numbers: tuple[int, int]
    board: int | None
    scores: tuple[float, float] | None = None
    is_closed: bool = False
    is_played: bool = True
    is_forgone: bool = False
    is_ordinary: bool = False

    @property
    def is_running(self) -> bool:
        return self.scores is None and not self.is_closed


@dataclass(frozen=True)
class State:
    """How a contest stands.

    Attributes:
        entrants: By number; before the start in the order of entry.
        starts_at: When entry ends at the latest; `ends_at` is its end date.
        started_at, ended_at: By law; None before.
        first_entry_at, last_entry_at: Of those who are in; None for nobody.
        is_paired: Its first boards have all started.
        results: Of its boards, by the number of the board.
        waiting: Players who wait for a seat that becomes free, the first one first.
        replaced: Boards that count for nothing because a seat has changed hands; new ones under
            the same keys with an `s` more stand in their places.
        log: All events so far, where their order is more than the fields above tell: in a ladder.
    """

    law: Law
    phase: Phase = Phase.OPEN
    entrants: tuple[Entrant, ...] = ()
    boards: tuple[ContestGame, ...] = ()
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    first_entry_at: datetime | None = None
    last_entry_at: datetime | None = None
    is_paired: bool = False
    results: Mapping[int, BoardResult] = field(default_factory=dict)
    waiting: tuple[int, ...] = ()
    replaced: tuple[ContestGame, ...] = ()
    log: tuple[Logged, ...] = ()

    @cached_property
    def by_number(self) -> Mapping[int, Entrant]:
        return {entrant.number: entrant for entrant in self.entrants}

    @cached_property
    def tiers(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the entrants of each tier, the highest first."""
        numbers: dict[int, list[int]] = defaultdict(list)
        for entrant in self.entrants:
            numbers[entrant.tier].append(entrant.number)
        return tuple(tuple(numbers[tier]) for tier in sorted(numbers))

    @cached_property
    def boards_by_tier(self) -> Mapping[int, list[ContestGame]]:
        """The boards of each tier, from 1 on."""
        boards: dict[int, list[ContestGame]] = defaultdict(list)
        for board in self.boards:
            boards[self.by_number[board.numbers[0]].tier].append(board)
        return boards

    @property
    def filled_at(self) -> datetime | None:
        """When programs make up the number (E29); None where they never do before its day."""
        if self.first_entry_at is None or not self.law.has_fillers or self.law.keeps_day:
            return None
        return self.first_entry_at + FILLED_AFTER

    @property
    def entry_ends_at(self) -> datetime | None:
        """When entry ends unless it is full before, as all doors show it; None for a ladder."""
        filled_at, starts_at = self.filled_at, self.starts_at
        if filled_at is None or starts_at is None:
            return starts_at
        return min(filled_at, starts_at)

    def entrant_of(self, player: int) -> Entrant | None:
        """Return the entrant that a player is, also one who is out; None for nobody here."""
        return next((entrant for entrant in self.entrants if entrant.player == player), None)


def fold(law: Law, log: Iterable[Logged], results: Mapping[int, BoardResult]) -> State:
    """Return the state after these events, with the results of its boards of the server."""
    return after(State(law, results=results), tuple(log))


def after(state: State, events: Sequence[Logged]) -> State:
    """Return the state after these further events."""
    # Each of thousands in a row would copy all entrants, or all boards.
    for kind, alike in groupby(events, key=attrgetter("kind")):
        if kind == Kind.BOARD:
            started = [_board(state, event.facts) for event in alike]
            state = replace(state, boards=(*state.boards, *started))
        elif kind == Kind.ENTERED:
            state = _entered(state, alike)
        elif kind in (Kind.DECIDED, Kind.CORRECTED):
            state = _with_results(
                state, {event.facts["key"]: event.facts["scores"] for event in alike}
            )
        else:
            for event in alike:
                state = _after(state, event)
    return replace(state, log=(*state.log, *events)) if state.law.is_endless else state


def _after(state: State, event: Logged) -> State:
    facts = event.facts
    match event.kind:
        case Kind.OPENED:
            starts, ends = map(datetime.fromisoformat, (facts["starts_at"], facts["ends_at"]))
            return replace(state, starts_at=starts, ends_at=ends)
        case Kind.ENTERED:
            return _entered(state, (event,))
        case Kind.LEFT if facts["player"] in state.waiting:
            return replace(state, waiting=_others(state.waiting, facts["player"]))
        case Kind.LEFT:
            left = [one.player for one in state.entrants if one.player != facts["player"]]
            entrants = _numbered(state, left)
            began = state.first_entry_at if entrants else None
            return replace(state, entrants=entrants, first_entry_at=began)
        case Kind.STARTED:
            return replace(
                state,
                phase=Phase.RUNNING,
                started_at=event.due,
                entrants=_numbered(state, facts["order"], facts.get("tiers")),
            )
        case Kind.PAIRED:
            return replace(state, is_paired=True)
        case Kind.BOARD:
            return replace(state, boards=(*state.boards, _board(state, facts)))
        case Kind.SUBSTITUTED:
            return _with_substitute(state, facts)
        case Kind.WITHDRAWN:
            return _without(state, facts)
        case Kind.DECIDED | Kind.CORRECTED:
            return _with_results(state, {facts["key"]: facts["scores"]})
        case Kind.CLOSED if "key" in facts:
            return _with_results(state, {facts["key"]: None})
        case Kind.CLOSED:
            return replace(state, phase=Phase.CLOSED, ended_at=event.due)
        case Kind.ENDED:
            boards = _freed(state.boards, facts.get("freed", ()))
            return replace(state, phase=Phase.ENDED, ended_at=event.due, boards=boards)
    return state


def _numbered(
    state: State, order: Sequence[int], sizes: Sequence[int] | None = None
) -> tuple[Entrant, ...]:
    """Return the entrants in this order of players; those of the highest tier come first.

    Args:
        sizes: Of the tiers, from the highest on; None where there is one.
    """
    once = {entrant.player for entrant in state.entrants if entrant.once}
    tiers = [tier for tier, size in enumerate(sizes or [len(order)], 1) for _ in range(size)]
    return tuple(
        Entrant(player, number, tier=tier, once=player in once)
        for number, (player, tier) in enumerate(zip(order, tiers, strict=True), 1)
    )


def _others(players: Iterable[int], left_out: int) -> tuple[int, ...]:
    return tuple(player for player in players if player != left_out)


def _with_substitute(state: State, facts: Mapping[str, Any]) -> State:
    """Return the state after a player has the number of an entrant; the boards begin anew (E7)."""
    player, keys = facts["substitute"], facts["boards"]
    return replace(
        state,
        entrants=tuple(
            replace(one, player=player) if one.player == facts["player"] else one
            for one in state.entrants
        ),
        waiting=_others(state.waiting, player),
        boards=tuple(game for game in state.boards if game.key not in keys),
        replaced=(
            *state.replaced,
            *(
                replace(game, scores=None, is_closed=True)
                for game in state.boards
                if game.key in keys
            ),
        ),
    )


def _board(state: State, facts: Mapping[str, Any]) -> ContestGame:
    first, second = facts["numbers"]
    result = state.results.get(facts["board"])
    scores = None if result is None else result.scores
    is_played = result is None or scores is None or not result.by_time
    return ContestGame(
        facts["key"], (first, second), facts["board"], scores=scores, is_played=is_played
    )


def _with_results(state: State, results: Mapping[str, list[float] | None]) -> State:
    """Return the state after boards were decided by something else than their players.

    Args:
        results: Scores by the keys of the boards; None where a board counts for nothing.
    """
    boards = tuple(
        _with_result(board, results[board.key]) if board.key in results else board
        for board in state.boards
    )
    return replace(state, boards=boards)


def _with_result(board: ContestGame, scores: list[float] | None) -> ContestGame:
    return replace(
        board,
        scores=None if scores is None else (scores[0], scores[1]),
        is_closed=scores is None,
        is_played=False,
    )


def _entered(state: State, events: Iterable[Logged]) -> State:
    """Return the state after these events of entry; an entrant of a ladder keeps the number."""
    entrants, waiting = list(state.entrants), list(state.waiting)
    first, last = state.first_entry_at, state.last_entry_at
    index = {entrant.player: at for at, entrant in enumerate(entrants)}
    for event in events:
        player = event.facts["player"]
        if event.facts.get("waits"):
            waiting.append(player)
        elif player in index:
            entrants[index[player]] = replace(entrants[index[player]], is_out=False)
        else:
            index[player] = len(entrants)
            once = event.facts.get("once", False)
            entrants.append(Entrant(player, len(entrants) + 1, once=once))
            first, last = first or event.due, event.due
    return replace(
        state,
        entrants=tuple(entrants),
        waiting=tuple(waiting),
        first_entry_at=first,
        last_entry_at=last,
    )


def _without(state: State, facts: Mapping[str, Any]) -> State:
    """Return the state after an entrant is out (E9, E12)."""
    gone = state.entrant_of(facts["player"])
    assert gone is not None  # the log names entrants
    entrants = tuple(
        replace(one, is_out=True, is_annulled=facts["annulled"]) if one is gone else one
        for one in state.entrants
    )
    if "freed" in facts:
        return replace(state, entrants=entrants, boards=_freed(state.boards, facts["freed"]))
    left = () if facts["annulled"] else facts["left"]
    games = [*state.boards, *(ContestGame(key, (one, two), None) for key, (one, two) in left)]
    lost = _annulled if facts["annulled"] else _forgone
    boards = tuple(
        lost(game, gone.number) if gone.number in game.numbers else game for game in games
    )
    return replace(state, entrants=entrants, boards=boards)


def _freed(games: Iterable[ContestGame], keys: Iterable[str]) -> tuple[ContestGame, ...]:
    """Return games of which some are no boards of the contest any more (E28)."""
    freed = set(keys)
    return tuple(
        replace(game, scores=None, is_closed=True, is_ordinary=True) if game.key in freed else game
        for game in games
    )


def _annulled(game: ContestGame, number: int) -> ContestGame:
    return replace(game, scores=None, is_closed=True)


def _forgone(game: ContestGame, number: int) -> ContestGame:
    """Return a game after one of its entrants is out: what is not finished is lost.

    Where the other one is out, too, neither has a point (E12).
    """
    if game.is_forgone:
        return replace(game, scores=(0.0, 0.0))
    if not game.is_running:
        return game
    scores = (0.0, 1.0) if game.numbers[0] == number else (1.0, 0.0)
    return replace(game, scores=scores, is_played=False, is_forgone=True)
