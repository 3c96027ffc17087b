"""When clocks stand still: vacations of players, and times when the server was away."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.players import Player


class Vacation(models.Model):
    """A player is away: all his clocks stand still in between."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="vacations")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(help_text="excluded")
    # The days it is charged as, in the zone its player had then.
    first_day = models.DateField()
    last_day = models.DateField()

    class Meta:
        ordering = ("starts_at",)
        indexes = [models.Index(fields=["player", "ends_at"], name="vacations_of_a_player")]

    def __str__(self) -> str:
        return f"vacation of {self.player} from {self.starts_at}"


class Downtime(models.Model):
    """The server was away: nobody's clock ran."""

    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(db_index=True)
    is_settled = models.BooleanField(default=False, help_text="all clocks are worked out again")
    settled_to = models.BigIntegerField(default=0, help_text="the last board that is")

    class Meta:
        ordering = ("starts_at",)

    def __str__(self) -> str:
        return f"away from {self.starts_at} until {self.ends_at}"


class Heartbeat(models.Model):
    """When a kind of work was last done: what is missing since then was downtime."""

    name = models.CharField(max_length=20, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"
