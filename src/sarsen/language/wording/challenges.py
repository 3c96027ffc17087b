"""Words about challenges."""

from __future__ import annotations

from sarsen.language.replies import ChallengeEnded, ChallengeStands
from sarsen.language.wording.said import sentence


@sentence.register
def _challenge_stands(stands: ChallengeStands) -> str:
    game = f"{stands.game} {stands.options}".strip()
    players = " v ".join(stands.names)
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
