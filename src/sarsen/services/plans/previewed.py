"""From a preview to a plan: the line that was tried, as `queue` would take it."""

from __future__ import annotations

from sarsen.core.referee import judge
from sarsen.language.plans import DEEPEST, Line, PlanText, write_plan
from sarsen.services import replays
from sarsen.services.call import Player
from sarsen.services.viewing import BoardView


def plan_for(view: BoardView, player: Player | None) -> str:
    """Return the text by which a player would plan the moves he tried at a running board.

    "" when he does not play there, when they do not begin at the present position, when
    no move of his answers one of the other side, or when the sides do not take turns.
    """
    mine = {seat for seat, name in enumerate(view.players) if player and name == player.userid}
    is_present = view.ply == view.last_ply
    if not mine or len(mine) == len(view.players) or not is_present:
        return ""
    moves = list(_moves(view, mine))
    first = moves.pop(0)[0] if moves and moves[0][1] else ""
    pairs = list(zip(moves[::2], moves[1::2], strict=False))[:DEEPEST]
    if not pairs or any(answer[1] or not reply[1] for answer, reply in pairs):
        return ""
    lines: tuple[Line, ...] = ()
    for (answer, _), (reply, _) in reversed(pairs):
        lines = (Line(answer, reply, lines),)
    return write_plan(PlanText(first, lines))


def _moves(view: BoardView, mine: set[int]) -> list[tuple[str, bool]]:
    """Return the moves that were tried, and whether the player makes them."""
    texts = tuple(move.text for move in view.shown_moves)
    position = replays.position_after(view.game.name, view.options, texts)
    moves = []
    for text in view.previewed:
        moves.append((text, position.seat in mine))
        position = judge(position, text).position
    return moves
