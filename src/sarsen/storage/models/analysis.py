"""The analysis board: how much each asker has used, the question asked now, and answers kept."""

from django.db import models

from sarsen.storage.models.players import Player


class Analyst(models.Model):
    """One who asks about positions: a player, or all visitors of a network. One question at a time.

    The question and its reservation are in the row of their asker, so a new one replaces it.
    """

    class State(models.TextChoices):
        """How far the question is."""

        NONE = ""
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    key = models.CharField(max_length=80, unique=True, help_text="`player 17`, or a digest")
    player = models.OneToOneField(Player, null=True, on_delete=models.CASCADE, related_name="+")
    hour_began_at = models.DateTimeField(help_text="of the hour that is counted now")
    spent = models.FloatField(default=0.0, help_text="seconds of the processor in that hour")
    number = models.PositiveIntegerField(default=0, help_text="of the question")
    state = models.CharField(max_length=10, choices=State, default=State.NONE, blank=True)
    game = models.CharField(max_length=40, blank=True)
    position = models.TextField(default="", help_text="the one asked about, as written")
    result = models.CharField(max_length=64, blank=True, help_text="key of the answer")
    reserved = models.FloatField(default=0.0, help_text="seconds, of the question")
    asked_at = models.DateTimeField(null=True)
    began_at = models.DateTimeField(null=True, help_text="when its search began")
    due_at = models.DateTimeField(null=True, help_text="another process may take it then")
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(
                fields=["asked_at"],
                name="questions_waiting",
                condition=models.Q(state__in=["waiting", "running"]),
            ),
            models.Index(
                fields=["hour_began_at"],
                name="analysts_without_player",
                condition=models.Q(player=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.spent:.1f} s"


class AnalysisResult(models.Model):
    """What was found of a position, up to the symmetries of its game."""

    key = models.CharField(max_length=64, unique=True, help_text="digest of the canonical text")
    position = models.TextField(help_text="the one that was searched, as written")
    findings = models.JSONField(help_text="see `search.analysis.write`")
    seconds = models.FloatField(help_text="that its search might take")
    used_at = models.DateTimeField(db_index=True, help_text="about when it was asked for last")

    def __str__(self) -> str:
        return f"{self.key[:8]} after {self.seconds:.1f} s"
