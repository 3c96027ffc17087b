"""Challenges, their seats, and the requests that were answered."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.players import Player, new_key


class Challenge(models.Model):
    """A game somebody proposes. Its number is what `accept N` names."""

    class State(models.TextChoices):
        ASKED = "asked"  # by a mail that proves nobody: sent when its player says yes
        OPEN = "open"
        STARTED = "started"
        DECLINED = "declined"
        WITHDRAWN = "withdrawn"

    game = models.CharField(max_length=40)
    options = models.CharField(max_length=200, blank=True, help_text="of the game, as written")
    terms = models.JSONField(default=dict, help_text="of the server: rated, private, days …")
    challenger = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    reason = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField()
    # Anyone who has it may take a free seat; without it such a challenge is not to be found.
    link_key = models.CharField(max_length=20, blank=True, help_text="or none: open to anybody")
    rematch_of = models.ForeignKey(
        "storage.Match", null=True, on_delete=models.SET_NULL, related_name="rematches"
    )
    match = models.OneToOneField(
        "storage.Match", null=True, on_delete=models.SET_NULL, related_name="challenge"
    )

    class Meta:
        indexes = [
            models.Index(fields=["id"], name="challenges_open", condition=models.Q(state="open")),
            models.Index(
                fields=["made_at"], name="challenges_asked", condition=models.Q(state="asked")
            ),
        ]

    def __str__(self) -> str:
        return f"challenge {self.pk}"


class ChallengeSeat(models.Model):
    """One seat of a challenge; without a player it is for anyone."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, null=True, on_delete=models.CASCADE, related_name="+")
    has_accepted = models.BooleanField(default=False)

    class Meta:
        ordering = ("seat",)
        constraints = [
            models.UniqueConstraint(fields=["challenge", "seat"], name="challenge_seat_once")
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of challenge {self.challenge_id}"


class MailInvitation(models.Model):
    """A challenge that was mailed to somebody without an account, until it is answered."""

    code = models.CharField(max_length=20, unique=True, default=new_key)
    address = models.CharField(max_length=254, help_text="where the letter went")
    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="+")
    sent_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"invitation {self.pk}"


class InvitedAddress(models.Model):
    """An address that was invited once, and is never again. Not the address itself."""

    digest = models.CharField(max_length=64, unique=True, help_text="under the server's key")
    player = models.ForeignKey(
        Player,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="the account that its answer made",
    )

    def __str__(self) -> str:
        return self.digest


class AnsweredRequest(models.Model):
    """One request id of one door, and the answer it got."""

    key = models.CharField(max_length=100, unique=True)
    said = models.CharField(max_length=64, blank=True, help_text="a digest of what was asked")
    reply = models.JSONField()
    # No foreign key: it would cost each request an index, and is asked for when one is forgotten.
    speaker = models.BigIntegerField(default=0, help_text="the player's id; or 0")
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.key
