"""Letters, worded when they are sent: one function a kind, in files by subject."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from django.utils import translation

from sarsen.doors.mail import markup
from sarsen.doors.mail.composing import Letter
from sarsen.doors.mail.letters import (
    account,
    answers,
    boards,
    challenges,
    clocks,
    digests,
    login,
    messages,
    notices,
    operating,
    reviews,
    talk,
)
from sarsen.doors.mail.letters.stopping import with_way_to_stop
from sarsen.language.translating import ENGLISH, speaking
from sarsen.language.typography import wrap
from sarsen.services.outbox import DueLetter

_WRITERS: dict[str, Callable[[DueLetter], Letter]] = {
    "signup": account.signup,
    "welcome": account.welcome,
    "address-asked": account.address_asked,
    "account-changed": account.account_changed,
    "goodbye": account.goodbye,
    "paused": account.paused,
    "login": login.login,
    "sorry": account.sorry,
    "introduction": account.introduction,
    "invitation": challenges.invitation,
    "challenge-asked": challenges.challenge_asked,
    "challenge-ended": challenges.challenge_ended,
    "board": boards.board,
    "reminder": clocks.reminder,
    "last-warning": clocks.last_warning,
    "forfeit": clocks.forfeit,
    "offer": talk.offer,
    "offer-answer": talk.offer_answer,
    "chat": talk.chat,
    "message": messages.message,
    "broadcast": messages.broadcast,
    "watched": notices.watched,
    "weekly": notices.weekly,
    "webhook-off": notices.webhook_off,
    "warnings-off": notices.warnings_off,
    "digest": lambda due: digests.digest(due, write_letter),
    "review": reviews.review,
    "operator": operating.operator,
    "access-ended": operating.access_ended,
    "barred": operating.barred,
    "let-in": operating.let_in,
    "barred-here": operating.barred_here,
    "resumed": operating.resumed,
    "answer": answers.answer,
}


def write_letter(due: DueLetter) -> Letter:
    """Word a letter of any kind, in its reader's language."""
    language = due.player.language if due.player else due.facts.get("language", "")
    language = language or ENGLISH
    with speaking(language), translation.override(language):
        return _in_both_forms(with_way_to_stop(_WRITERS[due.kind](due), due))


def _in_both_forms(letter: Letter) -> Letter:
    """Return a letter in words with lines that fit, and with the same words as HTML."""
    if letter.html:
        return letter
    html = markup.document(letter.subject, markup.prose(letter.text))
    return replace(letter, text=wrap(letter.text), html=html)
