"""The login methods of a player: mail, a password, passkeys. The last one cannot be removed.

The setting AUTHENTICATION_BACKENDS names this module, and so does every stored session: under
another name all browsers would be logged out.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend

from sarsen.core.errors import UserError
from sarsen.storage import statements
from sarsen.storage.models import (
    Player,
)


def check_another_way(
    player: Player, *, without_password: bool = False, without_passkey: int = 0
) -> None:
    """Refuse to remove the last login method.

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
        "Without this you could no longer log in.",
        code="last-way-in",
        hint=f"change address {player.userid} PASSWORD ann@example.org",
    )


_PLAYER = "SELECT {Player} FROM storage_player WHERE id = %s AND NOT is_elsewhere"


class PlayerBackend(ModelBackend):
    """Find the player of a session; each page of a player does."""

    def get_user(self, user_id: Any) -> Any:
        """Return an active player, or None."""
        user = next((player for (player,) in statements.select(_PLAYER, user_id)), None)
        return user if user is not None and self.user_can_authenticate(user) else None
