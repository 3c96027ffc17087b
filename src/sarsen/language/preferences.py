"""Preferences: passwords, addresses, language, time zone, and whose challenges are welcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.dates import day_words
from sarsen.language.grammar.time_zones import zone_called
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.schema.fields import (
    MAX_PASSWORD,
    MIN_PASSWORD,
    WORD,
    Addresses,
    BoardNumber,
    Bounds,
    Example,
    Form,
    Names,
)
from sarsen.language.translating import N_, _, sentence, typed_next, use_language

OFF = "off"


@dataclass(frozen=True)
class ChangePassword(Command):
    """Set a new password; `off` removes it."""

    words = ("change password", "password")
    usage = "change password USERID OLD NEW"
    summary = N_(
        "Set a new password, or `off` for none. In a reply to a mail: `change password NEW`."
    )
    scope = Scope.ACCOUNT
    is_of_account = True
    sets_password = True

    new: Annotated[str, Form(WORD), Bounds(MAX_PASSWORD, MIN_PASSWORD)] = field(repr=False)

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read `U OLD NEW`, or `NEW` alone where the speaker is known."""
        is_alone = tokens.left == 1 and bool(tokens.context.speaker)
        if tokens.left != 3 and not is_alone:
            raise UserError(
                "Give your name, the old password and the new one.",
                code="password-words",
                hint=cls.usage,
            )
        if not is_alone:
            tokens.speaker_from(tokens.at, tokens.at + 1)
            tokens.at += 2
        return cls(tokens.take_secret())


@dataclass(frozen=True)
class ChangeAddress(Command):
    """Change the mail addresses."""

    words = ("change address", "address")
    usage = "change address [USERID PASSWORD] [ADDRESS …]"
    summary = N_(
        "Send mail to these addresses as soon as one of them is confirmed; the old ones get a "
        "notice."
    )
    scope = Scope.ACCOUNT
    is_of_account = True

    addresses: Addresses = ()

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read addresses; without one it is the sender's."""
        tokens.speaker()
        return cls(tokens.rest_words() or tokens.sender())


@dataclass(frozen=True)
class ChangeTimezone(Command):
    """Set the time zone of a player."""

    words = ("change timezone", "timezone")
    usage = "change timezone [USERID PASSWORD] ZONE"
    summary = N_("Set your time zone, such as Europe/Berlin, for deadlines.")
    scope = Scope.ACCOUNT
    for_guests = True

    zone: Annotated[str, Example("Europe/Berlin")]

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the name of a zone."""
        tokens.speaker(leaves=1)
        return cls(tokens.rest())


@dataclass(frozen=True)
class ChangeLanguage(Command):
    """Set the language of a player's mails and pages."""

    words = ("change language", "language")
    usage = "change language [USERID PASSWORD] en|de"
    summary = N_(
        "Set the language of mails and pages, where they are translated; commands are English."
    )
    scope = Scope.ACCOUNT
    for_guests = True

    language: Annotated[str, Example("de")]

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the name of a language."""
        tokens.speaker(leaves=1)
        return cls(tokens.rest())


@dataclass(frozen=True)
class ChangeWeekends(Command):
    """Set whether the clock stops on Saturdays and Sundays."""

    words = ("change weekends", "weekends")
    usage = "change weekends [USERID PASSWORD] on|off"
    summary = N_(
        "With `off`, weekends do not count in new games against players who chose the same."
    )
    scope = Scope.ACCOUNT

    are_off: bool

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read `on` or `off`."""
        tokens.speaker(leaves=1)
        word = tokens.take().lower()
        if word not in ("on", "off"):
            raise UserError(
                "Weekends are `on` (they count) or `off` (they do not).",
                code="weekends-word",
                hint="change weekends USERID PASSWORD off",
            )
        return cls(word == "off")


