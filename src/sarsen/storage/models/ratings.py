"""Ratings: how strong players are at a game, and how that came about."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.matches import Match
from sarsen.storage.models.players import Player


class Rating(models.Model):
    """A player's Glicko-2 numbers at a game after the last rated result: `Result` has them too.

    Since then only the deviation has grown; `glicko.strength_after_pause` adds that.
    """

    # Here and below `db_index=False`: another index begins with the column.
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="ratings", db_index=False
    )
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
        indexes = [
            # To the last column that lists are sorted by: very many beginners are equal.
            models.Index(fields=["game", "-rating", "player"], name="ratings_of_a_game"),
            models.Index(
                fields=["game", "-rating", "player"],
                name="ratings_once_certain",
                condition=models.Q(certain_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.game}: {self.rating:.0f}"


class Measurement(models.Model):
    """How strong the server's programs are at a plug-in game, by games between them; a row a game.

    See `services.ratings.measurements`.
    """

    class State(models.TextChoices):
        """How far the measurement of `version` is."""

        RUNNING = "running"
        DONE = "done"
        GIVEN_UP = "given up"

    game = models.CharField(max_length=40, unique=True)
    version = models.CharField(max_length=200, help_text="of the rules and of their package")
    state = models.CharField(max_length=8, choices=State)
    played = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(help_text="to play in all")
    ratings = models.JSONField(
        default=list, help_text="by level from 1 on, of the last version that was measured"
    )

    def __str__(self) -> str:
        return f"measurement of {self.game} {self.version}: {self.state}"


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


class Result(models.Model):
    """A finished match as one of its players sees it; a row a seat.

    The numbers of one that is rated are the player's Glicko-2 numbers before and after the
    match; None while it waits for that. See `services.ratings.rating`.
    """

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="results", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
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

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    game = models.CharField(max_length=40)
    won = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    drawn = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="standing_once")]
        indexes = [
            models.Index(fields=["game", "-won", "lost", "player"], name="standings_of_a_game")
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.game}: {self.won} won"


class Encounter(models.Model):
    """The same against one opponent, from one seat."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
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
