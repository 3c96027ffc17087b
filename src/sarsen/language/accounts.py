"""Commands about an account: joining, changing it, leaving."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self

from sarsen.core.errors import UserError
from sarsen.language.grammar.sentence import Credentials, Sentence


@dataclass(frozen=True)
class SignUp:
    """Ask for an account."""

    words: ClassVar[tuple[str, ...]] = ("signup", "add", "register")
    usage: ClassVar[str] = "signup USERID [PASSWORD] [ADDRESS …]"
    summary: ClassVar[str] = (
        "Join. Answer the mail that comes to the address you write from, and to others that you "
        "name."
    )

    userid: str
    password: str = field(default="", repr=False)
    addresses: tuple[str, ...] = ()

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read a userid, at most one password, and addresses in any order."""
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
    """Answer the mail that a sign-up, or a change of address, sent."""

    words: ClassVar[tuple[str, ...]] = ("welcome",)
    usage: ClassVar[str] = "welcome CODE"
    summary: ClassVar[str] = (
        "Confirm an address with the code from its mail (answering it does that)."
    )

    code: str = field(repr=False)

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the code."""
        return cls(sentence.take().lower())


@dataclass(frozen=True)
class ChangePassword:
    """Set a new password; with `off` none is taken any more."""

    words: ClassVar[tuple[str, ...]] = ("change password", "password")
    usage: ClassVar[str] = "change password USERID OLD NEW"
    summary: ClassVar[str] = (
        "Set a new password, or `off` for none. In an answer to a mail: `change password NEW`."
    )

    new: str = field(repr=False)

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read `U OLD NEW`, or `NEW` alone where the speaker is known."""
        words = sentence.rest_words()
        if len(words) == 3:
            sentence.credentials = Credentials(words[0], words[1])
        if len(words) not in (1, 3) or (len(words) == 1 and not sentence.context.speaker):
            raise UserError(
                "A change of password names you, the old password and the new one.",
                code="password-words",
                hint=cls.usage,
            )
        return cls(words[-1])


@dataclass(frozen=True)
class ChangeAddress:
    """Use other mail addresses from now on."""

    words: ClassVar[tuple[str, ...]] = ("change address", "address")
    usage: ClassVar[str] = "change address [USERID PASSWORD] [ADDRESS …]"
    summary: ClassVar[str] = (
        "Send mail to these addresses, once one of them has answered; the old ones get a notice."
    )

    addresses: tuple[str, ...] = ()

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read addresses; without one it is the sender's."""
        sentence.speaker()
        return cls(sentence.rest_words() or _sender(sentence))


@dataclass(frozen=True)
class ChangeTimezone:
    """Set the time zone of a player."""

    words: ClassVar[tuple[str, ...]] = ("change timezone", "timezone")
    usage: ClassVar[str] = "change timezone [USERID PASSWORD] ZONE"
    summary: ClassVar[str] = "Set your time zone, such as Europe/Berlin, for deadlines."

    zone: str

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the name of a zone."""
        sentence.speaker(leaves=1)
        return cls(sentence.rest())


@dataclass(frozen=True)
class ChangeLanguage:
    """Set the language in which a player is written to."""

    words: ClassVar[tuple[str, ...]] = ("change language", "language")
    usage: ClassVar[str] = "change language [USERID PASSWORD] en|de"
    summary: ClassVar[str] = (
        "Set the language of mails and pages, where they are translated; commands are English."
    )

    language: str

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the name of a language."""
        sentence.speaker(leaves=1)
        return cls(sentence.rest())


@dataclass(frozen=True)
class ChangeWeekends:
    """Set whether the clock stands still on Saturdays and Sundays."""

    words: ClassVar[tuple[str, ...]] = ("change weekends", "weekends")
    usage: ClassVar[str] = "change weekends [USERID PASSWORD] on|off"
    summary: ClassVar[str] = (
        "With `off`, weekends do not count in new games against players who chose the same."
    )

    are_off: bool

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read `on` or `off`."""
        sentence.speaker(leaves=1)
        word = sentence.take().lower()
        if word not in ("on", "off"):
            raise UserError(
                "Weekends are `on` (they count) or `off` (they do not).",
                code="weekends-word",
                hint="change weekends USERID PASSWORD off",
            )
        return cls(word == "off")


@dataclass(frozen=True)
class Revoke:
    """Void the reply addresses of letters that somebody else may have.

    Attributes:
        board: Of which letters; None for those of everything.
    """

    words: ClassVar[tuple[str, ...]] = ("revoke",)
    usage: ClassVar[str] = "revoke [USERID PASSWORD] BOARD|all"
    summary: ClassVar[str] = (
        "Make reply addresses invalid, for example after you have forwarded a mail. A new one "
        "comes by mail."
    )

    board: int | None

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read a board or `all`; in an answer to a board mail it is that board."""
        sentence.speaker(leaves=0 if sentence.context.board is not None else 1)
        if sentence.peek().lower() == "all":
            sentence.take()
            return cls(None)
        return cls(sentence.board(cls.usage)[0])


@dataclass(frozen=True)
class SignOff:
    """Leave the server; asked once whether that is meant.

    Attributes:
        confirmed: Whether the door has made sure.
        forgets: Nothing that names the speaker shall stay, nor what the speaker wrote.
    """

    words: ClassVar[tuple[str, ...]] = ("signoff", "delete")
    usage: ClassVar[str] = "signoff [USERID PASSWORD] [forget]"
    summary: ClassVar[str] = (
        "Leave. The server asks first and offers `export`; then running games are resigned. With "
        "`forget` your name and all you wrote are deleted, and your games stay under another "
        "name."
    )

    confirmed: bool = False
    forgets: bool = False

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read an optional `forget`."""
        sentence.speaker()
        return cls(forgets=sentence.take().lower() == "forget")


@dataclass(frozen=True)
class Export:
    """Ask for everything the server keeps of the speaker."""

    words: ClassVar[tuple[str, ...]] = ("export",)
    usage: ClassVar[str] = "export [USERID PASSWORD]"
    summary: ClassVar[str] = "Get all stored data about you, with your games: a file of JSON lines."

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read nothing but the speaker."""
        sentence.speaker()
        return cls()


@dataclass(frozen=True)
class Account:
    """Ask how the speaker's account is set."""

    words: ClassVar[tuple[str, ...]] = ("account", "settings")
    usage: ClassVar[str] = "account [USERID PASSWORD]"
    summary: ClassVar[str] = "Your account's settings, and the commands that change them."

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read nothing but the speaker."""
        sentence.speaker()
        return cls()


@dataclass(frozen=True)
class ConfirmAccount:
    """Answer a question of the server: signing off, with or without a trace, a broadcast.

    Attributes:
        what: `signoff`, `forget` or `broadcast`.
    """

    words: ClassVar[tuple[str, ...]] = ("confirm signoff", "confirm forget", "confirm broadcast")
    usage: ClassVar[str] = "confirm signoff|forget|broadcast [USERID PASSWORD] [no]"
    summary: ClassVar[str] = "Answer the server's question about your account with yes, or no."

    what: str
    agrees: bool = True

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read an optional `no`."""
        what = sentence.verb.split()[-1]
        sentence.speaker()
        return cls(what, sentence.take().lower() not in ("no", "off"))
