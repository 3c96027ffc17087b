"""Send due letters through the relay, or catch them when there is none."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.core.mail.backends.smtp import EmailBackend
from environ import Env

from sarsen.core.errors import PluginBusy
from sarsen.doors.mail.addresses import is_sender
from sarsen.doors.mail.letter import Letter
from sarsen.doors.mail.letters import write_letter
from sarsen.doors.mail.letters.answers import fallback
from sarsen.doors.mail.letters.html import words_of_html
from sarsen.doors.mail.parse.automatic_mail import is_dead
from sarsen.doors.mail.send.composing import compose
from sarsen.doors.mail.send.relaying import Message, RelayReply, hand_over, reason_of
from sarsen.services import crash_log
from sarsen.services.accounts.bounces import count_bounce
from sarsen.services.board_cache import BoardCache
from sarsen.services.mail import fingerprints, outgoing
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.mail.reply_addresses import bounce_address, without_signatures
from sarsen.services.mail.sent_letters import SentWords

# The relay was not reached: all letters wait, and count no attempt.
RELAY_PAUSE = timedelta(seconds=30)
# Of letters about a plug-in that is busy: as long as one question may take.
PLUGIN_PAUSE = timedelta(seconds=10)
# Tries to word a letter, in some twenty minutes: a defect that shows each time stays.
MAX_WORDINGS = 3
TIMEOUT = 30  # seconds for each answer of the relay: its claim is renewed, others wait
# A process that dies after sending sends again what was not marked. On a quick relay one write for
# all costs least; on a slow one each letter is marked.
MARKED_EVERY = 1.0  # seconds
Written = list[tuple[DueLetter, bytes]]
log = structlog.get_logger()


@dataclass(frozen=True)
class WrittenLetter:
    """A letter as it goes.

    Attributes:
        words: By what it is known in a reply.
    """

    letter: DueLetter
    subject: str
    raw: bytes
    words: SentWords


def send_due(now: datetime, most: int, boards: BoardCache | None = None) -> int:
    """Send letters that are due; return how many were dealt with.

    No connection to the relay is opened when there is nothing to send.

    Args:
        boards: Of the mails just answered, whose moves many of the letters show.
    """
    due = outgoing.claim_due(now, most)
    if not due:
        return 0
    with outgoing.renewed_claim(due, now):
        cache = boards or BoardCache()
        cache.load(_boards_of(due))
        written = list(_write_in_order([replace(letter, boards=cache) for letter in due], now))
        crash_log.note_done()
        words = {entry.letter.id: entry.words for entry in written}
        if settings.SARSEN_SMTP_URL:
            to_relay = [(entry.letter, entry.raw) for entry in written]
            return len(due) if _relay(to_relay, words, now) else 0
        if written:
            caught = [(entry.letter, entry.subject, entry.raw) for entry in written]
            for letter in outgoing.store_caught(caught, now, words):
                log.info("letter caught", **_log_fields(letter))
    return len(due)


def _boards_of(letters: list[DueLetter]) -> set[int]:
    boards = (letter.board or letter.facts.get("board") for letter in letters)
    return {board for board in boards if isinstance(board, int)}


def send_by_itself(address: str, raw: bytes) -> None:
    """Hand over a message that is no letter, without a sender, so that nothing comes back.

    Raises:
        OSError: The relay is away, or does not take it.
    """
    backend = _backend()
    backend.open()
    try:
        assert backend.connection is not None  # just opened
        backend.connection.sendmail("", [address], raw)
    finally:
        backend.close()


def _write_in_order(letters: Sequence[DueLetter], now: datetime) -> Iterator[WrittenLetter]:
    """Word letters, without those that would overtake one of their board that is put off."""
    put_off: set[tuple[int, str]] = set()
    for letter in letters:
        place = (letter.board, letter.address) if letter.board is not None else None
        if place in put_off:
            outgoing.release_claim([letter], now)
        elif written := _write(letter, now):
            yield written
        elif place is not None:
            put_off.add(place)


def _write(letter: DueLetter, now: datetime) -> WrittenLetter | None:
    """Word a letter; return it with its subject and the message, None when it is put off."""
    crash_log.note("letter", letter.id)
    if letter.is_dangerous:
        log.error(
            "an outgoing mail is sent in plain words, because it ended workers", letter=letter.id
        )
        return _composed(letter, fallback(letter))
    try:
        return _composed(letter, write_letter(letter))
    except PluginBusy:
        outgoing.release_claim([letter], now + PLUGIN_PAUSE)
        return None
    except Exception:
        # A letter that cannot be worded is a defect; it must not hold up the others.
        log.exception("an outgoing mail could not be rendered", letter=letter.id, kind=letter.kind)
        if letter.attempts < MAX_WORDINGS:
            outgoing.mark_refused(letter, "could not be worded", now, for_good=False)
            return None
    return _composed(letter, fallback(letter))


def _composed(letter: DueLetter, worded: Letter) -> WrittenLetter:
    raw = compose(
        worded,
        kind=letter.kind,
        number=letter.id,
        address=letter.address,
        in_reply_to=letter.in_reply_to,
        queued_at=letter.queued_at,
    )
    known_by = fingerprints.encode(
        (worded.text, words_of_html(worded.html)), repeats=worded.repeats
    )
    words = SentWords(worded.reply_to or "", known_by)
    return WrittenLetter(letter, worded.subject, signed(raw), words)


def _relay(written: Written, words: Mapping[int, SentWords], now: datetime) -> bool:
    """Send over one connection; False when the relay is out of reach."""
    waiting = [(letter, raw) for letter, raw in written if _can_be_carried(letter, now)]
    if not waiting:
        return True
    offered: Written = []
    backend = _backend()
    sent: list[int] = []
    marked_at = time.monotonic()
    try:
        backend.open()
        assert isinstance(backend.connection, smtplib.SMTP)  # just opened
        while waiting:
            offered, waiting = _first_of_each_board(_still_to_send(waiting, now))
            messages = [
                Message(bounce_address(letter.id), letter.address, raw) for letter, raw in offered
            ]
            for reply in hand_over(backend.connection, messages):
                letter, _ = offered.pop(0)
                crash_log.note_progress()
                if reply.is_taken:
                    sent.append(letter.id)
                    reply_text = without_signatures(f"{reply.code} {reply.text}")
                    log.info("letter sent", **_log_fields(letter), relay=reply_text)
                elif _is_tried_again(letter, reply, now):
                    waiting = _held_back(waiting, behind=letter, now=now)
                if time.monotonic() - marked_at > MARKED_EVERY:
                    outgoing.mark_sent(sent, now, words)
                    sent.clear()
                    marked_at = time.monotonic()
    except OSError as error:  # every error of smtplib is one
        _put_back([letter for letter, _ in (*offered, *waiting)], error, now)
        return False
    finally:
        outgoing.mark_sent(sent, now, words)
        backend.close()
    return True


def _still_to_send(written: Written, now: datetime) -> Written:
    due = {letter.id for letter in outgoing.still_to_send([letter for letter, _ in written], now)}
    return [(letter, raw) for letter, raw in written if letter.id in due]


def _first_of_each_board(written: Written) -> tuple[Written, Written]:
    """Part letters, so that none is offered before what its board said there earlier is taken."""
    first: Written = []
    later: Written = []
    begun: set[tuple[int, str]] = set()
    for letter, raw in written:
        is_later = letter.board is not None and (letter.board, letter.address) in begun
        (later if is_later else first).append((letter, raw))
        if letter.board is not None:
            begun.add((letter.board, letter.address))
    return first, later


def _held_back(waiting: Written, *, behind: DueLetter, now: datetime) -> Written:
    """Leave out what would overtake a refused letter; `claim_due` brings it behind that one."""
    if behind.board is None:
        return waiting
    place = (behind.board, behind.address)
    held = [letter for letter, _ in waiting if (letter.board, letter.address) == place]
    outgoing.release_claim(held, now)
    return [(letter, raw) for letter, raw in waiting if (letter.board, letter.address) != place]


def _can_be_carried(letter: DueLetter, now: datetime) -> bool:
    if is_sender(letter.address):
        return True
    outgoing.mark_refused(letter, "no such address can be", now, for_good=True)
    return False


def _is_tried_again(letter: DueLetter, reply: RelayReply, now: datetime) -> bool:
    """Record a refusal; return whether the letter is offered again later."""
    text = f"{reply.code} {reply.text}"
    gives_up = outgoing.mark_refused(letter, text, now, for_good=reply.code >= 500)
    log.warning(
        "letter refused",
        **_log_fields(letter),
        relay=without_signatures(text),
        attempt=letter.attempts + 1,
        is_given_up=gives_up,
    )
    # Refused for days counts like a bounce, too.
    is_of_dead = is_dead(reply.code, reply.text) if reply.code >= 500 else gives_up
    if reply.is_of_address and is_of_dead:
        count_bounce(letter.id, reply.text, now)
    return not gives_up


def _log_fields(letter: DueLetter) -> dict[str, object]:
    """Return what the log tells of a letter: no address, and nothing of what it says."""
    userid = letter.player.userid if letter.player else None
    return {"letter": letter.id, "kind": letter.kind, "player": userid, "board": letter.board}


def _put_back(letters: list[DueLetter], reason: OSError, now: datetime) -> None:
    log.warning("relay unreachable", reason=reason_of(reason), waiting=len(letters))
    outgoing.release_claim(letters, now + RELAY_PAUSE)


def _backend() -> EmailBackend:
    parts = Env.email_url_config(settings.SARSEN_SMTP_URL)
    return EmailBackend(
        host=parts["EMAIL_HOST"],
        port=parts["EMAIL_PORT"] or 25,
        username=parts.get("EMAIL_HOST_USER") or "",
        password=parts.get("EMAIL_HOST_PASSWORD") or "",
        use_tls=parts.get("EMAIL_USE_TLS", False),
        use_ssl=parts.get("EMAIL_USE_SSL", False),
        timeout=TIMEOUT,
    )


def signed(raw: bytes) -> bytes:
    """Return a letter with the signature of this server's domain, or as it is."""
    if not settings.SARSEN_DKIM_KEY:
        return raw
    # The library loads a resolver of names, too: half a second, and some megabytes.
    from sarsen.doors.mail.send.dkim_signing import sign

    return sign(raw)
