"""Replies about accounts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SignupAsked:
    """A sign-up waits until an address answers.

    Attributes:
        addresses: Those to which a letter was sent.
        further: Those that get one as soon as the account exists.
    """

    userid: str
    addresses: tuple[str, ...]
    further: tuple[str, ...] = ()


@dataclass(frozen=True)
class AddressConfirmed:
    """An address is confirmed; `is_new` when that made the account."""

    userid: str
    is_new: bool


@dataclass(frozen=True)
class PasswordChanged:
    """A new password holds, or none is taken any more."""

    userid: str
    is_off: bool


@dataclass(frozen=True)
class AddressesAsked:
    """New addresses wait until one of them answers; then the others go.

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
    """The reply addresses of older letters hold no more.

    Attributes:
        board: Of which letters; None for those of everything.
    """

    board: int | None


@dataclass(frozen=True)
class SignOffAsked:
    """The server asks whether leaving is meant.

    Attributes:
        boards: Running boards that would be resigned.
        forgets: Nothing that names the player would stay.
    """

    userid: str
    boards: tuple[int, ...]
    forgets: bool = False


@dataclass(frozen=True)
class SignedOff:
    """The account is closed, these boards are resigned.

    Attributes:
        forgets: The player is forgotten; `userid` is what his games stand under now.
    """

    userid: str
    boards: tuple[int, ...]
    forgets: bool = False


@dataclass(frozen=True)
class QuestionVoid:
    """What the server asked is forgotten after a no."""

    what: str


@dataclass(frozen=True)
class Exported:
    """All that is kept of a player; the door adds the file.

    Attributes:
        lines: How many lines the file has.
    """

    userid: str
    lines: int


@dataclass(frozen=True)
class WishesStand:
    """Whose challenges are refused, or start at once.

    Attributes:
        about: `refuse` or `autoaccept`.
        names: Userids, games, `anyone`; empty when nothing is.
    """

    about: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class LimitStands:
    """How many running games are enough; None for no bound."""

    most: int | None
    running: int


AccountReply = (
    SignupAsked
    | AddressConfirmed
    | PasswordChanged
    | AddressesAsked
    | Revoked
    | SignOffAsked
    | SignedOff
    | QuestionVoid
    | Exported
    | WishesStand
    | LimitStands
)
