"""Words about challenges."""

from __future__ import annotations

from sarsen.language.replies import ChallengeAsked, ChallengeEnded, ChallengeStands
from sarsen.language.translating import _
from sarsen.language.wording.said import sentence


@sentence.register
def _challenge_stands(stands: ChallengeStands) -> str:
    game = " ".join(filter(None, (stands.game, stands.options, stands.terms)))
    players = " v ".join(stands.names)
    facts = {
        "game": game,
        "players": players,
        "first": stands.names[0],
        "number": stands.number,
        "board": stands.board,
        "pair": stands.pair_board,
        "link": stands.link,
        "names": _(" and ").join(stands.waiting_for),
    }
    return _standing(stands).format(**facts)


def _standing(stands: ChallengeStands) -> str:
    if stands.board is not None and stands.pair_board is not None:
        return _(
            "{game}, {players}: a pair of games has started. On board {board} {first} moves "
            "first; on board {pair} the seats are exchanged."
        )
    if stands.board is not None:
        return _("{game}, {players}: the game has started as board {board}. {first} moves first.")
    if stands.link:
        return _(
            "Challenge {number}: {game}, {players}. It starts when somebody takes the free seat, "
            "which only this line or its link does: accept {link} "
            "To take it back: withdraw {number}"
        )
    if len(stands.waiting_for) == 1:
        return _(
            "Challenge {number}: {game}, {players}. It starts when {names} accepts. "
            "To take it back: withdraw {number}"
        )
    return _(
        "Challenge {number}: {game}, {players}. It starts when {names} accept. "
        "To take it back: withdraw {number}"
    )


@sentence.register
def _challenge_ended(reply: ChallengeEnded) -> str:
    return f"Challenge {reply.number} is {reply.how}."


@sentence.register
def _challenge_asked(reply: ChallengeAsked) -> str:
    return _("Nothing is sent yet. A mail to your address asks you to confirm the challenge.")
