"""Words about challenges."""

from __future__ import annotations

from sarsen.language.replies import ChallengeEnded, ChallengeStands
from sarsen.language.wording.said import sentence


@sentence.register
def _challenge_stands(stands: ChallengeStands) -> str:
    game = " ".join(filter(None, (stands.game, stands.options, stands.terms)))
    players = " v ".join(stands.names)
    if stands.board is not None and stands.pair_board is not None:
        return (
            f"{game}, {players}: a pair of games has started. On board {stands.board} "
            f"{stands.names[0]} moves first; on board {stands.pair_board} the seats are exchanged."
        )
    if stands.board is not None:
        return (
            f"{game}, {players}: the game has started as board {stands.board}. "
            f"{stands.names[0]} moves first."
        )
    waiting = " and ".join(stands.waiting_for)
    accept = "accepts" if len(stands.waiting_for) == 1 else "accept"
    return (
        f"Challenge {stands.number}: {game}, {players}. It starts when {waiting} {accept}. "
        f"To take it back: withdraw {stands.number}"
    )


@sentence.register
def _challenge_ended(reply: ChallengeEnded) -> str:
    return f"Challenge {reply.number} is {reply.how}."
