"""What a load is: how long, over how many connections, on which boards."""

from __future__ import annotations

from dataclasses import dataclass

PLIES = 40  # moves that each board can take
AHEAD = 8  # messages a session sends before it waits for letters, where all it can is asked for
LIMIT_RUNS = 3
PACE = 20.0  # mails a second of a server that has time left
SEVERAL = 16  # connections where neither one nor very many are asked for


@dataclass(frozen=True)
class Load:
    """The settings of a measurement under load.

    Attributes:
        seconds: Of each series.
        connections: Over which programs play, one series each; the largest also sends mail.
        boards: To play on, of each series.
        seed: Of the games played.
        slow: Whether to measure on a slower disk, too.
        workers: Of the server.
    """

    seconds: float
    connections: tuple[int, ...]
    boards: int
    seed: int
    games: tuple[str, ...]
    slow: bool = True
    workers: int = 1

    @property
    def most(self) -> int:
        """The most connections at once."""
        return max(self.connections)

    @property
    def several(self) -> int:
        """Some connections at once, as a middling load has."""
        return min(SEVERAL, self.most)
