"""What players are told beside letters at once: digests, webhooks, streams, what they watch."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.mail import QueuedDelivery
from sarsen.storage.models.matches import Match
from sarsen.storage.models.players import Player


class DigestItem(models.Model):
    """Something that waits for a player's next digest."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="digest_items")
    event = models.CharField(max_length=20)
    facts = models.JSONField(default=dict)
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.event} for {self.player}"


class Subscription(models.Model):
    """A player watches a board, another player, a game, or gets the weekly letter."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="subscriptions")
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="watchers")
    watched = models.ForeignKey(
        Player, null=True, on_delete=models.CASCADE, related_name="watchers"
    )
    game = models.CharField(max_length=40, blank=True, db_index=True)
    is_weekly = models.BooleanField(default=False)
    last_sent_at = models.DateTimeField(null=True, blank=True, help_text="of the weekly letter")
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "match"], name="watches_board_once"),
            models.UniqueConstraint(fields=["player", "watched"], name="watches_player_once"),
            models.UniqueConstraint(
                fields=["player", "game"],
                name="watches_game_once",
                condition=~models.Q(game=""),
            ),
            models.UniqueConstraint(
                fields=["player"], name="weekly_once", condition=models.Q(is_weekly=True)
            ),
        ]
        indexes = [
            models.Index(
                fields=["last_sent_at"], name="weekly_due", condition=models.Q(is_weekly=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} watches"


class WebhookCall(QueuedDelivery):
    """A notice to hand to a player's own web address, signed, and tried again when refused."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    event = models.CharField(max_length=20)
    facts = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(
                fields=["due_at"], name="webhooks_due", condition=models.Q(state="waiting")
            )
        ]

    def __str__(self) -> str:
        return f"{self.event} for the webhook of {self.player}"


class Announcement(models.Model):
    """An event for many players, who are notified in batches, in the order of ids."""

    class Audience(models.TextChoices):
        ALL = "all"
        WATCHERS = "watchers", "of the board"
        FOLLOWERS = "followers", "of the board, its players and its game"

    audience = models.CharField(max_length=10, choices=Audience)
    author = models.ForeignKey(Player, null=True, on_delete=models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="+")
    event = models.CharField(max_length=20)
    kind = models.CharField(max_length=20, help_text="of the letter")
    facts = models.JSONField(default=dict)
    made_at = models.DateTimeField()
    reached = models.BigIntegerField(default=0, help_text="the last player who was told")
    is_done = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(
                fields=["id"], name="announcements_open", condition=models.Q(is_done=False)
            )
        ]

    def __str__(self) -> str:
        return f"announcement {self.pk}"


class News(models.Model):
    """A broadcast in the public archive; its number is its id."""

    class Kind(models.TextChoices):
        BROADCAST = "broadcast"
        SERVER = "server", "of the server"
        GAME = "game", "of a new game"

    author = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="news")
    kind = models.CharField(max_length=10, choices=Kind)
    text = models.TextField(blank=True)
    game = models.CharField(max_length=40, blank=True, help_text="that is announced")
    options = models.CharField(max_length=300, blank=True, help_text="of that game")
    at = models.DateTimeField()
    # No key: the first one may be deleted with its author, and the others still belong together.
    thread = models.BigIntegerField(null=True, db_index=True, help_text="its first broadcast")
    withdrawn_at = models.DateTimeField(null=True, help_text="its text is deleted then")
    hidden_reason = models.CharField(max_length=300, blank=True, help_text="by an operator")

    class Meta:
        verbose_name_plural = "news"

    def __str__(self) -> str:
        return f"news {self.pk}"


class GameWish(models.Model):
    """A player's vote for a game that is not here; votes with the same key are for the same."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40, help_text="as the player writes it")
    key = models.CharField(max_length=80, db_index=True, help_text="its letters and digits")
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "game wishes"
        constraints = [
            models.UniqueConstraint(fields=["player", "key"], name="wishes_for_game_once")
        ]

    def __str__(self) -> str:
        return f"{self.name} for {self.player}"


class AbuseReport(models.Model):
    """A report of a player about a broadcast or another player, for the operators."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    about = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    news = models.ForeignKey(News, null=True, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, help_text="by an operator")

    def __str__(self) -> str:
        return f"report {self.pk}"


class Device(models.Model):
    """A browser that takes notices; its push service knows it by the endpoint."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="devices")
    endpoint = models.CharField(max_length=1000)
    digest = models.CharField(max_length=64, unique=True, help_text="of the endpoint")
    public = models.CharField(max_length=100, help_text="its key, in base64url")
    secret = models.CharField(max_length=40, help_text="what it shares with us, in base64url")
    label = models.CharField(max_length=60, blank=True)
    made_at = models.DateTimeField()
    failures = models.PositiveSmallIntegerField(default=0, help_text="notices lost since one came")

    def __str__(self) -> str:
        return f"{self.label or 'a device'} of {self.player}"


class Push(QueuedDelivery):
    """A notice to show on a device, tried again when its service does not take it."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="pushes")
    event = models.CharField(max_length=20)
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name_plural = "pushes"
        indexes = [
            models.Index(fields=["due_at"], name="pushes_due", condition=models.Q(state="waiting"))
        ]

    def __str__(self) -> str:
        return f"{self.event} for {self.device}"


class StreamItem(models.Model):
    """Something that happened at a board of a player whose programs listen.

    Writers do not number it: two writers that commit in another order than
    they began would get numbers that a reader has passed already. Readers number what
    they find, one at a time for each player; see `services.notices.streams`.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="stream")
    number = models.BigIntegerField(null=True, blank=True, help_text="counts from 1")
    kind = models.CharField(max_length=20)
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="+")
    facts = models.JSONField(default=dict)
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "number"], name="stream_number_once")
        ]
        indexes = [
            models.Index(
                fields=["player", "id"],
                name="stream_unnumbered",
                condition=models.Q(number__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.player}"
