"""Letters, worded when they are sent: one function a kind, in files by subject."""

from __future__ import annotations

from collections.abc import Callable

from sarsen.doors.mail.composing import Letter
from sarsen.doors.mail.letters import account, answers, boards, challenges
from sarsen.services.outbox import DueLetter

_WRITERS: dict[str, Callable[[DueLetter], Letter]] = {
    "signup": account.signup,
    "welcome": account.welcome,
    "address-asked": account.address_asked,
    "account-changed": account.account_changed,
    "goodbye": account.goodbye,
    "paused": account.paused,
    "sorry": account.sorry,
    "invitation": challenges.invitation,
    "challenge-ended": challenges.challenge_ended,
    "board": boards.board,
    "answer": answers.answer,
}


def write_letter(due: DueLetter) -> Letter:
    """Word a letter of any kind."""
    return _WRITERS[due.kind](due)
