"""Passkeys: public keys of devices that log their owner in."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.players import Player


class Passkey(models.Model):
    """A key that a device made for one player. Nothing secret of it is known here."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="passkeys")
    # Names the player to his devices, and says nothing of him; the same in all rows of one.
    handle = models.CharField(max_length=64, help_text="hexadecimal")
    digest = models.CharField(max_length=64, unique=True, help_text="of the credential's id")
    credential = models.BinaryField(help_text="attested credential data, as the device sent it")
    uses = models.BigIntegerField(default=0, help_text="as the device counts them; 0: it does not")
    label = models.CharField(max_length=60)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"passkey of {self.player}"
