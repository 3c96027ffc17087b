"""What a player wants to be sent, changed by the signed address in every letter."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.services.notices import Channel, Event, channel_of
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
    return MailPreference(player.userid, channel_of(player, Event.TURN) is Channel.MAIL)


def set_board_mails(token: str, wanted: bool) -> MailPreference:
    """Switch the bearer's board mails on or off; the same again changes nothing.

    Raises:
        UserError: The token is nobody's.
    """
    player = _bearer(token)
    channels = {**player.channels, Event.TURN: Channel.MAIL if wanted else Channel.NONE}
    if player.channels != channels:
        Player.objects.filter(pk=player.pk).update(channels=channels)
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
