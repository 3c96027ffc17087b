"""Wait for a program's move, for a terminal at which somebody sits, over the network."""

from __future__ import annotations

import time

from rich.console import Console

from sarsen.client import Client
from sarsen.client.logins import StoredLogin
from sarsen.language.facts import BoardFacts

PATIENCE = 30.0  # seconds; Ctrl-C ends it sooner
SHORTEST_LOOK, LONGEST_LOOK = 0.2, 2.0  # seconds between two looks at a board


def has_program_moved(login: StoredLogin, number: int, event: int) -> bool:
    """Wait a while at most, while a program is to move; tell whether one has moved.

    Args:
        event: How many events the board had before.

    Raises:
        UserError: The server is away meanwhile.
    """
    client = Client(login.url, login.token)
    limit, wait = time.monotonic() + PATIENCE, SHORTEST_LOOK
    board = client.board(number)
    mover = _program_to_move(board)
    if mover:
        with Console(stderr=True).status(f"{mover} thinks; Ctrl-C ends the waiting"):
            while _program_to_move(board) and time.monotonic() < limit:
                time.sleep(wait)
                wait = min(2 * wait, LONGEST_LOOK)
                board = client.board(number)
    return board.event > event


def _program_to_move(board: BoardFacts) -> str:
    mover = "" if board.to_move is None else board.players[board.to_move]
    return mover if mover in board.programs else ""
