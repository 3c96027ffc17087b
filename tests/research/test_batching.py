"""Batches of games: every step is compared with the rules and the coding of the game."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

import sarsen
from sarsen.core.coding import numbered
from sarsen.core.errors import IllegalMove, UserError
from sarsen.research import ResearchPosition, batch
from sarsen.research.batching import Batch
from search.noughts import Noughts

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


@pytest.mark.parametrize("name", ["druid", "gyges", "vasco", "visavis"])
def test_an_illegal_action_is_refused_by_game_and_number_and_nothing_changes(name: str) -> None:
    games = batch(name, 3)
    games.step(games.sample())
    mask, planes = games.legal_mask(), games.observe()
    illegal = np.flatnonzero(~mask[1])
    for wrong in (-2, games.actions, 10**12, int(illegal[0]), int(illegal[-1])):
        actions = games.sample()
        actions[1] = wrong
        with pytest.raises(IllegalMove, match=f"In game 1 .* number {wrong};") as refusal:
            games.step(actions)
        assert refusal.value.code == "no-such-action"
        assert mask[1, int(refusal.value.hint.split()[-1])]
        assert np.array_equal(games.legal_mask(), mask)
        assert np.array_equal(games.observe(), planes)
        assert games.plies.tolist() == [1, 1, 1]


def test_every_number_outside_the_mask_is_refused() -> None:
    for name, options in (("druid", "-size=4"), ("visavis", "-size=5"), ("vasco", "-size=6")):
        games = batch(name, 1, options)
        for _ in range(3):
            for number in np.flatnonzero(~games.legal_mask()[0]):
                with pytest.raises(IllegalMove):
                    games.step([number])
            games.step(games.sample())


def test_a_game_that_is_over_takes_no_action_and_is_begun_anew_by_a_mask() -> None:
    games = batch("druid", 2, "-size=3")
    moves = ("a1", "c1", "a2", "c2", "a3")
    number = {text: action for action, text in sarsen.load("druid").start(size=3).actions().items()}
    for text in moves:
        rewards, ends = games.step([number[text], -1])
    assert rewards.tolist() == [[1, -1], [0, 0]]
    assert ends.tolist() == [True, False]
    assert games.plies.tolist() == [5, 0]
    assert games.counts.tolist() == [0, 8]
    assert games.sample()[0] == -1
    with pytest.raises(IllegalMove, match="Game 0 of this batch is over"):
        games.step([number["b1"], -1])
    rewards, ends = games.step([-1, number["a1"]])
    assert not rewards.any()
    assert ends.tolist() == [True, False]
    games.reset(np.array([True, False]))
    assert games.plies.tolist() == [0, 1]
    assert games.ends.tolist() == [False, False]
    games.reset()
    assert games.plies.tolist() == [0, 0]


def test_a_game_that_ends_begins_anew_where_that_is_asked_for() -> None:
    games = batch("visavis", 16, "-size=5", auto_reset=True)
    ended = 0
    for _ in range(60):
        rewards, ends = games.step(games.sample())
        assert (np.abs(rewards).sum(axis=1) == 2 * ends).all()
        assert (games.plies[ends] == 0).all()
        assert (games.counts[ends] == 9).all()
        ended += int(ends.sum())
    assert ended > 16


def test_most_plies_cuts_a_game_without_a_reward() -> None:
    games = batch("gyges", 2, most_plies=3)
    assert batch("gyges", 1).most_plies == 1000
    for _ in range(3):
        assert not games.ends.any()
        rewards, _ = games.step(games.sample())
    assert games.ends.all()
    assert games.cuts.all()
    assert not rewards.any()
    assert not games.legal_mask().any()


def test_a_game_is_the_same_in_a_batch_of_any_size_and_another_by_another_seed() -> None:
    def played(n: int, seed: int) -> list[int]:
        games = batch("druid", n, "-size=5", seed)
        return [int(games.step(actions)[1][0]) + int(actions[0]) for actions in _sampled(games)]

    assert played(1, 3) == played(64, 3) != played(1, 4)


def _sampled(games: Batch) -> Iterator[NDArray[np.int64]]:
    for _ in range(8):
        yield games.sample()


def test_samples_are_even_over_the_legal_moves() -> None:
    games = batch("visavis", 9 * 1000, "-size=5")
    _, counts = np.unique(games.sample(), return_counts=True)
    assert len(counts) == 9
    assert counts.min() > 850


def test_arrays_to_write_into_and_what_they_must_be() -> None:
    games = batch("visavis", 3, "-size=5")
    mask = np.empty((3, 26), np.bool_)
    assert games.legal_mask(mask) is mask
    planes = np.empty((3, 4, 5, 5), np.float32)
    assert games.observe(planes) is planes
    numbers = np.empty((3, games.most_moves), np.int64)
    assert games.legal_actions(numbers) is numbers
    for wrong in (mask[:2], mask.astype(np.int8), np.empty((26, 3), np.bool_).T):
        with pytest.raises(UserError, match="C-contiguous"):
            games.legal_mask(wrong)
    for actions in ([1, 2], [1.0, 2.0, 3.0], [[1, 2, 3]]):
        with pytest.raises(UserError, match="3 whole numbers"):
            games.step(actions)
    with pytest.raises(UserError, match="3 truths"):
        games.reset(np.array([1, 0, 0]))


def test_what_cannot_be_is_refused() -> None:
    for n in (0, -1, 1 << 21):
        with pytest.raises(UserError, match="1 to 1048576 games"):
            batch("druid", n)
    with pytest.raises(UserError, match="size must be from"):
        batch("druid", 1, "-size=99")
    with pytest.raises(UserError, match="plies"):
        batch("druid", 1, most_plies=-1)
    with pytest.raises(UserError, match="no kernel that plays batches") as refusal:
        Batch(ResearchPosition(numbered(Noughts())), 1, 0, None, auto_reset=False)
    assert refusal.value.code == "no-batch"


def test_an_arrangement_of_gyges_that_stood_long_ago_is_not_repeated() -> None:
    """Games of more plies than the kernel of searches remembers arrangements."""
    games = batch("gyges", 4, seed=2)
    theirs = [sarsen.load("gyges").start().numbered] * 4
    longest = 0
    for ply in range(300):
        actions = games.sample()
        running = ~games.ends
        games.step(actions)
        for game in np.flatnonzero(running):
            theirs[game] = theirs[game].play_action(int(actions[game]))
            if ply > 128:
                numbers = games.legal_actions()[game, : games.counts[game]]
                assert sorted(numbers.tolist()) == theirs[game].action_numbers()
                longest = ply
    assert longest > 200


def test_a_player_of_gyges_whose_moves_all_repeat_is_skipped_and_a_draw_when_both_are() -> None:
    """Ruling G6, where only what stood long ago forbids the moves."""
    from sarsen.games.gyges.kernel import batch as module
    from sarsen.games.gyges.kernel.tables import HASH_NORTH
    from sarsen.games.gyges.kernel.turns import HIGH, LOW, arrangement_of, hash_changed, legal
    from sarsen.search.contract import DRAWN, KEY, ONGOING, RESULT, SEAT

    games = batch("gyges", 1, seed=5)
    for _ in range(2):  # Nobody can win right after the set-ups.
        games.step(games.sample())
    constants = games._kernel.constants
    state = games._rows[0, 4 : 4 + games._words].copy()
    moves = np.zeros(games.most_moves, np.int64)

    def forbid_all(seat: int) -> None:
        asked = state.copy()
        if asked[SEAT] != seat:
            asked[SEAT] = seat
            asked[KEY] ^= constants[HASH_NORTH]
        count = legal(constants, asked, moves)
        low, high = np.uint64(asked[LOW]), np.uint64(asked[HIGH])
        for move in moves[:count]:
            assert move >> 6 & 63 < 36
            changed = np.uint64(hash_changed(constants, low, high, np.uint64(move)))
            module._keep(state, arrangement_of(constants, asked) ^ changed)

    mover = int(state[SEAT])
    forbid_all(mover)
    after = state.copy()
    assert module._list(constants, after, moves) > 0
    assert (after[SEAT], after[RESULT]) == (1 - mover, ONGOING)
    forbid_all(1 - mover)
    after = state.copy()
    assert module._list(constants, after, moves) == 0
    assert (after[SEAT], after[RESULT]) == (mover, DRAWN)
