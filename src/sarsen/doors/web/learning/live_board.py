"""What pages with a live board share: own moves in the address, and the facts of the board."""

from __future__ import annotations

from collections.abc import Sequence

from sarsen.core.game import AnyPosition
from sarsen.doors.web.board.moves import legal_texts
from sarsen.doors.web.frame.pictures import in_words, inline_cells, marked_picture
from sarsen.doors.web.frame.visitors import with_query

MAX_TYPED = 400  # characters of a move
MAX_NAMED = 500  # legal moves that the field knows: each makes the page longer


def read_moves(words: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the own moves of an address or a form, one more than `most` at most."""
    stripped = [" ".join(word.split())[:MAX_TYPED] for word in words[: most + 1]]
    return tuple(word for word in stripped if word)


def line_address(path: str, moves: Sequence[str], **query: str) -> str:
    """Return a path with own moves behind it."""
    return with_query(path, [*(("moves", move) for move in moves), *query.items()])


def board_facts(
    position: AnyPosition,
    *,
    is_open: bool,
    marks: Sequence[str] = (),
    arrows: Sequence[str] = (),
) -> dict[str, object]:
    """Return what the template of the board needs, in letters and as a picture.

    Args:
        is_open: A move may be pointed out, or typed.
    """
    return {
        "picture": marked_picture(position, marks, arrows),
        "cells": inline_cells(position),
        "words": in_words(position),
        "legal": legal_texts(position, MAX_NAMED) if is_open else (),
        "is_open": is_open,
    }
