"""Lines of moves in addresses: the ply at which they leave a game, and the moves after it.

`?ply=12&try=d4&try=e5` is what the page of a board takes, too. Without a ply a line goes
on from the last move.
"""

from __future__ import annotations

import re

from django.http import QueryDict

from sarsen.core.errors import UserError
from sarsen.language.typography import normalise

MOST_MOVES = 400  # of a path; a tree has its own bound, too
LONGEST_MOVE = 200  # characters
LONGEST_ADDED = 1000  # characters of moves to add
Path = tuple[str, ...]
# Moves are parted by blanks; one that sends another along has a semicolon before its blank.
_BETWEEN = re.compile(r"(?<!;)\s+")


def read_line(asked: QueryDict, played: Path) -> Path:
    """Read the place that an address or a form names: its moves from the first position."""
    whole = asked.get("m", "")
    if whole:  # as addresses were before 0.4
        return read_path(whole)
    ply = asked.get("ply", "")
    start = min(int(ply), len(played)) if ply.isascii() and ply.isdigit() else len(played)
    tried = [move for text in asked.getlist("try")[:MOST_MOVES] for move in read_moves(text)]
    return (*played[:start], *tried)


def read_moves(text: str) -> Path:
    """Read moves that stand one after the other."""
    if len(text) > LONGEST_ADDED:
        raise _too_long()
    moves = [move for move in _BETWEEN.split(normalise(text).strip()) if move]
    return tuple(move[:LONGEST_MOVE] for move in moves)


def read_path(text: str) -> Path:
    """Read a path: its moves stand in lines, since some games' moves have blanks."""
    moves = text.splitlines()
    if len(moves) > MOST_MOVES:
        raise _too_long()
    return tuple(move[:LONGEST_MOVE] for move in moves if move)


def write_line(path: Path, played: Path) -> tuple[tuple[str, str], ...]:
    """Name a place in an address; the present position has no words. The pair of `read_line`."""
    if path == played:
        return ()
    pairs = zip(path, played, strict=False)
    shared = next((ply for ply, (one, two) in enumerate(pairs) if one != two), None)
    if shared is None:
        shared = min(len(path), len(played))
    return (("ply", str(shared)), *(("try", move) for move in path[shared:]))


def _too_long() -> UserError:
    return UserError("This line is too long to look at.", code="path-too-long")
