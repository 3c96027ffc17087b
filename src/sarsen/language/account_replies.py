"""Replies about accounts."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.language.translating import _, _n, sentence


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
        forgets: The player is forgotten; `userid` is what their games stand under now.
    """

    userid: str
    boards: tuple[int, ...]
    forgets: bool = False


@dataclass(frozen=True)
class QuestionVoid:
    """The question of the server was answered with no and is forgotten."""

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


@sentence.register
def _signup_asked(reply: SignupAsked) -> str:
    then = f" Then {', '.join(reply.further)} will be asked, too." if reply.further else ""
    return (
        f"Welcome, {reply.userid}. A mail is on its way to {', '.join(reply.addresses)}; "
        f"answer it, and the account is yours.{then}"
    )


@sentence.register
def _address_confirmed(reply: AddressConfirmed) -> str:
    return f"The address is confirmed for {reply.userid}."


@sentence.register
def _password_changed(reply: PasswordChanged) -> str:
    if reply.is_off:
        return "No password is taken for your account any more. Answering our mails still works."
    return "Your new password holds from now on."


@sentence.register
def _addresses_asked(reply: AddressesAsked) -> str:
    asked = " and ".join(reply.asked)
    if reply.resumed and not reply.asked and not reply.dropped:
        return f"Mail is sent to {' and '.join(reply.resumed)} again."
    if not reply.asked:
        return f"From now on mail goes without {' and '.join(reply.dropped)}."
    said = f"A mail is on its way to {asked}; answer it, and that address is yours."
    if reply.dropped:
        return f"{said} Then mail goes no more to {' and '.join(reply.dropped)}."
    return said


@sentence.register
def _revoked(reply: Revoked) -> str:
    if reply.board is None:
        return "The reply addresses of all mails you have had so far hold no more."
    return (
        f"The reply addresses of all mails of board {reply.board} so far hold no more. A mail "
        "with a new one is on its way to you."
    )


@sentence.register
def _sign_off_asked(reply: SignOffAsked) -> str:
    numbers = ", ".join(str(board) for board in reply.boards)
    boards = _n(
        "You would resign board {boards}.", "You would resign boards {boards}.", len(reply.boards)
    ).format(boards=numbers)
    stays = (
        _(
            "Your name, your addresses and all you wrote are deleted for ever, and your games "
            "stay on record under another name. This cannot be undone."
        )
        if reply.forgets
        else _(
            "Your finished games stay on record under your userid. To take your name off them, "
            "too, and all you wrote: signoff forget"
        )
    )
    asked = _("Do you mean to leave, {userid}?").format(userid=reply.userid)
    first = " ".join(filter(None, (asked, boards if reply.boards else "", stays)))
    return "\n".join(
        (
            f"{first}\n",
            _("To have all that is kept of you first: {command}").format(command="export"),
            _("To leave: {command}").format(
                command="confirm forget" if reply.forgets else "confirm signoff"
            ),
            _("To stay, do nothing."),
        )
    )


@sentence.register
def _signed_off(reply: SignedOff) -> str:
    resigned = _("Boards resigned: {count}.").format(count=len(reply.boards))
    if reply.forgets:
        done = _("You are forgotten here: your games are those of {userid} now.")
        thanks = _("Thank you for them.")
    else:
        done, thanks = _("The account {userid} is closed."), _("Thank you for your games.")
    told = done.format(userid=reply.userid)
    return " ".join(filter(None, (told, resigned if reply.boards else "", thanks)))


@sentence.register
def _question_void(reply: QuestionVoid) -> str:
    what = "deletion" if reply.what == "forget" else reply.what
    return f"The {what} is forgotten; nothing was changed."


@sentence.register
def _exported(reply: Exported) -> str:
    return f"All that is kept of you, {reply.userid}: {reply.lines} lines of JSON."


@sentence.register
def _wishes_stand(reply: WishesStand) -> str:
    names = ", ".join(reply.names)
    if reply.about == "refuse":
        if not names:
            return "Everybody's challenges reach you."
        return f"These challenges do not reach you: {names}. To change that: refuse NAME off"
    if not names:
        return "No challenge starts without your yes."
    return f"These challenges start at once: {names}. To change that: autoaccept NAME off"


@sentence.register
def _limit_stands(reply: LimitStands) -> str:
    running = f"You have {reply.running} running."
    if reply.most is None:
        return f"Your number of games is not bounded. {running}"
    return f"No challenge reaches you beyond {reply.most} running games. {running}"
