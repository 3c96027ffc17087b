"""Announcing a game: a broadcast that the server composes, and that is answered by playing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.language.chat import MAX_MESSAGE
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.schema.fields import Bounds, GameName, GameOptions, MayLack
from sarsen.language.translating import N_


@dataclass(frozen=True)
class Announce(Command):
    """Announce a game to everyone, with its rules; its author sees the text first.

    Attributes:
        text: Words of the author above the rules; "" for none.
    """

    words = ("announce",)
    usage = "announce GAME [-OPTIONS] [USERID PASSWORD]"
    summary = N_(
        "Write to all who want to hear of new games, with the rules and the lines that begin a "
        "game with you. Put your own words in the body. You see it first and confirm."
    )
    scope = Scope.ACCOUNT
    takes_text = True

    game: GameName
    options: GameOptions = ""
    text: Annotated[str, Bounds(MAX_MESSAGE), MayLack()] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the game, its options and the text."""
        game = tokens.game or tokens.take().lower().rstrip(":")
        if not game:
            raise UserError("Announce which game?", code="game-missing", hint="announce druid")
        options = []
        while tokens.peek().startswith("-"):
            options.append(tokens.take())
        tokens.speaker()
        return cls(game, " ".join(options), tokens.text())
