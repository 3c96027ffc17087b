"""The speaker of a command, checked again inside of the transaction that performs it.

A door proves the speaker before the transaction. Until that begins the account may be closed,
forgotten, disabled, or given another password: what is then written would outlive all that.
"""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.services.request import Actor
from sarsen.storage.models import Player
from sarsen.storage.move_path import SpeakerState, speaker_state
from sarsen.storage.transactions import EVERYBODY as _EVERYBODY
from sarsen.storage.transactions import await_turn


def hold_speaker(actor: Actor) -> None:
    """Refuse a speaker whose proof holds no more; keep the account open until the transaction ends.

    Raises:
        UserError: The account was closed or disabled, or its password changed.
    """
    if actor.player is None:
        hold_everybody()
        return
    # Shared: several commands of a player may run at once, but none beside `close_to_others`.
    await_turn(_EVERYBODY, _name(actor.player), is_shared=True)
    check_proof(actor, speaker_state(actor.player.pk))


def hold_player(player: Player) -> None:
    """Do the same for a player whom a page or a token has proved."""
    hold_speaker(Actor(player))


def hold_everybody() -> None:
    """Let nobody be forgotten until this transaction ends: what it writes may name anybody."""
    await_turn(_EVERYBODY, is_shared=True)


def close_to_everybody() -> None:
    """Wait until nobody's command runs; later ones wait until this transaction ends.

    For what forgets a person: others may just be writing their name, or to their address, in a
    transaction that the wiping does not see yet. It comes first of all locks.
    """
    await_turn(_EVERYBODY)


def close_to_others(player: Player) -> None:
    """Wait until no other command of a player runs; later ones wait until this transaction ends.

    For what deletes all that a player wrote. A lock of its own and not that of the row: those
    who wait for it come in order, so that a player who never pauses can leave, and opponents who
    write rows that name the player do not wait for it.
    """
    await_turn(_name(player))


def check_proof(actor: Actor, now: SpeakerState | Player | None) -> None:
    """Refuse a speaker whose account has changed since the proof.

    Args:
        now: The account as this transaction has read it; None for an account that is gone.

    Raises:
        UserError: The account was closed or disabled, or its password changed.
    """
    if actor.player is None:
        return
    if now is None or not now.is_active:
        raise UserError(
            "This account was closed in the meantime. Nothing was done.",
            code="account-closed",
            hint="help signup",
        )
    if actor.by_password and now.password != actor.player.password:
        raise UserError(
            "Your password was changed in the meantime. Nothing was done.",
            code="password-changed",
            hint="Log in with the new password and send it again.",
        )


def _name(player: Player) -> str:
    return f"speaker {player.pk}"
