"""The mirror of Gyges, and the half turn, which exchanges the seats."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from sarsen.core.symmetry import canonical, canonical_board
from sarsen.games.gyges.rules import GAME, EndReason, GygesPosition
from symmetric_games import agreement, played_both

OTHER = {"S": "N", "N": "S", "S+": "N+", "N+": "S+"}
MIRROR, TURN = "mirror", "half turn"


def place(name: str, symmetry: str) -> str:
    if name in OTHER:
        return OTHER[name] if symmetry == TURN else name
    row, column = int(name[0]), int(name[1])
    return f"{7 - row if symmetry == TURN else row}{7 - column}"


def mapped(symmetry: str) -> Callable[[str], str]:
    def text_of(text: str) -> str:
        if re.fullmatch("[1-3]{6}", text):
            return text[::-1]
        return re.sub("[0-9][0-9]|[SN]", lambda name: place(name[0], symmetry), text)

    return text_of


def slots(arrangement: str) -> str:
    return re.sub("[a-f]", lambda run: "0" * (ord(run[0]) - 96), arrangement.replace("/", ""))


def packed(row: str) -> str:
    return re.sub("0+", lambda run: "abcdef"[len(run[0]) - 1], row)


def turned(arrangement: str, symmetry: str) -> str:
    """Return the slots of an arrangement turned or mirrored, all 36 as digits."""
    digits = slots(arrangement)
    if symmetry == TURN:
        return digits[::-1]
    return "".join(digits[first : first + 6][::-1] for first in range(0, 36, 6))


def image_of(position: GygesPosition, symmetry: str) -> GygesPosition:
    """Read the written position with all its arrangements turned or mirrored."""
    side, *lines = position.write().split()
    rows = [turned(line, symmetry) for line in lines]
    written = [
        "/".join(packed(row[first : first + 6]) for first in range(0, 36, 6)) for row in rows
    ]
    side = OTHER[side] if symmetry == TURN else side
    image = GAME.read(" ".join([side, *written]))
    return image


def state(position: GygesPosition) -> tuple[str, str, frozenset[str]]:
    side, here, *earlier = position.write().split()
    return side, slots(here), frozenset(map(slots, earlier))


def images(position: GygesPosition) -> list[object]:
    found: list[object] = [state(position)]
    for symmetries in ([MIRROR], [TURN], [MIRROR, TURN]):
        side, here, earlier = state(position)
        for symmetry in symmetries:
            side = OTHER[side] if symmetry == TURN else side
            here, earlier = turned(here, symmetry), frozenset(turned(e, symmetry) for e in earlier)
        found.append((side, here, earlier))
    return found


def test_mirrored_games_have_the_same_texts() -> None:
    for seed in range(2):
        start, mirror = GAME.start(), mapped(MIRROR)
        plies = played_both(start, start, mirror, random.Random(seed), most=60)
        for ply, (one, image) in enumerate(plies):
            assert canonical(one) == canonical(image)
            if ply % 12 == 6:
                assert_images_of_all_moves(one, image, mirror)


@pytest.mark.parametrize("symmetry", [MIRROR, TURN])
def test_positions_turned_are_those_of_the_other_seat(symmetry: str) -> None:
    for seed in range(2):
        chance = random.Random(seed)
        position = played(chance, 4 + seed * 9)
        if position.outcome() is not None:
            continue
        image, mapped_text = image_of(position, symmetry), mapped(symmetry)
        is_turn = symmetry == TURN
        plies = played_both(position, image, mapped_text, chance, is_exchanged=is_turn, most=40)
        for ply, (one, other) in enumerate(plies):
            assert canonical(one) == canonical(other)
            if ply % 12 == 0:
                assert_images_of_all_moves(one, other, mapped_text)


def assert_images_of_all_moves(
    one: GygesPosition, image: GygesPosition, mapped_text: Callable[[str], str]
) -> None:
    """Compare what moves lead to: of moves that lead to the same only one is listed."""
    mapped_moves = [image.parse(mapped_text(one.format(move))) for move in one.legal_moves()]
    reached = {image.play(move).write() for move in mapped_moves}
    assert reached == {image.play_legal(move).write() for move in image.legal_moves()}
    assert len(reached) == len(mapped_moves)


def played(chance: random.Random, plies: int) -> GygesPosition:
    position = GAME.start()
    for _ in range(plies):
        if position.outcome() is None:
            position = position.play(chance.choice(position.legal_moves()))
    return position


def close_pairs(count: int) -> Iterator[tuple[GygesPosition, GygesPosition]]:
    chance = random.Random(6)
    stem = played(chance, 0)
    for number in range(count):
        if number % 20 == 0:
            stem = played(chance, chance.randrange(16))
        symmetry = chance.choice([MIRROR, TURN])
        one, other = stem, image_of(stem, symmetry) if len(stem.stood) else stem
        if one.legal_moves() and chance.random() < 0.8:
            moves = [chance.choice(one.legal_moves()) for _ in "12"]
            last = moves[0] if chance.random() < 0.5 else moves[1]
            mirrored = mapped(symmetry if other is not stem else MIRROR)(one.format(last))
            one, other = one.play(moves[0]), other.play(other.parse(mirrored))
        elif chance.random() < 0.5 and len(other.stood) > 1:
            other = GAME.read(" ".join(other.write().split()[:-1]))
        yield one, other


def test_texts_are_equal_for_the_same_positions_and_for_no_others() -> None:
    same, different = agreement(close_pairs(2000), state, images)
    assert same > 500
    assert different > 500


def test_arrangements_that_stood_are_part_of_the_text_but_not_of_the_board() -> None:
    position = played(random.Random(1), 12)
    words = position.write().split()
    forgetful = GAME.read(" ".join(words[:2]))
    assert canonical(position) != canonical(forgetful)
    assert canonical_board(position) == canonical_board(forgetful)


def test_rings_that_are_their_own_mirror_are_the_same_after_either_past() -> None:
    here, earlier = "S 123321/f/f/f/f/123321", "12332a/e1/f/f/f/123321"
    position = GAME.read(f"{here} {earlier}")
    image = image_of(position, MIRROR)
    assert position.write() != image.write()
    assert canonical(position) == canonical(image)


def test_a_won_position_is_not_the_one_before_the_winning_move() -> None:
    position = GAME.read("S 123321/f/f/f/f/123321")
    won = replace(position, seat=1, ending=EndReason.WON)
    assert canonical_board(won) != canonical_board(position)
