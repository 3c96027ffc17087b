"""What is left of an offer after a move."""

from __future__ import annotations

from sarsen.services.matches import matches
from sarsen.services.matches.matches import DRAW, UNDO, Offer

BY_FIRST = Offer(DRAW, seat=0, ply=4, event=4, agreed=(0,))
WISH = Offer(UNDO, seat=0, ply=3, event=4, agreed=(0,))


def test_offer_of_a_draw_stands_until_the_other_side_moves() -> None:
    assert matches.offer_after_move(BY_FIRST, 0) == BY_FIRST
    assert matches.offer_after_move(BY_FIRST, 1) is None


def test_wish_to_take_back_stands_until_who_asked_moves() -> None:
    assert matches.offer_after_move(WISH, 1) == WISH
    assert matches.offer_after_move(WISH, 0) is None


def test_a_no_is_remembered_until_who_asked_moves() -> None:
    for asked in (BY_FIRST, WISH):
        rejected = asked.closed()
        assert matches.offer_after_move(rejected, 1) == rejected
        assert matches.offer_after_move(rejected, 0) is None


def test_offer_is_written_and_read_back() -> None:
    agreed = WISH.agreed_by((2, 1))
    assert agreed.agreed == (0, 1, 2)
    assert matches.read_offer(matches.write_offer(agreed)) == agreed
    assert matches.read_offer(matches.write_offer(None)) is None
