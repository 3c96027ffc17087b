"""Vasco in pure Python: wins, threats, and wins that two threats at once force.

Of a move it is asked whether a loop is closed, whether the answer can close one, and how many
moves would close one for the mover if the answer did nothing about it. The best moves of that
kind are looked at one move further: does every answer leave a loop to be closed?
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from sarsen.core.game import AnyPosition
from sarsen.games.vasco.judgement import judgement
from sarsen.games.vasco.moves import Move
from sarsen.games.vasco.rules import VascoPosition
from sarsen.search.plain_bots import Deadline, PlainLevel
from sarsen.search.thought import Candidate

LEVELS = (
    PlainLevel(0.20, sees_wins=False, sees_threats=False),
    PlainLevel(0.07, sees_threats=False),
    PlainLevel(0.0),
    PlainLevel(0.0),
)
# What a threat of one's own is worth, of a game's score.
_THREAT = 0.05
_MAX_THREATS = 6
_LOOKED_AT = 6  # moves, the best ones, that are looked at further
_NEARLY_EMPTY = 12  # tiles in the pool from which on its end is looked for


def score_moves(
    position: AnyPosition, level: PlainLevel, chance: random.Random, clock: Deadline
) -> Sequence[Candidate]:
    """Score the moves of the seat to move; see `PlainBotModule.score_moves`."""
    assert isinstance(position, VascoPosition)
    moves = list(position.legal_moves())
    chance.shuffle(moves)
    candidates: list[Candidate] = []
    after: dict[Move, VascoPosition] = {}
    for move in moves:
        after[move] = position.play(move)
        candidates.append(_candidate(move, position.seat, after[move]))
        if clock.is_over or (level.sees_wins and candidates[-1].proved == 1.0):
            break
    if level.temperature <= 0:
        _look_further(candidates, position.seat, after, clock)
    return candidates


def _candidate(move: Move, seat: int, after: VascoPosition) -> Candidate:
    outcome = after.outcome()
    if outcome is not None:
        score = outcome.scores[seat]
        return Candidate(move, score, score)
    threats = 0
    for winner in _winners(after):
        if winner != seat:
            return Candidate(move, 0.0, 0.0)
        threats += 1
    return Candidate(move, 0.5 + _THREAT * min(threats, _MAX_THREATS))


def _look_further(
    candidates: list[Candidate], seat: int, after: dict[Move, VascoPosition], clock: Deadline
) -> None:
    """Mark a move that wins whatever is answered; of the others, prefer many threats."""
    for at in sorted(range(len(candidates)), key=lambda at: -candidates[at].score)[:_LOOKED_AT]:
        candidate = candidates[at]
        if clock.is_over or candidate.score <= 0.5 or candidate.proved is not None:
            return
        if _wins_by_force(after[candidate.move], seat, clock):
            candidates[at] = Candidate(candidate.move, 0.99)
            return


def _wins_by_force(position: VascoPosition, seat: int, clock: Deadline) -> bool:
    """Return whether every answer leaves the seat a loop to close, or closes it itself."""
    for answer in position.legal_moves():
        following = position.play(answer)
        outcome = following.outcome()
        if outcome is not None:
            if outcome.scores[seat] != 1.0:
                return False
        elif seat not in _winners(following):
            return False
        if clock.is_over:
            return False
    return True


def _winners(position: VascoPosition) -> Iterator[int]:
    """Yield, for each legal move that ends the game, the seat that wins by it."""
    tiles = dict(position.tiles)
    for move, placement in position.survey().placements.items():
        if position.room <= _NEARLY_EMPTY:
            outcome = position.play(move).outcome()
        else:
            # Only a loop ends it, nearly always, and that is seen without a new position.
            tiles.update(placement.filled)
            outcome = judgement(tiles, placement.filled, is_at_its_end=False)
            for cell in placement.filled:
                del tiles[cell]
        if outcome is not None and outcome.winner is not None:
            yield outcome.winner
