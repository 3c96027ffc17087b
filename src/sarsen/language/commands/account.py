"""Commands about an account."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self

from sarsen.core.errors import UserError
from sarsen.language.sentence import Sentence


@dataclass(frozen=True)
class SignUp:
    """Ask for an account."""

    words: ClassVar[tuple[str, ...]] = ("signup", "add", "register")
    usage: ClassVar[str] = "signup USERID [PASSWORD] [ADDRESS …]"
    summary: ClassVar[str] = (
        "Join. Each address gets a mail to answer; without an address it is the one you write from."
    )

    userid: str
    password: str = field(default="", repr=False)
    addresses: tuple[str, ...] = ()

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        userid = sentence.take()
        if not userid:
            raise UserError("Which userid would you like?", code="userid-missing", hint=cls.usage)
        words = sentence.rest_words()
        addresses = tuple(word for word in words if "@" in word[1:])
        others = tuple(word for word in words if "@" not in word[1:])
        if len(others) > 1:
            raise UserError(
                "A userid and a password are one word each.", code="signup-words", hint=cls.usage
            )
        return cls(userid, others[0] if others else "", addresses or _sender(sentence))


def _sender(sentence: Sentence) -> tuple[str, ...]:
    return (sentence.context.sender,) if sentence.context.sender else ()


@dataclass(frozen=True)
class ConfirmSignup:
    """Answer the mail that a sign-up sent."""

    words: ClassVar[tuple[str, ...]] = ("welcome",)
    usage: ClassVar[str] = "welcome CODE"
    summary: ClassVar[str] = (
        "Confirm an address with the code from its mail (answering it does that)."
    )

    code: str = field(repr=False)

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        return cls(sentence.take().lower())
