"""The operators of the server. Only its own machine makes operators: `sarsen operator`."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.services import task_queue
from sarsen.services.mail import outgoing
from sarsen.services.players import find_player
from sarsen.storage.models import Player, WebSession

OPERATOR_PATH = "operator/"  # where the operators' pages are
PROOF_LASTS = timedelta(hours=12)  # from a log-in until its browser sees them no more


def add_operator(userid: str, now: datetime) -> Player:
    """Make a player an operator, and tell them.

    Raises:
        UserError: Nobody is called so, or a program is.
    """
    return _change(userid, now, is_operator=True)


def remove_operator(userid: str, now: datetime) -> Player:
    """Make an operator a player like others again, and tell them.

    Raises:
        UserError: Nobody is called so.
    """
    return _change(userid, now, is_operator=False)


def operators() -> tuple[str, ...]:
    """Return the userids of all operators."""
    players = Player.objects.filter(is_staff=True, is_active=True).order_by("key")
    return tuple(players.values_list("userid", flat=True))


def is_operator(player: Player | None) -> bool:
    """Return whether a player may see the operators' pages."""
    return player is not None and player.is_active and player.is_staff and player.is_superuser


def has_proved_lately(began: str, now: datetime) -> bool:
    """Return whether a session's log-in is young enough for the operators' pages.

    Args:
        began: When it was, in ISO form; "" when that is not known.
    """
    if not began:
        return False
    return now - datetime.fromisoformat(began) <= PROOF_LASTS


@transaction.atomic
def _change(userid: str, now: datetime, *, is_operator: bool) -> Player:
    player = find_player(userid)
    if player.is_bot:
        raise UserError(
            f"{player.userid} is a program and cannot be an operator.",
            code="program-operator",
            hint="sarsen operator add USERID",
        )
    player.is_staff = player.is_superuser = is_operator
    player.save(update_fields=["is_staff", "is_superuser"])
    if not is_operator:
        WebSession.objects.filter(player=player).delete()
    outgoing.queue_for(player, "operator", {"is_one": is_operator}, now)
    task_queue.wake(task_queue.SEND_MAIL)
    return player
