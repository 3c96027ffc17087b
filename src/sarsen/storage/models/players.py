"""Players, their mail addresses, and sign-ups that wait for a confirmation."""

from __future__ import annotations

import secrets
from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models


def new_key() -> str:
    """Give a random key of 80 bits, for what must not be guessed."""
    return secrets.token_hex(10)


class PlayerManager(BaseUserManager["Player"]):
    """Find players by userid in any case."""

    def get_by_natural_key(self, username: str | None) -> Player:
        return self.get(key=(username or "").lower())


class Player(AbstractBaseUser, PermissionsMixin):
    """Somebody who plays. The password is optional: signed addresses speak too."""

    key = models.CharField(max_length=20, unique=True, help_text="the userid in lower case")
    userid = models.CharField(max_length=20, help_text="as its owner writes it")
    joined_at = models.DateTimeField()
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    is_bot = models.BooleanField(default=False)
    mail_boards = models.BooleanField(default=True, help_text="wants a mail when it is their turn")
    speaks_by_password = models.BooleanField(default=True)
    wrong_passwords = models.PositiveSmallIntegerField(default=0)
    paused_until = models.DateTimeField(null=True, blank=True)
    letter_key = models.CharField(max_length=20, default=new_key)

    USERNAME_FIELD = "key"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = PlayerManager()

    def __str__(self) -> str:
        return self.userid


class Address(models.Model):
    """A mail address whose owner has confirmed it. Never shown to other players."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="addresses")
    address = models.CharField(max_length=254, db_index=True)
    confirmed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "address"], name="address_once_a_player")
        ]

    def __str__(self) -> str:
        return f"an address of {self.player}"


class Signup(models.Model):
    """A wish to join, one row an address; nothing exists until one is confirmed."""

    userid = models.CharField(max_length=20)
    key = models.CharField(max_length=20, db_index=True)
    password = models.CharField(max_length=128, help_text="a hash, or an unusable one")
    address = models.CharField(max_length=254)
    code = models.CharField(max_length=20, unique=True, default=new_key)
    wish = models.CharField(max_length=20, help_text="the same for all addresses of one sign-up")
    asked_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"sign-up of {self.userid}"
