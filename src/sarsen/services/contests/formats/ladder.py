"""Ladder: one order of players, who climb it by challenging those who stand above them.

The order is a fold of the log and of the ends of boards, in order of time (E25 to E28).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cached_property

from sarsen.services.contests.formats.format import Format, Pairing
from sarsen.services.contests.state import ContestGame, Kind, Logged, State
from sarsen.services.contests.table import Row

MIN_REACH = 5  # places that everybody may climb at once (E25)
MAX_CLIMBS = 3  # of one player at the same time, and as many defences (E25)
PAUSE = timedelta(days=7)  # between two climbs of the same two players (E25)


class Outcome(Enum):
    """What a climb came to, for the one who climbs."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    DEFENDER_LATE = "defender lost on time"
    CHALLENGER_LATE = "challenger lost on time"


@dataclass(frozen=True)
class Climb:
    """A climb: one board, or two with the seats exchanged (E28).

    Attributes:
        number: Counts the climbs of a ladder from 1.
        challenger, defender: The numbers of the entrants.
        ended_at: When its last board ended, or became ordinary; None while one runs.
        outcome: None while it runs, and when it counts for nothing.
    """

    number: int
    challenger: int
    defender: int
    games: tuple[ContestGame, ...]
    began_at: datetime
    ended_at: datetime | None
    outcome: Outcome | None

    @property
    def is_running(self) -> bool:
        return self.ended_at is None

    @cached_property
    def numbers(self) -> frozenset[int]:
        """The numbers of both entrants."""
        return frozenset((self.challenger, self.defender))


class Obstacle(Enum):
    """Why somebody cannot be climbed just now (E25)."""

    BELOW = "below"
    RANGE = "range"
    OWN_CLIMBS = "own climbs"
    DEFENCES = "defences"
    RUNNING = "running"
    REMATCH = "rematch"
    VACATION = "vacation"


