"""The ratings once more, from the results people know and the paper's formulas."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sarsen.storage.models import Match, Rating
from simulation.glicko import Strength, after_game, grown

if TYPE_CHECKING:
    from simulation.month import Month

PERIOD = timedelta(days=28)
RATED_PLIES = 4
FORFEITED_PLIES = 2
TAU, MAX_DEVIATION = 0.5, 350.0
NEWCOMER = Strength(1500.0, 350.0, 0.06)
CLOSE_ENOUGH = 0.001  # points; the two stop iterating at different places
AS_VOLATILE = 1e-6


@dataclass(frozen=True)
class Game:
    """A finished game that counts, with the score of the first player."""

    name: str
    players: tuple[str, str]
    score: float
    at: datetime


@dataclass(frozen=True)
class Standing:
    """What a player has after the last rated game, when that ended, and how many there were."""

    strength: Strength = NEWCOMER
    since: datetime | None = None
    games: int = 0

    def at(self, now: datetime) -> Strength:
        """Return the strength just before a game that ended then."""
        if self.since is None:
            return self.strength
        return grown(self.strength, (now - self.since) / PERIOD, MAX_DEVIATION)


def ratings(month: Month) -> list[str]:
    """Every stored rating is what the results give; nobody has one without a result."""
    stored = {(row.player.userid, row.game): row for row in Rating.objects.select_related("player")}
    faults = []
    for key, wanted in rated(_games(month)).items():
        row, strength = stored.pop(key, None), wanted.strength
        if row is None:
            faults.append(f"{key} has no rating, but should have {wanted}")
            continue
        is_right = (
            abs(row.rating - strength.rating) < CLOSE_ENOUGH
            and abs(row.deviation - strength.deviation) < CLOSE_ENOUGH
            and abs(row.volatility - strength.volatility) < AS_VOLATILE
            and (row.rated_at, row.matches) == (wanted.since, wanted.games)
        )
        if not is_right:
            faults.append(f"{key} is {row.rating}, should be {wanted}")
    faults += [f"{key} has a rating for nothing" for key in stored]
    month.book.counts["ratings compared"] = Rating.objects.count()
    return faults


def rated(games: list[Game]) -> dict[tuple[str, str], Standing]:
    """Rate games in the order given; return what each player has at each game, by their names."""
    found: dict[tuple[str, str], Standing] = {}
    for game in games:
        keys = [(player, game.name) for player in game.players]
        was = [found.get(key, Standing()) for key in keys]
        first, second = (one.at(game.at) for one in was)
        after = (
            after_game(first, second, game.score, TAU),
            after_game(second, first, 1 - game.score, TAU),
        )
        for key, strength, before in zip(keys, after, was, strict=True):
            found[key] = Standing(strength, game.at, before.games + 1)
    return found


def _games(month: Month) -> list[Game]:
    """Return the games that count, in the order (ended at, board)."""
    found = []
    for match in Match.objects.exclude(ended_at=None).order_by("ended_at", "pk"):
        board = month.book.boards[match.pk]
        least = FORFEITED_PLIES if board.ended == "forfeit" else RATED_PLIES
        if "--unrated" in board.terms or len(board.moves) < least:
            continue
        assert match.ended_at is not None
        assert match.scores is not None
        first, second = board.players
        found.append(Game(board.game, (first, second), match.scores[0], match.ended_at))
    return found
