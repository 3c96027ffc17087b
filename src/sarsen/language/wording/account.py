"""Words about accounts."""

from __future__ import annotations

from sarsen.language.replies.account import (
    AddressConfirmed,
    AddressesAsked,
    Exported,
    LimitStands,
    PasswordChanged,
    QuestionVoid,
    SignedOff,
    SignOffAsked,
    SignupAsked,
    WishesStand,
)
from sarsen.language.wording.said import sentence


@sentence.register
def _signup_asked(reply: SignupAsked) -> str:
    return (
        f"Welcome, {reply.userid}. A mail is on its way to {', '.join(reply.addresses)}; "
        "answer it, and the account is yours."
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
    if not reply.asked:
        return f"From now on mail goes without {' and '.join(reply.dropped)}."
    said = f"A mail is on its way to {asked}; answer it, and that address is yours."
    if reply.dropped:
        return f"{said} Then mail goes no more to {' and '.join(reply.dropped)}."
    return said


@sentence.register
def _sign_off_asked(reply: SignOffAsked) -> str:
    boards = ""
    if reply.boards:
        running = "board" if len(reply.boards) == 1 else "boards"
        numbers = ", ".join(str(board) for board in reply.boards)
        boards = f" You would resign {running} {numbers}."
    return (
        f"Do you mean to leave, {reply.userid}?{boards} Your finished games stay on record under "
        "your userid.\n\n"
        "To have all that is kept of you first: export\n"
        "To leave: confirm signoff\n"
        "To stay, do nothing."
    )


@sentence.register
def _signed_off(reply: SignedOff) -> str:
    resigned = f" Boards resigned: {len(reply.boards)}." if reply.boards else ""
    return f"The account {reply.userid} is closed.{resigned} Thank you for your games."


@sentence.register
def _question_void(reply: QuestionVoid) -> str:
    return f"The {reply.what} is forgotten; nothing was changed."


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
