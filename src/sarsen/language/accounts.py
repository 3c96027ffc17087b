"""Accounts: signing up, confirming, exporting and leaving."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.schema.fields import (
    MAX_PASSWORD,
    MIN_PASSWORD,
    Addresses,
    AnyCase,
    Bounds,
    Form,
    OneOf,
    Userid,
)
from sarsen.language.translating import N_, _, _n, sentence, typed_next

USERID = r"[A-Za-z][A-Za-z0-9_-]{1,15}"
MAX_PLACE, MAX_ABOUT = 60, 400  # characters, as the columns are


@dataclass(frozen=True)
class SignUp(Command):
    """Ask for an account."""

    words = ("signup", "add", "register")
    usage = "signup USERID [PASSWORD] [ADDRESS …]"
    summary = N_(
        "Join. Reply to the mail that comes to the address you write from, and to any others you "
        "name."
    )
    scope = Scope.ACCOUNT
    for_visitors = True
    for_guests = True
    sets_password = True

    userid: Annotated[Userid, Bounds(16, 2, f"^{USERID}$")]
    password: Annotated[
        str, Form(r"^\S*$"), Bounds(MAX_PASSWORD, pattern=rf"^(\S{{{MIN_PASSWORD},}})?$")
    ] = field(default="", repr=False)
    addresses: Addresses = ()

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read a userid, at most one password, and addresses in any order."""
        userid = tokens.take()
        if not userid:
            raise UserError("Which name would you like?", code="userid-missing", hint=cls.usage)
        first, words = tokens.at, tokens.rest_words()
        addresses = tuple(word for word in words if "@" in word[1:])
        others = tuple(word for word in words if "@" not in word[1:])
        if len(others) == 1:
            tokens.secrets_at.add(first + words.index(others[0]))
        if len(others) > 1:
            raise UserError(
                "A name and a password must be one word each.",
                code="signup-words",
                hint=cls.usage,
            )
        return cls(userid, others[0] if others else "", addresses or tokens.sender())


@dataclass(frozen=True)
class ConfirmSignup(Command):
    """Answer the mail that a sign-up, or a change of address, sent."""

    words = ("welcome",)
    usage = "welcome CODE"
    summary = N_(
        "Confirm an address with the code from its mail (replying to the mail does the same)."
    )
    scope = Scope.ACCOUNT
    for_visitors = True
    for_guests = True

    code: Annotated[str, AnyCase(), Form(r"^\S*$")] = field(repr=False)

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the code."""
        return cls(tokens.take_secret().lower())


@dataclass(frozen=True)
class SignOff(Command):
    """Leave the server, after a confirmation.

    Attributes:
        confirmed: Whether the player has already confirmed it.
        forgets: Also delete the player's name and everything the player wrote.
    """

    words = ("signoff", "delete")
    usage = "signoff [USERID PASSWORD] [forget]"
    summary = N_(
        "Leave. The server asks first and offers `export`; then running games are resigned. With "
        "`forget` your name and all you wrote are deleted, and your games stay under another "
        "name."
    )
    scope = Scope.ACCOUNT
    for_guests = True
    is_of_account = True
    may_close_account = True

    confirmed: bool = False
    forgets: bool = False

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read an optional `forget`."""
        tokens.speaker()
        return cls(forgets=tokens.take().lower() == "forget")


@dataclass(frozen=True)
class Export(Command):
    """Export all data stored about the player."""

    words = ("export",)
    usage = "export [USERID PASSWORD]"
    summary = N_("Get all stored data about you, with your games: a file of JSON lines.")
    scope = Scope.ACCOUNT
    is_query = True
    for_guests = True

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read nothing but the speaker."""
        tokens.speaker()
        return cls()


@dataclass(frozen=True)
class Account(Command):
    """Show the settings of the player's account."""

    words = ("account", "settings")
    usage = "account [USERID PASSWORD]"
    summary = N_("Your account's settings, and the commands that change them.")
    scope = Scope.ACCOUNT
    is_query = True

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read nothing but the speaker."""
        tokens.speaker()
        return cls()


@dataclass(frozen=True)
class ChangePlace(Command):
    """Set the place on a player's page."""

    words = ("change place", "place")
    usage = "change place [USERID PASSWORD] PLACE|off"
    summary = N_("Show on your page where you live; `off` removes it.")
    scope = Scope.ACCOUNT
    takes_text = True

    text: Annotated[str, Bounds(MAX_PLACE, 1)]

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the rest of the line, and the body."""
        tokens.speaker()
        return cls(tokens.text())


@dataclass(frozen=True)
class ChangeAbout(Command):
    """Set the text about a player on the player's page."""

    words = ("change about", "about")
    usage = "change about [USERID PASSWORD] TEXT|off"
    summary = N_(
        "Say something about yourself on your page, in the line or below it; `off` removes it."
    )
    scope = Scope.ACCOUNT
    takes_text = True

    text: Annotated[str, Bounds(MAX_ABOUT, 1)]

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the rest of the line, and the body."""
        tokens.speaker()
        return cls(tokens.text())


@dataclass(frozen=True)
class ConfirmAccount(Command):
    """Answer a question of the server about leaving, a broadcast or a contest.

    Attributes:
        what: `signoff`, `forget`, `broadcast`, `contest` for leaving one, or `close` for closing
            one.
    """

    words = (
        *("confirm signoff", "confirm forget"),
        *("confirm broadcast", "confirm contest", "confirm close"),
    )
    usage = "confirm signoff|forget|broadcast|contest|close [USERID PASSWORD] [no]"
    summary = N_("Answer the server's question about your account with yes, or no.")
    scope = Scope.ACCOUNT
    for_guests = True
    is_of_account = True
    may_close_account = True

    what: Annotated[str, OneOf(("signoff", "forget", "broadcast", "contest", "close"))]
    agrees: bool = True

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read an optional `no`."""
        what = tokens.verb.split()[-1]
        tokens.speaker()
        return cls(what, tokens.take().lower() not in ("no", "off"))


