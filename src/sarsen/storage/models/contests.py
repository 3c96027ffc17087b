"""Contests: their logs are the truth; entries, boards and dates are caches of them."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.matches import Match
from sarsen.storage.models.players import Player


class Contest(models.Model):
    """A contest. Its primary key is its number."""

    format = models.CharField(max_length=20)
    game = models.CharField(max_length=40)
    rules_version = models.PositiveIntegerField(help_text="of the game when it was made")
    options = models.CharField(max_length=200, blank=True)
    terms = models.JSONField(default=dict, help_text="of all its boards")
    law = models.JSONField(default=dict, help_text="its options; frozen when it is made")
    name = models.CharField(max_length=40)
    host = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    first = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="seasons",
        help_text="of a later season, the contest that was its first one",
    )
    season = models.PositiveIntegerField(default=1)
    made_at = models.DateTimeField()
    # Caches of its log.
    state = models.CharField(max_length=10)
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    look_at = models.DateTimeField(null=True, blank=True, help_text="when something is due")
    # Made each day while it runs.
    forecast_at = models.DateTimeField(
        null=True, blank=True, help_text="when its last board ends at the usual pace"
    )
    forecast_made_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["look_at"], name="contests_due", condition=models.Q(look_at__isnull=False)
            ),
            models.Index(fields=["state", "id"], name="contests_by_state"),
        ]

    def __str__(self) -> str:
        return f"contest {self.pk}, {self.name}"


class ContestEvent(models.Model):
    """One thing that happened in a contest. Only ever added; see `services.contests.state`."""

    contest = models.ForeignKey(
        Contest, on_delete=models.CASCADE, related_name="log", db_index=False
    )
    number = models.PositiveIntegerField(help_text="counts the events of a contest from 1")
    kind = models.CharField(max_length=12)
    at = models.DateTimeField(help_text="when it was written")
    due = models.DateTimeField(help_text="when the law wants it")
    facts = models.JSONField(default=dict)

    class Meta:
        ordering = ("number",)
        constraints = [
            # Two workers that decide at once cannot both be right.
            models.UniqueConstraint(fields=["contest", "number"], name="contest_event_once")
        ]

    def __str__(self) -> str:
        return f"event {self.number} of contest {self.contest_id}"


class ContestEntry(models.Model):
    """A player in a contest: a cache of its log."""

    contest = models.ForeignKey(
        Contest, on_delete=models.CASCADE, related_name="entries", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField(help_text="names the player in pairings")
    tier = models.PositiveIntegerField(default=1)
    once = models.BooleanField(default=False, help_text="for one season only")
    is_waiting = models.BooleanField(default=False, help_text="for a seat that becomes free")
    is_out = models.BooleanField(default=False, help_text="left or withdrawn after the start")
    told_at = models.DateTimeField(
        null=True, blank=True, help_text="when a weekly letter has told of it last"
    )
    place = models.PositiveIntegerField(
        null=True, blank=True, help_text="in the final table, the first of those that are shared"
    )
    shared_to = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=["contest", "player"], name="contest_entry_once")
        ]

    def __str__(self) -> str:
        return f"{self.player} in contest {self.contest_id}"


class ContestBoard(models.Model):
    """A board of a contest. Its key is unique, so that no sweep makes it twice."""

    contest = models.ForeignKey(
        Contest, on_delete=models.CASCADE, related_name="boards", db_index=False
    )
    key = models.CharField(max_length=40, help_text="tier, round, entrants and game")
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="contest_board")
    proof = models.TextField(
        blank=True, default="", help_text="of a win: answers, a line a position"
    )
    has_news = models.BooleanField(
        default=False, help_text="it has ended or goes on since the contest was looked at"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["contest", "key"], name="contest_board_once")
        ]
        indexes = [
            models.Index(fields=["contest"], name="contest_news", condition=models.Q(has_news=True))
        ]

    def __str__(self) -> str:
        return f"board {self.key} of contest {self.contest_id}"
