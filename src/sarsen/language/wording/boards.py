"""Words about boards."""

from __future__ import annotations

from sarsen.language.replies import Moved, ResignAsked, Resigned, Submitted
from sarsen.language.translating import _
from sarsen.language.wording import plans
from sarsen.language.wording.said import sentence


@sentence.register
def _moved(reply: Moved) -> str:
    played = _("Your move {move} is played, as ply {ply}.").format(move=reply.text, ply=reply.ply)
    followed = plans.followed_words(reply.followed)
    return " ".join(filter(None, (played, followed, plans.dropped_words(reply.dropped))))


@sentence.register
def _submitted(reply: Submitted) -> str:
    text = _(
        "Your move {move} on board {board} is put forward, not played: see the board after it. "
        "Answer `yes`, and it is played; `no`, and it is forgotten."
    )
    return text.format(move=reply.text, board=reply.board)


@sentence.register
def _resign_asked(reply: ResignAsked) -> str:
    text = _(
        "Do you mean to resign board {board}? Answer `yes` and it is done; `no`, or a move, and "
        "the game goes on."
    )
    return text.format(board=reply.board)


@sentence.register
def _resigned(reply: Resigned) -> str:
    return _("You have resigned board {board}.").format(board=reply.board)
