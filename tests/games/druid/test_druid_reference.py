"""Druid once more, slowly and another way, to compare with the law move for move.

The reference keeps a stack of owners for each square and asks of every text of one or
two squares whether it is a move. It shares no line with the rules.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from sarsen.core.errors import UserError
from sarsen.games.druid import GAME
from sarsen.games.druid.board import EAST, NORTH, Lintel, Piece, Sarsen
from sarsen.games.druid.rules import DruidPosition

Square = tuple[str, int]
Stacks = dict[Square, str]  # owners from the ground up; a gap is "."

VARIANTS = [
    f"-size={size}{flags}"
    for size in (3, 4, 5)
    for flags in ("", " -nogaps", " -exact", " -exact -nogaps", " -swap", " -exact -swap")
]


@dataclass
class Reference:
    """A game in progress; `record` are its moves so far."""

    options: str
    stacks: Stacks
    record: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return int(self.options.split()[0].partition("=")[2])

    @property
    def mover(self) -> str:
        return "vh"[(len(self.record) + ("swap" in self.record)) % 2]

    def top(self, square: Square) -> str:
        return self.stacks[square][-1:]

    def results(self) -> dict[str, Reference]:
        """Return the game after every move, by the move's text."""
        if self.winner() or len(self.record) == 10 * self.size**2:
            return {}
        found = {}
        if self.record and len(self.record) == 1 and "-swap" in self.options:
            found["swap"] = self._then("swap", {})
        for one in self.stacks:
            if self._takes_sarsen(one):
                found[_name(one)] = self._then(_name(one), {one: self.stacks[one] + self.mover})
            for other in self.stacks:
                middle = _between(one, other)
                if one < other and middle and self._takes_lintel(one, middle, other):
                    text = f"{_name(one)}-{_name(other)}"
                    height = len(self.stacks[one])
                    found[text] = self._then(
                        text,
                        {
                            square: self.stacks[square].ljust(height, ".") + self.mover
                            for square in (one, middle, other)
                        },
                    )
        return found

    def winner(self) -> str:
        for owner, place in (("v", 1), ("h", 0)):
            first = "a" if place == 0 else 1
            last = "abcde"[self.size - 1] if place == 0 else self.size
            own = {square for square in self.stacks if self.top(square) == owner}
            group = {square for square in own if square[place] == first}
            while True:
                more = {s for s in own - group if any(_beside(s, t) for t in group)}
                if not more:
                    break
                group |= more
            if any(square[place] == last for square in group):
                return owner
        return ""

    def _then(self, text: str, changed: Stacks) -> Reference:
        return Reference(self.options, {**self.stacks, **changed}, (*self.record, text))

    def _takes_sarsen(self, square: Square) -> bool:
        if not self.record:
            return any(_name(square)[0] == c for c in ("a", "abcde"[self.size - 1])) or (
                square[1] in (1, self.size)
            )
        return self.top(square) in ("", self.mover)

    def _takes_lintel(self, one: Square, middle: Square, other: Square) -> bool:
        low, between, high = (self.stacks[square] for square in (one, middle, other))
        bed = len(low)
        if not bed or len(high) != bed or len(between) > bed:
            return False
        if "-nogaps" in self.options and len(between) != bed:
            return False
        below = [stack[bed - 1 : bed] for stack in (low, between, high)]
        if "-exact" in self.options:
            return below.count(self.mover) == 2
        return below[0] == below[2] == self.mover


def _name(square: Square) -> str:
    return f"{square[0]}{square[1]}"


def _beside(one: Square, other: Square) -> bool:
    return abs(ord(one[0]) - ord(other[0])) + abs(one[1] - other[1]) == 1


def _between(one: Square, other: Square) -> Square | None:
    across, along = ord(other[0]) - ord(one[0]), other[1] - one[1]
    if sorted((abs(across), abs(along))) != [0, 2]:
        return None
    return chr(ord(one[0]) + across // 2), one[1] + along // 2


def begin(options: str) -> Reference:
    size = int(options.split()[0].partition("=")[2])
    squares = {(letter, number): "" for letter in "abcde"[:size] for number in range(1, size + 1)}
    return Reference(options, squares)


def compare(position: DruidPosition, reference: Reference) -> dict[str, Reference]:
    """Hold moves, results and ending of a position to the reference."""
    results = reference.results()
    moves = {position.format(move): move for move in position.legal_moves()}
    assert set(moves) == set(results)
    winner = position.winner
    assert reference.winner() == ("" if winner is None else "vh"[winner])
    for text, move in moves.items():
        assert same(position.play(move), results[text])
    return results


def same(position: DruidPosition, reference: Reference) -> bool:
    """Return whether owners and heights agree on every square."""
    for (letter, number), stack in reference.stacks.items():
        square = NORTH * (number - 1) + ord(letter) - ord("a")
        owner = position.monument.owner(square)
        if ("" if owner is None else "vh"[owner]) != stack[-1:]:
            return False
        if position.monument.heights[square] != len(stack):
            return False
    return "vh"[position.side] == reference.mover


def walk(options: str, seed: int, plies: int) -> tuple[DruidPosition, Reference]:
    """Play a random game with every position compared, and give its last one."""
    chance = random.Random(f"{options} {seed}")
    position, reference = GAME.start(options), begin(options)
    for _ in range(plies):
        results = compare(position, reference)
        if not results:
            break
        text = pick(results, chance)
        position = position.play(position.parse(text))
        reference = results[text]
    return position, reference


def pick(results: dict[str, Reference], chance: random.Random) -> str:
    """Choose a move: often one of the rare lintels, seldom one that wins."""
    lintels = [text for text in results if "-" in text]
    texts = lintels if lintels and chance.random() < 0.5 else list(results)
    drawn = chance.choices(texts, k=4)
    return next((text for text in drawn if not results[text].winner()), drawn[0])


@pytest.mark.parametrize("options", VARIANTS)
def test_moves_and_results_agree_with_the_reference(options: str) -> None:
    walk(options, seed=1, plies=40)


@pytest.mark.parametrize("options", VARIANTS[6:12])
def test_play_and_parse_accept_exactly_the_moves_of_the_reference(options: str) -> None:
    position, reference = walk(options, seed=2, plies=12)
    allowed = set(reference.results())
    squares = [NORTH * row + column for row in range(5) for column in range(5)]
    pieces = [Sarsen(square) for square in squares]
    lintels = [Lintel(square, step) for square in squares for step in (EAST, NORTH)]
    for piece in [*pieces, *lintels]:
        text = position.format(piece)
        assert accepts(position.play, piece) == (text in allowed)
        assert accepts(position.parse, text) == (text in allowed)


def accepts(judge: Callable[[Any], object], move: Piece | str) -> bool:
    try:
        judge(move)
    except UserError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("options", VARIANTS)
def test_many_games_agree_with_the_reference(options: str) -> None:
    for seed in range(100, 156):
        walk(options, seed, plies=200)
