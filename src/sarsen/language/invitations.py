"""The answer to an invitation that came by mail to somebody without an account."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Self

from sarsen.core.referee import MAX_MOVE
from sarsen.language.accounts import USERID
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.schema.fields import AnyCase, Form
from sarsen.language.translating import N_, _, sentence

ACCEPT, DECLINE = "accept", "decline"
NO_WORDS = ("decline", "no", "never")


@dataclass(frozen=True)
class AnswerInvitation(Command):
    """Answer an invitation that was mailed to an address.

    Attributes:
        code: From the mail; it proves who has read it.
        answer: `accept`, `decline`, or the first move.
        userid: The name that a new account shall have; "" for one made of the address.
    """

    words = ("invited",)
    usage = "invited CODE accept [USERID] | invited CODE decline|MOVE"
    summary = N_(
        "Answer an invitation with the code from its mail (replying to the mail does the same): "
        "take the seat, say no for good, or play the first move."
    )
    scope = Scope.ACCOUNT
    for_visitors = True
    for_guests = True  # it makes their account

    code: Annotated[str, AnyCase(), Form(r"^\S*$")] = field(repr=False)
    answer: Annotated[str, Form(rf"^.{{0,{MAX_MOVE}}}$")] = ACCEPT
    userid: Annotated[str, Form(rf"^({USERID})?$")] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the code and the answer."""
        code = tokens.take_secret().lower()
        words = tokens.rest_words()
        verb = "".join(words[:1]).lower()
        if verb == ACCEPT and len(words) < 3:
            return cls(code, ACCEPT, "".join(words[1:]))
        is_no = verb in NO_WORDS and len(words) == 1
        return cls(code, DECLINE if is_no else " ".join(words))


@dataclass(frozen=True)
class InvitationAccepted:
    """A mailed invitation was accepted, and its game has started.

    Attributes:
        is_new: Whether that made the account.
    """

    userid: str
    board: int
    is_new: bool


@dataclass(frozen=True)
class InvitationDeclined:
    """A mailed invitation was declined; no other one goes to its address."""


InvitationReply = InvitationAccepted | InvitationDeclined


@sentence.register
def _invitation_accepted(reply: InvitationAccepted) -> str:
    begun = (
        _("Welcome, {userid}: your account is ready, and the game has started as board {board}.")
        if reply.is_new
        else _("{userid}, the game has started as board {board}.")
    )
    return begun.format(userid=reply.userid, board=reply.board)


@sentence.register
def _invitation_declined(_reply: InvitationDeclined) -> str:
    return _("Declined. No more invitations will be sent to your address.")
