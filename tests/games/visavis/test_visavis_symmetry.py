"""Bridges of Visavis that do the same, the mirror that no position has, and no other symmetry."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import permutations, product
from typing import Any

import pytest

from sarsen.core.errors import UserError
from sarsen.core.symmetry import canonical
from sarsen.games.visavis.board import LETTERS, board_of, joined_pegs
from sarsen.games.visavis.rules import GAME, VisavisPosition
from symmetric_games import agreement

Place = tuple[int, int]
Maps = tuple[Mapping[str, str], Mapping[str, str]]  # of O's and of X's moves


def named(place: Place) -> str:
    return f"{LETTERS[place[0] - 1]}{place[1]}"


def idle(size: int) -> tuple[list[str], list[str]]:
    """Return the bridges along an end of their own side (docs/visavis-proof.md, section 1)."""
    odd, even = range(3, size - 1, 2), range(4, size, 2)
    return [named((c, r)) for c in (1, size) for r in odd], [
        named((c, r)) for r in (1, size) for c in even
    ]


def twins(size: int) -> tuple[list[list[str]], list[list[str]]]:
    """Return pairs of bridges from one peg to an end, which the same bridges cross.

    Those of O lie and slant in the cells (0, j), those of X stand and slant in the cells (i, N).
    """
    half = (size - 1) // 2
    ours = [[named((2, 2 * j)), named((2, 2 * j + 1))] for j in range(1, half)]
    theirs = [[named((2 * i + 3, 2 * half)), named((2 * i + 2, 2 * half))] for i in range(1, half)]
    return ours, theirs


def some_symmetry(size: int, chance: random.Random) -> Maps:
    maps: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for mapped, places, pairs in zip(maps, idle(size), twins(size), strict=True):
        for group in (places, *pairs):
            mapped.update(zip(group, chance.sample(group, len(group)), strict=True))
    return maps


def every_symmetry(size: int) -> list[Maps]:
    sides: list[list[dict[str, str]]] = []
    for places, pairs in zip(idle(size), twins(size), strict=True):
        groups = (places, *pairs)
        orders = product(*(list(permutations(group)) for group in groups))
        sides.append(
            [
                {
                    a: b
                    for group, order in zip(groups, found, strict=True)
                    for a, b in zip(group, order, strict=True)
                }
                for found in orders
            ]
        )
    ours, theirs = sides
    return list(product(ours, theirs))


def image(text: str, side: int, maps: Maps) -> str:
    return maps[side].get(text, text)


@pytest.mark.parametrize("options", ["-size=5", "-size=7 -swap", "-size=11", "", "-swap"])
def test_games_with_bridges_exchanged_have_the_same_texts(options: str) -> None:
    for seed in range(5):
        chance = random.Random(seed)
        one = other = GAME.start(options)
        maps = some_symmetry(one.terms.number("size"), chance)
        while True:
            assert canonical(one) == canonical(other)
            assert one.outcome() == other.outcome()
            moves = {text: image(text, one.side, maps) for text in one.legal_moves()}
            assert sorted(moves.values()) == sorted(other.legal_moves())
            if not moves:
                break
            text = chance.choice(list(moves))
            one, other = one.play(text), other.play(moves[text])


def state(position: VisavisPosition) -> tuple[int, bool, frozenset[tuple[bool, str]]]:
    """Return what decides the future, from the written position; it is O's turn with as many."""
    options, swapped, rows = position.write().split(";")
    may_swap = "-swap" in options and not swapped and rows.count("o") < 2 and "x" not in rows
    taken = []
    for r, row in enumerate(rows.split("/"), start=1):
        column = 1
        for part in row:
            if part in "ox":
                taken.append((part == "x", named((column, r))))
            column += 1 if part in "ox" else int(part)
    return position.terms.number("size"), may_swap, frozenset(taken)


EVERY_OF_5 = every_symmetry(5)


def images(position: VisavisPosition) -> list[object]:
    size, may_swap, taken = state(position)
    return [
        (size, may_swap, frozenset((side, image(text, side, maps)) for side, text in taken))
        for maps in EVERY_OF_5
    ]


