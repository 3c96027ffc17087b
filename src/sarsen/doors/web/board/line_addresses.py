"""Addresses of a place in a tree of variations: the ply where it leaves the game, and moves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.http import QueryDict
from django.urls import reverse

from sarsen.core.errors import UserError
from sarsen.doors.web.frame.visitors import with_query
from sarsen.language.grammar.typography import normalise
from sarsen.services.matches.practice import LONGEST
from sarsen.services.matches.practice import MAX_MOVES as MAX_ANALYSED

MAX_MOVES = 400  # of a path; a tree has its own bound, too
MAX_ADDED = 1000  # characters of moves to add: anybody may send them, and each is judged
Path = tuple[str, ...]
# Blanks separate moves; a move that brings another along has a semicolon before its blank.
_MOVE_SEPARATOR = re.compile(r"(?<!;)\s+")


def read_line(query: QueryDict, played: Path) -> Path:
    """Read the place that an address or a form names: its moves from the first position."""
    full_path = query.get("m", "")
    if full_path:  # as addresses were before 0.4
        return read_path(full_path)
    ply = query.get("ply", "")
    start = min(int(ply), len(played)) if ply.isascii() and ply.isdigit() else len(played)
    tried = [move for text in query.getlist("try")[:MAX_MOVES] for move in read_moves(text)]
    return (*played[:start], *tried)


def read_moves(text: str) -> Path:
    """Read moves that stand one after the other."""
    if len(text) > MAX_ADDED:
        raise _too_long()
    return tuple(move for move in _MOVE_SEPARATOR.split(normalise(text).strip()) if move)


def read_path(text: str) -> Path:
    """Read a path: its moves stand in lines, since some games' moves have blanks."""
    moves = text.splitlines()
    if len(moves) > MAX_MOVES:
        raise _too_long()
    return tuple(filter(None, moves))


def write_line(path: Path, played: Path) -> tuple[tuple[str, str], ...]:
    """Name a place in an address; the present position has no words. The pair of `read_line`."""
    if path == played:
        return ()
    pairs = zip(path, played, strict=False)
    shared = next(
        (ply for ply, (move, played_move) in enumerate(pairs) if move != played_move), None
    )
    if shared is None:
        shared = min(len(path), len(played))
    return (("ply", str(shared)), *(("try", move) for move in path[shared:]))


def analysis_address(game: str, options: str, moves: Sequence[str]) -> str:
    """Return the page of the analysis board after some moves; "" for more than it holds."""
    if len(moves) > MAX_ANALYSED or len(" ".join(moves)) > LONGEST:
        return ""
    parts = (("options", options), ("moves", " ".join(moves)))
    return with_query(reverse("analysis", args=[game]), [part for part in parts if part[1]])


def _too_long() -> UserError:
    return UserError("This line is too long to show.", code="path-too-long")
