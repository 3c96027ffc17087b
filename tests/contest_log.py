"""The log of a contest whose boards all run, without a database, to be folded with results."""

from __future__ import annotations

from datetime import UTC, datetime

from sarsen.services.contests.formats.round_robin import RoundRobin, all_pairings
from sarsen.services.contests.state import BoardResult, Kind, Law, Logged, State, fold

AT = datetime(2027, 3, 1, tzinfo=UTC)
ROUND_ROBIN = RoundRobin()


class Log:
    """A contest of four whose boards all run, to be folded with results."""

    def __init__(self, entrants: int = 4, games: int = 1, boards: int = 9) -> None:
        self.law = Law(most=16, least=3, games=games, boards=boards, days=90)
        self.events: list[Logged] = []
        for player in range(1, entrants + 1):
            self.add(Kind.ENTERED, player=player)
        self.add(Kind.STARTED, order=list(range(1, entrants + 1)))
        self.boards: dict[frozenset[int], int] = {}
        for board, pairing in enumerate(all_pairings((entrants,), games), 1):
            self.add(Kind.BOARD, key=pairing.key, numbers=list(pairing.numbers), board=board)
            self.boards[frozenset(pairing.numbers)] = board
        self.results: dict[int, BoardResult] = {}
        self.seats = {
            board: pairing.numbers
            for board, pairing in enumerate(all_pairings((entrants,), games), 1)
        }

    def add(self, kind: Kind, **facts: object) -> None:
        self.events.append(Logged(len(self.events) + 1, kind, AT, AT, facts))

    def won(self, winner: int, loser: int, score: float = 1.0) -> None:
        board = self.boards[frozenset((winner, loser))]
        scores = (score, 1 - score) if self.seats[board][0] == winner else (1 - score, score)
        self.results[board] = BoardResult(scores, AT)

    def drawn(self, one: int, other: int) -> None:
        self.won(one, other, 0.5)

    def without(self, player: int) -> None:
        """Take somebody out as `withdrawals` does."""
        state = self.state
        own = [one for one in state.boards if player in one.numbers and not one.is_closed]
        finished = sum(not one.is_running for one in own)
        self.add(Kind.WITHDRAWN, player=player, annulled=2 * finished < len(own), left=[])

    @property
    def state(self) -> State:
        return fold(self.law, self.events, self.results)

    def rows(self) -> dict[int, tuple[int, int, float, float]]:
        return {
            row.entrant.player: (row.place, row.shared_to, row.points, row.berger)
            for row in ROUND_ROBIN.table(self.state)
        }

    def places(self) -> dict[int, tuple[int, int]]:
        rows = ROUND_ROBIN.table(self.state)
        return {row.entrant.player: (row.best, row.worst) for row in rows}
