"""Reviews of finished games: what was found so far, and who is told of it in the end."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.matches import Match
from sarsen.storage.models.players import Player


class Review(models.Model):
    """The one review of a match; written after every step, so that it can go on anywhere."""

    class State(models.TextChoices):
        WAITING = "waiting"
        DONE = "done"
        FAILED = "failed"

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="review")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    findings = models.JSONField(default=dict, help_text="see `search.reviews.keeping`")
    steps = models.PositiveIntegerField(default=0, help_text="done so far; a step counts once")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="at the next step")
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="not before; somebody may be at it until then")
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["asked_at"], name="reviews_due", condition=models.Q(state="waiting")
            )
        ]

    def __str__(self) -> str:
        return f"review of board {self.match_id}"


class ReviewWish(models.Model):
    """A player who shall be told when a review is done."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="wishes")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="review_wishes")
    asked_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["review", "player"], name="review_wish_once")
        ]

    def __str__(self) -> str:
        return f"{self.player} wants the {self.review}"
