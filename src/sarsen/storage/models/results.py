"""Results of finished matches, and how often who has won: kept so that no table scans matches."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.matches import Match
from sarsen.storage.models.players import Player


class Result(models.Model):
    """A finished match as one of its players sees it; a row a seat.

    The numbers of one that is rated are the player's Glicko-2 numbers before and after the
    match; None while it waits for that. See `services.ratings.rating`.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="results")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    opponent = models.ForeignKey(
        Player,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="None at a board of more than two seats",
    )
    game = models.CharField(max_length=40)
    score = models.FloatField(help_text="0 to 1")
    at = models.DateTimeField()
    is_private = models.BooleanField()
    is_rated = models.BooleanField()
    before_rating = models.FloatField(null=True, blank=True)
    before_deviation = models.FloatField(null=True, blank=True)
    rating = models.FloatField(null=True, blank=True)
    deviation = models.FloatField(null=True, blank=True)
    volatility = models.FloatField(null=True, blank=True)
    period = models.PositiveIntegerField(
        null=True, blank=True, help_text="history: the rating period of release 0.4 or earlier"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="result_once")]
        indexes = [
            models.Index(fields=["player", "-at"], name="results_of_a_player"),
            models.Index(fields=["player", "opponent", "-at"], name="results_of_a_pair"),
            models.Index(
                fields=["game", "-at"], name="results_of_a_game", condition=models.Q(seat=0)
            ),
            models.Index(fields=["-at"], name="results_by_time", condition=models.Q(seat=0)),
            models.Index(
                fields=["game", "at", "match"],
                name="results_to_rate",
                condition=models.Q(is_rated=True, rating__isnull=True),
            ),
            models.Index(
                fields=["game", "at", "match"],
                name="results_rated",
                condition=models.Q(rating__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"result of {self.player} on board {self.match_id}"


class Standing(models.Model):
    """How many matches of a game a player has won, lost and drawn."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    game = models.CharField(max_length=40)
    won = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    drawn = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="standing_once")]
        indexes = [models.Index(fields=["game", "-won", "lost"], name="standings_of_a_game")]

    def __str__(self) -> str:
        return f"{self.player} at {self.game}: {self.won} won"


class Encounter(models.Model):
    """The same against one opponent, from one seat."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    opponent = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    game = models.CharField(max_length=40)
    seat = models.PositiveSmallIntegerField()
    won = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    drawn = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "opponent", "game", "seat"], name="encounter_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} v {self.opponent} at {self.game}"
