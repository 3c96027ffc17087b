"""Wishes for games: players vote for games that are not here yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.schema.fields import Bounds, Example
from sarsen.language.translating import N_, _, _n, sentence, typed_next

MAX_WISH = 40  # characters: the name of a game
WISH_EXAMPLE = "wish USERID PASSWORD Havannah"
_OFF = "off"


@dataclass(frozen=True)
class Wish(Command):
    """Vote for a game that is not here, or take the vote back.

    Attributes:
        name: What the game is called.
    """

    words = ("wish",)
    usage = "wish [USERID PASSWORD] NAME [off]"
    summary = N_(
        "Vote for a game that should be played here; `off` behind its name takes the vote back."
    )
    scope = Scope.CHAT
    takes_reason = True  # others read the name: no password may stand in it

    name: Annotated[str, Bounds(MAX_WISH, 1), Example("Havannah")]
    withdraws: bool = False

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read a name, which may have several words."""
        tokens.speaker(leaves=1)
        words = list(tokens.rest_words())
        withdraws = bool(words[1:]) and words[-1].lower() == _OFF
        if not words:
            raise UserError(
                "Which game would you like to play here?", code="wish-missing", hint=WISH_EXAMPLE
            )
        return cls(" ".join(words[:-1] if withdraws else words), withdraws)


@dataclass(frozen=True)
class ShowWishes(Command):
    """List the games that players wish for, those with most votes first."""

    words = ("wishes", "wish list")
    usage = "wishes"
    summary = N_("The games that players would like to play here, by votes.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read nothing."""
        tokens.rest()
        return cls()


@dataclass(frozen=True)
class WishStands:
    """The votes for a game, after the speaker has given one or taken it back."""

    name: str
    votes: int
    is_withdrawn: bool = False


@sentence.register
def _wish_stands(reply: WishStands) -> str:
    votes = _n("{count} vote", "{count} votes", reply.votes).format(count=reply.votes)
    if reply.is_withdrawn:
        return _("Your vote for {name} is taken back; it has {votes} now.").format(
            name=reply.name, votes=votes
        )
    return _("You voted for {name}; it now has {votes}.").format(name=reply.name, votes=votes)


@typed_next.register
def _after_wish_stands(reply: WishStands) -> str:
    if reply.is_withdrawn:
        return ""
    return _("To see all wishes: wishes. To take your vote back: wish {name} off").format(
        name=reply.name
    )
