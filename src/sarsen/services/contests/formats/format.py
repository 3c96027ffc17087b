"""The base class of the formats of contests, and the boards that they speak of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from sarsen.services.contests.state import State
from sarsen.services.contests.table import Row, make_table

FIRST_PLACES = (1, 2, 3)


@dataclass(frozen=True)
class Pairing:
    """A board that a contest will have.

    Attributes:
        key: Names the board in its contest: tier, round, numbers of the entrants, and game, as in
            `t1.r2.3-1.g1`. The first number has the first seat.
        round: Boards of a lower round start first.
        numbers: The entrants by seat.
    """

    key: str
    round: int
    numbers: tuple[int, int]


def numbers_of(key: str) -> tuple[int, int]:
    """Return the entrants by seat that the key of a board names."""
    first, second = key.split(".")[2].split("-")
    return int(first), int(second)


def _renamed(pairing: Pairing, replaced: Collection[str]) -> Pairing:
    """Return a pairing under its present key: with an `s` for each board that was replaced (E7)."""
    key = pairing.key
    while key in replaced:
        key += "s"
    return replace(pairing, key=key)


class Format:
    """A kind of contest.

    Attributes:
        name: As typed.
        annuls: The games of an entrant who goes early are annulled (E9); else they are lost.
        has_seasons: Another contest follows it, with tiers that come from its table.
        is_endless: It starts at once and never ends; the boards of those who go become ordinary.
        lists_games: Its tables list the games of two players, where others have a column for each
            opponent and Sonneborn-Berger.
    """

    name: ClassVar[str]
    annuls: ClassVar[bool] = True
    has_seasons: ClassVar[bool] = False
    is_endless: ClassVar[bool] = False
    lists_games: ClassVar[bool] = False

    def pairings(self, state: State) -> Sequence[Pairing]:
        """Return all boards between the entrants, those that start first at the front."""
        raise NotImplementedError  # no default: each format pairs in its own way

    def to_come(self, state: State) -> Sequence[Pairing]:
        """Return the boards that have not started yet, and will."""
        raise NotImplementedError  # no default: what ends a contest early differs by format

    def unstarted(self, state: State) -> Sequence[Pairing]:
        """Return the boards that have not started; also those that a new entrant starts anew."""
        known = {board.key for board in state.boards}
        replaced = {board.key for board in state.replaced}
        pairings = self.pairings(state)
        if len(known) == len(pairings) and not replaced:
            return []  # mostly, and asked for several times a page
        renamed = [_renamed(one, replaced) for one in pairings] if replaced else pairings
        return [pairing for pairing in renamed if pairing.key not in known]

    def next_boards(self, state: State) -> Sequence[Pairing]:
        """Return the boards for which both entrants have a place free, lowest round first."""
        running = Counter(
            number for board in state.boards if board.is_running for number in board.numbers
        )
        starting = []
        for pairing in self.to_come(state):
            if all(running[number] < state.law.boards for number in pairing.numbers):
                running.update(pairing.numbers)
                starting.append(pairing)
        return starting

    def is_finished(self, state: State) -> bool:
        """Return whether all boards are over, and none will start."""
        return not self.to_come(state) and not any(board.is_running for board in state.boards)

    def lines(self, entrants: int) -> Collection[int]:
        """Return the places of a tier of so many below which a line is drawn that matters (E14).

        The first three places; formats with ups and downs add their lines.
        """
        return FIRST_PLACES

    def table(self, state: State) -> tuple[Row, ...]:
        """Return the table, in the order of tiers and places."""
        return tuple(row for tier in self.tables(state) for row in tier)

    def tables(self, state: State, only: Collection[int] | None = None) -> list[tuple[Row, ...]]:
        """Return the table of each tier, the highest first.

        Args:
            only: The tiers that are wanted; None for all.
        """
        to_come: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for pairing in self.to_come(state):
            to_come[state.by_number[pairing.numbers[0]].tier].append(pairing.numbers)
        return [
            make_table(state, numbers, to_come[tier])
            for tier, numbers in enumerate(state.tiers, 1)
            if only is None or tier in only
        ]