def close_pairs(count: int) -> Iterator[tuple[VisavisPosition, VisavisPosition]]:
    chance = random.Random(3)
    for _ in range(count):
        one = other = GAME.start("-size=5 -swap" if chance.random() < 0.5 else "-size=5")
        maps = some_symmetry(5, chance)
        for _ in range(chance.randrange(8)):
            if one.outcome() is None and other.outcome() is None:
                text = chance.choice(one.legal_moves())
                last = image(text, one.side, maps)
                if chance.random() < 0.15 or last not in other.legal_moves():
                    last = chance.choice(other.legal_moves())
                one, other = one.play(text), other.play(last)
        yield one, other


def test_texts_are_equal_for_the_same_positions_and_for_no_others() -> None:
    assert len(EVERY_OF_5) == 16
    same, different = agreement(close_pairs(2000), state, images)
    assert same > 500
    assert different > 500


@pytest.mark.parametrize("size", [5, 7, 9, 13, 25])
def test_there_is_no_other_symmetry_than_these(size: int) -> None:
    """All bridges differ by what they cross and join, those left out that do the same.

    A symmetry maps bridges to bridges that cross and join as many of each kind. Where all
    kinds have one bridge, it maps each to itself, half turns and all.
    """
    board = board_of(size)
    left_out = {(s, text) for s, texts in enumerate(idle(size)) for text in texts}
    left_out |= {(s, pair[1]) for s, pairs in enumerate(twins(size)) for pair in pairs}
    joins: dict[Any, list[Any]] = {}
    crosses: dict[Any, list[Any]] = {}
    pegs: dict[Any, list[Any]] = {}
    for side in (0, 1):
        for text, place in board.named[side]:
            if (side, text) in left_out:
                continue
            at = LETTERS.index(text[0]) + 1, int(text[1:])
            ends = [
                (side, "end", peg[side]) if peg[side] in (1, size) else (side, peg)
                for peg in joined_pegs(side, *at)
            ]
            joins[side, text] = list(ends)
            crosses[side, text] = [
                (1 - side, name)
                for name in board.names(board.crossed(side, place))
                if (1 - side, name) not in left_out
            ]
            for end in ends:
                pegs.setdefault(end, []).append((side, text))
    kind: dict[Any, int] = {one: one[0] for one in joins}
    kind |= {peg: 2 + 2 * peg[0] + (len(peg) == 3) for peg in pegs}
    count = 0
    while len(set(kind.values())) > count:
        count = len(set(kind.values()))
        seen = {
            one: (
                kind[one],
                *(
                    tuple(sorted(kind[near] for near in beside.get(one, ())))
                    for beside in (joins, crosses, pegs)
                ),
            )
            for one in kind
        }
        numbers = {found: number for number, found in enumerate(sorted(set(seen.values())))}
        kind = {one: numbers[found] for one, found in seen.items()}
    assert count == len(kind)


def test_the_mirror_that_exchanges_o_and_x_maps_no_position_to_one() -> None:
    """It exchanges the numbers of bridges and the turn, and these do not fit each other then."""
    chance = random.Random(4)
    for _ in range(20):
        position = GAME.start("-size=7")
        while position.outcome() is None:
            position = position.play(chance.choice(position.legal_moves()))
            ours, theirs = (bridges.bit_count() for bridges in position.bridges)
            assert ours - theirs == position.side
            assert theirs - ours != 1 - position.side
    with pytest.raises(UserError):
        GAME.read("-size=5;;5/5/2x2/5/5")


def test_a_swap_counts_while_it_can_come() -> None:
    one, other = GAME.start("-size=7 -swap"), GAME.start("-size=7")
    for text in ("D4", "E2"):
        assert canonical(one) != canonical(other)
        one, other = one.play(text), other.play(text)
    assert canonical(one) == canonical(other)
    swapped = GAME.start("-size=7 -swap").play("D4").play("swap").play("E2")
    assert canonical(swapped) == canonical(other)
