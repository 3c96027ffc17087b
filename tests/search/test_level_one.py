"""The weakest level knows the goal of the game: it beats chance."""

from __future__ import annotations

import random

import pytest

from sarsen.games import load
from sarsen.search import bots


@pytest.mark.parametrize(("game", "options"), [("druid", "-size=6"), ("visavis", "-size=9")])
def test_level_1_beats_chance_from_both_seats(game: str, options: str) -> None:
    chance = random.Random(5)
    bot = bots.load(bots.LEAST)
    for seat in (0, 1) * 4:
        position = load(game).start(options)
        while position.outcome() is None:
            if position.seat == seat:
                move = bot.think(position, seed=chance.getrandbits(30)).move
            else:
                move = chance.choice(list(position.legal_moves()))
            position = position.play(move)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.scores[seat] == 1.0
