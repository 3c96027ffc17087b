"""Words about boards."""

from __future__ import annotations

from sarsen.language.replies import Moved, ResignAsked, Resigned
from sarsen.language.wording.said import sentence


@sentence.register
def _moved(reply: Moved) -> str:
    return f"Your move {reply.text} is played, as ply {reply.ply}."


@sentence.register
def _resign_asked(reply: ResignAsked) -> str:
    return (
        f"Do you mean to resign board {reply.board}? Answer `yes` and it is done; `no`, or a "
        "move, and the game goes on."
    )


@sentence.register
def _resigned(reply: Resigned) -> str:
    return f"You have resigned board {reply.board}."
