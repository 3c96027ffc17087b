"""Reports of abuse to the operators, about a broadcast or another player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.grammar.typography import QUOTES
from sarsen.language.schema.fields import WORD, Bounds, Example, Form
from sarsen.language.translating import N_, _, sentence, typed_next

MAX_REPORT = 2000  # characters: what was written may be quoted, and what is wrong with it
REPORT_EXAMPLE = "report USERID PASSWORD 12 This is an advertisement."


@dataclass(frozen=True)
class Report(Command):
    """Report a broadcast, or what a player writes, to the operators.

    Attributes:
        about: The number of the broadcast, or the userid of the player.
        text: What is wrong with it.
    """

    words = ("report", "report abuse")
    usage = "report [USERID PASSWORD] NUMBER|USERID TEXT"
    summary = N_(
        "Report a broadcast, or a player who writes to you, to the operators, with what is wrong."
    )
    scope = Scope.CHAT
    takes_text = True

    about: Annotated[str, Form(WORD), Example("12")]
    text: Annotated[str, Bounds(MAX_REPORT, 1)]

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read a number or a userid; then the text."""
        if not tokens.peek().lstrip("#").isdigit():  # a number is no userid
            tokens.speaker(leaves=1)
        if tokens.peek().lower() in ("news", "broadcast") and tokens.left > 1:
            tokens.take()
        about = tokens.take().strip(f"{QUOTES}#:,<>")
        if not about:
            raise UserError(
                "Which broadcast, or which player?", code="report-missing", hint=REPORT_EXAMPLE
            )
        return cls(about, tokens.text())


@dataclass(frozen=True)
class Reported:
    """The operators can read a report.

    Attributes:
        about: The userid of the player it is about.
        number: Of the broadcast; 0 for none.
    """

    about: str
    number: int = 0


@sentence.register
def _reported(reply: Reported) -> str:
    if reply.number:
        return _(
            "Thank you. The operators will look at broadcast {number}; nobody else learns of your "
            "report."
        ).format(number=reply.number)
    return _(
        "Thank you. The operators will look at what {about} writes; nobody else learns of your "
        "report."
    ).format(about=reply.about)


@typed_next.register
def _after_reported(reply: Reported) -> str:
    return _("To block this player: refuse {about}").format(about=reply.about)
