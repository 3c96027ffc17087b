"""The limits of one challenger: how much they may ask of people, and the same thing once."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from sarsen.core.errors import UserError
from sarsen.services.limits import daily
from sarsen.services.request import Request
from sarsen.storage.models import Challenge, Player

MAX_OPEN = 100  # challenges of one maker that wait: nobody floods the lobby
MAX_TO_ONE = 20  # of them that one other player has not answered: each is a letter
MAX_A_DAY = 20  # to one player by mails that prove nobody: their sender may be forged


def standing_alike(
    challenge: Challenge, players: Sequence[Player | None], request: Request
) -> Challenge | None:
    """Return a challenge of the speaker's that asks the same of the same people, and waits.

    A second one is a slip: the first looked unanswered. Open seats are for several players.
    """
    challenger = request.actor.player
    if challenger is None or not set(players) - {None, challenger}:
        return None
    alike = Challenge.objects.filter(
        state=Challenge.State.OPEN,
        challenger=challenger,
        game=challenge.game,
        options=challenge.options,
        link_key="",
        rematch_of=None,
    )
    for standing in alike.prefetch_related("seats__player"):
        seats = [seat.player for seat in standing.seats.all()]
        if seats == list(players) and standing.terms == challenge.terms:
            return standing
    return None


def _check_waiting(
    challenges: QuerySet[Challenge], named: list[Player], challenger: Player
) -> None:
    """Bound how many unanswered challenges of one player another one has before them."""
    for player in named:
        to_one = challenges.filter(seats__player=player, seats__has_accepted=False).distinct()
        if player != challenger and to_one.count() >= MAX_TO_ONE:
            raise UserError(
                "{player} has not answered {most} challenges of yours yet.",
                code="challenge-flood",
                hint=f"withdraw {to_one.earliest('made_at').pk}",
                player=player.userid,
                most=MAX_TO_ONE,
            )


def check_flood(players: Sequence[Player | None], request: Request) -> None:
    """Bound what one challenger, or all unknown ones, may ask of people."""
    challenger = request.actor.player
    invited = list(dict.fromkeys(player for player in players if player is not None))
    if challenger is not None:
        daily.check(challenger, "challenge", request.now)
        challenges = Challenge.objects.filter(state=Challenge.State.OPEN, challenger=challenger)
        if challenges.count() >= MAX_OPEN:
            raise UserError(
                "You have {most} open challenges. Wait until some of them are answered.",
                code="challenge-flood",
                hint=f"withdraw {challenges.earliest('made_at').pk}",
                most=MAX_OPEN,
            )
        _check_waiting(challenges, invited, challenger)
        return
    for player in invited:
        challenges = Challenge.objects.filter(challenger=None, made_at__gt=request.now - daily.DAY)
        if challenges.filter(seats__player=player).distinct().count() >= MAX_A_DAY:
            raise UserError(
                "{player} can get no more challenges from strangers today.",
                code="challenge-flood",
                hint="Send it as a reply to a mail from the server, so that it knows you.",
                player=player.userid,
            )
