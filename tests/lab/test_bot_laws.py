"""`sarsen check` finds what is wrong with the functions of a game's `bot.py`."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import pytest

from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.lab.checking.laws import bots
from sarsen.lab.checking.walks import unnoted, walk
from sarsen.search.general.functions import OwnFunctions


def rollout(position: AnyPosition, chance: random.Random) -> tuple[float, Sequence[Any]]:
    """Play a random game; return the score of the seat to move, and the moves."""
    seat, played = position.seat, list[Any]()
    while moves := position.legal_moves():
        played.append(chance.choice(moves))
        position = position.play(played[-1])
    outcome = position.outcome()
    assert outcome is not None
    return outcome.scores[seat], played


def exchanged(position: AnyPosition, chance: random.Random) -> float:
    return 1 - rollout(position, chance)[0]


def expected(position: AnyPosition) -> float:
    return sum(rollout(position, random.Random(seed))[0] for seed in range(4)) / 2 - 1


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (OwnFunctions(), ""),
        (OwnFunctions(expected, lambda position, moves: [0.5] * len(moves), rollout), ""),
        (OwnFunctions(evaluate=lambda position: math.nan), "`evaluate`"),
        (OwnFunctions(evaluate=lambda position: None), "`evaluate`"),  # type: ignore[arg-type,return-value]
        (OwnFunctions(policy=lambda position, moves: [1.0]), "`policy`"),
        (OwnFunctions(rollout=lambda position, chance: -1.0), "`rollout`"),
        (OwnFunctions(rollout=lambda position, chance: (0.5, ["z99"])), "`rollout`"),
    ],
)
def test_what_a_function_answers_is_looked_at(
    own: OwnFunctions, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "functions_of", lambda game: own)
    *_, met = walk(load("visavis"), "-size=5", seed=1, most=4)
    faults = [fault.text.split()[0] for fault in bots.functions_answer(met)]
    assert faults == ([said] if said else [])


@pytest.mark.parametrize(
    ("own", "named"),
    [
        (OwnFunctions(expected, rollout=rollout), []),
        (OwnFunctions(lambda position: 0.0), []),
        (OwnFunctions(lambda position: -expected(position)), ["`evaluate`"]),
        (OwnFunctions(rollout=exchanged), ["`rollout`"]),
    ],
)
def test_function_that_judges_for_the_wrong_seat_is_noted(
    own: OwnFunctions, named: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "functions_of", lambda game: own)
    monkeypatch.setattr(bots, "MAX_GAMES", 150)
    monkeypatch.setattr(bots, "mixed_options", lambda game, chance: "-size=5")
    found = bots.functions_judge_for_the_mover(load("visavis"), math.inf, unnoted)
    assert [one.text.split()[0] for one in found] == named
