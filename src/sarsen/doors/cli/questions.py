"""What a reply asks back, and the line that says yes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from sarsen.language.account_replies import SignOffAsked
from sarsen.language.board_replies import Submitted
from sarsen.language.chat import BroadcastAsked
from sarsen.language.replies import ResignAsked, decode


@dataclass(frozen=True)
class PendingQuestion:
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


def read_question(facts: Mapping[str, Any]) -> PendingQuestion | None:
    """Return what an encoded reply asks back, if it does."""
    try:
        return question(decode(facts))
    except (TypeError, KeyError):
        return None  # of a later release


@singledispatch
def question(reply: object) -> PendingQuestion | None:
    """Return what a reply asks back, if it does."""
    return None


@question.register
def _of_resigning(reply: ResignAsked) -> PendingQuestion:
    return _at_board("Resign?", reply)


@question.register
def _of_move(reply: Submitted) -> PendingQuestion:
    return _at_board(f"Play {reply.text}?", reply)


@question.register
def _of_broadcast(reply: BroadcastAsked) -> PendingQuestion:
    return PendingQuestion("Send it to all?", "confirm broadcast", "confirm broadcast no")


@question.register
def _of_leaving(reply: SignOffAsked) -> PendingQuestion:
    if reply.forgets:
        return PendingQuestion("Delete all of you?", "confirm forget", "confirm forget no")
    return PendingQuestion("Close your account?", "confirm signoff", "confirm signoff no")


def _at_board(text: str, reply: ResignAsked | Submitted) -> PendingQuestion:
    board = reply.board
    return PendingQuestion(text, f"confirm {board}", f"reject {board}", board, reply.matter)
