"""Letters that were sent: by which words they are known in a reply, and what a reply proves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Q

from sarsen.services.mail.reply_addresses import (
    is_signed,
    letter_tag,
    proves_letter,
    read_signed_address,
    stem_of,
)
from sarsen.storage import statements
from sarsen.storage.models import Player, SentLetter

MAX_LETTERS = 8  # of one reader, that a reply is compared with: the newest, for time's sake
_MESSAGE_ID = re.compile(r"<letter\.(\d{1,15})\.(\d{1,12})\.([a-z2-7]{16})@([^<>@]{1,250})>")


@dataclass(frozen=True)
class SentWords:
    """By what a letter will be known in a reply."""

    reply_to: str
    fingerprints: bytes


@dataclass(frozen=True)
class ProvedAnswer:
    """The letter that a mail proves to answer.

    Attributes:
        local_part: Of the letter's reply address; "" for that of the server.
    """

    fingerprints: bytes
    local_part: str


def message_id(letter: int, queued_at: datetime, reply_to: str) -> str:
    """Return the Message-ID of a letter, the same each time it is sent."""
    local_part = _signed_part(reply_to)
    tag = letter_tag(letter, queued_at, local_part)
    return f"<letter.{letter}.{int(queued_at.timestamp())}.{tag}@{settings.SARSEN_DOMAIN}>"


def store(letters: Mapping[int, SentWords]) -> None:
    """Store by what letters will be known; one that was sent before keeps its row."""
    rows = [
        SentLetter(
            letter_id=letter,
            reply_stem=stem_of(_signed_part(words.reply_to)),
            fingerprints=words.fingerprints,
        )
        for letter, words in letters.items()
    ]
    statements.insert(rows, unless_known=True)


def find_answered(author: str, answered_ids: Sequence[str]) -> ProvedAnswer | None:
    """Return the letter that a mail proves to answer, or None.

    It proves that by the Message-ID that it names, which only the reader of a letter knows,
    and by its author.
    """
    for answered_id in answered_ids:
        parts = _MESSAGE_ID.fullmatch(answered_id)
        if parts is None or parts[4].lower() != settings.SARSEN_DOMAIN.lower():
            continue
        sent = SentLetter.objects.select_related("letter").filter(pk=int(parts[1])).first()
        if sent is None or sent.letter.address.lower() != author.lower():
            continue
        part = proves_letter(parts[3], sent.pk, sent.letter.queued_at, sent.reply_stem)
        if part is not None:
            return ProvedAnswer(bytes(sent.fingerprints), part)
    return None


def find_quotable(local_part: str, author: str, answered_ids: Sequence[str]) -> list[bytes]:
    """Return the fingerprints of letters that a mail to one of our addresses may quote.

    Letters to others are none of them: from what is left out of a mail its sender could learn
    what stands in a letter.

    Args:
        local_part: A signed one has proved whose letters those are.
    """
    found: list[bytes] = []
    if is_signed(local_part):
        found = _newest(reply_stem=stem_of(local_part))
        if not found and (signed := read_signed_address(local_part)):
            found = newest_to(signed.player)
    answered = find_answered(author, answered_ids)
    return [*found, answered.fingerprints] if answered else found


def newest_to(player: Player) -> list[bytes]:
    """Return the fingerprints of the newest letters to a player."""
    return _newest(letter__player=player)


def newest_private(player: Player) -> list[bytes]:
    """Return the fingerprints of the newest letters to a player that may hold private things."""
    # Messages between people hold nothing private of the server.
    return _newest(~Q(letter__kind__in=("broadcast", "message")), letter__player=player)


def _newest(*conditions: Q, **of: object) -> list[bytes]:
    letters = SentLetter.objects.filter(*conditions, **of).order_by("-pk")
    return [bytes(known) for known in letters.values_list("fingerprints", flat=True)[:MAX_LETTERS]]


def _signed_part(reply_to: str) -> str:
    local_part = reply_to.rpartition("@")[0]
    return local_part if is_signed(local_part) else ""
