"""How far players are in the lessons of games."""

from django.db import models

from sarsen.storage.models.matches import Match
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


class PuzzleTry(models.Model):
    """A puzzle that a player was given, and what came of the first try at it."""

    class Result(models.TextChoices):
        """What came of the first try."""

        NONE = ""
        SOLVED = "solved"
        FAILED = "failed"

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    game = models.CharField(max_length=40)
    puzzle = models.PositiveIntegerField(help_text="its id in the game")
    line = models.TextField(default="", help_text="own moves that stand, with blanks")
    result = models.CharField(max_length=10, choices=Result, default=Result.NONE, blank=True)
    change = models.FloatField(
        null=True, help_text="of the player's rating by it; None: it was not rated"
    )
    seen_at = models.DateTimeField(help_text="when it was shown last")
    solved_at = models.DateTimeField(null=True, help_text="when it was solved, at whichever try")

    class Meta:
        verbose_name_plural = "puzzle tries"
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game", "puzzle"], name="a_puzzle_once_for_a_player"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.game}-{self.puzzle}"


class PuzzleRating(models.Model):
    """The Glicko-2 numbers of a puzzle, or of a player at a game's puzzles; apart from games."""

    game = models.CharField(max_length=40)
    puzzle = models.PositiveIntegerField(null=True, help_text="its id; None: of a player")
    player = models.ForeignKey(Player, null=True, on_delete=models.CASCADE, related_name="+")
    rating = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    tries = models.PositiveIntegerField(default=0, help_text="that were rated")
    solved = models.PositiveIntegerField(default=0, help_text="of these")
    rated_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "puzzle"],
                condition=models.Q(player=None),
                name="a_rating_once_for_a_puzzle",
            ),
            models.UniqueConstraint(
                fields=["game", "player"],
                condition=models.Q(puzzle=None),
                name="a_puzzle_rating_once_for_a_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player or self.puzzle} at {self.game}: {self.rating:.0f}"


class PuzzleSubscription(models.Model):
    """A player gets the puzzle of the day of a game by mail."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    game = models.CharField(max_length=40)
    sent_on = models.DateField(help_text="the day, in UTC, whose puzzle was sent last")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "game"], name="a_daily_puzzle_once")
        ]
        indexes = [models.Index(fields=["sent_on"], name="daily_puzzles_due")]

    def __str__(self) -> str:
        return f"{self.player} gets a puzzle of {self.game} a day"


class PuzzleVote(models.Model):
    """A vote of a player on a puzzle that the player has tried."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    game = models.CharField(max_length=40)
    puzzle = models.PositiveIntegerField(help_text="its id in the game")
    is_good = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "game", "puzzle"], name="a_vote_once")
        ]
        indexes = [models.Index(fields=["game", "puzzle"], name="votes_of_a_puzzle")]

    def __str__(self) -> str:
        return f"{self.player} on {self.game}-{self.puzzle}"


class PuzzleReport(models.Model):
    """A player says that a right move was refused; an operator has the puzzle proved again."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    game = models.CharField(max_length=40)
    puzzle = models.PositiveIntegerField(help_text="its id in the game")
    line = models.TextField(help_text="own moves, the refused one last, with blanks")
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game", "puzzle", "line"], name="a_refused_move_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.game}-{self.puzzle} {self.line}"


class OwnPuzzle(models.Model):
    """A turning point of a player's own game, to be solved again after 1, 7 and 30 days."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    ply = models.PositiveIntegerField(help_text="of the move played, counted from 1")
    number = models.PositiveSmallIntegerField(help_text="among the player's own of the review")
    stage = models.PositiveSmallIntegerField(default=0, help_text="how often solved when due")
    due_on = models.DateField(null=True, help_text="in UTC; None: no more")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "match", "ply"], name="own_puzzle_once")
        ]

    def __str__(self) -> str:
        return f"{self.player} at board {self.match_id}, move {self.ply}"
