"""The statements that each move needs, in plain SQL for both databases.

What stands in braces is explained by `statements.select`. All else asks through Django.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from itertools import starmap
from typing import Any, NamedTuple

from django.db import connection
from django_tasks_db.models import DBTaskResult

from sarsen.storage.models import Match, OutgoingMail, Plan, Player, Rating, Token
from sarsen.storage.models.matches import StoredEvent
from sarsen.storage.statements import change, select

_MATCH = "SELECT {Match} FROM storage_match WHERE id = %s"
# Without the key: rows that name the match, such as a letter, need not wait for us.
_LOCKED_MATCH = _MATCH + " {FOR NO KEY UPDATE}"


def find_match(board: int) -> Match | None:
    """Return a match, or None."""
    return _match(_MATCH, board)


def lock_match(board: int) -> Match | None:
    """Return a match, locked until the transaction ends, or None."""
    return _match(_LOCKED_MATCH, board)  # with SQLite the transaction itself keeps others out


_MATCHES_WITH_EXTRAS = """
SELECT {Match},
    EXISTS (SELECT 1 FROM storage_chatline WHERE match_id = storage_match.id),
    EXISTS (SELECT 1 FROM storage_note WHERE match_id = storage_match.id),
    EXISTS (SELECT 1 FROM storage_plan WHERE match_id = storage_match.id AND is_active),
    EXISTS (SELECT 1 FROM storage_downtime WHERE ends_at > storage_match.turn_began_at)
FROM storage_match
WHERE id IN ({keys})
"""


def matches_with_extras(boards: Collection[int]) -> list[Match]:
    """Return matches that know whether they have chat, notes, active plans and downtimes."""
    matches = []
    for match, *extras in select(_MATCHES_WITH_EXTRAS, keys=boards):
        match.has_chat, match.has_notes, match.has_plans, match.has_downtimes = map(bool, extras)
        matches.append(match)
    return matches


_EVENTS = """
SELECT {MatchEvent.match_id}, {MatchEvent.number}, {MatchEvent.kind}, {MatchEvent.ply},
    {MatchEvent.seat}, {MatchEvent.text}, {MatchEvent.at}
FROM storage_matchevent
WHERE match_id IN ({keys})
ORDER BY match_id, number
"""


def events_of(boards: Collection[int]) -> dict[int, list[StoredEvent]]:
    """Return the events of boards in order."""
    events: dict[int, list[StoredEvent]] = defaultdict(list)
    for board, *event in select(_EVENTS, keys=boards):
        events[board].append(StoredEvent(*event))
    return events


_POSITIONS = "SELECT id, game, position FROM storage_match WHERE id IN ({keys})"


def positions_of(boards: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return the game and position of boards."""
    return {board: (game, line) for board, game, line in select(_POSITIONS, keys=boards)}


_DUE_POSITION = """
SELECT storage_match.game, storage_match.position, storage_matchseat.submitted
FROM storage_matchseat
JOIN storage_match ON storage_match.id = storage_matchseat.match_id
WHERE storage_matchseat.match_id = %s AND storage_matchseat.player_id = %s
    AND storage_match.ended_at IS NULL AND storage_match.seat_to_move = storage_matchseat.seat
"""


def due_position(board: int, player: int) -> tuple[str, str, str] | None:
    """Return the game and position of a player's turn, and the move put forward; or None."""
    return next(iter(select(_DUE_POSITION, board, player)), None)


class SignedSeat(NamedTuple):
    """A seat of an active player, with what the seat's reply addresses are signed with."""

    player: Player
    letter_key: str
    ended_at: datetime | None  # of the match


_SIGNED_SEAT = """
SELECT {Player}, {MatchSeat.letter_key}, {Match.ended_at}
FROM storage_matchseat
JOIN storage_match ON storage_match.id = storage_matchseat.match_id
JOIN storage_player ON storage_player.id = storage_matchseat.player_id
WHERE storage_matchseat.match_id = %s AND storage_matchseat.seat = %s
    AND storage_player.is_active
"""


def signed_seat(board: int, seat: int) -> SignedSeat | None:
    """Return a seat of an active player, or None."""
    return next((SignedSeat(*row) for row in select(_SIGNED_SEAT, board, seat)), None)


_ACTIVE_PLANS = """
SELECT {Plan}, {Player}
FROM storage_plan
JOIN storage_player ON storage_player.id = storage_plan.player_id
WHERE storage_plan.match_id = %s AND storage_plan.is_active
ORDER BY storage_plan.id
"""


def active_plans(board: int) -> list[Plan]:
    """Return the plans that may be played at a board, each with its player."""
    plans = []
    for plan, player in select(_ACTIVE_PLANS, board):
        plan.player = player
        plans.append(plan)
    return plans


