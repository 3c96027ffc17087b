"""The ladder: every level of a game against the next and the next but one."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sarsen import __version__
from sarsen.core.errors import UserError
from sarsen.lab.elo import Sprt
from sarsen.lab.games import Played, Timing
from sarsen.lab.matches import INTERRUPTED, MatchResult, Pair, Setup, play_match
from sarsen.lab.players import read_entry
from sarsen.search.bots import MOST

# From this level on a game takes long, and fewer may do.
HIGH = 6


@dataclass(frozen=True)
class Climb:
    """The ladder that is climbed.

    Attributes:
        levels: Rising.
        pairs: Of each pairing, at most.
        sprt: Ends the match of a level with the next early.
        top_nodes: Positions that level MOST searches a move, instead of its own limits: one
            of them is a clock, and what is done by it nobody can repeat.
        high_pairs: Of each pairing with a level from HIGH on, instead of `pairs`.
    """

    game: str
    options: str
    levels: tuple[int, ...]
    pairs: int
    seed: int = 0
    jobs: int = 1
    sprt: Sprt | None = None
    top_nodes: int | None = None
    high_pairs: int | None = None
    scheduler: str = ""

    @property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        """The pair that plays: places on the ladder, the higher one first."""
        places = range(len(self.levels))
        return tuple((place + up, place) for up in (1, 2) for place in places[: len(places) - up])

    def setup(self, higher: int, lower: int) -> Setup:
        """Return what two places of the ladder play."""
        a, b = (read_entry(self._word(self.levels[place])) for place in (higher, lower))
        # Every pairing has openings of its own.
        seed = self.seed * 10_000 + 100 * self.levels[higher] + self.levels[lower]
        sprt = self.sprt if higher - lower == 1 else None
        pairs = self.pairs_of(higher)
        return Setup(
            *(self.game, self.options, a, b, pairs, seed),
            sprt=sprt,
            jobs=self.jobs,
            scheduler=self.scheduler,
        )

    @property
    def games(self) -> int:
        """Return how many games are played at most."""
        return 2 * sum(self.pairs_of(higher) for higher, _ in self.pairings)

    def played(self, before: Sequence[MatchResult], running: MatchResult) -> int:
        """Return how many of the games are over, those included that a test has saved.

        Args:
            before: The finished matches.
        """
        pairs = sum(self.pairs_of(higher) for higher, _ in self.pairings[: len(before)])
        return 2 * (pairs + len(running.pairs))

    def pairs_of(self, higher: int) -> int:
        """Return how many pairs a place of the ladder plays against a lower one."""
        is_high = self.levels[higher] >= HIGH
        return self.high_pairs if self.high_pairs and is_high else self.pairs

    def _word(self, level: int) -> str:
        limit = f"@nodes={self.top_nodes}" if level == MOST and self.top_nodes else ""
        return f"bot{level}{limit}"


@dataclass(frozen=True)
class Rung:
    """One level of the finished ladder, in Elo.

    Attributes:
        elo, error: Above the lowest level.
        step, step_error: Above the level before; 0 for the lowest.
        match: Against the level before; None for the lowest.
        seconds: A move, on average over all its games.
    """

    level: int
    elo: float
    error: float
    step: float
    step_error: float
    match: MatchResult | None
    seconds: float


@dataclass(frozen=True)
class Ladder:
    """The matches of a ladder as far as they went."""

    climb: Climb
    matches: tuple[MatchResult, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every pairing was played."""
        played = [match for match in self.matches if match.stopped != INTERRUPTED]
        return len(played) == len(self.climb.pairings)

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """Fit the levels to all results.

        Levels that no game joins to the lowest are left out.
        """
        from sarsen.lab.elo import fit

        results = {
            pairing: match.results
            for pairing, match in zip(self.climb.pairings, self.matches, strict=False)
            if match.pairs
        }
        joined = _joined(results)
        fitted = fit(len(joined), results)
        rungs = []
        for place in range(len(joined)):
            whole, step = fitted.above(place, 0), fitted.above(place, max(0, place - 1))
            match = self.matches[place - 1] if place else None
            rungs.append(
                Rung(
                    level=self.climb.levels[place],
                    elo=whole.elo,
                    error=whole.error,
                    step=step.elo,
                    step_error=step.error,
                    match=match,
                    seconds=self._seconds(place),
                )
            )
        return tuple(rungs)

    def _seconds(self, place: int) -> float:
        moves, seconds = 0, 0.0
        for pairing, match in zip(self.climb.pairings, self.matches, strict=False):
            if place in pairing:
                timing = match.timings[pairing.index(place)]
                moves, seconds = moves + timing.moves, seconds + timing.seconds
        return seconds / moves if moves else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return everything for a program."""
        return {
            "game": self.climb.game,
            "options": self.climb.options,
            "seed": self.climb.seed,
            "top_nodes": self.climb.top_nodes,
            "is_whole": self.is_whole,
            "rungs": [
                {
                    "level": rung.level,
                    "elo": round(rung.elo, 1),
                    "error": round(rung.error, 1),
                    "step": round(rung.step, 1),
                    "step_error": round(rung.step_error, 1),
                    "seconds_a_move": round(rung.seconds, 4),
                }
                for rung in self.rungs
            ],
            "matches": [
                {
                    "players": [match.setup.a.name, match.setup.b.name],
                    "results": list(match.results),
                    "pairs": list(match.counts),
                    "stopped": match.stopped,
                }
                for match in self.matches
            ],
        }


def climb_ladder(
    climb: Climb,
    on_pair: Callable[[Sequence[MatchResult], MatchResult], None],
    keeper: Keeper | None = None,
) -> Ladder:
    """Play every pairing; `on_pair` is called with the finished matches and the running one.

    An interrupt from the keyboard ends it; what was played counts.

    Args:
        keeper: Has the pairs of an earlier run, and gets the new ones.
    """
    matches: list[MatchResult] = []

    def keep_pair(running: MatchResult) -> None:
        if keeper:
            keeper.keep(running.setup, running.pairs[-1])
        on_pair(matches, running)

    for higher, lower in climb.pairings:
        setup = climb.setup(higher, lower)
        matches.append(play_match(setup, keep_pair, keeper.pairs(setup) if keeper else ()))
        if matches[-1].stopped == INTERRUPTED:
            break
    return Ladder(climb, tuple(matches))


def _joined(results: dict[tuple[int, int], Any]) -> list[int]:
    """List the places from the lowest up that the results join; the lowest always."""
    joined = [0]
    while (len(joined), joined[-1]) in results:
        joined.append(len(joined))
    return joined


class Keeper:
    """A file with a line of JSON for each pair; pairs played by other versions are ignored.

    Raises:
        UserError: The file holds something else, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._out = path.open("a+", encoding="utf-8")
            self._out.seek(0)
            text = self._out.read()
            records = [
                json.loads(line) for line in text.splitlines(keepends=True) if line[-1] == "\n"
            ]
            self._pairs = [(str(record["match"]), _pair(record["pair"])) for record in records]
            # A process killed while writing has left half a line.
            self._out.truncate(len(text[: text.rfind("\n") + 1].encode()))
        except (OSError, ValueError, KeyError, TypeError) as unreadable:
            raise UserError(
                f"{str(path)[:200]} is not a file of games: {type(unreadable).__name__}.",
                code="unreadable-games",
                hint="Use a new file, or one written with --keep.",
            ) from None

    def pairs(self, setup: Setup) -> tuple[Pair, ...]:
        """Return the pairs kept of a match, from the first on, none missing."""
        by_index = {pair.index: pair for name, pair in self._pairs if name == _name(setup)}
        first_pairs: list[Pair] = []
        while len(first_pairs) in by_index and len(first_pairs) < setup.pairs:
            first_pairs.append(by_index[len(first_pairs)])
        return tuple(first_pairs)

    def keep(self, setup: Setup, pair: Pair) -> None:
        """Add a pair."""
        line = {"match": _name(setup), "pair": asdict(pair)}
        self._out.write(json.dumps(line) + "\n")
        self._out.flush()

    def close(self) -> None:
        """Close the file."""
        self._out.close()


def _name(setup: Setup) -> str:
    """Name all that decides how a match is played."""
    players = f"{setup.a.name} {setup.b.name}"
    where = f"{setup.game} {setup.options} seed {setup.seed} opening {setup.opening_plies}"
    return f"{__version__}: {players}: {where}"


def _pair(facts: dict[str, Any]) -> Pair:
    return Pair(int(facts["index"]), _played(facts["first"]), _played(facts["second"]))


def _played(facts: dict[str, Any]) -> Played:
    first, second = (Timing(**timing) for timing in facts["timings"])
    scores = (float(facts["scores"][0]), float(facts["scores"][1]))
    return Played(
        **{
            **facts,
            "moves": tuple(facts["moves"]),
            "scores": scores,
            "timings": (first, second),
        }
    )
