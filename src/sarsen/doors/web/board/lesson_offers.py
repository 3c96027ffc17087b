"""Whether the page of a board offers the lesson of its game."""

from __future__ import annotations

from sarsen.services.boards.view import BoardView
from sarsen.services.bots.accounts import list_programs
from sarsen.services.learning.offers import FIRST_MOVES, is_offered_at_board
from sarsen.services.request import Player


def offers_lesson(view: BoardView, seat: int, viewer: Player | None) -> bool:
    """Return whether a player is offered the lesson: at first moves, or after a loss to a beginner.

    Args:
        seat: Of the viewer, who plays there.
    """
    if viewer is None:
        return False
    if view.to_move is None:
        has_lost = view.scores is not None and view.scores[seat] == 0
        if not has_lost or not any(one.userid in view.programs for one in list_programs()[:1]):
            return False
    elif view.last_ply >= FIRST_MOVES * len(view.players):
        return False
    return is_offered_at_board(viewer, view.game.name)
