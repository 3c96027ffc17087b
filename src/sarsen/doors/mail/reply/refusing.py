"""What becomes of a mail that is not performed: refused, ignored, put off, or set aside."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from sarsen.core.errors import UserError
from sarsen.doors.mail.parse.mail import ReadMail
from sarsen.doors.mail.parse.senders import SenderCheck, judge
from sarsen.doors.mail.receive.recipients import is_ours
from sarsen.games import names
from sarsen.language.boards import MOST_LINES
from sarsen.language.grammar.placeholders import placeholders_of
from sarsen.language.replies import Answer, Refusal, Reply, encode
from sarsen.language.translating import ENGLISH, LANGUAGES
from sarsen.services import limits
from sarsen.services.limits import Unproved
from sarsen.services.mail import incoming, outgoing
from sarsen.services.mail.incoming import Settlement
from sarsen.services.mail.waiting import WaitingMail
from sarsen.services.request import Player

PUT_OFF = timedelta(minutes=1)
MOST_PUT_OFF = timedelta(days=1)


def refuse(
    mail: WaitingMail,
    sender: str,
    message_id: str,
    refusal: UserError,
    now: datetime,
    why: Unproved = Unproved.REFUSAL,
) -> Settlement:
    """Return what is wrong with a mail that nobody has proved to have written."""

    def answer() -> str:
        if sender and may_refuse(sender, why, now):
            refused = Answer("", Refusal(refusal.text, refusal.code, refusal.hint))
            facts = {"answer": encode(refused), "notes": [], "board": None}
            outgoing.queue(sender, "answer", facts, now, in_reply_to=message_id)
        return refusal.code

    return if_genuine(Settlement(mail, answer), sender, now)


def if_genuine(settlement: Settlement, sender: str, now: datetime) -> Settlement:
    """Leave a mail unanswered that its sender's domain says is not its own."""
    mail = settlement.mail
    verdict = judge(mail.raw, sender, now, mail.body_digests)
    if verdict is SenderCheck.FAIL:
        return ignore(settlement.mail, "forged sender")
    return put_off(settlement.mail, now) if verdict is SenderCheck.LATER else settlement


def reused() -> UserError:
    """Return the refusal of a Message-ID that came before with another text."""
    return UserError(
        "Another mail with the same Message-ID came before; nothing was done with this one.",
        code="message-id-reused",
        hint="Send it again as a new mail.",
    )


def too_many_lines() -> Refusal:
    """Return the refusal of lines that a `multiple` has no place for."""
    return Refusal(
        f"`multiple` takes {MOST_LINES} lines; the rest was not read.",
        "too-many-lines",
        "Send the rest in another mail.",
    )


def no_room() -> Refusal:
    """Return the refusal of a question that the letter has no room to answer."""
    return Refusal(
        "The answers above fill this letter; this question was left out.",
        "answer-too-long",
        "Send it again in another mail.",
    )


def ignore(mail: WaitingMail, reason: str) -> Settlement:
    """Answer nothing, and keep why."""
    return incoming.ignoring(mail, reason)


def give_up(mail: WaitingMail, now: datetime) -> Settlement:
    """Set aside a mail that we fail at, with an apology."""

    def apologise() -> None:
        sender = mail.envelope_sender
        if sender and not is_ours(sender) and may_refuse(sender, Unproved.HELP, now):
            outgoing.queue(sender, "sorry", {}, now)

    return incoming.giving_up(mail, "could not be answered", apologise)


def put_off(mail: WaitingMail, now: datetime) -> Settlement:
    """Leave a mail for later; one that waits too long by then is not answered."""
    if mail.received_at + MOST_PUT_OFF < now:
        return ignore(mail, "put off for too long")
    # Not all of a flood at the same moment again.
    return incoming.putting_off(mail, now + PUT_OFF * (1 + mail.id % 10 / 10))


# Addresses where nobody reads mail, though no header says so.
_UNREAD = re.compile(
    r"(?:no|do|dont|donot|never)[._-]?(?:not[._-]?)?reply.*|bounces?(?:[._+-].*)?|.*[._+-]bounces?"
    r"|notifications?|alerts?|daemon|cron|root|www-data",
    re.IGNORECASE,
)


