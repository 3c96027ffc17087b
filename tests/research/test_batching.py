"""Batches of games: every step is compared with the rules and the coding of the game."""

from __future__ import annotations

import numpy as np
import pytest

import sarsen
from sarsen.research import ResearchPosition, batch
from sarsen.research.batching import Batch

# Options, games, and steps of each.
CASES = [
    ("visavis", "-size=5 -swap", 40, 60),
    ("visavis", "-size=9", 10, 60),
    ("visavis", "-size=25 -swap", 2, 100),
    ("druid", "-size=3 -swap", 40, 90),
    ("druid", "-size=4 -nogaps -swap", 20, 60),
    ("druid", "-size=5 -exact", 20, 60),
    ("druid", "-size=8 -nogaps -exact", 4, 80),
    ("druid", "-size=9 -swap", 4, 60),
    ("druid", "-size=12 -exact -swap", 2, 60),
    ("druid", "-size=10 -nogaps", 2, 60),
    ("gyges", "", 6, 60),
    ("vasco", "-size=6", 30, 10),
    ("vasco", "-size=9", 20, 10),
    ("vasco", "-size=20", 10, 30),
    ("vasco", "-size=54", 4, 60),
    ("vasco", "-size=200", 1, 60),
]


@pytest.mark.parametrize(("name", "options", "games", "steps"), CASES)
def test_every_step_is_that_of_the_rules(name: str, options: str, games: int, steps: int) -> None:
    ours = batch(name, games, options, seed=7)
    theirs = [sarsen.load(name).start(options)] * games
    ended = np.zeros(games, np.bool_)
    assert_alike(ours, theirs, list(range(games)))
    for _ in range(steps):
        actions = ours.sample()
        assert np.array_equal(actions < 0, ended)
        rewards, ends = ours.step(actions)
        for game in np.flatnonzero(~ended):
            theirs[game] = theirs[game].play_action(int(actions[game]))
            outcome = theirs[game].outcome()
            assert bool(ends[game]) == (outcome is not None)
            scores = (0.5, 0.5) if outcome is None else outcome.scores
            assert rewards[game].tolist() == [2 * score - 1 for score in scores]
        assert not rewards[ended].any()
        assert_alike(ours, theirs, list(np.flatnonzero(~ended)))
        ended = ends
        if ended.all():
            break


def assert_alike(ours: Batch, theirs: list[ResearchPosition], games: list[int]) -> None:
    """Compare masks, lists, seats, plies and planes with the rules and the coding."""
    mask, numbers, planes = ours.legal_mask(), ours.legal_actions(), ours.observe()
    seats, plies, counts = ours.seats, ours.plies, ours.counts
    for game in games:
        position = theirs[game]
        legal = list(position.action_numbers())
        assert np.flatnonzero(mask[game]).tolist() == legal, position.write()
        assert sorted(numbers[game, : counts[game]].tolist()) == legal
        assert (numbers[game, counts[game] :] == -1).all()
        assert seats[game] == position.seat
        assert plies[game] == len(position.moves)
        assert np.array_equal(planes[game], position.observation()), position.write()
