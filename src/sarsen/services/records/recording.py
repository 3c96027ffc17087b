"""Boards as records: the one format of `core.records`, for every door alike.

Only finished games are signed, and only they are given out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import structlog
from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.core.records import Ending, Record, RecordedMove, as_json, as_sgf, text
from sarsen.games import load
from sarsen.language.learning.claims import DRAW, WIN
from sarsen.services.board_cache import BoardCache
from sarsen.services.matches import claims, history, matches
from sarsen.services.matches.terms import write_terms
from sarsen.services.records import signatures
from sarsen.services.request import Player
from sarsen.storage.models import Import, Match, MatchEvent
from sarsen.storage.models.matches import StoredEvent

log = structlog.get_logger()

_ENDINGS = {
    MatchEvent.Kind.RESIGN.value: Ending.RESIGNATION,
    MatchEvent.Kind.FORFEIT.value: Ending.FORFEIT,
    MatchEvent.Kind.DRAW.value: Ending.AGREEMENT,
    MatchEvent.Kind.DECIDE.value: Ending.DECISION,
    MatchEvent.Kind.CLOSE.value: Ending.NONE,
    MatchEvent.Kind.CLAIM.value: Ending.CLAIM,
}


@dataclass(frozen=True)
class RecordFile:
    """One record as all doors give it out.

    Attributes:
        is_private: Only its players may see it.
    """

    board: int
    record: Record
    is_private: bool

    @property
    def text(self) -> str:
        """The text form; ends with a line feed."""
        return text.write(self.record, load(self.record.game))

    @property
    def json_line(self) -> str:
        """The JSON form in one line, without the end of it."""
        return as_json.write_line(self.record, load(self.record.game))

    @property
    def sgf(self) -> str:
        """As SGF has it.

        Raises:
            UserError: The game is not one for two.
        """
        return as_sgf.write(self.record, load(self.record.game))


def view_record(board: int, viewer: Player | None, boards: BoardCache | None = None) -> RecordFile:
    """Return the signed record of a finished game.

    Raises:
        UserError: No such board, a private one of others, or one that still runs.
    """
    match = matches.find(board, viewer=viewer, boards=boards)
    if match.ended_at is None:
        raise UserError(
            "Board {board} is still being played; its record comes at the end.",
            code="board-running",
            hint=f"show {board}",
            board=board,
        )
    return file_of(match, signing_key())


def file_of(match: Match, key: bytes | None) -> RecordFile:
    """Return the record of a finished match, signed when there is a key.

    A signature says that this server saw the game. So a game that was imported keeps the
    signature it came with, if that was checked.
    """
    record = record_of(match)
    if key is not None and not match.is_imported:
        record = signatures.signed(record, load(match.game), key)
    return RecordFile(match.pk, record, bool(match.terms.get("private")))


def signing_key() -> bytes | None:
    """Return the key to sign with; None, and a line in the log, when there is none to be had.

    A game is over, and told of, whether its record can be signed or not.
    """
    try:
        return signatures.secret_key()
    except UserError as refusal:
        log.error("records are not signed", reason=refusal.text, hint=refusal.hint)
        return None


def record_of(match: Match) -> Record:
    """Return the record of a match as it stands, unsigned."""
    stored_events = [
        StoredEvent(event.number, event.kind, event.ply, event.seat, event.text, event.at)
        for event in match.events.all()
    ]
    if match.is_imported:
        return _imported(match.record, stored_events)
    last = history.ending(stored_events) if match.ended_at else None
    ending = Ending.MOVE if match.ended_at else Ending.NONE
    if last is not None:
        ending = _ENDINGS[last.kind]
    return Record(
        game=match.game,
        rules_version=match.rules_version,
        options=match.options,
        players=tuple(seat.player.userid for seat in match.seats.all()),
        moves=_moves(stored_events),
        ending=ending,
        ended_by=last.seat if last is not None and ending.is_by_a_seat else None,
        scores=tuple(match.scores) if match.scores else None,
        reason=" ".join(match.reason.split()),
        terms=write_terms(match.terms),
        claims=_claims(match),
        place=f"{settings.SARSEN_URL}/boards/{match.pk}/",
        started_at=_second(match.started_at),
        ended_at=_second(match.ended_at) if match.ended_at else None,
    )


def _claims(match: Match) -> str:
    """Write the claims that were not proven: the proven one is how the game ended."""
    seats = load(match.game).info.seats
    return "; ".join(
        f"{seats[made.seat]} {made.ply} {DRAW if made.is_draw else WIN}"
        for made in claims.claims_of(match)
        if made.answer == claims.NOT_PROVEN
    )


def _imported(imported: Import, stored_events: Sequence[StoredEvent]) -> Record:
    """Return the record that a match was imported from, as it was."""
    untimed = set(imported.untimed)
    moves = tuple(
        replace(move, at=None) if ply in untimed else move
        for ply, move in enumerate(_moves(stored_events), start=1)
    )
    record = replace(as_json.read(imported.head, load), moves=moves)
    return record if imported.has_checked_signature else record.unsigned


def _moves(stored_events: Sequence[StoredEvent]) -> tuple[RecordedMove, ...]:
    return tuple(
        RecordedMove(move.seat, move.text, _second(move.at))
        for move in history.standing_moves(stored_events)
    )


def _second(at: datetime) -> datetime:
    return at.replace(microsecond=0)