_DOWNTIMES = """
SELECT {Downtime.starts_at}, {Downtime.ends_at} FROM storage_downtime WHERE ends_at > %s
"""


def downtimes_since(since: datetime) -> list[tuple[Any, ...]]:
    """Return from when until when the server was away, where that ended after an instant."""
    return select(_DOWNTIMES, since)


# Through the ORM's `bulk_update` this takes four times as long, for 10^6 boards an hour.
_WRITE_ANEW = "UPDATE storage_match SET due_at = %s, look_at = %s WHERE id = %s"


def write_deadlines(boards: Collection[Match]) -> None:
    """Write when the moves at boards are due, and when the sweep must look."""
    adapt = connection.ops.adapt_datetimefield_value
    rows = [(adapt(match.due_at), adapt(match.look_at), match.pk) for match in boards]
    with connection.cursor() as cursor:
        cursor.executemany(_WRITE_ANEW, rows)


class MailAddress(NamedTuple):
    """A confirmed address of a player; letters to a suspended one came back."""

    player_id: int
    address: str
    suspended_at: datetime | None


_ADDRESSES = """
SELECT {Address.player_id}, {Address.address}, {Address.suspended_at}
FROM storage_address
WHERE player_id IN ({keys})
ORDER BY player_id, id
"""


def addresses_of(players: Collection[int]) -> list[MailAddress]:
    """Return the confirmed addresses of players, in order."""
    return list(starmap(MailAddress, select(_ADDRESSES, keys=players)))


_RATINGS = "SELECT {Rating} FROM storage_rating WHERE game = %s AND player_id IN ({keys})"


def ratings_of(players: Collection[int], game: str) -> list[Rating]:
    """Return the ratings of players in a game."""
    return [rating for (rating,) in select(_RATINGS, game, keys=players)]


class StoredMail(NamedTuple):
    """The facts of a stored message that tell whether another one is the same."""

    pk: int
    identity: str
    digest: str
    state: str
    received_at: datetime


_STORED_MAILS = """
SELECT {InboundMail.id}, {InboundMail.identity}, {InboundMail.digest}, {InboundMail.state},
    {InboundMail.received_at}
FROM storage_inboundmail
WHERE identity IN ({keys})
"""


def stored_mails(identities: Collection[str]) -> dict[str, StoredMail]:
    """Return the messages that are stored under some identities."""
    mails = (StoredMail(*row) for row in select(_STORED_MAILS, keys=identities))
    return {mail.identity: mail for mail in mails}


class DueMail(NamedTuple):
    """The facts of a stored message that are read before it is taken."""

    pk: int
    envelope_sender: str
    recipient: str
    received_at: datetime


_DUE_MAILS = """
SELECT {InboundMail.id}, {InboundMail.envelope_sender}, {InboundMail.recipient},
    {InboundMail.received_at}
FROM storage_inboundmail
WHERE state = 'new' AND (wait_until IS NULL OR wait_until <= %s) AND id > %s
ORDER BY id
LIMIT %s
"""
_WHOLE_MAILS = """
SELECT {InboundMail.id}, {InboundMail.envelope_sender}, {InboundMail.recipient},
    {InboundMail.raw}, {InboundMail.received_at}, {InboundMail.note}, {InboundMail.attempts},
    {InboundMail.ends}, {InboundMail.body_digests}
FROM storage_inboundmail
WHERE state = 'new' AND (wait_until IS NULL OR wait_until <= %s) AND id IN ({keys})
ORDER BY id
"""
_LOCKED_MAILS = """
SELECT {InboundMail.id} FROM storage_inboundmail
WHERE state = 'new' AND id IN ({keys})
ORDER BY id
{FOR UPDATE}
"""
_SETTLED = """
UPDATE storage_inboundmail SET state = %s, note = %s, raw = %s WHERE id IN ({keys})
"""


def due_mails(now: datetime, after: int, most: int) -> list[DueMail]:
    """Return the oldest messages that wait for an answer, with a higher number than `after`."""
    return list(starmap(DueMail, select(_DUE_MAILS, now, after, most)))


def whole_mails(now: datetime, ids: Collection[int]) -> list[tuple[Any, ...]]:
    """Return those that still wait, in order, with their text and their earlier attempts."""
    return select(_WHOLE_MAILS, now, keys=ids)


def lock_new_mails(ids: Collection[int]) -> set[int]:
    """Return which messages are not answered, locked until the transaction ends."""
    # Locked: a worker that was suspended may still be at one of them.
    return {pk for (pk,) in select(_LOCKED_MAILS, keys=ids)}


