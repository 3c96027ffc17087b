"""What a reply asks back, and the line that says yes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from sarsen.language.replies import ResignAsked, decode
from sarsen.language.replies.account import SignOffAsked
from sarsen.language.replies.boards import Submitted
from sarsen.language.replies.messages import BroadcastAsked


@dataclass(frozen=True)
class Question:
    """Something the server does only after a yes.

    Attributes:
        no: What says no: else the server goes on waiting for a yes.
        matter: What is asked at the board: a later question is not answered with this yes.
    """

    text: str
    yes: str
    no: str
    board: int | None = None
    matter: str = ""


def read_question(facts: Mapping[str, Any]) -> Question | None:
    """Return what an encoded reply asks back, if it does."""
    try:
        return question(decode(facts))
    except (TypeError, KeyError):
        return None  # of a later release


@singledispatch
def question(reply: object) -> Question | None:
    """Return what a reply asks back, if it does."""
    return None


@question.register
def _of_resigning(reply: ResignAsked) -> Question:
    return _at_board("Resign?", reply)


@question.register
def _of_move(reply: Submitted) -> Question:
    return _at_board(f"Play {reply.text}?", reply)


@question.register
def _of_broadcast(reply: BroadcastAsked) -> Question:
    return Question("Send it to all?", "confirm broadcast", "confirm broadcast no")


@question.register
def _of_leaving(reply: SignOffAsked) -> Question:
    if reply.forgets:
        return Question("Delete all of you?", "confirm forget", "confirm forget no")
    return Question("Close your account?", "confirm signoff", "confirm signoff no")


def _at_board(text: str, reply: ResignAsked | Submitted) -> Question:
    board = reply.board
    return Question(text, f"confirm {board}", f"reject {board}", board, reply.matter)