def may_answer(sender: str, now: datetime) -> bool:
    """Return whether an address that proved nothing is answered once more today."""
    return limits.may_answer(sender, _bound(sender, Unproved.ANSWER), now)


def may_refuse(sender: str, why: Unproved, now: datetime) -> bool:
    """Return whether an address that proved nothing is told once more what is wrong."""
    known = limits.is_known_address(sender)
    return limits.may_answer(sender, _bound(sender, Unproved.ANSWER if known else why), now)


def may_refuse_player(player: Player, now: datetime) -> bool:
    """Return whether a player is told once more what is wrong.

    A machine that writes in their name, and answers our answers, comes to an end so.
    """
    return limits.may_refuse(player, now)


def _bound(sender: str, why: Unproved) -> Unproved:
    is_machine = _UNREAD.fullmatch(sender.partition("@")[0]) is not None
    return Unproved.HELP if is_machine else why


# Refusals of a line that was no command at all.
_NO_COMMAND = ("unknown-command", "command-missing", "empty-line")
FEWEST_WORDS = 3  # of prose
# Words that commands do not have, and letters in prose do; some are common to both languages.
_COMMON = {
    code: frozenset(words.split())
    for code, words in {
        ENGLISH: (
            "a am and are at can could dear do does for from good hello hey hi how i if in is it "
            "join know like many may me my of on one please some tell thanks that the there this "
            "to want what where which who why with would you your"
        ),
        "de": (
            "auch auf bei bin bitte da danke das dem den der des die dir du ein eine einen er es "
            "euch für geht gern guten habe hallo ich ihr im in ist kann können liebe machen man "
            "mein mich mir mit mitmachen mitspielen möchte moin nach nicht noch oder servus sie "
            "sind spiel spiele spielen spielt tag und uns von was wer wie will wir wo wollen zu "
            "zum zusammen über"
        ),
    }.items()
}
_OF_OTHERS = (
    "bonjour salut je comment peux puis jouer vous le la les une un et est que hola como cómo "
    "puedo quiero jugar el los ciao come posso giocare sono per hoe kan ik spelen het een hej "
    "hur jag spela och jak mogę grać"
)
_ALL_COMMON = frozenset(_OF_OTHERS.split()).union(*_COMMON.values())
_WORD = re.compile(r"[^\W\d_]+")
_ASKS = re.compile(
    r"(?:(?:hi|hello|hey|hallo|dear|guten tag|moin|bonjour|hola|ciao)\b[^?]{0,30}?[,.!]? ?)?"
    r"(?:how (?:do|can|does|to|should)|what (?:is|can|do)|where (?:do|can|is)|can (?:i|you|we)"
    r"|wie (?:geht|spiel|kann|funktioniert)|was (?:ist|kann|muss)|wo (?:kann|finde|ist)"
    r"|kann (?:ich|man|mir)|comment |como |cómo |come )",
    re.IGNORECASE,
)


def is_without_command(line: str, reply: Reply | Refusal) -> bool:
    """Return whether a refused line is no command, or prose that begins like one."""
    if not isinstance(reply, Refusal) or placeholders_of(line, names()):
        return False
    return reply.code in _NO_COMMAND or _is_prose(line)


def is_question(line: str) -> bool:
    """Return whether a line asks how things work here, in some languages."""
    return _ASKS.match(line) is not None


def language_of(mail: ReadMail) -> str:
    """Return the code of the language to answer a mail in that nobody is known to have written.

    Its words decide; if they do not, what its headers name; otherwise English.
    """
    words = [word.lower() for word in _WORD.findall(" ".join((mail.subject, *mail.lines[:20])))]
    counts = {code: sum(word in common for word in words) for code, common in _COMMON.items()}
    best = max(counts.values())
    found = [code for code, count in counts.items() if count == best]
    if best and len(found) == 1:
        return found[0]
    return next((code for code in mail.languages if code in LANGUAGES), ENGLISH)


def _is_prose(line: str) -> bool:
    words = [word.lower() for word in _WORD.findall(line)]
    common = [word for word in words[1:] if word in _ALL_COMMON]
    return len(words) >= FEWEST_WORDS and len(common) >= 2