@dataclass(frozen=True)
class ChangeCoordinates(Command):
    """Set whether text boards in mails have coordinates around them."""

    words = ("change coordinates", "coordinates")
    usage = "change coordinates [USERID PASSWORD] on|off"
    summary = N_("With `off`, text boards in your mails come without coordinates.")
    scope = Scope.ACCOUNT

    are_on: bool

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read `on` or `off`."""
        tokens.speaker(leaves=1)
        word = tokens.take().lower()
        if word not in ("on", "off"):
            raise UserError(
                "Coordinates are `on` (text boards in your mails have them) or `off`.",
                code="coordinates-word",
                hint="change coordinates USERID PASSWORD off",
            )
        return cls(word == "on")


@dataclass(frozen=True)
class Revoke(Command):
    """Invalidate reply addresses that someone else may have.

    Attributes:
        board: The board of the addresses; None for all of them.
    """

    words = ("revoke",)
    usage = "revoke [USERID PASSWORD] BOARD|all"
    summary = N_(
        "Make reply addresses invalid, for example after you have forwarded a mail. A new one "
        "comes by mail."
    )
    scope = Scope.ACCOUNT

    board: BoardNumber | None

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read a board or `all`; in an answer to a board mail it is that board."""
        tokens.speaker(leaves=0 if tokens.context.board is not None else 1)
        if tokens.peek().lower() == "all":
            tokens.take()
            return cls(None)
        return cls(tokens.board(cls.usage)[0])


@dataclass(frozen=True)
class Refuse(Command):
    """Set which challenges are refused; without arguments: show the list.

    Attributes:
        names: Userids, games, or `anyone`; `off` empties the list.
    """

    words = ("refuse",)
    usage = "refuse [USERID PASSWORD] USERID|GAME|anyone … | refuse … off"
    summary = N_("Get no challenges from these players, or to these games.")
    scope = Scope.ACCOUNT

    names: Names = ()

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read names."""
        tokens.speaker()
        return cls(tokens.rest_words())


@dataclass(frozen=True)
class AutoAccept(Command):
    """Set which challenges start at once; without arguments: show the list.

    Attributes:
        names: Userids, games, or `anyone`; `off` empties the list.
    """

    words = ("autoaccept",)
    usage = "autoaccept [USERID PASSWORD] USERID|GAME|anyone … | autoaccept … off"
    summary = N_(
        "Challenges from these players, or to these games, start at once. Your profile and `list` "
        "name the games."
    )
    scope = Scope.ACCOUNT

    names: Names = ()

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read names."""
        tokens.speaker()
        return cls(tokens.rest_words())


