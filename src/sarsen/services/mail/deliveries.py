"""Mail that went out: what was sent to a player and how it went; what was caught, not sent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

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
    WebhookCall,
)

KEPT = timedelta(days=30)
MOST_ROWS = 200
COLUMNS = ("queued", "what", "board", "to", "sent", "tries", "how it went")
Row = tuple[str, ...]
_CODE = re.compile(r"([45])\d\d ")


def deliveries(command: Deliveries, request: Request) -> Table:
    """Make a table of the speaker's letters, webhook calls and notices on devices, newest first."""
    player = request.player("deliveries USERID PASSWORD")
    since = request.now - KEPT
    rows = [
        *_letters(player, since, request.now),
        *_calls(player, since, request.now),
        *_pushes(player, since, request.now),
    ]
    rows.sort(key=lambda row: row[0], reverse=True)
    listed = [*_waiting(player, request.now), *(row for _, row in rows[:MOST_ROWS])]
    title = Phrase("Sent to {player} in the last 30 days", player=player.userid)
    return Table(title, COLUMNS, tuple(listed))


def _letters(player: Player, since: datetime, now: datetime) -> list[tuple[datetime, Row]]:
    own = set(Address.objects.filter(player=player).values_list("address", flat=True))
    found = OutgoingMail.objects.filter(player=player, queued_at__gt=since).order_by("-pk")
    rows: list[tuple[datetime, Row]] = []
    for letter in found[:MOST_ROWS]:
        row = (
            moment(letter.queued_at, player.timezone, now),
            letter.event or letter.kind,
            str(letter.match_id or letter.facts.get("board") or ""),
            # A letter may have gone where a mail with the password came from.
            letter.address if letter.address in own else Phrase("another address"),
            moment(letter.sent_at, player.timezone, now) if letter.sent_at else "",
            str(letter.attempts + 1 if letter.sent_at else letter.attempts),
            _how(letter.state, letter.error, letter.due_at, player, now),
        )
        rows.append((letter.queued_at, row))
    return rows


def _calls(player: Player, since: datetime, now: datetime) -> list[tuple[datetime, Row]]:
    found = WebhookCall.objects.filter(player=player, queued_at__gt=since).order_by("-pk")
    rows: list[tuple[datetime, Row]] = []
    for call in found[:MOST_ROWS]:
        row = (
            moment(call.queued_at, player.timezone, now),
            call.event,
            str(call.facts.get("board") or ""),
            "webhook",
            moment(call.sent_at, player.timezone, now) if call.sent_at else "",
            str(call.attempts),
            _how(call.state, call.error, call.due_at, player, now),
        )
        rows.append((call.queued_at, row))
    return rows


def _pushes(player: Player, since: datetime, now: datetime) -> list[tuple[datetime, Row]]:
    found = Push.objects.filter(device__player=player, queued_at__gt=since).order_by("-pk")
    rows: list[tuple[datetime, Row]] = []
    for push in found.select_related("device")[:MOST_ROWS]:
        row = (
            moment(push.queued_at, player.timezone, now),
            push.event,
            str(push.match_id or ""),
            push.device.label or Phrase("a device"),
            moment(push.sent_at, player.timezone, now) if push.sent_at else "",
            str(push.attempts),
            _how(push.state, push.error, push.due_at, player, now),
        )
        rows.append((push.queued_at, row))
    return rows


def _waiting(player: Player, now: datetime) -> list[Row]:
    count = DigestItem.objects.filter(player=player).count()
    if not count or player.digest_due_at is None:
        return []
    due = moment(player.digest_due_at, player.timezone, now)
    waits = Phrase("{count} notices wait for the digest at {due}", count=count, due=due)
    if count == 1:
        waits = Phrase("1 notice waits for the digest at {due}", due=due)
    return [("", "digest", "", "", "", "0", waits)]


def _how(state: str, error: str, due_at: datetime, player: Player, now: datetime) -> str:
    """Return a text that says how a delivery went in words."""
    if state == OutgoingMail.State.SENT:
        return Phrase("sent")
    why = _in_words(error)
    if state == OutgoingMail.State.FAILED:
        return Phrase("given up: {why}", why=why)
    when = Phrase("waits")
    if due_at > now:
        when = Phrase("waits until {when}", when=moment(due_at, player.timezone, now))
    return Phrase("{when}: {why}", when=when, why=why) if why else when


def _in_words(error: str) -> str:
    found = _CODE.match(error)
    if not found:
        return error
    if found[1] == "5":
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
    found = (
        CaughtMail.objects.values("address")
        .annotate(count=Count("pk"), newest=Max("pk"))
        .order_by("-newest")
    )
    return tuple(CaughtMailbox(row["address"], row["count"], row["newest"]) for row in found[:most])


def caught_lines(address: str = "", *, most: int) -> tuple[CaughtLine, ...]:
    """List caught mail, the newest first; of all addresses when none is named."""
    found = CaughtMail.objects.order_by("-pk").defer("raw")
    if address:
        found = found.filter(address__iexact=address)
    return tuple(
        CaughtLine(mail.pk, mail.address, mail.subject, mail.caught_at) for mail in found[:most]
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
    found = CaughtMail.objects.all()
    if address:
        found = found.filter(address__iexact=address)
    return found.order_by("-pk").values_list("pk", flat=True).first() or 0
