"""How far players are in the lessons of games."""

from django.db import models

from sarsen.storage.models.players import Player


class LessonProgress(models.Model):
    """A player's steps in the lesson of a game: what is done, and where the player is."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    game = models.CharField(max_length=40)
    done = models.JSONField(default=list, help_text="ids of steps, in the order they were solved")
    step = models.CharField(max_length=40, help_text="id of the one shown last")
    line = models.TextField(default="", help_text="own moves of it that stand, with blanks")
    tries = models.PositiveSmallIntegerField(default=0, help_text="wrong ones at this position")
    is_declined = models.BooleanField(default=False, help_text="never offer it again")
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "progress in lessons"
        constraints = [
            models.UniqueConstraint(fields=["player", "game"], name="a_lesson_once_for_a_player")
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.game}"