@dataclass(frozen=True)
class Limit(Command):
    """Set the maximum number of running games; None for no limit."""

    words = ("limit",)
    usage = "limit [USERID PASSWORD] N|off"
    summary = N_("Get no challenges while you have this many running games.")
    scope = Scope.ACCOUNT

    most: int | None

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read a number or `off`."""
        tokens.speaker(leaves=1)
        if tokens.peek().lower() == OFF:
            tokens.take()
            return cls(None)
        if not tokens.left:
            raise UserError(
                "How many games at most?",
                code="number-missing",
                hint="limit USERID PASSWORD 10",
            )
        return cls(tokens.number(Phrase("games"), Phrase("games"), "limit USERID PASSWORD 10"))


@dataclass(frozen=True)
class PasswordChanged:
    """The password was changed, or removed."""

    userid: str
    is_off: bool


@dataclass(frozen=True)
class AddressesAsked:
    """New addresses wait until one of them is confirmed; then the old ones are removed.

    Attributes:
        asked: Who gets a mail to answer.
        dropped: Which addresses go then.
        resumed: To which mail came back, and is sent again.
    """

    asked: tuple[str, ...]
    dropped: tuple[str, ...]
    resumed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Revoked:
    """The reply addresses of older mails are no longer valid.

    Attributes:
        board: The board of the addresses; None for all of them.
    """

    board: int | None


@dataclass(frozen=True)
class AcceptanceList:
    """The players and games whose challenges are refused, or start at once.

    Attributes:
        about: `refuse` or `autoaccept`.
        names: Userids, games, `anyone`; empty when nothing is.
    """

    about: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class LimitStands:
    """The maximum number of running games; None for no limit."""

    most: int | None
    running: int


@dataclass(frozen=True)
class TimezoneChanged:
    """The time zone of a player was set; `at` is the time of the change in ISO format."""

    zone: str
    at: str


@dataclass(frozen=True)
class LanguageChanged:
    """The language of a player was set, by its code."""

    language: str


@dataclass(frozen=True)
class WeekendsChanged:
    """Whether weekends count in future games."""

    are_off: bool


@dataclass(frozen=True)
class CoordinatesChanged:
    """Whether text boards in mails have coordinates around them from now on."""

    are_on: bool


PreferenceReply = (
    PasswordChanged
    | AddressesAsked
    | Revoked
    | AcceptanceList
    | LimitStands
    | TimezoneChanged
    | LanguageChanged
    | WeekendsChanged
    | CoordinatesChanged
)


@sentence.register
def _password_changed(reply: PasswordChanged) -> str:
    if reply.is_off:
        return _("Your account has no password now. Replying to our mails still works.")
    return _("Your password is changed.")


@sentence.register
def _addresses_asked(reply: AddressesAsked) -> str:
    addresses = " and ".join(reply.asked)
    if reply.resumed and not reply.asked and not reply.dropped:
        return _("Mail is sent to {resumed} again.").format(resumed=" and ".join(reply.resumed))
    if not reply.asked:
        return _("Mail no longer goes to {dropped}.").format(dropped=" and ".join(reply.dropped))
    confirmation = _("A mail is on its way to {asked}; reply to it to confirm the address.").format(
        asked=addresses
    )
    if reply.dropped:
        return _("{said} After that, mail no longer goes to {dropped}.").format(
            said=confirmation, dropped=" and ".join(reply.dropped)
        )
    return confirmation


@sentence.register
def _revoked(reply: Revoked) -> str:
    if reply.board is None:
        return _("The reply addresses of all your earlier mails are no longer valid.")
    return _(
        "The reply addresses of all earlier mails of board {board} are no "
        "longer valid. A mail with a new one is on its way to you."
    ).format(board=reply.board)


@sentence.register
def _acceptance_list(reply: AcceptanceList) -> str:
    names = ", ".join(reply.names)
    if reply.about == "refuse":
        if not names:
            return _("You get challenges from everyone.")
        return _("These challenges do not reach you: {names}.").format(names=names)
    if not names:
        return _("No challenge starts until you accept it.")
    return _("These challenges start at once: {names}.").format(names=names)


@typed_next.register
def _after_acceptance_list(reply: AcceptanceList) -> str:
    line = f"{reply.about} NAME off"
    return _("To change that: {line}").format(line=line) if reply.names else ""


@sentence.register
def _limit_stands(reply: LimitStands) -> str:
    running = _("You have {running} running.").format(running=reply.running)
    if reply.most is None:
        return _("There is no limit to your games. {running}").format(running=running)
    return _("You get no challenges while you have {most} running games. {running}").format(
        most=reply.most, running=running
    )


@sentence.register
def _timezone_changed(reply: TimezoneChanged) -> str:
    now = datetime.fromisoformat(reply.at)
    local = now.astimezone(zone_called(reply.zone))
    local_time = f"{day_words(local.date(), local.date())} {local:%H:%M}"
    return _(
        "Your time zone is {zone}, where it is now {shown}. Deadlines are shown in it."
    ).format(zone=reply.zone, shown=local_time)


@sentence.register
def _language_changed(reply: LanguageChanged) -> str:
    with use_language(reply.language):
        return _("Mails and pages are in English from now on.")


@sentence.register
def _weekends_changed(reply: WeekendsChanged) -> str:
    if reply.are_off:
        return _(
            "Saturdays and Sundays do not count in games that begin from now on, "
            "where the other players want that too. Running games stay as they "
            "are."
        )
    return _("Weekends count in games that begin from now on. Running games stay as they are.")


@sentence.register
def _coordinates_changed(reply: CoordinatesChanged) -> str:
    if reply.are_on:
        return _("Text boards in your mails come with coordinates from now on.")
    return _(
        "Text boards in your mails come without coordinates from now on. You write your moves as "
        "before."
    )
