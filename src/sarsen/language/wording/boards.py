"""Words about boards."""

from __future__ import annotations

from sarsen.language.replies import Moved, ResignAsked, Resigned, Submitted
from sarsen.language.wording import plans
from sarsen.language.wording.said import sentence


@sentence.register
def _moved(reply: Moved) -> str:
    played = f"Your move {reply.text} is played, as ply {reply.ply}."
    followed = plans.followed_words(reply.followed)
    return " ".join(filter(None, (played, followed, plans.dropped_words(reply.dropped))))


@sentence.register
def _submitted(reply: Submitted) -> str:
    return (
        f"Your move {reply.text} on board {reply.board} is put forward, not played: see the board "
        "after it. Answer `yes`, and it is played; `no`, and it is forgotten."
    )


@sentence.register
def _resign_asked(reply: ResignAsked) -> str:
    return (
        f"Do you mean to resign board {reply.board}? Answer `yes` and it is done; `no`, or a "
        "move, and the game goes on."
    )


@sentence.register
def _resigned(reply: Resigned) -> str:
    return f"You have resigned board {reply.board}."
