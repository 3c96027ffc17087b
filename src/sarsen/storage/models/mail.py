"""Mail in and out: stored before it is acknowledged, stored before it is sent."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.matches import Match
from sarsen.storage.models.players import Address, Player


class InboundMail(models.Model):
    """A message for one of our addresses, kept from before its 250 until answered.

    The raw text goes when it is answered: it may hold a password.
    """

    class State(models.TextChoices):
        NEW = "new"
        ANSWERED = "answered"
        IGNORED = "ignored"
        FAILED = "failed"

    identity = models.CharField(max_length=80, unique=True, help_text="decides what is a repeat")
    digest = models.CharField(max_length=64)
    envelope_sender = models.CharField(max_length=320, blank=True)
    recipient = models.CharField(max_length=320)
    raw = models.BinaryField()
    body_digests = models.CharField(
        max_length=120, blank=True, help_text="of a body whose attachments are not in `raw`"
    )
    received_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State, default=State.NEW)
    attempts = models.PositiveSmallIntegerField(default=0)
    ends = models.PositiveSmallIntegerField(default=0, help_text="of workers, while they tried it")
    wait_until = models.DateTimeField(null=True, blank=True, help_text="not answered before")
    note = models.CharField(
        max_length=200, blank=True, help_text="why it was refused, ignored or failed"
    )

    class Meta:
        indexes = [
            models.Index(fields=["id"], name="inbound_new", condition=models.Q(state="new")),
            models.Index(
                fields=["received_at"], name="inbound_failed", condition=models.Q(state="failed")
            ),
            models.Index(
                fields=["received_at"], name="inbound_noted", condition=~models.Q(note="")
            ),
        ]

    def __str__(self) -> str:
        return f"inbound mail {self.pk}"


class QueuedDelivery(models.Model):
    """A message to send, retried until it is taken or given up."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    queued_at = models.DateTimeField()
    due_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        abstract = True


class OutgoingMail(QueuedDelivery):
    """A letter to write and send: what it says as facts, worded when it goes."""

    kind = models.CharField(max_length=20)
    event = models.CharField(max_length=20, blank=True, help_text="of `services.notices`, or ''")
    facts = models.JSONField(default=dict)
    address = models.CharField(max_length=254)
    player = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    match = models.ForeignKey(Match, null=True, on_delete=models.SET_NULL, related_name="+")
    in_reply_to = models.CharField(max_length=300, blank=True)
    due_at = models.DateTimeField(help_text="not before; moves on after a failed attempt")
    priority = models.PositiveSmallIntegerField(default=1, help_text="0 goes first, 2 last")

    class Meta:
        indexes = [
            models.Index(
                fields=["priority", "due_at", "id"],
                name="outgoing_due",
                condition=models.Q(state="waiting"),
            ),
            # Later letters of a board to the same address wait for the earlier ones.
            models.Index(
                fields=["match", "address"],
                name="outgoing_earlier",
                condition=models.Q(state="waiting"),
            ),
            models.Index(
                fields=["queued_at"], name="outgoing_failed", condition=models.Q(state="failed")
            ),
        ]

    def __str__(self) -> str:
        return f"letter {self.pk} ({self.kind})"


class SentLetter(models.Model):
    """By what the words of a sent letter are known when a reply quotes them; not the words."""

    letter = models.OneToOneField(
        OutgoingMail, on_delete=models.CASCADE, primary_key=True, related_name="sent"
    )
    reply_stem = models.CharField(
        max_length=100, blank=True, db_index=True, help_text="its reply address, unsigned"
    )
    fingerprints = models.BinaryField()

    def __str__(self) -> str:
        return f"words of letter {self.pk}"


class CaughtMail(models.Model):
    """A message that would have been sent if a relay were set; shown on the web page."""

    letter = models.OneToOneField(OutgoingMail, on_delete=models.CASCADE, related_name="caught")
    address = models.CharField(max_length=254, db_index=True)
    subject = models.CharField(max_length=300)
    raw = models.BinaryField()
    caught_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"caught mail {self.pk}"


class Bounce(models.Model):
    """A letter that nobody will ever take at a confirmed address. Counted, and tidied away."""

    letter = models.ForeignKey(OutgoingMail, on_delete=models.CASCADE, related_name="+")
    address = models.ForeignKey(Address, on_delete=models.CASCADE, related_name="bounces")
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            # However often it is told: a bounce may come twice, and after a refusal.
            models.UniqueConstraint(fields=["letter", "address"], name="bounce_once_a_letter")
        ]

    def __str__(self) -> str:
        return f"bounce of letter {self.letter_id}"


class HelpReplySent(models.Model):
    """When something that is counted by the day was last mailed: help, a refusal, a sign-up."""

    address = models.CharField(max_length=64, unique=True, help_text="a digest of the address")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"help sent at {self.at}"
