"""Visavis once more, by brute force: pegs as points, bridges as segments, chains by search.

Shares nothing with `rules`: it knows where the seed's drawing puts the pegs, takes two
bridges to block each other when their segments properly cross there, and keeps sets.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache

import pytest

from sarsen.games.visavis import GAME
from sarsen.games.visavis.rules import VisavisPosition

Peg = tuple[int, int]
Segment = tuple[Peg, Peg]
NEIGHBOURS = ((2, 0), (0, 2), (2, -2))


@dataclass
class Reference:
    """A game as sets of segments, one set a side."""

    size: int
    has_swap: bool
    built: dict[str, set[Segment]] = field(default_factory=lambda: {"O": set(), "X": set()})
    owners: list[str] = field(default_factory=lambda: ["O", "X"])
    mover: str = "O"
    plies: int = 0

    def legal(self) -> dict[str, Segment | None]:
        other = "X" if self.mover == "O" else "O"
        if self.is_joined("O") or self.is_joined("X"):
            return {}
        moves: dict[str, Segment | None] = {
            middle(segment): segment
            for segment in segments(self.mover, self.size)
            if segment not in self.built[self.mover]
            and not any(cross(self.mover, segment, other, it) for it in self.built[other])
        }
        if self.has_swap and self.plies == 1:
            moves["swap"] = None
        return moves

    def play(self, move: str) -> None:
        segment = self.legal()[move]
        self.plies += 1
        if segment is None:
            self.owners.reverse()
            return
        self.built[self.mover].add(segment)
        self.mover = "X" if self.mover == "O" else "O"

    def is_joined(self, side: str) -> bool:
        axis = 0 if side == "O" else 1
        seen = {peg for peg in pegs(side, self.size) if peg[axis] == 1}
        queue = list(seen)
        while queue:
            peg = queue.pop()
            for segment in self.built[side]:
                if peg in segment:
                    far = segment[segment[0] == peg]
                    if far not in seen:
                        seen.add(far)
                        queue.append(far)
        return any(peg[axis] == self.size for peg in seen)


@cache
def pegs(side: str, size: int) -> frozenset[Peg]:
    first_column, first_row = (1, 2) if side == "O" else (3, 1)
    return frozenset(
        (column, row)
        for column in range(first_column, size + 1, 2)
        for row in range(first_row, size + 1, 2)
    )


@cache
def segments(side: str, size: int) -> frozenset[Segment]:
    every = pegs(side, size)
    return frozenset(
        (peg, far)
        for peg in every
        for across, down in NEIGHBOURS
        if (far := (peg[0] + across, peg[1] + down)) in every
    )


def middle(segment: Segment) -> str:
    (x1, y1), (x2, y2) = segment
    return f"{chr(ord('A') + (x1 + x2) // 2 - 1)}{(y1 + y2) // 2}"


def on_paper(side: str, peg: Peg) -> Peg:
    """Return the character a peg is drawn at: each row one to the right, O's one more."""
    column, row = peg
    return 2 * column + row + (side == "O"), row


@cache
def cross(side: str, one: Segment, other_side: str, other: Segment) -> bool:
    a, b = (on_paper(side, peg) for peg in one)
    c, d = (on_paper(other_side, peg) for peg in other)
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def turn(a: Peg, b: Peg, c: Peg) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def agree(position: VisavisPosition, reference: Reference) -> None:
    legal = reference.legal()
    assert set(position.legal_moves()) == set(legal)
    assert list(position.sides) == reference.owners
    assert (position.outcome() is None) == bool(legal)
    if legal:
        assert position.sides[position.seat] == reference.mover
    for side, name in enumerate("OX"):
        names = set(position.board.names(position.bridges[side]))
        assert names == {middle(segment) for segment in reference.built[name]}
        assert (position.winner == side) == reference.is_joined(name)


def play_a_game(size: int, has_swap: bool, seed: int) -> int:
    """Play at random, comparing before and after every move; give the plies."""
    rng = random.Random(f"{size} {has_swap} {seed}")
    position = GAME.start({"size": size, "swap": has_swap})
    reference = Reference(size, has_swap)
    agree(position, reference)
    while position.outcome() is None:
        moves = position.legal_moves()
        # Swaps are rare among so many moves: take every second one offered.
        move = "swap" if "swap" in moves and seed % 2 else rng.choice(moves)
        position = position.play(move)
        reference.play(move)
        agree(position, reference)
    return reference.plies


@pytest.mark.parametrize("has_swap", [False, True])
@pytest.mark.parametrize(("size", "games"), [(5, 20), (7, 8), (9, 4), (13, 1)])
def test_random_games_agree_with_the_reference(size: int, games: int, has_swap: bool) -> None:
    for seed in range(games):
        assert play_a_game(size, has_swap, seed) > 0


def count(reference: Reference, depth: int) -> int:
    moves = reference.legal()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        following = Reference(
            reference.size,
            reference.has_swap,
            {side: set(built) for side, built in reference.built.items()},
            list(reference.owners),
            reference.mover,
            reference.plies,
        )
        following.play(move)
        total += count(following, depth - 1)
    return total


@pytest.mark.parametrize(
    ("size", "has_swap", "counts"),
    [(5, False, [9, 70, 480]), (5, True, [9, 79, 550]), (7, False, [23, 496])],
)
def test_reference_counts_what_perft_counts(size: int, has_swap: bool, counts: list[int]) -> None:
    assert [count(Reference(size, has_swap), depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.slow
@pytest.mark.parametrize("has_swap", [False, True])
@pytest.mark.parametrize(("size", "games"), [(5, 1000), (7, 300), (9, 120), (15, 15), (25, 2)])
def test_many_random_games_agree_with_the_reference(size: int, games: int, has_swap: bool) -> None:
    for seed in range(1000, 1000 + games):
        assert play_a_game(size, has_swap, seed) > 0
