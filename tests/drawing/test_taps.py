"""Every legal move can be tapped, and every way through the tree is a legal move."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, cast

import pytest

from sarsen.core.game import AnyPosition
from sarsen.drawing.taps import moves_in_words, tap_tree, tapped
from sarsen.drawing.view import register, view_of
from sarsen.games import load, names


@pytest.mark.parametrize("name", names())
def test_every_way_through_the_tree_is_a_legal_move_and_none_is_missing(name: str) -> None:
    position, chance = load(name).start(), random.Random(7)
    for _ in range(12):
        legal = position.legal_moves()
        if not legal:
            break
        ways = list(tapped(tap_tree(position)))
        assert {text for _, text in ways} == {position.format(move) for move in legal}
        view = view_of(position)
        assert {(view.clicks(position, move), position.format(move)) for move in legal} <= set(ways)
        position = position.play(chance.choice(legal))


def test_a_lintel_may_be_tapped_from_either_end_and_a_sarsen_stays_possible() -> None:
    position = load("druid").start()
    for text in ["b8", "b5", "b4", "a5", "b6", "d1"]:
        position = position.play(position.parse(text))
    tree = tap_tree(position)
    assert tree["b4"] == {"": "b4", "b6": "b4-b6"}
    assert tree["b6"] == {"": "b6", "b4": "b4-b6", "b8": "b6-b8"}


def test_a_ring_of_gyges_is_not_tapped_backwards() -> None:
    position = load("gyges").start()
    for text in ("231123", "321123"):
        position = position.play(position.parse(text))
    assert {spot[0] for spot in tap_tree(position)} == {"1"}


@dataclass(frozen=True)
class Plain:
    """A position of no game, whose moves are words."""

    game: Any
    words: tuple[str, ...]

    def legal_moves(self) -> tuple[str, ...]:
        return self.words

    def format(self, move: str) -> str:
        return move


class Initials:
    """Point at the letters of a word that are small; a capital needs no tap."""

    def clicks(self, position: Plain, move: str) -> tuple[str, ...]:
        return tuple(letter for letter in move if letter.islower())


def test_moves_of_the_same_taps_stand_side_by_side_and_moves_without_taps_above() -> None:
    register("initials", Initials())
    info = type("Info", (), {"name": "initials"})
    game = type("Game", (), {"info": info})
    position = cast(AnyPosition, Plain(game, ("PASS", "Aab", "Bab", "Cab", "a")))
    assert tap_tree(position) == {"": "PASS", "a": {"": "a", "b": ["Aab", "Bab", "Cab"]}}


def test_moves_said_in_a_word_need_no_tap_also_where_a_tap_makes_them() -> None:
    register("initials", Initials())
    info = type("Info", (), {"name": "initials"})
    game = type("Game", (), {"info": info})
    position = cast(AnyPosition, Plain(game, ("PASS", "SWAp", "a", "b1", "A-B")))
    assert tap_tree(position) == {"": ["PASS", "A-B", "SWAp"], "p": "SWAp", "a": "a", "b": "b1"}
    assert moves_in_words(position) == ("PASS", "SWAp")


def test_a_game_all_in_words_is_pointed_at() -> None:
    position = cast(AnyPosition, Plain(None, ("north", "east", "south", "west", "wait")))
    assert moves_in_words(position) == ()
