"""How fast the rules are: replaying a record, listing legal moves, perft.

`python -m bench.games [--runs 7] [GAME …]` measures them alone. Times are processor seconds of this
process, so that a busy machine changes them little.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console

from bench.calibration import calibration
from bench.figures import Spread, spread
from sarsen.core.game import AnyPosition, Game
from sarsen.core.referee import perft, replayed
from sarsen.games import load, names

PLIES = 60
MAX_SEEDS = 16  # records tried until one is long enough
MAX_CHOICES = 12  # moves tried at a ply until one does not end the game
LEAST_RUN = 0.1  # processor seconds; what takes less is repeated within a run
DEEPEST = 3
PERFT_LIMIT = 2.0  # processor seconds that the deepest perft may be expected to take


@dataclass(frozen=True)
class Record:
    """A game played at random, and the seed that plays it again."""

    seed: int
    moves: tuple[str, ...]
    positions: tuple[AnyPosition, ...]


@dataclass(frozen=True)
class GameSpeed:
    """The speed of one game's rules.

    Attributes:
        plies, seed: Of the record; shorter than `PLIES` where no seed tried went further.
        replay_ms: Replaying the record from its texts.
        replay_ratio: The same in calibrations.
        positions: How many had their moves listed, each read anew before.
        moves: Legal moves of these positions on average.
        positions_per_s: Lists of legal moves a second.
        listing_ratio: Lists of legal moves in the time of one calibration.
        perft_depth, perft_nodes, nodes_per_s: From the start.
    """

    game: str
    options: dict[str, int | bool]
    seed: int
    plies: int
    replay_ms: Spread
    replay_ratio: float
    positions: int
    moves: float
    positions_per_s: Spread
    listing_ratio: float
    perft_depth: int
    perft_nodes: int
    nodes_per_s: float


def measure(name: str, runs: int) -> GameSpeed:
    """Measure one game with its default options."""
    game = load(name)
    record = _longest_record(game)
    # Once before it counts: what a game remembers of its geometry, every process has soon.
    replay_times = _repeats(_replay_time(game, record))
    listing_times = _repeats(_listing_time(game, record))
    replays, replay_ratios, listings, listing_ratios = [], [], [], []
    for _ in range(runs):
        # The yardstick is taken beside each run: both meet the same disturbances.
        gc.collect()
        yardstick = calibration()
        replay = sum(_replay_time(game, record) for _ in range(replay_times)) / replay_times
        listed = sum(_listing_time(game, record) for _ in range(listing_times))
        listing = listed / listing_times / len(record.positions)
        replays.append(1000 * replay)
        replay_ratios.append(replay / yardstick)
        listings.append(1 / listing)
        listing_ratios.append(yardstick / listing)
    branching = [len(position.legal_moves()) for position in record.positions]
    depth, nodes, seconds = _deepest_perft(game, max(branching))
    return GameSpeed(
        game=name,
        options=dict(game.start().options),
        seed=record.seed,
        plies=len(record.moves),
        replay_ms=spread(replays),
        replay_ratio=spread(replay_ratios).median,
        positions=len(record.positions),
        moves=sum(branching) / len(branching),
        positions_per_s=spread(listings),
        listing_ratio=spread(listing_ratios).median,
        perft_depth=depth,
        perft_nodes=nodes,
        nodes_per_s=nodes / seconds,
    )


def _repeats(seconds: float) -> int:
    return max(1, round(LEAST_RUN / max(seconds, 1e-6)))


def _longest_record(game: Game) -> Record:
    longest = Record(0, (), ())
    for seed in range(MAX_SEEDS):
        record = random_record(game, seed, PLIES)
        if len(record.moves) > len(longest.moves):
            longest = record
        if len(longest.moves) == PLIES:
            break
    return longest


def random_record(game: Game, seed: int, plies: int) -> Record:
    """Play at random, avoiding for some tries the moves that end the game."""
    chance = random.Random(seed)
    position = game.start()
    moves: list[str] = []
    positions: list[AnyPosition] = []
    while position.outcome() is None and len(moves) < plies:
        legal = list(position.legal_moves())
        choices = chance.sample(legal, min(MAX_CHOICES, len(legal)))
        following = (position.play(move) for move in choices)
        pairs = zip(choices, following, strict=True)
        going_on = (pair for pair in pairs if pair[1].outcome() is None)
        move, after = next(going_on, (choices[0], position.play(choices[0])))
        moves.append(position.format(move))
        positions.append(position)
        position = after
    return Record(seed, tuple(moves), tuple(positions))


def _replay_time(game: Game, record: Record) -> float:
    start = game.start()
    return _time(lambda: replayed(start, record.moves))


def _listing_time(game: Game, record: Record) -> float:
    # Read anew outside the timer: a position may remember the moves it has listed.
    fresh = [game.read(position.write()) for position in record.positions]
    return _time(lambda: [position.legal_moves() for position in fresh])


def _deepest_perft(game: Game, widest: int) -> tuple[int, int, float]:
    depth, nodes, seconds = 0, 1, 0.0
    while depth < DEEPEST:
        began = time.process_time()
        depth, nodes = depth + 1, perft(game.start(), depth + 1)
        seconds = max(time.process_time() - began, 1e-9)
        if seconds * widest > PERFT_LIMIT:
            break
    return depth, nodes, seconds


def _time(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    """Measure games, and print their table."""
    from bench.report import games_table

    options = argparse.ArgumentParser(prog="python -m bench.games")
    options.add_argument("--runs", type=int, default=7)
    options.add_argument("games", nargs="*", help="(default: all)")
    asked = options.parse_args()
    Console(width=120).print(
        games_table([measure(one, asked.runs) for one in asked.games or names()])
    )


if __name__ == "__main__":
    main()
