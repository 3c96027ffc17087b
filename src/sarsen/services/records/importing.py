"""Records of games that were played elsewhere, taken in as finished boards of this server.

A record is proved first; see `core.records.prove`. What it says beside its moves is kept
as it is, and given out again by `services.records.recording`. Nothing is counted for it, and
nobody is told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from django.conf import settings
from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.core.options import Options
from sarsen.core.phrases import quoted
from sarsen.core.records import Ending, Record, as_json, prove, text
from sarsen.core.records.record import write_scores
from sarsen.core.referee import judge
from sarsen.games import load
from sarsen.language.grammar.typography import one_line
from sarsen.services.matches.terms import read_terms
from sarsen.services.players import find_player
from sarsen.services.records import signatures
from sarsen.services.records.recording import record_of
from sarsen.services.records.signatures import PublicKey
from sarsen.storage.models import Import, Match, MatchEvent, MatchSeat, Player

ELSEWHERE = " (imported)"  # after a name; no userid can look so
MAX_NAME = 60  # characters: pages and lists have no room for more
MAX_REASON = 300  # of a match, as its column holds; the record keeps all of it
EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)  # every zone and every database can tell it
SLACK = timedelta(days=1)  # of another server's clock, and of its time zone
BROKEN_OFF = "Broken off."
UNKNOWN = "unknown"
_EVENTS = {
    Ending.RESIGNATION: MatchEvent.Kind.RESIGN,
    Ending.FORFEIT: MatchEvent.Kind.FORFEIT,
    Ending.AGREEMENT: MatchEvent.Kind.DRAW,
    Ending.CLAIM: MatchEvent.Kind.CLAIM,
}


@dataclass(frozen=True)
class Proved:
    """A record that holds and can be taken in.

    Attributes:
        record: Its moves in full form.
        has_checked_signature: Its signature is right, by one of the keys that were given.
        position: After the last of them.
        digest: Of the record without a signature: the same game is taken in once.
    """

    record: Record
    position: AnyPosition
    terms: Options
    digest: str
    has_checked_signature: bool = False


def check(
    record: Record,
    now: datetime,
    *,
    as_finished: bool = False,
    keys: Sequence[PublicKey] = (),
) -> Proved:
    """Prove a record, and that a board can be made of it.

    Args:
        as_finished: Take in games without an end, too, as broken off.
        keys: By which signatures are checked. One by another key is not.

    Raises:
        UserError: Names the first ply that does not hold, or what else is wrong.
    """
    game = load(record.game)
    _check_rules(record, game)
    position = prove(record, game).position
    if record.ending is Ending.NONE and not as_finished:
        raise UserError(
            "The game is not finished: it was still running, or was broken off.",
            code="import.no-end",
            hint="sarsen import --as-finished FILE",
        )
    _check_names(record)
    _check_times(record, now)
    terms = read_terms(tuple(record.terms.split()))
    full = _in_full(record, game)
    digest = sha256(text.signed_bytes(full, game)).hexdigest()
    return Proved(full, position, terms, digest, _has_checked_signature(full, game, keys))


def board_of(proved: Proved) -> int | None:
    """Return the board that a record was taken in as, or is of; None when it is new here."""
    board = Import.objects.filter(digest=proved.digest).values_list("match_id", flat=True).first()
    return board if board is not None else _own_board(proved)


def players_by_name(names: Mapping[str, str]) -> dict[str, Player]:
    """Return the players that stand for names in records.

    Args:
        names: A userid for a name.

    Raises:
        UserError: Nobody here is called so.
    """
    return {name: find_player(userid) for name, userid in names.items()}


@transaction.atomic
def take_in(proved: Sequence[Proved], accounts: Mapping[str, Player], now: datetime) -> list[int]:
    """Make a finished board of each record, all or none; return their numbers.

    Args:
        accounts: Accounts here, by the names that stand for them in these records.
    """
    return [_take_in(item, accounts, now) for item in proved]


def _take_in(proved: Proved, accounts: Mapping[str, Player], now: datetime) -> int:
    record = proved.record
    times = _times(record, now)
    ended = record.ended_at or times[-1]
    match = Match.objects.create(
        game=record.game,
        rules_version=record.rules_version,
        options=record.options,
        terms=proved.terms.as_dict(),
        started_at=record.started_at or times[0],
        moved_at=ended,
        ended_at=ended,
        ply=len(record.moves),
        seat_to_move=proved.position.seat,
        position=proved.position.write(),
        scores=None if record.scores is None else list(record.scores),
        reason=(record.reason or _reason(proved))[:MAX_REASON],
        is_imported=True,
    )
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, seat=seat, player=accounts.get(name) or _player_elsewhere(name, now))
        for seat, name in enumerate(record.players)
    )
    events = _events(match, record, times, ended)
    MatchEvent.objects.bulk_create(events)
    match.event_count = len(events)
    match.save(update_fields=["event_count"])
    game = load(record.game)
    Import.objects.create(
        match=match,
        digest=proved.digest,
        head=as_json.write(replace(record, moves=()), game),
        has_checked_signature=proved.has_checked_signature,
        untimed=[ply for ply, move in enumerate(record.moves, start=1) if move.at is None],
        at=now,
    )
    return match.pk


def _check_rules(record: Record, game: Game) -> None:
    version = game.info.rules_version
    if record.rules_version != version:
        raise UserError(
            f"The record follows version {record.rules_version} of the rules of "
            f"{game.info.title}; boards here follow version {version}.",
            code="import.rules",
            hint="sarsen verify FILE",
        )


def _has_checked_signature(record: Record, game: Game, keys: Sequence[PublicKey]) -> bool:
    """Return whether a record is signed with one of some keys.

    Raises:
        UserError: It claims so, and its signature is wrong.
    """
    name = record.signature.partition(":")[0]
    if not any(key.name == name for key in keys):
        return False
    signatures.check(record, game, keys)
    return True


def _check_names(record: Record) -> None:
    """Refuse what pages and lists could not show."""
    for name in record.players:
        if len(name) > MAX_NAME:
            raise UserError(
                f"The name {quoted(name, 20)} has {len(name)} characters; {MAX_NAME} are the most.",
                code="import.name",
                hint="players: V ann; H bob",
            )
    for value in (
        *record.players,
        record.reason,
        record.claims,
        record.place,
        record.signature,
    ):
        if one_line(value) != " ".join(value.split()):
            raise UserError(
                f"{quoted(value, 40)} contains invisible characters.",
                code="import.characters",
                hint="Remove them; the record then differs from the signed one.",
            )


def _check_times(record: Record, now: datetime) -> None:
    times = (record.started_at, record.ended_at, *(move.at for move in record.moves))
    for at in times:
        if at is not None and not EARLIEST <= at <= now + SLACK:
            raise UserError(
                f"The time of the game, {at:%Y-%m-%d}, is not possible.",
                code="import.time",
                hint="Leave out an unknown time.",
            )


def _in_full(record: Record, game: Game) -> Record:
    """Return the same with each move in its full form.

    A signature signs the moves as they stood, and does not survive another spelling.
    """
    position, moves = game.start(record.options), []
    for move in record.moves:
        ruling = judge(position, move.text)
        moves.append(replace(move, text=ruling.text))
        position = ruling.position
    full = replace(record, moves=tuple(moves))
    return full if full == record else full.unsigned


def _own_board(proved: Proved) -> int | None:
    """Return the board of this server that a record was exported from."""
    place = re.escape(f"{settings.SARSEN_URL}/boards/")
    place_match = re.fullmatch(rf"{place}(\d{{1,9}})/?", proved.record.place)
    match = Match.objects.filter(pk=int(place_match[1])).first() if place_match else None
    if match is None or match.ended_at is None or match.game != proved.record.game:
        return None
    own_bytes = text.signed_bytes(record_of(match), load(match.game))
    return match.pk if sha256(own_bytes).hexdigest() == proved.digest else None


def _times(record: Record, now: datetime) -> list[datetime]:
    """Return a time for the beginning and for every move: where none is known, the last known."""
    known_times = [record.started_at, *(move.at for move in record.moves)]
    last = next((at for at in known_times if at), record.ended_at or now.replace(microsecond=0))
    times = []
    for at in known_times:
        last = at or last
        times.append(last)
    return times


def _events(
    match: Match, record: Record, times: Sequence[datetime], ended: datetime
) -> list[MatchEvent]:
    events = [
        MatchEvent(
            match=match,
            number=ply,
            kind=MatchEvent.Kind.MOVE,
            ply=ply,
            seat=move.seat,
            text=move.text,
            at=times[ply],
        )
        for ply, move in enumerate(record.moves, start=1)
    ]
    if record.ending in _EVENTS:
        plies = len(record.moves)
        seat = match.seat_to_move if record.ended_by is None else record.ended_by
        kind = _EVENTS[record.ending]
        events.append(
            MatchEvent(
                match=match,
                number=plies + 1,
                kind=kind,
                ply=plies,
                seat=seat,
                # As `matches.record_claim` writes it.
                text=f"{write_scores(record.scores or ())} {match.reason}"
                if record.ending is Ending.CLAIM
                else "",
                at=ended,
            )
        )
    return events


def _reason(proved: Proved) -> str:
    """Return a text that says how a game ended of which the record gives no reason."""
    record, outcome = proved.record, proved.position.outcome()
    if outcome is not None:
        return outcome.reason
    if record.ending is Ending.AGREEMENT:
        return "Agreed a draw."
    if record.ended_by is None:
        return BROKEN_OFF
    side = proved.position.sides[record.ended_by]
    return f"{side} {'resigned' if record.ending is Ending.RESIGNATION else 'ran out of time'}."


def _player_elsewhere(name: str, now: datetime) -> Player:
    """Return the player for a name without an account: like one who left long ago."""
    label = name or UNKNOWN
    key = f"~{sha256(label.encode()).hexdigest()[:19]}"
    player, _ = Player.everyone.get_or_create(
        key=key,
        defaults={
            "userid": label + ELSEWHERE,
            "joined_at": now,
            "left_at": now,
            "is_active": False,
            "is_elsewhere": True,
            "speaks_by_password": False,
            "password": "!",
        },
    )
    return player