@dataclass(frozen=True)
class Standing:
    """A ladder at some moment.

    Attributes:
        order: The numbers of the entrants, from the top.
        climbs: All that have ever begun.
    """

    order: tuple[int, ...]
    climbs: tuple[Climb, ...]

    @cached_property
    def places(self) -> Mapping[int, int]:
        """The place of each entrant, by number."""
        return {number: place for place, number in enumerate(self.order, 1)}

    @property
    def reach(self) -> int:
        """How many places above one's own may be climbed: a tenth of all, at least five."""
        return max(MIN_REACH, -(-len(self.order) // 10))

    @cached_property
    def running(self) -> tuple[Climb, ...]:
        """The climbs that run."""
        return tuple(climb for climb in self.climbs if climb.is_running)

    def own_climbs(self, number: int, away: frozenset[int] = frozenset()) -> int:
        """Count the climbs of an entrant that run.

        Args:
            away: Entrants on vacation, whose boards are paused and do not count.
        """
        own = (climb for climb in self.running if climb.challenger == number)
        return sum(not climb.numbers & away for climb in own)

    def defences(self, number: int, away: frozenset[int] = frozenset()) -> int:
        """Count the climbs against an entrant that run; see `own_climbs`."""
        against = (climb for climb in self.running if climb.defender == number)
        return sum(not climb.numbers & away for climb in against)

    def obstacle(
        self, challenger: int, defender: int, now: datetime, away: frozenset[int]
    ) -> Obstacle | None:
        """Return why an entrant cannot climb another one at this moment; None where that can be."""
        place, other = self.places[challenger], self.places[defender]
        if other >= place:
            return Obstacle.BELOW
        if place - other > self.reach:
            return Obstacle.RANGE
        if defender in away:
            return Obstacle.VACATION
        if self.board_between(challenger, defender) is not None:
            return Obstacle.RUNNING
        free_at = self.free_at(challenger, defender)
        if free_at is not None and free_at > now:
            return Obstacle.REMATCH
        if self.own_climbs(challenger, away) >= MAX_CLIMBS:
            return Obstacle.OWN_CLIMBS
        if self.defences(defender, away) >= MAX_CLIMBS:
            return Obstacle.DEFENCES
        return None

    def board_between(self, one: int, other: int) -> int | None:
        """Return the board at which two entrants play here just now; None for none."""
        climbs = (climb for climb in self.running if climb.numbers == {one, other})
        boards = (game.board for climb in climbs for game in climb.games if game.is_running)
        return next(boards, None)

    def free_at(self, one: int, other: int) -> datetime | None:
        """Return when two entrants may meet again after their last climb; None without one."""
        end = self._last_ends.get(frozenset((one, other)))
        return None if end is None else end + PAUSE

    @cached_property
    def _last_ends(self) -> Mapping[frozenset[int], datetime]:
        """The end of the last climb of each pair."""
        ends: dict[frozenset[int], datetime] = {}
        for climb in self.climbs:
            if climb.ended_at is not None:
                pair = climb.numbers
                ends[pair] = max(ends.get(pair, climb.ended_at), climb.ended_at)
        return ends


class Ladder(Format):
    """One order of places, which never ends."""

    name = "ladder"
    annuls = False
    is_endless = True

    def pairings(self, state: State) -> Sequence[Pairing]:
        """Return the boards of all climbs so far: nobody but the players starts them."""
        return [
            Pairing(game.key, climb.number, game.numbers)
            for climb in climbs_of(state)
            for game in climb.games
        ]

    def to_come(self, state: State) -> Sequence[Pairing]:
        """Return no boards: they start when somebody climbs."""
        return ()

    def is_finished(self, state: State) -> bool:
        return False

    def table(self, state: State) -> tuple[Row, ...]:
        """Return the entrants from the top; there are no points."""
        order = standing(state).order
        return tuple(
            Row(state.by_number[number], place, place, 0.0, 0.0, 1, len(order))
            for place, number in enumerate(order, 1)
        )


def climb_pairings(number: int, challenger: int, defender: int, games: int) -> Sequence[Pairing]:
    """Return the boards of a new climb: the defender has the first seat in the first.

    Args:
        games: One, or two with the seats exchanged, where the value of the game is known.
    """
    seats = [(defender, challenger), (challenger, defender)][:games]
    return [
        Pairing(f"c{number}.{first}-{second}.g{game}", number, (first, second))
        for game, (first, second) in enumerate(seats, 1)
    ]


def standing(state: State) -> Standing:
    """Return the order of a ladder, and its climbs."""
    climbs = climbs_of(state)
    order: tuple[int, ...] = ()
    for _, _, after in _steps(state, climbs):
        order = after
    return Standing(order, climbs)


@dataclass(frozen=True)
class ClimbStart:
    """The moment at which a climb began.

    Attributes:
        places: Of challenger and defender; 0 for one who was not in.
        reach: How many places might be climbed then.
    """

    places: tuple[int, int]
    reach: int


def starts_of(state: State) -> Mapping[int, ClimbStart]:
    """Return how all climbs began, by number, as it follows from what was before."""
    climbs = climbs_of(state)
    by_number = {climb.number: climb for climb in climbs}
    starts = {}
    for step, before, _ in _steps(state, climbs):
        if isinstance(step, Logged) and step.kind == Kind.BOARD:
            climb = by_number[step.facts["climb"]]
            places = Standing(before, ()).places
            pair = places.get(climb.challenger, 0), places.get(climb.defender, 0)
            starts[climb.number] = ClimbStart(pair, Standing(before, ()).reach)
    return starts


def climbs_of(state: State) -> tuple[Climb, ...]:
    """Return all climbs of a ladder, in the order in which they began."""
    games = {game.key: game for game in state.boards}
    keys: dict[int, list[str]] = {}
    firsts: dict[int, Logged] = {}
    set_at: dict[str, datetime] = {}  # by an operator, or as the climb became ordinary
    for event in state.log:
        if event.kind == Kind.BOARD:
            keys.setdefault(event.facts["climb"], []).append(event.facts["key"])
            firsts.setdefault(event.facts["climb"], event)
        elif event.kind in (Kind.DECIDED, Kind.CORRECTED, Kind.CLOSED) and "key" in event.facts:
            set_at.setdefault(event.facts["key"], event.due)
        elif event.kind in (Kind.WITHDRAWN, Kind.ENDED):
            for key in event.facts["freed"]:
                set_at.setdefault(key, event.due)
    return tuple(
        _climb(firsts[number], [games[key] for key in own], state, set_at)
        for number, own in keys.items()
    )


def _climb(
    began: Logged, games: Sequence[ContestGame], state: State, set_at: Mapping[str, datetime]
) -> Climb:
    number, challenger = began.facts["climb"], began.facts["challenger"]
    defender = next(one for one in games[0].numbers if one != challenger)
    ends = [_ended_at(game, state, set_at) for game in games]
    known = [end for end in ends if end is not None]
    ended_at = max(known) if len(known) == len(ends) else None
    outcome = _outcome(challenger, games, state, set_at) if ended_at is not None else None
    return Climb(number, challenger, defender, tuple(games), began.due, ended_at, outcome)


def _ended_at(game: ContestGame, state: State, set_at: Mapping[str, datetime]) -> datetime | None:
    """Return when a board ended for the ladder, or became ordinary; None while it runs."""
    if game.is_running:
        return None
    result = state.results.get(game.board or 0)
    ends = (result.ended_at if result else None, set_at.get(game.key))
    return min(end for end in ends if end is not None)


def _outcome(
    challenger: int, games: Sequence[ContestGame], state: State, set_at: Mapping[str, datetime]
) -> Outcome | None:
    """Return what a climb whose boards are all over came to.

    Of two boards more than one point wins (E28); a loss on time counts as one when the loser of
    the climb lost a board on time.
    """
    scores = [
        game.scores[game.numbers.index(challenger)] for game in games if game.scores is not None
    ]
    if len(scores) < len(games):
        return None  # closed: it counts for nothing
    late = [
        score
        for game, score in zip(games, scores, strict=True)
        if game.key not in set_at and state.results[game.board or 0].by_time
    ]
    reached, half = sum(scores), len(games) / 2
    if reached > half:
        return Outcome.DEFENDER_LATE if 1.0 in late else Outcome.WON
    if reached < half:
        return Outcome.CHALLENGER_LATE if 0.0 in late else Outcome.LOST
    return Outcome.DRAWN


def _steps(
    state: State, climbs: Sequence[Climb]
) -> Iterator[tuple[Logged | Climb, tuple[int, ...], tuple[int, ...]]]:
    """Yield what happened in order of time, with the order before and after it.

    At the same moment a board that has begun ends before what the log says next.
    """
    by_number = {climb.number: climb for climb in climbs}
    numbers = {entrant.player: entrant.number for entrant in state.entrants}
    last_keys = {climb.games[-1].key for climb in climbs}
    waiting: list[tuple[datetime, int]] = []
    order: tuple[int, ...] = ()
    for event in state.log:
        while waiting and waiting[0][0] <= event.due:
            climb = by_number[heapq.heappop(waiting)[1]]
            before, order = order, climbed(order, climb.challenger, climb.defender, climb.outcome)
            yield climb, before, order
        before, order = order, _after_event(order, event, numbers)
        yield event, before, order
        if event.kind == Kind.BOARD and event.facts["key"] in last_keys:
            climb = by_number[event.facts["climb"]]
            if climb.ended_at is not None:
                heapq.heappush(waiting, (climb.ended_at, climb.number))
    while waiting:
        climb = by_number[heapq.heappop(waiting)[1]]
        before, order = order, climbed(order, climb.challenger, climb.defender, climb.outcome)
        yield climb, before, order


def _after_event(
    order: tuple[int, ...], event: Logged, numbers: Mapping[int, int]
) -> tuple[int, ...]:
    if event.kind not in (Kind.ENTERED, Kind.WITHDRAWN, Kind.LOWERED):
        return order
    number = numbers[event.facts["player"]]
    if event.kind == Kind.ENTERED:
        return (*order, number)
    if event.kind == Kind.LOWERED:
        return lowered(order, number)
    return tuple(one for one in order if one != number)


def lowered(order: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Return the order after an entrant has gone down by one place (E27)."""
    at = order.index(number)
    return (*order[:at], *order[at + 1 : at + 2], number, *order[at + 2 :])


def climbed(
    order: tuple[int, ...], challenger: int, defender: int, outcome: Outcome | None
) -> tuple[int, ...]:
    """Return the order after a climb (E26); nothing if the challenger already stands above.

    Nothing changes, either, once one of the two has left.
    """
    if challenger not in order or defender not in order:
        return order
    if order.index(challenger) < order.index(defender):
        return order
    match outcome:
        case Outcome.WON:
            return _moved(order, challenger, above=defender)
        case Outcome.DRAWN:
            return _moved(order, challenger, below=defender)
        case Outcome.DEFENDER_LATE:
            return _moved(order, defender, below=challenger)
        case Outcome.CHALLENGER_LATE:
            return (*(one for one in order if one != challenger), challenger)
    return order


def _moved(
    order: tuple[int, ...], number: int, *, above: int | None = None, below: int | None = None
) -> tuple[int, ...]:
    """Return the order after one entrant has moved next to another one."""
    others = [one for one in order if one != number]
    at = others.index(above) if above is not None else others.index(below or 0) + 1
    return (*others[:at], number, *others[at:])
