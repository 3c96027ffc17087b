"""Mirrors of Druid, and the diagonal, which exchanges the sides."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from sarsen.core.symmetry import canonical, canonical_board
from sarsen.games.druid.board import SIDES, empty_site
from sarsen.games.druid.notation import Word, read_move
from sarsen.games.druid.rules import GAME, DruidPosition
from symmetric_games import agreement, has_images_of_all_moves, played_both

OPTIONS = ["", "-size=3", "-size=4 -swap", "-size=5 -nogaps", "-size=6 -exact -swap", "-size=12"]
Square = tuple[int, int]
Turn = Callable[[Square, int], Square]
MIRRORS: dict[str, Turn] = {
    "left and right": lambda at, size: (size + 1 - at[0], at[1]),
    "top and bottom": lambda at, size: (at[0], size + 1 - at[1]),
    "half turn": lambda at, size: (size + 1 - at[0], size + 1 - at[1]),
}
ITSELF: Turn = lambda at, size: at  # noqa: E731
ALL: list[Turn] = [ITSELF, *MIRRORS.values()]


def over_the_diagonal(turn: Turn) -> Turn:
    return lambda at, size: turn(at, size)[::-1]


def square(name: str) -> Square:
    return ord(name[0]) - 96, int(name[1:])


def mapped(turn: Turn, size: int) -> Callable[[str], str]:
    def text_of(text: str) -> str:
        return re.sub(r"\b[a-l][0-9]+", lambda at: named(turn(square(at[0]), size)), text)

    return text_of


def named(at: Square) -> str:
    return f"{chr(96 + at[0])}{at[1]}"


def exchanged(position: DruidPosition, turn: Turn) -> DruidPosition:
    """Return a position with all stones turned and of the other side, which is to move."""
    size, site = position.terms.size, empty_site(position.terms.size)
    for stone in position.write().split(";")[3].split():
        piece = read_move(mapped(turn, size)(stone[1:]), size)
        assert not isinstance(piece, Word)
        site = site.put(piece, 1 - SIDES.index(stone[0]))
    return DruidPosition(position.terms, site, position.ply, not position.is_swapped)


State = tuple[str, bool, str, int, str, frozenset[tuple[Square, int, str]]]


def state(position: DruidPosition) -> State:
    """Return what the rules look at, found from the written position alone."""
    options, ply, words, stones = position.write().split(";")
    height: dict[Square, int] = {}
    owner: dict[Square, str] = {}
    for stone in stones.split():
        ends = [square(name) for name in stone[1:].split("-")]
        ends.insert(1, ((ends[0][0] + ends[-1][0]) // 2, (ends[0][1] + ends[-1][1]) // 2))
        level = height.get(ends[0], 0) + 1
        for at in ends:
            height[at], owner[at] = level, stone[0]
    may_swap = "-swap" in options and int(ply) < 2
    mover = "VH"[int(ply) % 2 ^ ("swapped" in words)]
    squares = frozenset((at, level, owner[at]) for at, level in height.items())
    return (
        options.replace("-swap", "").strip(),
        may_swap,
        ply,
        words.count("passed"),
        mover,
        squares,
    )


def images(position: DruidPosition) -> list[object]:
    *rest, mover, squares = state(position)
    assert isinstance(mover, str)
    assert isinstance(squares, frozenset)
    size, other = position.terms.size, {"V": "H", "H": "V"}
    found: list[object] = []
    for turn in ALL:
        turned = frozenset((turn(at, size), level, owner) for at, level, owner in squares)
        found.append((*rest, mover, turned))
        turned = frozenset((at[::-1], level, other[owner]) for at, level, owner in turned)
        found.append((*rest, other[mover], turned))
    return found


@pytest.mark.parametrize("name", MIRRORS)
@pytest.mark.parametrize("options", OPTIONS)
def test_mirrored_games_have_the_same_texts(options: str, name: str) -> None:
    start = GAME.start(options)
    mirror = mapped(MIRRORS[name], start.terms.size)
    for seed in range(3):
        for one, image in played_both(start, start, mirror, random.Random(seed), most=150):
            assert canonical(one) == canonical(image)
            assert one.ply % 5 or has_images_of_all_moves(one, image, mirror)


@pytest.mark.parametrize("options", OPTIONS)
def test_boards_turned_over_the_diagonal_are_those_of_the_other_side(options: str) -> None:
    for seed, turn in enumerate(map(over_the_diagonal, ALL)):
        chance = random.Random(seed)
        position = GAME.start(options)
        for _ in range(chance.randrange(2, 30)):
            if position.outcome() is None:
                position = position.play(chance.choice(position.legal_moves()))
        if position.ply < 2:
            continue
        diagonal = mapped(turn, position.terms.size)
        image = exchanged(position, turn)
        if position.outcome() is not None:
            continue
        for one, other in played_both(position, image, diagonal, chance, most=60):
            assert canonical(one) == canonical(other)
            assert one.ply % 5 or has_images_of_all_moves(one, other, diagonal)


def close_pairs(count: int) -> Iterator[tuple[DruidPosition, DruidPosition]]:
    chance = random.Random(5)
    for number in range(count):
        if number % 20 == 0:
            start = GAME.start(OPTIONS[number // 20 % len(OPTIONS)])
            turn, most = chance.choice(ALL), chance.randrange(1, 42)
            mirror = mapped(turn, start.terms.size)
            *_, (stem, mirrored) = played_both(start, start, mirror, chance, most=most)
        one, other, mirror = stem, mirrored, mapped(turn, start.terms.size)
        if one.ply > 2 and chance.random() < 0.3:
            over = over_the_diagonal(turn)
            other, mirror = exchanged(one, over), mapped(over, start.terms.size)
        if one.legal_moves() and chance.random() < 0.7:
            moves = [chance.choice(one.legal_moves()) for _ in "12"]
            last = moves[0] if chance.random() < 0.3 else moves[1]
            one, other = one.play(moves[0]), other.play(other.parse(mirror(one.format(last))))
        yield one, other


def test_texts_are_equal_for_the_same_positions_and_for_no_others() -> None:
    same, different = agreement(close_pairs(2000), state, images)
    assert same > 500
    assert different > 500


def test_only_the_plies_left_tell_a_swapped_board_from_one_without_swap() -> None:
    boards = []
    for options, moves in (("-swap", "a1 swap b2 c3"), ("", "h8 g7 f6")):
        position = GAME.start(options)
        for text in moves.split():
            position = position.play(position.parse(text))
        boards.append(position)
    assert len(set(map(canonical, boards))) == 2
    assert len(set(map(canonical_board, boards))) == 1


def test_a_swap_still_to_come_is_part_of_the_text() -> None:
    with_swap, without = (GAME.start(f"-size=5{words}") for words in (" -swap", ""))
    assert canonical_board(with_swap) != canonical_board(without)
    for text in ("a1", "b2"):
        assert canonical(with_swap) != canonical(without)
        with_swap = with_swap.play(with_swap.parse(text))
        without = without.play(without.parse(text))
    assert canonical(with_swap) == canonical(without)


def test_options_and_a_pass_are_part_of_the_text() -> None:
    starts = [GAME.start(f"-size=5 {words}") for words in ("", "-nogaps", "-exact")]
    starts.append(replace(starts[0], passes=1))
    assert len(set(map(canonical, starts))) == 4