@dataclass(frozen=True)
class SignupAsked:
    """A sign-up waits until an address is confirmed.

    Attributes:
        addresses: Those to which a letter was sent.
        further: Those that get one as soon as the account exists.
    """

    userid: str
    addresses: tuple[str, ...]
    further: tuple[str, ...] = ()


@dataclass(frozen=True)
class AddressConfirmed:
    """An address was confirmed; `is_new` if this created the account."""

    userid: str
    is_new: bool


@dataclass(frozen=True)
class SignOffAsked:
    """The server asks for confirmation that the player wants to leave.

    Attributes:
        boards: Running boards that would be resigned.
        forgets: Nothing that names the player would stay.
    """

    userid: str
    boards: tuple[int, ...]
    forgets: bool = False


@dataclass(frozen=True)
class SignedOff:
    """The account was closed, and these boards were resigned.

    Attributes:
        forgets: The player is forgotten; `userid` is what their games stand under now.
    """

    userid: str
    boards: tuple[int, ...]
    forgets: bool = False


@dataclass(frozen=True)
class QuestionVoid:
    """The server's question was answered with no and is dropped."""

    what: str


@dataclass(frozen=True)
class Exported:
    """All data stored about a player; the export file is added.

    Attributes:
        lines: How many lines the file has.
    """

    userid: str
    lines: int


@dataclass(frozen=True)
class ProfileChanged:
    """The profile of a player was changed.

    The text is not repeated: somebody may have typed a password in the wrong place.

    Attributes:
        what: `place` or `about`.
        is_removed: Whether nothing is said any more.
    """

    what: str
    is_removed: bool


AccountReply = (
    SignupAsked
    | AddressConfirmed
    | SignOffAsked
    | SignedOff
    | QuestionVoid
    | Exported
    | ProfileChanged
)


@sentence.register
def _signup_asked(reply: SignupAsked) -> str:
    then = (
        _(" Then {further} will get a mail, too.").format(further=", ".join(reply.further))
        if reply.further
        else ""
    )
    return _(
        "Welcome, {userid}. A mail is on its way to {addresses}; reply to "
        "it, and the account is yours.{then}"
    ).format(userid=reply.userid, addresses=", ".join(reply.addresses), then=then)


@sentence.register
def _address_confirmed(reply: AddressConfirmed) -> str:
    return _("The address is confirmed for {userid}.").format(userid=reply.userid)


@sentence.register
def _sign_off_asked(reply: SignOffAsked) -> str:
    numbers = ", ".join(str(board) for board in reply.boards)
    boards = _n(
        "You would resign on board {boards}.",
        "You would resign on boards {boards}.",
        len(reply.boards),
    ).format(boards=numbers)
    stays = (
        _(
            "Your name, your addresses and everything you wrote will be deleted for good. Your "
            "games stay on record under another name. This cannot be undone."
        )
        if reply.forgets
        else _("Your finished games stay on record under your name.")
    )
    question = _("Do you really want to leave, {userid}?").format(userid=reply.userid)
    return " ".join(filter(None, (question, boards if reply.boards else "", stays)))


@typed_next.register
def _after_sign_off_asked(reply: SignOffAsked) -> str:
    forget = _("To delete your name and everything you wrote as well: {command}")
    leave = "confirm forget" if reply.forgets else "confirm signoff"
    lines = (
        "" if reply.forgets else forget.format(command="signoff forget"),
        _("To download all your data first: {command}").format(command="export"),
        _("To leave: {command}").format(command=leave),
        _("To stay, do nothing."),
    )
    return "\n".join(filter(None, lines))


@sentence.register
def _signed_off(reply: SignedOff) -> str:
    resigned = _("Boards resigned: {count}.").format(count=len(reply.boards))
    if reply.forgets:
        template = _("Your data is deleted; your games are now under {userid}.")
        thanks = _("Thank you for them.")
    else:
        template, thanks = _("The account {userid} is closed."), _("Thank you for your games.")
    farewell = template.format(userid=reply.userid)
    return " ".join(filter(None, (farewell, resigned if reply.boards else "", thanks)))


@sentence.register
def _question_void(reply: QuestionVoid) -> str:
    cancelled = "deletion" if reply.what == "forget" else reply.what
    return _("The {what} is cancelled; nothing was changed.").format(what=cancelled)


@sentence.register
def _exported(reply: Exported) -> str:
    return _("All your data, {userid}: {lines} lines of JSON.").format(
        userid=reply.userid, lines=reply.lines
    )


@sentence.register
def _profile_changed(reply: ProfileChanged) -> str:
    if reply.what == "place":
        confirmation, removed = (
            _("Your page now shows where you live."),
            _("Your page no longer shows where you live."),
        )
    else:
        confirmation, removed = (
            _("Your page now shows your text."),
            _("Your page says nothing about you now."),
        )
    return removed if reply.is_removed else confirmation
