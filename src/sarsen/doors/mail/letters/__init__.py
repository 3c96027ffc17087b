"""Letters, worded when they are sent: one function a kind, in files by subject."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from django.utils import translation

from sarsen.doors.mail.letter import Letter, Written
from sarsen.doors.mail.letters import (
    account,
    answers,
    boards,
    contests,
    digests,
    invitations,
    messages,
    notices,
    puzzles,
    reviews,
)
from sarsen.doors.mail.letters.html import as_written, document, prose, with_way_to_stop
from sarsen.language.grammar.kept_text import wrap_prose
from sarsen.language.grammar.typography import wrap
from sarsen.language.translating import ENGLISH, use_language
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter

_WRITERS: dict[str, Callable[[DueLetter], Letter]] = {
    "signup": account.signup,
    "welcome": account.welcome,
    "address-asked": account.address_asked,
    "account-changed": account.account_changed,
    "goodbye": account.goodbye,
    "paused": account.paused,
    "login": account.login,
    "sorry": account.apology,
    "introduction": account.introduction,
    "invitation": messages.invitation,
    "link-invitation": invitations.link_invitation,
    "mail-invitation": invitations.mail_invitation,
    "joined": invitations.joined,
    "challenge-asked": messages.challenge_asked,
    "challenge-ended": messages.challenge_ended,
    "board": boards.board,
    "contest-started": contests.started,
    "contest-ended": contests.ended,
    "contest-postponed": contests.postponed,
    "contest-closed": contests.closed,
    "contest-warned": contests.warned,
    "contest-withdrawn": contests.withdrawn,
    "contest-week": contests.week,
    "contest-vacation": contests.vacation,
    "contest-reminded": contests.reminded,
    "contest-substituted": contests.substituted,
    "contest-corrected": contests.corrected,
    "contest-climbed": contests.climbed,
    "contest-invited": contests.invited,
    "reminder": notices.reminder,
    "last-warning": notices.last_warning,
    "forfeit": notices.forfeit,
    "offer": notices.offer,
    "offer-answer": notices.offer_answer,
    "claim-answer": notices.claim_answer,
    "chat": notices.chat,
    "message": messages.message,
    "broadcast": messages.broadcast,
    "watched": notices.watched,
    "weekly": digests.weekly,
    "webhook-off": account.webhook_off,
    "warnings-off": account.warnings_off,
    "digest": lambda due: digests.digest(due, write_letter),
    "review": reviews.review,
    "puzzle": puzzles.daily,
    "operator": account.operator,
    "access-ended": account.access_ended,
    "barred": account.ban_notice,
    "let-in": account.unban_notice,
    "barred-here": notices.barred_here,
    "resumed": notices.resumed,
    "answer": answers.answer,
}
KINDS = frozenset(_WRITERS)


def write_letter(due: DueLetter) -> Letter:
    """Word a letter of any kind, in its reader's language.

    That is the language of the account, else of the page or mail that the letter answers.
    """
    language = (due.player.language if due.player else "") or due.facts.get("language") or ENGLISH
    with use_language(language), translation.override(language):
        letter = with_way_to_stop(_WRITERS[due.kind](due), due)
        if not letter.html:
            letter = _laid_out(letter)
    if letter.reply_to is None and due.player:
        return replace(letter, reply_to=reply_addresses.player_address(due.player))
    return letter


def _laid_out(letter: Letter) -> Letter:
    """Return a letter with its text wrapped, but for words of people, and with its HTML."""
    parts = letter.parts or (letter.text,)
    texts = (wrap_prose(part.text) if isinstance(part, Written) else wrap(part) for part in parts)
    pages = (as_written(part.text) if isinstance(part, Written) else prose(part) for part in parts)
    html = document(letter.subject, "\n".join(pages))
    return replace(letter, text="\n\n".join(texts), html=html)