def settle_mails(ids: Collection[int], state: str, note: str) -> None:
    """Write what became of messages, and remove their text."""
    change(_SETTLED, state, note, b"", keys=ids)


# Later letters of a board to the same address wait for the earlier ones.
_DUE_LETTERS = """
SELECT {OutgoingMail}
FROM storage_outgoingmail
WHERE storage_outgoingmail.state = 'waiting' AND storage_outgoingmail.due_at <= %s
    AND NOT EXISTS (
        SELECT 1 FROM storage_outgoingmail AS earlier
        WHERE earlier.state = 'waiting' AND earlier.match_id = storage_outgoingmail.match_id
            AND earlier.address = storage_outgoingmail.address
            AND earlier.id < storage_outgoingmail.id
            AND (earlier.attempts > 0 OR earlier.due_at > %s)
    )
ORDER BY storage_outgoingmail.priority, storage_outgoingmail.due_at, storage_outgoingmail.id
LIMIT %s
{FOR UPDATE OF storage_outgoingmail SKIP LOCKED}
"""
_PLAYERS = "SELECT {Player} FROM storage_player WHERE id IN ({keys})"


def due_letters(now: datetime, most: int) -> list[OutgoingMail]:
    """Return the letters to send next, held until the transaction ends, each with its player."""
    letters = [letter for (letter,) in select(_DUE_LETTERS, now, now, most)]
    # Apart: many letters are for few players, and a player takes longer to read than to find.
    keys = {letter.player_id for letter in letters} - {None}
    players = {player.pk: player for (player,) in select(_PLAYERS, keys=keys)}
    for letter in letters:
        letter.player = players.get(letter.player_id)
    return letters


_CLAIMED = "UPDATE storage_outgoingmail SET due_at = %s WHERE id IN ({keys})"
_SENT = """
UPDATE storage_outgoingmail SET state = 'sent', sent_at = %s, error = '' WHERE id IN ({keys})
"""


_LETTER_FACTS = """
SELECT {OutgoingMail.id}, {OutgoingMail.facts}
FROM storage_outgoingmail
WHERE id IN ({keys})
ORDER BY id
{FOR NO KEY UPDATE}
"""


def letter_facts(ids: Collection[int]) -> dict[int, Any]:
    """Return what letters tell now, by their ids, held until the transaction ends, if one runs."""
    return dict(select(_LETTER_FACTS, keys=ids))


def claim_letters(ids: Collection[int], until: datetime) -> None:
    """Keep letters from other senders until an instant."""
    change(_CLAIMED, until, keys=ids)


_STORED = "SELECT id FROM storage_outgoingmail WHERE id IN ({keys})"


def stored_letters(ids: Collection[int]) -> list[int]:
    """Return which letters are there: one may be gone with its player."""
    return [letter for (letter,) in select(_STORED, keys=ids)]


def mark_letters_sent(ids: Collection[int], at: datetime) -> None:
    """Record that the relay has accepted letters."""
    change(_SENT, at, keys=ids)


class SpeakerState(NamedTuple):
    """The columns of a player that decide whether a proof given before still holds."""

    is_active: bool
    password: str


_SPEAKER = "SELECT {Player.is_active}, {Player.password} FROM storage_player WHERE id = %s"


def speaker_state(player: int) -> SpeakerState | None:
    """Return what a player's proof depends on, as it is now; None for no player."""
    return next(starmap(SpeakerState, select(_SPEAKER, player)), None)


_USERIDS = "SELECT key FROM storage_player WHERE NOT is_elsewhere AND key IN ({keys})"


def userids_among(words: Collection[str]) -> frozenset[str]:
    """Return which words, in lower case, are userids."""
    return frozenset(key for (key,) in select(_USERIDS, keys=words))


_BEARER = """
SELECT {Token}, {Player}
FROM storage_token
JOIN storage_player ON storage_player.id = storage_token.player_id
WHERE storage_token.digest = %s AND storage_player.is_active
"""


def token_of(digest: str) -> Token | None:
    """Return a token of an active player, with its player, or None."""
    token: Token
    for token, player in select(_BEARER, digest):
        token.player = player
        return token
    return None


# Asked at every move: through the queue's own door it took twenty times as long.
_READY = (
    f"SELECT 1 FROM {DBTaskResult._meta.db_table} "  # noqa: S608
    "WHERE task_path = %s AND status = 'READY' LIMIT 1"
)


def is_job_waiting(job: str) -> bool:
    """Return whether a job of this kind is queued and not begun."""
    return bool(select(_READY, job))


def _match(sql: str, board: int) -> Match | None:
    return next((match for (match,) in select(sql, board)), None)
