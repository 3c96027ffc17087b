"""How a player gets in: by mail, by a password, by a passkey. One of them always remains."""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.storage.models import Player


def check_another_way(
    player: Player, *, without_password: bool = False, without_passkey: int = 0
) -> None:
    """Refuse to take away the last way in.

    Args:
        without_passkey: The number of the one that goes, 0 for none.

    Raises:
        UserError: Nothing else remains.
    """
    has_password = player.has_usable_password() and not without_password
    passkeys = player.passkeys.exclude(pk=without_passkey)
    if player.addresses.exists() or has_password or passkeys.exists():
        return
    raise UserError(
        "This is the only way into this account: without it nobody could log in any more.",
        code="last-way-in",
        hint=f"change address {player.userid} PASSWORD ann@example.org",
    )
