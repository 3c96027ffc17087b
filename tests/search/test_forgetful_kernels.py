"""Kernels whose states have room for a part of the history only: the rules judge what is played."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sarsen.core.game import AnyPosition, own_module
from sarsen.games import load
from sarsen.lab import uct
from sarsen.search import bots, levels
from sarsen.search.contract import Array, Kernel, KernelModule
from sarsen.search.levels import LevelSettings
from sarsen.search.thinking import alphabeta, mcts, prove
from sarsen.search.thought import Budget

FEW = Budget(nodes=150)
GAMES = ("druid -size=4", "gyges", "vasco -size=30", "visavis -size=5")


class Narrowed:
    """A position whose history forbids all moves but three, of which its state knows nothing."""

    def __init__(self, position: AnyPosition) -> None:
        self.whole = position
        self._moves = tuple(position.legal_moves()[-3:])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)

    def legal_moves(self) -> tuple[Any, ...]:
        return self._moves


class Forgetful:
    """The kernel of a game, which knows moves only of what the rules list, as that of Gyges."""

    def __init__(self, module: KernelModule) -> None:
        self._module = module

    def kernel(self, position: Any) -> Kernel:
        return self._module.kernel(position.whole)

    def encode(self, position: Any) -> Array:
        return self._module.encode(position.whole)

    def code(self, position: Any, move: Any) -> int:
        return self._module.code(getattr(position, "whole", position), move)

    def move(self, position: Any, code: int) -> Any:
        return {self.code(position, move): move for move in position.legal_moves()}[code]


def narrowed(line: str) -> tuple[Narrowed, KernelModule]:
    """Return a position some random plies into a game, and its kernel."""
    name, _, options = line.partition(" ")
    game, chance = load(name), random.Random(3)
    position = game.start(options)
    for _ in range(3):
        position = position.play(chance.choice(position.legal_moves()))
    module = own_module(game, "kernel")
    assert module is not None
    return Narrowed(position), Forgetful(__import__(module, fromlist=["kernel"]))


@pytest.mark.parametrize("line", GAMES)
def test_searches_answer_with_moves_of_the_rules(line: str) -> None:
    position, module = narrowed(line)
    legal = position.legal_moves()
    for search in (alphabeta, mcts):
        thought = search(module, position, FEW)
        assert thought.move in legal, search
        assert {candidate.move for candidate in thought.candidates} <= set(legal)
        assert thought.line[0] == thought.move
    proof = prove(module, position, FEW)
    assert proof.line == () or proof.line[0] in legal


@pytest.mark.parametrize("line", GAMES)
def test_levels_and_the_yardstick_play_moves_of_the_rules(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    position, module = narrowed(line)
    level = LevelSettings(150)
    thought = levels.play(
        module, position, level, lambda budget: alphabeta(module, position, budget), seed=1
    )
    assert thought.move in position.legal_moves()
    monkeypatch.setattr(uct, "kernel_module", lambda game: module)
    choice = uct.pick(position, random.Random(2), Budget(nodes=64))
    assert choice.text in [position.format(move) for move in position.legal_moves()]


def test_g5_renop_is_kept_by_every_level_of_gyges_in_matches_of_any_length() -> None:
    game, chance = load("gyges"), random.Random(4)
    for rings in ("231123", "332211"):
        start: Any = game.read(f"S {rings}/f/f/f/f/{rings[::-1]}")
        moves = [move for move in start.legal_moves() if not str(move).endswith("N")]
        left = chance.sample(moves, 4)
        earlier = [start.play(move).write().split()[1] for move in moves if move not in left]
        assert len(earlier) > 150
        position = game.read(" ".join([start.write(), *earlier]))
        legal = position.legal_moves()
        assert len(legal) <= 5
        for level in range(1, 9):
            thought = bots.load(level).think(position, seed=level, budget=FEW)
            assert thought.move in legal, level
            assert thought.proved is None
