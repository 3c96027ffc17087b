"""The order of a ladder against a simulation with lists, exhaustively and by chance (E26)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sarsen.services.contests.formats.ladder import Ladder, climb_pairings, standing
from sarsen.services.contests.state import BoardResult, Kind, Law, Logged, State, fold

AT = datetime(2027, 3, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
# What may come of a board: the score of the challenger, and whether a clock ran out.
OUTCOMES = ((1.0, False), (0.5, False), (0.0, False), (1.0, True), (0.0, True))
LADDER = Ladder()
Climb = tuple[tuple[int, int], tuple[float, bool]]  # two places, and what came of it


class LadderLog:
    """The log of a ladder without a database; an hour passes from event to event."""

    def __init__(self, entrants: int, games: int = 1) -> None:
        self.law = Law(1000, 1, games, 6, 60, is_endless=True)
        self.events: list[Logged] = []
        self.results: dict[int, BoardResult] = {}
        self.now = AT
        self.add(Kind.MADE, host=None)
        self.add(Kind.STARTED, order=[])
        for player in range(1, entrants + 1):
            self.add(Kind.ENTERED, player=player)
        self.climbs = 0

    def add(self, kind: Kind, **facts: object) -> None:
        self.now += HOUR
        self.events.append(Logged(len(self.events) + 1, kind, self.now, self.now, facts))

    def climb(self, challenger: int, defender: int) -> tuple[int, ...]:
        """Start a climb, whatever the places are; return its boards."""
        self.climbs += 1
        pairings = climb_pairings(self.climbs, challenger, defender, self.law.games)
        boards = tuple(10 * self.climbs + game for game in range(len(pairings)))
        for pairing, board in zip(pairings, boards, strict=True):
            facts = {"key": pairing.key, "numbers": list(pairing.numbers), "board": board}
            self.add(Kind.BOARD, **facts, climb=self.climbs, challenger=challenger)
        return boards

    def end(self, board: int, score: float, by_time: bool, challenger_seat: int = 1) -> None:
        """Let a board end."""
        self.now += HOUR
        scores = (1 - score, score) if challenger_seat else (score, 1 - score)
        self.results[board] = BoardResult(scores, self.now, by_time)

    @property
    def state(self) -> State:
        return fold(self.law, self.events, self.results)

    @property
    def order(self) -> list[int]:
        return list(standing(self.state).order)


def simulate(order: list[str], one: str, other: str, score: float, by_time: bool) -> None:
    """Change a list as E26 says, in words of its own."""
    if order.index(one) < order.index(other):
        return
    if by_time and score == 1.0:
        order.remove(other)
        order.insert(order.index(one) + 1, other)
    elif by_time:
        order.remove(one)
        order.append(one)
    elif score > 0:
        order.remove(one)
        order.insert(order.index(other) + (score == 0.5), one)


@pytest.mark.parametrize(
    ("score", "by_time", "order"),
    [
        (1.0, False, "aebcd"),
        (0.5, False, "abecd"),
        (0.0, False, "abcde"),
        (1.0, True, "acdebf"),
        (0.0, True, "abcdfe"),
    ],
)
def test_e26_a_b_c_d_e_and_e_climbs_b(score: float, by_time: bool, order: str) -> None:
    log = LadderLog(len(order))
    (board,) = log.climb(5, 2)
    log.end(board, score, by_time)
    assert "".join("abcdef"[number - 1] for number in log.order) == order


def names(order: list[int]) -> list[str]:
    return ["wxyz"[number - 1] for number in order]


PAIRS = [(one, other) for one in range(1, 5) for other in range(1, one)]


def test_all_ladders_of_four_with_three_climbs_one_after_another() -> None:
    for climbs in product(product(PAIRS, OUTCOMES), repeat=2):
        log, order = LadderLog(4), list("wxyz")
        play_in_turn(log, order, climbs)
        after_two = list(order)
        for (place, other), (score, by_time) in product(PAIRS, OUTCOMES):
            results, events = dict(log.results), list(log.events)
            order = list(after_two)
            play_in_turn(log, order, [((place, other), (score, by_time))])
            assert names(log.order) == order
            log.results, log.events, log.climbs = results, events, 2


def play_in_turn(log: LadderLog, order: list[str], climbs: Iterable[Climb]) -> None:
    """Play climbs, each from the places that there are when it begins."""
    for (place, other_place), (score, by_time) in climbs:
        one, other = order[place - 1], order[other_place - 1]
        (board,) = log.climb("wxyz".index(one) + 1, "wxyz".index(other) + 1)
        log.end(board, score, by_time)
        simulate(order, one, other, score, by_time)


def test_all_ladders_of_four_with_three_climbs_at_once() -> None:
    """Each ends when places have changed meanwhile, in the order in which they ended."""
    for pairs in product(PAIRS, repeat=3):
        for outcomes in product(OUTCOMES, repeat=3):
            log, order = LadderLog(4), list("wxyz")
            boards = [log.climb(*pair)[0] for pair in pairs]
            for at in (2, 0, 1):
                log.end(boards[at], *outcomes[at])
                one, other = ("wxyz"[number - 1] for number in pairs[at])
                simulate(order, one, other, *outcomes[at])
            assert names(log.order) == order


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        ((1.0, False), (1.0, False), "zwxy"),
        ((1.0, False), (0.5, False), "zwxy"),
        ((1.0, False), (0.0, False), "wzxy"),
        ((0.5, False), (0.5, False), "wzxy"),
        ((0.0, False), (0.5, False), "wxyz"),
        ((1.0, True), (1.0, False), "xyzw"),
        ((1.0, True), (0.0, True), "wzxy"),
    ],
)
def test_e28_of_two_boards_more_than_a_point_wins(
    first: tuple[float, bool], second: tuple[float, bool], order: str
) -> None:
    log = LadderLog(4, games=2)
    one, other = log.climb(4, 1)
    log.end(other, *second, challenger_seat=0)
    assert names(log.order) == list("wxyz")
    log.end(one, *first)
    assert names(log.order) == list(order)


Act = tuple[str, int, int, tuple[float, bool]]


@st.composite
def acts(draw: st.DrawFn) -> list[Act]:
    """Draw what happens on a ladder: climbs that begin and end, people who come and go."""
    kinds = st.sampled_from(("climb", "climb", "end", "end", "enter", "leave", "lower", "correct"))
    numbers = st.integers(0, 30)
    return draw(
        st.lists(st.tuples(kinds, numbers, numbers, st.sampled_from(OUTCOMES)), max_size=40)
    )


def perform(log: LadderLog, act: Act, open_boards: list[int], inside: set[int]) -> None:
    kind, one, other, (score, by_time) = act
    order = log.order
    match kind:
        case "enter" if len(inside) < 10:
            player = one % 10 + 1
            if player not in inside:
                known = {entrant.player for entrant in log.state.entrants}
                player = player if player in known else len(known) + 1
                log.add(Kind.ENTERED, player=player)
                inside.add(player)
        case "climb" if len(order) > 1:
            at = one % (len(order) - 1) + 1
            open_boards += log.climb(order[at], order[other % at])
        case "end" if open_boards:
            log.end(open_boards.pop(one % len(open_boards)), score, by_time)
        case "lower" if order:
            log.add(Kind.LOWERED, player=order[one % len(order)])
        case "leave" if order:
            gone = order[one % len(order)]
            freed = [game for game in log.state.boards if gone in game.numbers and game.is_running]
            log.add(Kind.WITHDRAWN, player=gone, annulled=False, freed=[one.key for one in freed])
            inside.discard(gone)
        case "correct" if log.state.boards:
            keys = [game.key for game in log.state.boards if not game.is_ordinary]
            if keys:
                log.add(Kind.CORRECTED, key=keys[one % len(keys)], scores=[score, 1 - score])


@given(acts())
def test_the_order_is_always_a_permutation_of_who_is_in(drawn: list[Act]) -> None:
    log, inside, open_boards = LadderLog(5), set(range(1, 6)), list[int]()
    for act in drawn:
        perform(log, act, open_boards, inside)
        assert sorted(log.order) == sorted(inside)
        # Numbers are those of entry, and no one else ever gets them.
        assert [one.number for one in log.state.entrants] == list(
            range(1, len(log.state.entrants) + 1)
        )
    rows = LADDER.table(log.state)
    assert [row.place for row in rows] == list(range(1, len(inside) + 1))


@given(acts())
def test_what_is_written_later_does_not_change_the_order_before(drawn: list[Act]) -> None:
    """The order after a part of the log is that which players saw then; corrections aside."""
    log, inside, open_boards = LadderLog(5), set(range(1, 6)), list[int]()
    seen: list[tuple[int, datetime, list[int]]] = []
    for act in drawn:
        if act[0] != "correct":
            perform(log, act, open_boards, inside)
            seen.append((len(log.events), log.now, log.order))
    for length, moment, order in seen:
        known = {
            board: result
            for board, result in log.results.items()
            if result.ended_at is not None and result.ended_at <= moment
        }
        assert list(standing(fold(log.law, log.events[:length], known)).order) == order
