"""Bots of Visavis: perfect at the top, and never stupid from level 3."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from sarsen.core.referee import replayed
from sarsen.games.visavis.board import O
from sarsen.games.visavis.proof import verdict as allowances
from sarsen.games.visavis.proof.verdict import judge
from sarsen.games.visavis.rules import GAME, VisavisPosition
from sarsen.search import bots
from sarsen.search.thought import Budget, Stop

LEVELS = range(1, 9)


def started(options: str, moves: str = "") -> VisavisPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, VisavisPosition)
    return position


def played(position: VisavisPosition, levels: tuple[int, int], seed: int) -> VisavisPosition:
    """Let two levels finish a game, the first in seat 0."""
    chance = random.Random(seed)
    while position.outcome() is None:
        bot = bots.load(levels[position.seat])
        position = position.play(bot.think(position, seed=chance.getrandbits(30)).move)
    return position


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("options", ["-size=5", "-size=7 -swap"])
def test_every_level_plays_legal_games(options: str, level: int) -> None:
    assert played(started(options), (level, level), level).outcome() is not None


@pytest.mark.parametrize("size", [5, 9, 13, 25])
def test_the_top_level_wins_as_first_player(size: int) -> None:
    for rival in (1, 4) if size == 25 else LEVELS:
        assert played(started(f"-size={size}"), (8, rival), rival).winner == O


def test_the_top_level_wins_whatever_is_won_when_it_comes_to_a_game() -> None:
    chance = random.Random(11)
    for seed in range(12):
        position = started("-size=9")
        for _ in range(chance.randrange(12)):
            position = position.play(chance.choice(position.legal_moves()))
        winner = judge(position).winner
        levels = (8, 5) if winner == O else (5, 8)
        assert played(position, levels, seed).winner == winner


@pytest.mark.parametrize("size", [5, 7, 9, 25])
def test_the_top_level_swaps_exactly_when_the_opening_wins(size: int) -> None:
    openings = started(f"-size={size} -swap").legal_moves()
    for opening in openings if size < 25 else openings[::40]:
        position = started(f"-size={size} -swap", opening)
        swaps = bots.load(8).think(position, seed=1).move == "swap"
        assert swaps == (judge(started(f"-size={size}", opening)).winner == O), opening


@pytest.mark.parametrize("size", [5, 9, 25])
def test_with_swap_the_top_level_opens_with_a_bridge_that_loses(size: int) -> None:
    opening = bots.load(8).think(started(f"-size={size} -swap"), seed=2).move
    assert judge(started(f"-size={size}", opening)).winner != O


def test_openings_vary() -> None:
    bot = bots.load(8)
    assert len({bot.think(started("-size=13"), seed=seed).move for seed in range(20)}) > 3


@pytest.mark.parametrize("level", range(2, 9))
def test_from_level_2_no_win_in_one_is_missed(level: int) -> None:
    # O has A4 to E4 and needs the last bridge, with X out of the way.
    position = started("-size=7", "B4 D6 D4 F6")
    thought = bots.load(level).think(position, seed=level)
    assert position.play(thought.move).winner == O
    assert (thought.proved, thought.plies) == (1.0, 1)


@pytest.mark.parametrize("level", range(3, 9))
def test_from_level_3_no_win_in_one_is_allowed(level: int) -> None:
    position = started("-size=7", "B4 F3 D4")
    for seed in range(8):
        after = position.play(bots.load(level).think(position, seed=seed).move)
        assert all(after.play(move).winner != O for move in after.legal_moves())


def test_the_same_seed_gives_the_same_thought() -> None:
    position = started("-size=9", "D4 D5")
    for level in LEVELS:
        one, other = (bots.load(level).think(position, seed=5) for _ in range(2))
        assert (one.move, one.candidates) == (other.move, other.candidates)


@pytest.mark.parametrize(
    ("options", "moves"), [("-size=25", "L13"), ("-size=25", "L13 M14"), ("-size=13 -swap", "")]
)
def test_a_budget_of_nodes_is_kept_and_reads_no_clock(
    options: str, moves: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden() -> float:
        raise AssertionError("the clock is read")

    position, bot = started(options, moves), bots.load(8)
    clocks = SimpleNamespace(monotonic=forbidden)
    monkeypatch.setattr(allowances, "time", clocks)
    one, other = (bot.think(position, seed=4, budget=Budget(nodes=60)) for _ in range(2))
    assert (one.move, one.candidates, one.nodes) == (other.move, other.candidates, other.nodes)
    # A move that is being weighed is weighed to its end, against 24 answers at most.
    assert 1 < one.nodes <= 60 + 25


def test_shares_of_an_allowance_are_taken_from_the_whole() -> None:
    whole = allowances.JudgingBudget(Budget(nodes=10))
    share = whole.share(0.5)
    while not share.is_spent:
        share.spend()
    assert (share.judged, whole.judged) == (5, 5)
    rest = whole.share(1.0)
    while not whole.is_spent:
        whole.spend()
    assert rest.is_spent


def test_tempting_ends_with_the_one_deadline_of_the_move() -> None:
    thought = bots.load(8).think(started("-size=25 -swap"), seed=2, budget=Budget(seconds=0.0))
    # One first bridge is judged, and no second begun.
    assert thought.nodes == 1


def test_a_lost_game_is_not_given_up_at_once() -> None:
    thought = bots.load(8).think(started("-size=13", "F8"), seed=3)
    assert (thought.proved, thought.plies) == (0.0, None)


def test_a_stopped_bot_still_moves() -> None:
    stop = Stop()
    stop.set()
    position = started("-size=25", "A3")
    thought = bots.load(8).think(position, seed=3, stop=stop, budget=Budget(seconds=0.001))
    assert thought.move in position.legal_moves()


def test_a_bot_with_only_idle_bridges_left_builds_one() -> None:
    chance = random.Random(1)
    position = started("-size=5")
    while position.outcome() is None:
        thought = bots.load(8).think(position, seed=chance.getrandbits(20))
        assert thought.move in position.legal_moves()
        position = position.play(thought.move)
