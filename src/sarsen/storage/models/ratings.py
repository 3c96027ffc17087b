"""Ratings: how strong players are at a game, and how that came about."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.players import Player


class Rating(models.Model):
    """A player's Glicko-2 numbers at a game after the last rated result: `Result` has them too.

    Since then only the deviation has grown; `services.ratings.glicko.grown` adds that.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="ratings")
    game = models.CharField(max_length=40)
    rating = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    matches = models.PositiveIntegerField(default=0, help_text="that were rated")
    rated_at = models.DateTimeField(help_text="when the last rated game ended")
    certain_until = models.DateTimeField(
        null=True, blank=True, help_text="provisional from then on without a game; None: already"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="rating_once")]
        indexes = [models.Index(fields=["game", "-rating"], name="ratings_of_a_game")]

    def __str__(self) -> str:
        return f"{self.player} at {self.game}: {self.rating:.0f}"


class RatingPeriod(models.Model):
    """History: a stretch of time whose results were rated together, until release 0.4."""

    number = models.PositiveIntegerField(unique=True)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(help_text="excluded")
    games_done = models.JSONField(default=list, help_text="games whose results are counted")
    closed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"rating period {self.number}"


class RatingStep(models.Model):
    """History: what one closed period did to one rating, as it was published until release 0.4."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    game = models.CharField(max_length=40)
    period = models.PositiveIntegerField()
    at = models.DateTimeField(help_text="the end of the period")
    rating = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    matches = models.PositiveIntegerField(help_text="of the period")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "game", "period"], name="rating_step_once")
        ]
        indexes = [models.Index(fields=["game", "period", "player"], name="steps_of_a_period")]

    def __str__(self) -> str:
        return f"{self.player} at {self.game} after period {self.period}"
