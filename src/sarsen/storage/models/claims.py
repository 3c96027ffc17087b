"""Claims of a win or a draw at a board, and their proofs."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.matches import Match


class Claim(models.Model):
    """A claim of a seat; what a search found, and since when it is answered.

    The answer comes at `due_at`, or later where the search took longer.
    """

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="claims", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    is_draw = models.BooleanField(default=False, help_text="a draw is claimed, not a win")
    ply = models.PositiveIntegerField(help_text="moves played when it was made")
    event = models.PositiveIntegerField(help_text="of the match, the last when it was made")
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="its answer does not come before")
    taken_at = models.DateTimeField(
        null=True, blank=True, help_text="when a search of it was begun last"
    )
    # Positions that are not proven look the same, won, drawn or lost.
    proof = models.TextField(
        blank=True, default="", help_text="answers, a line a position; `-`: none was found"
    )
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(fields=["match", "event", "seat"], name="claim_once")
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="claims_waiting", condition=models.Q(answered_at=None)
            )
        ]

    def __str__(self) -> str:
        return f"claim of seat {self.seat} at board {self.match_id}"
