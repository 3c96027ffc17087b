"""Letters that are due: claimed for a while, then marked sent, or tried again later."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import DatabaseError, connection, transaction

from sarsen.services.board_cache import BoardCache
from sarsen.services.mail import sent_letters
from sarsen.services.mail.sent_letters import SentWords
from sarsen.storage import move_path, statements, transactions
from sarsen.storage.models import CaughtMail, Match, OutgoingMail, Player

# A sender that dies leaves its letters to the next one after this time. The second
# copy carries the same Message-ID. One that lives renews its claim, however slow the
# relay is.
CLAIM_LASTS = timedelta(seconds=30)
RENEWED_EVERY = timedelta(seconds=10)  # a third of a claim, so that one renewal may fail
# Before each further try: short at first, for greylisting and restarts, then a day. Together they
# are almost four days, so that a relay may be down over a weekend.
WAITS = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720, 1440, 1440, 1440)
)

MAX_EARLIER = 0.25  # of a wait: letters refused together do not all come back at once
# In `error`, once for each worker that ended while it worded the letter.
ENDED = "ended its worker; "
# A kill may hit any letter once, and by bad luck twice; then it is sent in plain words.
MAX_ENDS = 3
AFTER_AN_END = timedelta(minutes=1)  # from the second on, so that the others go first
log = structlog.get_logger()


@dataclass(frozen=True)
class DueLetter:
    """A letter to word and send.

    Attributes:
        event: What it tells of, in the words of `notices`; "" for an answer.
        player: Whom it is for, when that was proved; None for a stranger.
        board: What it tells of, when that is a board.
        is_dangerous: The process that tried to word it ended there.
        boards: Those that it, and the letters worded with it, show.
    """

    id: int
    kind: str
    facts: dict[str, Any]
    address: str
    player: Player | None
    in_reply_to: str
    queued_at: datetime
    attempts: int
    event: str = ""
    board: int | None = None
    is_dangerous: bool = False
    boards: BoardCache = field(default_factory=BoardCache, compare=False)


def is_any_due(now: datetime) -> bool:
    """Return whether a letter waits to be sent now."""
    return bool(move_path.due_letters(now, 1))


def claim_due(now: datetime, most: int) -> list[DueLetter]:
    """Claim the letters that are due, so that no other sender sends them.

    They go by priority, then the oldest first: ten thousand broadcasts do not delay a move. While
    a letter of a board is in another sender's hands, or waits for its next try, the later ones of
    that board to the same address wait behind it.
    """
    with transaction.atomic():
        # What another sender takes at this moment is not seen yet, and would be overtaken.
        transactions.await_turn("letters")
        letters = move_path.due_letters(now, most)
        # A claim in the row: it outlasts this transaction, and ends by itself if the sender dies.
        move_path.claim_letters([letter.pk for letter in letters], now + CLAIM_LASTS)
    return [
        DueLetter(
            id=letter.pk,
            kind=letter.kind,
            facts=letter.facts,
            address=letter.address,
            player=letter.player,
            in_reply_to=letter.in_reply_to,
            queued_at=letter.queued_at,
            attempts=letter.attempts,
            event=letter.event,
            board=letter.match_id,
            is_dangerous=letter.error.count(ENDED) >= MAX_ENDS,
        )
        for letter in letters
    ]


@contextmanager
def renewed_claim(letters: list[DueLetter], now: datetime) -> Iterator[None]:
    """Renew the claim on letters, from a thread of its own, while they are dealt with.

    Args:
        now: When they were claimed.
    """
    if not letters:
        yield
        return
    done = threading.Event()
    began = time.monotonic()

    def renew() -> None:
        while not done.wait(RENEWED_EVERY.total_seconds()):
            try:
                _renew(letters, now + timedelta(seconds=time.monotonic() - began))
            except DatabaseError:
                # The next turn may find it back; a second copy has the same Message-ID.
                log.warning("a claim on letters could not be renewed")
            finally:
                connection.close()

    keeper = threading.Thread(target=renew, name="claim", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        done.set()
        keeper.join()


def mark_sent(
    ids: Collection[int], now: datetime, words: Mapping[int, SentWords] | None = None
) -> None:
    """Record that the relay has accepted letters, and by what their words will be known."""
    if not ids:
        return
    with transaction.atomic():  # one commit for both
        move_path.mark_letters_sent(ids, now)
        if words:
            # A letter may be gone with its player meanwhile; what is marked cannot go before us.
            marked = move_path.stored_letters(ids)
            sent_letters.store({letter: words[letter] for letter in marked})


def mark_refused(letter: DueLetter, error: str, now: datetime, *, for_good: bool) -> bool:
    """Record a failed attempt; the letter waits longer each time, and at last stays.

    Returns:
        Whether it stays.
    """
    gives_up = for_good or letter.attempts >= len(WAITS)
    # A process that slept through its claim takes nothing back that another one has sent.
    OutgoingMail.objects.filter(pk=letter.id, state=OutgoingMail.State.WAITING).update(
        state=OutgoingMail.State.FAILED if gives_up else OutgoingMail.State.WAITING,
        attempts=letter.attempts + 1,
        due_at=now + wait_after(letter.id, letter.attempts),
        error=error[:300],
    )
    return gives_up


def count_end(letters: Collection[int], now: datetime) -> None:
    """Count an attempt at which the process ended that worded a letter."""
    waiting = OutgoingMail.objects.filter(pk__in=letters, state=OutgoingMail.State.WAITING)
    for letter in waiting:
        if letter.error.count(ENDED) == 1:
            letter.due_at = now + AFTER_AN_END
        earlier = letter.error if letter.error.startswith(ENDED) else ""  # else what a relay said
        letter.error = earlier + ENDED
        letter.attempts += 1
        letter.save(update_fields=["due_at", "error", "attempts"])


def wait_after(letter: int, attempts: int) -> timedelta:
    """Return how long a letter waits that was refused: not as long as others at that moment."""
    wait = WAITS[min(attempts, len(WAITS) - 1)]
    return wait * (1 - MAX_EARLIER * (letter % 16) / 16)


def _renew(letters: list[DueLetter], now: datetime) -> None:
    """Claim letters for longer; those that are sent, or wait even longer, are left alone."""
    until = now + CLAIM_LASTS
    OutgoingMail.objects.filter(
        pk__in=[letter.id for letter in letters],
        state=OutgoingMail.State.WAITING,
        due_at__lt=until,
    ).update(due_at=until)


def release_claim(letters: list[DueLetter], now: datetime) -> None:
    """Release claimed letters that were not tried, so that they keep their order."""
    if not letters:
        return
    OutgoingMail.objects.filter(pk__in=[letter.id for letter in letters]).update(due_at=now)


def still_to_send(letters: list[DueLetter], now: datetime) -> list[DueLetter]:
    """Return the letters whose rows are as they were when they were claimed.

    A player who is forgotten meanwhile takes their letters with them, and their words out of
    those to others. A letter that is left without them is released, to be worded anew.
    """
    facts = move_path.letter_facts([letter.id for letter in letters])
    changed = [letter for letter in letters if letter.facts != facts.get(letter.id)]
    release_claim([letter for letter in changed if letter.id in facts], now)
    return [letter for letter in letters if letter not in changed]


def store_caught(
    worded: list[tuple[DueLetter, str, bytes]],
    now: datetime,
    words: Mapping[int, SentWords] | None = None,
) -> list[DueLetter]:
    """Store worded letters, with their subjects, for the page of caught mail; return them.

    What `still_to_send` leaves out is not stored.
    """
    with transaction.atomic():
        due = {letter.id for letter in still_to_send([letter for letter, _, _ in worded], now)}
        caught = [entry for entry in worded if entry[0].id in due]
        CaughtMail.objects.bulk_create(
            (
                CaughtMail(
                    letter_id=letter.id,
                    address=letter.address,
                    subject=subject[:300],
                    raw=raw,
                    caught_at=now,
                )
                for letter, subject, raw in caught
            ),
            ignore_conflicts=True,
        )
        mark_sent([letter.id for letter, _, _ in caught], now, words)
    return [letter for letter, _, _ in caught]


# How long the answer to a move waits for the program's answer to it, so that one letter has both:
# the levels that answer at once do so within seconds, and nobody waits for a confirmation longer.
HELD = timedelta(seconds=10)


@dataclass(frozen=True)
class NewLetter:
    """A letter to queue for one address.

    Attributes:
        event: Of `notices`, for the player's log; "" for an answer.
        priority: 0 goes first, 2 last.
        held_for: A board; the letter waits a while for what happens there, see
            `add_to_held_answers`.
    """

    address: str
    kind: str
    facts: dict[str, Any]
    player: Player | None = None
    match: Match | None = None
    in_reply_to: str = ""
    event: str = ""
    priority: int = 1
    held_for: int | None = None


def queue(letter: NewLetter, now: datetime) -> None:
    """Queue a letter; the caller that has queued letters wakes the sender."""
    row = OutgoingMail(
        kind=letter.kind,
        event=letter.event,
        facts=letter.facts,
        address=letter.address,
        player=letter.player,
        match_id=letter.held_for or (letter.match.pk if letter.match else None),
        in_reply_to=letter.in_reply_to[:300],
        queued_at=now,
        due_at=now if letter.held_for is None else now + HELD,
        priority=letter.priority,
    )
    statements.insert([row])


def queue_for(
    player: Player,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    *,
    match: Match | None = None,
    in_reply_to: str = "",
    held_for: int | None = None,
) -> None:
    """Queue a letter to every confirmed address of a player.

    Where letters came back none is sent, unless there is no other: somebody waits for it.
    """
    addresses = move_path.addresses_of([player.pk])
    reachable = [address for address in addresses if address.suspended_at is None]
    for address in reachable or addresses:
        letter = NewLetter(
            address.address,
            kind,
            facts,
            player=player,
            match=match,
            in_reply_to=in_reply_to,
            held_for=held_for,
        )
        queue(letter, now)


def add_to_held_answers(
    match: Match, players: Collection[int], facts: dict[str, Any], now: datetime
) -> set[str]:
    """Add what has happened at a board to the answers that are held for it, and release them.

    A letter that a sender has claimed is left alone: its text may be written already.

    Returns:
        The addresses, in lower case, that hear of it so.
    """
    # Locked: a sender that claims one just now would send the text without what is added.
    waiting = OutgoingMail.objects.select_for_update(of=("self",)).filter(
        match=match, player__in=players, kind="answer", state=OutgoingMail.State.WAITING
    )
    joined = set()
    for letter in waiting:
        # A claim, or a failed attempt, has moved the time.
        if letter.due_at - letter.queued_at == HELD:
            letter.facts["then"] = facts
            letter.due_at = now
            letter.save(update_fields=["facts", "due_at"])
            joined.add(letter.address.lower())
    return joined
