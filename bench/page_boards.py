"""Boards for `bench.pages`, in the middle of their games, where one player is to move."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime

from sarsen.games import load
from sarsen.language.commands import Accept, MakeChallenge, PlayMove
from sarsen.language.replies import ChallengeStands
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Address, Player

NOW = datetime.fromisoformat("2026-11-20T12:00:00+00:00")
NAMES = ("ann", "bob")


def player(userid: str = NAMES[0]) -> Player:
    """Return the player of a name, who is made when nobody has it."""
    found, is_new = Player.objects.get_or_create(
        key=userid, defaults={"userid": userid, "joined_at": NOW}
    )
    if is_new:
        Address.objects.create(player=found, address=f"{userid}@example.org", confirmed_at=NOW)
    return found


def boards_of(games: Mapping[str, tuple[str, int]]) -> dict[str, int]:
    """Play some plies of each game by chance; give the boards' numbers."""
    return {game: _board(game, options, plies) for game, (options, plies) in games.items()}


def new_game(game: str, plies: int) -> tuple[int, list[tuple[int, str]]]:
    """Start a board; return its number, and moves with their seats that may be played there."""
    return _start(game, ""), _moves(game, "", plies)


def _board(game: str, options: str, plies: int) -> int:
    board = _start(game, options)
    seats = [Actor(player(name)) for name in NAMES]
    for seat, text in _moves(game, options, plies):
        perform(PlayMove(game, board, text), seats[seat], "", NOW)
    return board


def _start(game: str, options: str) -> int:
    seats = [Actor(player(name)) for name in NAMES]
    asked = perform(MakeChallenge(game, options, (), NAMES), seats[0], "", NOW)
    assert isinstance(asked, ChallengeStands)
    started = perform(Accept(asked.number), seats[1], "", NOW)
    assert isinstance(started, ChallengeStands)
    assert started.board is not None
    return started.board


def _moves(game: str, options: str, plies: int) -> list[tuple[int, str]]:
    """Find a game that runs so long, and in which the first seat is then to move."""
    for seed in range(100):
        chance, position = random.Random(seed), load(game).start(options)
        moves: list[tuple[int, str]] = []
        while position.outcome() is None and (len(moves) < plies or position.seat):
            move = chance.choice(position.legal_moves())
            moves.append((position.seat, position.format(move)))
            position = position.play(move)
        if position.outcome() is None:
            return moves
    raise RuntimeError(f"no game of {game} runs for {plies} plies")
