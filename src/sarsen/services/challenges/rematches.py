"""The same game once more, seats exchanged."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.games import load
from sarsen.language.commands import Accept, Rematch
from sarsen.language.replies import ChallengeStands
from sarsen.services.challenges import challenges
from sarsen.services.matches.moves import Participant, lock_as_participant
from sarsen.services.matches.terms import OF_CONTESTS
from sarsen.services.request import Request
from sarsen.storage.models import Challenge, Player


@dataclass(frozen=True)
class OpenRematch:
    """A rematch that is proposed, and has not begun.

    Attributes:
        number: Of the challenge.
        accepted: The userids of those who want it.
    """

    number: int
    challenger: str
    accepted: tuple[str, ...]


def open_rematch(board: int) -> OpenRematch | None:
    """Return the rematch of a board that waits for an answer; None without one."""
    waiting = Challenge.objects.filter(rematch_of=board, state=Challenge.State.OPEN)
    challenge = waiting.select_related("challenger").order_by("-pk").first()
    if challenge is None:
        return None
    seats = challenge.seats.filter(has_accepted=True)
    accepted = tuple(seats.values_list("player__userid", flat=True))
    challenger = challenge.challenger.userid if challenge.challenger else ""
    return OpenRematch(challenge.pk, challenger, accepted)


def rematch(command: Rematch, request: Request) -> ChallengeStands:
    """Propose a rematch, or accept the one that is already proposed."""
    participant = lock_as_participant(
        command.board, command.game, request, "rematch", running=False
    )
    match = participant.match
    if match.ended_at is None:
        raise UserError(
            "Board {board} is still being played; you can ask for a rematch when it is over.",
            code="board-running",
            hint=f"{match.game} show {match.pk}",
            board=match.pk,
        )
    latest = match.rematches.order_by("-pk").first()
    if latest is not None and latest.state == Challenge.State.STARTED:
        raise UserError(
            "The rematch of board {board} is board {rematch}.",
            code="rematch-started",
            hint=f"{match.game} show {latest.match_id}",
            board=match.pk,
            rematch=latest.match_id or 0,
        )
    if latest is not None and latest.state == Challenge.State.OPEN:
        return challenges.accept_challenge(Accept(latest.pk), request)
    load(match.game).start(match.options)  # options of long ago may be gone
    challenge = Challenge(
        game=match.game,
        options=match.options,
        # One board of a pair is played again alone.
        # A rematch belongs to no contest.
        terms={name: value for name, value in match.terms.items() if name not in OF_CONTESTS}
        | {"pair": False},
        rematch_of=match,
    )
    return challenges.propose(challenge, _exchanged(participant), request)


def _exchanged(participant: Participant) -> list[Player]:
    """Return the players, each one seat on."""
    seats = participant.match.seats.select_related("player").order_by("seat")
    players = [seat.player for seat in seats]
    for player in players:
        if player.is_elsewhere:
            raise UserError(
                "Board {board} was imported; not all of its players have accounts here.",
                code="player-elsewhere",
                hint=f"{participant.match.game} challenge {participant.player.userid} anyone",
                board=participant.match.pk,
            )
        if not player.is_active:
            raise UserError(
                "{player} has left this server.",
                code="player-left",
                hint=f"{participant.match.game} challenge {participant.player.userid} anyone",
                player=player.userid,
            )
    return [*players[1:], *players[:1]]
