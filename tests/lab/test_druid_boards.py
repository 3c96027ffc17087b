"""What is proved of Druid on 3 x 3."""

from __future__ import annotations

import random

import pytest

from sarsen.games.druid.board import H, Monument, Terms, V, site, squares_of
from sarsen.games.druid.proof import hold, is_held_off, is_shut_out
from sarsen.games.druid.rules import GAME, DruidPosition

STONES = ("a1", "a2", "b1")


def read(line: str) -> DruidPosition:
    return GAME.read(line)


@pytest.mark.parametrize("opening", STONES)
@pytest.mark.parametrize("variant", ["", "-nogaps"])
def test_neither_side_loses_on_3_x_3_whatever_v_opens_with(variant: str, opening: str) -> None:
    options = f"-size=3 {variant}".strip()
    assert hold(options, opening, V, 3).moves is not None
    assert hold(options, opening, H, 5).moves is not None


@pytest.mark.parametrize("variant", ["-exact", "-exact -nogaps"])
def test_v_never_loses_on_3_x_3_with_exact(variant: str) -> None:
    assert hold(f"-size=3 {variant}", "a2", V, 4).moves is not None


def test_what_is_not_found_is_not_claimed() -> None:
    found = hold("-size=3", "b1", H, 2)
    assert found.moves is None
    assert "nothing is proved" in found.sentence


def test_a_blocked_corner_to_corner_chain_shuts_out() -> None:
    position = read("-size=3;4;;Vb1 Hc1 Hb2 Vc2")
    assert not is_shut_out(position.monument, V, position.terms)
    blocked = read("-size=3;10;;Va1 Hb1 Hc1 Va2 Hb2 Hc2 Ha3 Vb3 Vc3 Va1")
    assert is_shut_out(blocked.monument, V, blocked.terms)


def test_a_square_as_low_as_both_its_neighbours_is_not_guarded() -> None:
    low = read("-size=3;8;;Ha1 Vb1 Vc1 Hb2 Hc2 Va3 Vb3 Hc3")
    assert not is_held_off(low.monument, V, low.terms)


def monument_of(v: dict[str, int], h: dict[str, int]) -> Monument:
    """Make a monument of 3 x 3 of the heights of both sides' squares."""
    heights, tops = [0] * 48, [0, 0]
    for side, stones in ((V, v), (H, h)):
        for name, height in stones.items():
            square = 16 * (int(name[1]) - 1) + ord(name[0]) - ord("a")
            heights[square] = height
            tops[side] |= 1 << square
    return Monument(3, tuple(heights), (tops[V], tops[H]))


def test_two_guards_under_one_lintel_hold_nobody_off() -> None:
    terms = Terms(3, nogaps=False, exact=False, swap=False)
    ours = {"a2": 2, "b2": 1, "c2": 2, "b3": 6}
    level = monument_of({"a1": 1, "b1": 1, "c1": 1, "a3": 5, "c3": 5}, ours)
    assert not is_held_off(level, V, terms)
    # With another guard for c2 the lintel from a1 to c1 harms a2 only.
    helped = monument_of({"a1": 1, "b1": 1, "c1": 1, "a3": 5, "c3": 1}, ours)
    assert is_held_off(helped, V, terms)


def some_monument(size: int, chance: random.Random) -> Monument:
    """Draw owners and heights, as no game might bring them about."""
    heights, tops, most = [0] * (16 * size), [0, 0], chance.choice((2, 3, 5))
    for square in squares_of(site(size).every):
        side = chance.choice((V, V, H, H, None))
        if side is not None:
            heights[square] = chance.randint(1, most)
            tops[side] |= 1 << square
    return Monument(size, tuple(heights), (tops[V], tops[H]))


def assert_every_move_has_an_answer(monument: Monument, side: int, terms: Terms) -> None:
    """Play every move of a side that is held off; the enemy holds it off again."""
    assert not monument.is_joined_by(side)
    for piece in monument.pieces(side, terms):
        after = monument.put(piece, side)
        assert not after.is_joined_by(side)
        answers = [after.put(other, 1 - side) for other in after.pieces(1 - side, terms)]
        assert any(is_held_off(answer, side, terms) for answer in answers), (monument, piece)


def assert_holding_off_lasts(size: int, count: int, seed: str) -> None:
    chance, held = random.Random(seed), 0
    while held < count:
        monument, side = some_monument(size, chance), chance.randrange(2)
        terms = Terms(size, chance.random() < 0.5, exact=False, swap=False)
        if monument.is_joined_by(1 - side) or not is_held_off(monument, side, terms):
            continue
        if is_shut_out(monument, side, terms):
            continue  # no raise is needed
        assert_every_move_has_an_answer(monument, side, terms)
        held += 1


@pytest.mark.parametrize("size", [3, 4])
def test_a_side_held_off_is_held_off_again_after_every_move(size: int) -> None:
    assert_holding_off_lasts(size, 250, f"{size}")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "count"), [(3, 5_000), (4, 3_000), (5, 800)])
def test_a_side_held_off_stays_so_in_many_positions(size: int, count: int) -> None:
    assert_holding_off_lasts(size, count, f"long {size}")


def test_a_side_shut_out_is_held_off() -> None:
    chance, seen, terms = random.Random(3), 0, Terms(3, nogaps=False, exact=False, swap=False)
    while seen < 100:
        monument = some_monument(3, chance)
        if is_shut_out(monument, V, terms):
            assert is_held_off(monument, V, terms)
            seen += 1


def test_with_exact_heights_alone_hold_nobody_off() -> None:
    chance, seen, terms = random.Random(4), 0, Terms(3, nogaps=False, exact=False, swap=False)
    while seen < 20:
        monument = some_monument(3, chance)
        if is_held_off(monument, V, terms):
            assert not is_held_off(monument, V, Terms(3, nogaps=False, exact=True, swap=False))
            seen += 1
