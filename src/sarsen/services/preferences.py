"""What a player wants to be sent, changed by the signed address in every letter."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.services.signing import unsubscribe_bearer
from sarsen.storage.models import Player


@dataclass(frozen=True)
class MailPreference:
    """Say whether a player wants a mail when a board waits for them."""

    userid: str
    wants_boards: bool


def mail_preference(token: str) -> MailPreference:
    """Give what the bearer of a token wants.

    Raises:
        UserError: The token is nobody's.
    """
    player = _bearer(token)
    return MailPreference(player.userid, player.mail_boards)


def set_board_mails(token: str, wanted: bool) -> MailPreference:
    """Switch the bearer's board mails on or off; the same again changes nothing.

    Raises:
        UserError: The token is nobody's.
    """
    player = _bearer(token)
    if player.mail_boards != wanted:
        Player.objects.filter(pk=player.pk).update(mail_boards=wanted)
    return MailPreference(player.userid, wanted)


def _bearer(token: str) -> Player:
    player = unsubscribe_bearer(token)
    if player is None:
        raise UserError(
            "This address belongs to nobody, or not any more.",
            code="unsubscribe-token",
            hint="Use the link in the newest mail the server sent you.",
        )
    return player
