"""Match: several games between two players, with the seats exchanged each time."""

from __future__ import annotations

from collections.abc import Sequence

from sarsen.services.contests.formats.format import Format, Pairing
from sarsen.services.contests.state import State
from sarsen.services.contests.table import points_of

PLAYERS = 2


class Match(Format):
    """Two players; it ends when no open game can change who wins it."""

    name = "match"
    annuls = False
    lists_games = True

    def pairings(self, state: State) -> Sequence[Pairing]:
        """Return the games in order; who has the first seat in the first has the second next.

        None before both are in.
        """
        if len(state.entrants) != PLAYERS:
            return ()
        numbers = [(1, 2) if game % 2 else (2, 1) for game in range(1, state.law.games + 1)]
        return [
            Pairing(f"t1.r{game}.{first}-{second}.g{game}", game, (first, second))
            for game, (first, second) in enumerate(numbers, 1)
        ]

    def to_come(self, state: State) -> Sequence[Pairing]:
        """Return the games that have not started yet; none once the match is decided."""
        if self.is_decided(state) or any(entrant.is_out for entrant in state.entrants):
            return ()
        return self.unstarted(state)

    def is_decided(self, state: State) -> bool:
        """Return whether one of the two leads by more than the open games can bring."""
        if len(state.entrants) != PLAYERS:
            return False
        one, other = points_of(state).values()
        running = sum(board.is_running for board in state.boards)
        return abs(one - other) > running + len(self.unstarted(state))

    def is_finished(self, state: State) -> bool:
        """Return whether the match is decided, or all its games are over."""
        return self.is_decided(state) or super().is_finished(state)
