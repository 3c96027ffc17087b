"""Mail that went out: what was sent to a player and how it went; what was caught, not sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Max

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.language.commands import Deliveries
from sarsen.language.grammar.dates import moment
from sarsen.language.replies import Table
from sarsen.services.request import Request
from sarsen.storage.models import (
    Address,
    CaughtMail,
    DigestItem,
    OutgoingMail,
    Player,
    Push,
    QueuedDelivery,
    WebhookCall,
)

KEPT = timedelta(days=30)  # as long as the rows are kept (`admin.cleanup`)
MAX_ROWS = 200  # the newest, of each kind and of the table: nobody reads further
COLUMNS = ("queued", "what", "board", "to", "sent", "tries", "how it went")
Row = tuple[str, ...]
_CODE = re.compile(r"([45])\d\d ")


class _Delivery(NamedTuple):
    """A letter, call or notice, with what is shown of each kind in its own way."""

    stored: QueuedDelivery
    event: str
    board: int | None
    to: str
    attempts: int


def deliveries(command: Deliveries, request: Request) -> Table:
    """Make a table of the speaker's letters, webhook calls and notices on devices, newest first."""
    player = request.player("deliveries USERID PASSWORD")
    since = request.now - KEPT
    entries = [*_letters(player, since), *_calls(player, since), *_pushes(player, since)]
    entries.sort(key=lambda delivery: delivery.stored.queued_at, reverse=True)
    rows = (_row(delivery, player, request.now) for delivery in entries[:MAX_ROWS])
    listed = (*_waiting(player, request.now), *rows)
    title = Phrase("Sent to {player} in the last 30 days", player=player.userid)
    return Table(title, COLUMNS, listed)


def _letters(player: Player, since: datetime) -> Iterator[_Delivery]:
    own_addresses = set(Address.objects.filter(player=player).values_list("address", flat=True))
    letters = OutgoingMail.objects.filter(player=player, queued_at__gt=since).order_by("-pk")
    for letter in letters[:MAX_ROWS]:
        board = letter.match_id or letter.facts.get("board")
        # A letter may have gone where a mail with the password came from.
        to = letter.address if letter.address in own_addresses else Phrase("another address")
        attempts = letter.attempts + 1 if letter.sent_at else letter.attempts
        yield _Delivery(letter, letter.event or letter.kind, board, to, attempts)


def _calls(player: Player, since: datetime) -> Iterator[_Delivery]:
    calls = WebhookCall.objects.filter(player=player, queued_at__gt=since).order_by("-pk")
    for call in calls[:MAX_ROWS]:
        yield _Delivery(call, call.event, call.facts.get("board"), "webhook", call.attempts)


def _pushes(player: Player, since: datetime) -> Iterator[_Delivery]:
    pushes = Push.objects.filter(device__player=player, queued_at__gt=since).order_by("-pk")
    for push in pushes.select_related("device")[:MAX_ROWS]:
        to = push.device.label or Phrase("a device")
        yield _Delivery(push, push.event, push.match_id, to, push.attempts)


def _row(delivery: _Delivery, player: Player, now: datetime) -> Row:
    stored = delivery.stored
    return (
        moment(stored.queued_at, player.timezone, now),
        delivery.event,
        str(delivery.board or ""),
        delivery.to,
        moment(stored.sent_at, player.timezone, now) if stored.sent_at else "",
        str(delivery.attempts),
        _outcome(stored, player, now),
    )


def _waiting(player: Player, now: datetime) -> list[Row]:
    count = DigestItem.objects.filter(player=player).count()
    if not count or player.digest_due_at is None:
        return []
    due = moment(player.digest_due_at, player.timezone, now)
    waits = Phrase("{count} notices wait for the digest at {due}", count=count, due=due)
    if count == 1:
        waits = Phrase("1 notice waits for the digest at {due}", due=due)
    return [("", "digest", "", "", "", "0", waits)]


def _outcome(delivery: QueuedDelivery, player: Player, now: datetime) -> str:
    """Return how a delivery went, in words."""
    if delivery.state == QueuedDelivery.State.SENT:
        return Phrase("sent")
    why = _error_words(delivery.error)
    if delivery.state == QueuedDelivery.State.FAILED:
        return Phrase("given up: {why}", why=why)
    when = Phrase("waiting")
    if delivery.due_at > now:
        when = Phrase("waiting until {when}", when=moment(delivery.due_at, player.timezone, now))
    return Phrase("{when}: {why}", when=when, why=why) if why else when


def _error_words(error: str) -> str:
    code_match = _CODE.match(error)
    if not code_match:
        return error
    if code_match[1] == "5":
        return Phrase("the mail server refused it for good ({error})", error=error)
    return Phrase("the mail server put it off ({error})", error=error)


@dataclass(frozen=True)
class CaughtMailbox:
    """Whatever was caught for one address.

    Attributes:
        newest: The number of the latest mail in it.
    """

    address: str
    count: int
    newest: int


@dataclass(frozen=True)
class CaughtLine:
    """One mail of a list."""

    number: int
    address: str
    subject: str
    caught_at: datetime


@dataclass(frozen=True)
class Caught:
    """One mail as it would have gone out."""

    number: int
    address: str
    subject: str
    caught_at: datetime
    raw: bytes


def is_catching() -> bool:
    """Return whether mail is caught here: no relay is set."""
    return not settings.SARSEN_SMTP_URL


def mailboxes(*, most: int) -> tuple[CaughtMailbox, ...]:
    """List the addresses with caught mail, the one with the newest first."""
    rows = (
        CaughtMail.objects.values("address")
        .annotate(count=Count("pk"), newest=Max("pk"))
        .order_by("-newest")
    )
    return tuple(CaughtMailbox(row["address"], row["count"], row["newest"]) for row in rows[:most])


def caught_lines(address: str = "", *, most: int) -> tuple[CaughtLine, ...]:
    """List caught mail, the newest first; of all addresses when none is named."""
    mails = CaughtMail.objects.order_by("-pk").defer("raw")
    if address:
        mails = mails.filter(address__iexact=address)
    return tuple(
        CaughtLine(mail.pk, mail.address, mail.subject, mail.caught_at) for mail in mails[:most]
    )


def find_caught(number: int) -> Caught:
    """Return one caught mail.

    Raises:
        UserError: There is none of that number.
    """
    mail = CaughtMail.objects.filter(pk=number).first()
    if mail is None:
        raise UserError(
            "There is no caught mail {number}.",
            code="unknown-mail",
            hint="See all caught mail.",
            number=number,
        )
    return Caught(mail.pk, mail.address, mail.subject, mail.caught_at, bytes(mail.raw))


def newest_caught(address: str = "") -> int:
    """Return the number of the newest caught mail; 0 when there is none."""
    mails = CaughtMail.objects.all()
    if address:
        mails = mails.filter(address__iexact=address)
    return mails.order_by("-pk").values_list("pk", flat=True).first() or 0
