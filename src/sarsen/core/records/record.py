"""What a record holds, and the replay that proves it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.core.phrases import quoted
from sarsen.core.referee import judge

# Each is judged by the rules when a record is read; no game known is as long.
MAX_MOVES = 20_000


class Ending(StrEnum):
    """The reason why a game ended.

    `NONE` stands in the record of a game that still runs or was broken off.
    """

    MOVE = "move"
    RESIGNATION = "resignation"
    FORFEIT = "forfeit"
    AGREEMENT = "agreement"
    DECISION = "decision"  # of the law of a contest
    CLAIM = "claim"  # that a program has proved
    NONE = "none"

    @property
    def is_by_a_seat(self) -> bool:
        return self in (Ending.RESIGNATION, Ending.FORFEIT)


class InvalidRecord(UserError):
    """Refuse a record, and say where it is invalid.

    Attributes:
        line: Of its text form, counted from 1; 0 where it is no single one.
        ply: Of its moves, counted from 1; 0 likewise.
    """

    def __init__(
        self, text: str, *, code: str, hint: str = "", line: int = 0, ply: int = 0
    ) -> None:
        super().__init__(text, code=code, hint=hint)
        self.line = line
        self.ply = ply


@dataclass(frozen=True)
class RecordedMove:
    """One ply of a record.

    Attributes:
        seat: Who moved, an index into the seats of the game.
        text: The move in its one full form.
        at: When, in UTC and whole seconds; None when nobody knows.
    """

    seat: int
    text: str
    at: datetime | None = None


@dataclass(frozen=True)
class Record:
    """A game as it was played.

    Attributes:
        rules_version: Of the game when it was played.
        options: As a challenge names them, in their one full form; "" for the usual ones.
        players: One a seat; "" when unknown.
        moves: In order; those taken back are left out.
        scores: One a seat, in [0, 1]; None for a game without a result.
        ended_by: The seat that resigned or ran out of time; None for other endings.
        reason: One sentence, as the server said it.
        terms: What else was agreed, as a challenge names it: `--unrated --nagtime=3`.
        claims: Those of a win or a draw that were not proven, with seat and ply: `O 14 win`.
        place: Where it was played: an address or a name; "" when unknown.
        signature: Base64 of the server's signature of the text form without it, and
            the name of the key before a colon; "" for none.
    """

    game: str
    rules_version: int
    options: str
    players: tuple[str, ...]
    moves: tuple[RecordedMove, ...]
    ending: Ending = Ending.NONE
    ended_by: int | None = None
    scores: tuple[float, ...] | None = None
    reason: str = ""
    terms: str = ""
    claims: str = ""
    place: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    signature: str = ""

    @property
    def unsigned(self) -> Record:
        """The same record without its signature: what a signature signs."""
        return replace(self, signature="")


@dataclass(frozen=True)
class Proof:
    """The result of a replay.

    Attributes:
        position: After the last move.
        is_ended_by_rules: Whether the rules of the game end it there. The result of any
            other ending is what the server decided, and no replay can prove it.
    """

    position: AnyPosition
    is_ended_by_rules: bool


def write_scores(scores: tuple[float, ...]) -> str:
    """Write scores as records have them: `1 0`, `0.5 0.5`."""
    return " ".join(f"{score:g}" for score in scores)


def prove(record: Record, game: Game) -> Proof:
    """Replay a record under the rules of its game and compare the result it claims.

    Raises:
        UserError: Names the first ply that the rules refuse, or what they say otherwise.
    """
    _check_rules(record, game)
    position = game.start(record.options)
    if len(record.players) != len(game.info.seats):
        raise _differs(f"{game.info.title} has {len(game.info.seats)} seats", "record.seats")
    for ply, move in enumerate(record.moves, start=1):
        position = _after(position, move, ply, game)
    outcome = position.outcome()
    if outcome is None:
        if record.ending is Ending.MOVE:
            raise _differs("after the last move the game goes on", "record.not-over")
        _check_decision(record)
        return Proof(position, is_ended_by_rules=False)
    if record.ending is not Ending.MOVE:
        raise _differs(f"the last move ended the game: {outcome.reason}", "record.ending")
    # As they are written: a third comes back from a record as 0.333333.
    scores = write_scores(outcome.scores)
    if write_scores(record.scores or ()) != scores:
        raise _differs(f"the result is {scores}: {outcome.reason}", "record.result")
    return Proof(position, is_ended_by_rules=True)


def _check_rules(record: Record, game: Game) -> None:
    info = game.info
    if record.game != info.name:
        raise _differs(f"the game given is {info.name}", "record.game")
    if record.rules_version > info.rules_version:
        raise UserError(
            f"The record follows version {record.rules_version} of the rules of {info.title}; "
            f"here is version {info.rules_version}.",
            code="record.newer-rules",
            hint="A newer sarsen may read it.",
        )
    if len(record.moves) > MAX_MOVES:
        raise UserError(
            f"A record has at most {MAX_MOVES} moves.",
            code="record.too-many-moves",
            hint="Leave out what was taken back.",
        )


def _after(position: AnyPosition, move: RecordedMove, ply: int, game: Game) -> AnyPosition:
    try:
        ruling = judge(position, move.text)
    except UserError as refusal:
        raise InvalidRecord(
            f"Ply {ply}, {quoted(move.text)}: {refusal.text}",
            code=refusal.code,
            hint=refusal.hint,
            ply=ply,
        ) from refusal
    if ruling.seat != move.seat:
        raise InvalidRecord(
            f"Ply {ply}, {quoted(move.text)}: it is {game.info.seats[ruling.seat]}'s turn.",
            code="record.turn",
            hint=f"{ply} {game.info.seats[ruling.seat]} - {ruling.text}",
            ply=ply,
        )
    return ruling.position


def _check_decision(record: Record) -> None:
    """Make sure that a result which the server decided is one it can have decided."""
    if record.ending is Ending.NONE:
        if record.scores is not None:
            raise _differs("a game without an ending has no result", "record.result")
        return
    if record.scores is None:
        raise _differs("an ended game has a result", "record.result")
    if record.ending is Ending.AGREEMENT and len(set(record.scores)) != 1:
        raise _differs("a draw agreed on gives all the same", "record.result")
    if record.ending.is_by_a_seat and (
        record.ended_by is None or record.scores[record.ended_by] != 0.0
    ):
        raise _differs("who resigns or runs out of time has lost", "record.result")


def _differs(fact: str, code: str) -> UserError:
    return UserError(f"The record does not hold: {fact}.", code=code, hint="help records")
