"""Games in which positions come back: what is proved there is true, whatever way led there."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from sarsen.core.game import AnyPosition, GameInfo, Outcome
from sarsen.core.options import Value
from sarsen.search.contract import KEY, Array, Kernel
from sarsen.search.rules_kernel import PlainModule
from sarsen.search.thinking import Tuning, alphabeta, mcts, prove
from sarsen.search.thought import Budget

PLACES = 14
ENOUGH = Budget(nodes=6_000)


@dataclass(frozen=True)
class Walk:
    """A stone on a map of one-way paths, moved in turn; it wins for a seat where the map says so.

    Attributes:
        paths: From each place; a place without any ends the game.
        winners: By place, for those that end it.
    """

    paths: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]
    place: int = 0
    seat: int = 0

    @property
    def game(self) -> Any:
        return self

    @property
    def info(self) -> GameInfo:
        return GameInfo("walk", "Walk", ("A", "B"), "-", 2026, 1, (), "A walk.")

    @property
    def options(self) -> Mapping[str, Value]:
        return {}

    @property
    def sides(self) -> tuple[str, ...]:
        return ("A", "B")

    def outcome(self) -> Outcome | None:
        if self.paths[self.place]:
            return None
        winner = self.winners[self.place]
        return Outcome((float(winner == 0), float(winner == 1)), "The walk is over.")

    def legal_moves(self) -> Sequence[int]:
        return self.paths[self.place]

    def play(self, move: int) -> Walk:
        return replace(self, place=move, seat=1 - self.seat)

    def parse(self, text: str) -> int:
        return int(text)

    def format(self, move: int) -> str:
        return str(move)

    def effects(self) -> tuple[str, ...]:
        return ()

    def write(self) -> str:
        return f"{self.place} {self.seat}"


class CyclicModule(PlainModule):
    """A game whose kernel declares that positions may come back."""

    def kernel(self, position: AnyPosition) -> Kernel:
        return replace(super().kernel(position), is_cyclic=True)


@dataclass(frozen=True)
class OneWay(Walk):
    """The same without a way back to where the stone stood; who has no other way draws."""

    stood: frozenset[int] = frozenset()

    def outcome(self) -> Outcome | None:
        if not self.paths[self.place] or self.legal_moves():
            return super().outcome()
        return Outcome((0.5, 0.5), "There is no way on.")

    def legal_moves(self) -> Sequence[int]:
        return tuple(to for to in self.paths[self.place] if to not in self.stood)

    def play(self, move: int) -> OneWay:
        stood = self.stood | {self.place}
        return replace(self, place=move, seat=1 - self.seat, stood=stood)

    def write(self) -> str:
        return f"{super().write()} {sorted(self.stood)}"


class ForgetfulModule(PlainModule):
    """Leave out of the keys where the stone stood, and say so."""

    def kernel(self, position: AnyPosition) -> Kernel:
        return replace(super().kernel(position), is_forgetful=True)

    def encode(self, position: AnyPosition) -> Array:
        state = super().encode(position)
        assert isinstance(position, OneWay)
        state[KEY] = 2 * position.place + position.seat + 1
        return state


@cache
def value(position: OneWay) -> float:
    """Return what the first seat can force, by looking at every walk."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.scores[0]
    values = [value(position.play(move)) for move in position.legal_moves()]
    return min(values) if position.seat else max(values)


def map_of(seed: int) -> Walk:
    """Draw a map with ends for both."""
    chance = random.Random(seed)
    ends = PLACES - 4
    paths = [
        tuple(chance.sample([to for to in range(PLACES) if to != place], chance.randint(2, 3)))
        for place in range(ends)
    ]
    return Walk((*paths, *[()] * 4), (*[0] * (PLACES - 2), 1, 1))


def truths(start: Walk) -> dict[tuple[int, int], float]:
    """Return by place and seat to move what the first seat can force; 0.5 for endless walks."""
    known: dict[tuple[int, int], float] = {}
    while True:
        before = len(known)
        for place in range(PLACES):
            for seat in (0, 1):
                position = replace(start, place=place, seat=seat)
                outcome = position.outcome()
                after = [known.get((to, 1 - seat)) for to in start.paths[place]]
                if outcome is not None:
                    known[place, seat] = outcome.scores[0]
                elif 1.0 - seat in after:
                    known[place, seat] = 1.0 - seat
                elif all(one == seat for one in after):
                    known[place, seat] = float(seat)
        if len(known) == before:
            return {
                (place, seat): known.get((place, seat), 0.5)
                for place in range(PLACES)
                for seat in (0, 1)
            }


@pytest.mark.parametrize("module", [PlainModule, CyclicModule])
def test_wins_and_losses_proved_are_true_and_no_walk_without_end_is_decided(
    module: type[PlainModule],
) -> None:
    claims = 0
    for seed in range(30):
        position = map_of(seed)
        truth = truths(position)[0, 0]
        for found in (
            alphabeta(module(), position, ENOUGH, seed, tuning=Tuning(deepest=16)).proved,
            mcts(module(), position, Budget(nodes=300), seed).proved,
            prove(module(), position, Budget(nodes=600)).score,
        ):
            assert found in (None, truth), seed
            claims += found is not None
            assert found != 0.5, "a draw would hang on the past"
    assert claims > 30


def test_what_one_history_proves_is_no_proof_in_another() -> None:
    claims = 0
    for seed in range(100):
        drawn = map_of(seed)
        position = OneWay(drawn.paths, drawn.winners)
        thought = alphabeta(ForgetfulModule(), position, ENOUGH, seed, tuning=Tuning(deepest=16))
        assert thought.proved in (None, value(position)), seed
        claims += thought.proved is not None
        assert prove(ForgetfulModule(), position, ENOUGH).score is None
    assert claims > 30
