"""The review of a finished game, as letters and pages show it; see `services.reviews`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TurningPoint:
    """A move that gave away more than others did.

    Attributes:
        ply: Of the move, counted from 1.
        line: Best play for both, beginning with the better move.
        before, after: What the player could expect before and after it, in [0, 1].
        was_proved, is_proved: Whether that is proved, before and after it.
        plies: From the better move to the proved end at most, or None.
    """

    ply: int
    player: str
    played: str
    better: str
    line: tuple[str, ...]
    before: float
    after: float
    was_proved: bool
    is_proved: bool
    plies: int | None


@dataclass(frozen=True)
class ReviewedGame:
    """A finished game with what a search says of it.

    Attributes:
        title: `Druid Board 123`.
        players: Userids by seat.
        winner: The userid that won alone; "" for a draw.
        reason: How it ended, a sentence without names of players.
        ended_by_move: Not by a resignation, the clock, or an agreement.
        moves: All of them, in full form.
        first: How many plies of a very long game were left out at its beginning.
        chances: What the first seat could expect after `first`, `first` + 1 … plies.
        proved: Which of these are proved.
        turns: By ply.
        proved_ply: From this ply on, counted from 1, the result was proved; or None.
        proved_for: Who wins from there; "" for a draw.
        proof: Best play for both from there.
    """

    board: int
    game: str
    title: str
    players: tuple[str, ...]
    winner: str
    reason: str
    ended_by_move: bool
    moves: tuple[str, ...]
    first: int
    chances: tuple[float, ...]
    proved: tuple[bool, ...]
    turns: tuple[TurningPoint, ...]
    proved_ply: int | None
    proved_for: str
    proof: tuple[str, ...]
