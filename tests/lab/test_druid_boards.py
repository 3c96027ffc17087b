"""What is proved of Druid on 3 x 3."""

from __future__ import annotations

import pytest

from sarsen.games.druid.monument import H, V
from sarsen.games.druid.rules import GAME, DruidPosition
from sarsen.lab.druid_boards import hold, is_held_off, is_shut_out


def read(line: str) -> DruidPosition:
    return GAME.read(line)


@pytest.mark.parametrize("variant", ["", "-nogaps", "-exact", "-exact -nogaps"])
def test_v_never_loses_on_3_x_3_after_opening_at_the_left(variant: str) -> None:
    assert hold(f"-size=3 {variant}".strip(), "a2", V, 4).moves is not None


@pytest.mark.parametrize("variant", ["", "-nogaps"])
def test_h_never_loses_on_3_x_3_after_that_opening(variant: str) -> None:
    assert hold(f"-size=3 {variant}".strip(), "a2", H, 5).moves == 5


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
