"""Matches as event logs: the options and the events are the truth, all else is a cache."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from django.db import models

from sarsen.storage.models.players import Player, new_key
from sarsen.storage.statements import select

# The boards that everybody may see. A match from before the term existed is public: a missing
# key counts as false.
PUBLIC = models.Q(terms__private=False) | models.Q(terms__private__isnull=True)


class StoredEvent(NamedTuple):
    """One event of a match, as it is stored."""

    number: int
    kind: str
    ply: int
    seat: int
    text: str
    at: datetime


class Match(models.Model):
    """A match. Its primary key is the board number."""

    game = models.CharField(max_length=40)
    rules_version = models.PositiveIntegerField(help_text="of the game when it began; pinned")
    options = models.CharField(max_length=200, blank=True)
    terms = models.JSONField(default=dict)
    started_at = models.DateTimeField()
    # Caches, written with each event, never the truth.
    event_count = models.PositiveIntegerField(default=0)
    ply = models.PositiveIntegerField(default=0, help_text="moves played")
    seat_to_move = models.PositiveSmallIntegerField(default=0)
    position = models.TextField(help_text="the position as its game writes it")
    moved_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    scores = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    # The clock of the seat to move; see `services.clocks`. None: no clock runs.
    turn_began_at = models.DateTimeField(null=True, blank=True)
    # For a while after a downtime it may be too soon; `services.clocks` never trusts it alone.
    due_at = models.DateTimeField(null=True, blank=True, help_text="the move is lost after it")
    look_at = models.DateTimeField(null=True, blank=True, help_text="next reminder or forfeit")
    reminders = models.PositiveSmallIntegerField(default=0, help_text="sent for this turn")
    warned_at = models.DateTimeField(null=True, blank=True, help_text="the last warning, queued")
    # The levels of the server's own programs by seat, None for others; [] when there are none.
    bots = models.JSONField(default=list)
    bot_level = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="of the program that has something to do here now"
    )
    # What one side has asked the other: {"kind": "draw" or "undo", "seat": …, "ply": …}.
    offer = models.JSONField(null=True, blank=True)
    pair = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    # Known of matches that `services.board_cache` has loaded; None: look it up.
    known_events: list[StoredEvent] | None = None
    has_chat: bool | None = None
    has_notes: bool | None = None
    has_plans: bool | None = None  # active ones
    has_downtimes: bool | None = None  # that ended since the turn began
    is_imported = models.BooleanField(default=False, help_text="played elsewhere; see `Import`")
    has_opening = models.BooleanField(
        null=True, help_text="`OpeningMove` has its first moves; None: not looked at yet"
    )

    class Meta:
        verbose_name_plural = "matches"
        indexes = [
            # In play and over apart: of a million boards most are over, and an index of all by
            # their end would be searched for those in play as if they were few.
            models.Index(
                fields=["moved_at"], name="boards_in_play", condition=models.Q(ended_at=None)
            ),
            # The newest first, as lists of the API have them; a move changes nothing of it.
            models.Index(
                fields=["id"], name="boards_in_play_newest", condition=models.Q(ended_at=None)
            ),
            models.Index(
                fields=["game", "moved_at"],
                name="boards_in_play_of_a_game",
                condition=models.Q(ended_at=None),
            ),
            models.Index(
                fields=["ended_at"],
                name="boards_over",
                condition=models.Q(ended_at__isnull=False),
            ),
            models.Index(
                fields=["game", "ended_at"],
                name="boards_over_of_a_game",
                condition=models.Q(ended_at__isnull=False),
            ),
            models.Index(fields=["game", "id"], name="boards_of_a_game"),
            models.Index(
                fields=["id"],
                name="openings_to_store",
                condition=models.Q(ended_at__isnull=False, has_opening=None),
            ),
            models.Index(
                fields=["look_at"], name="clocks_due", condition=models.Q(look_at__isnull=False)
            ),
            models.Index(
                fields=["moved_at"], name="bots_due", condition=models.Q(bot_level__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} board {self.pk}"

    @property
    def facts(self) -> dict[str, Any]:
        """The facts that letters about the match need: its board, and how far it has come."""
        return {"board": self.pk, "ply": self.ply, "event": self.event_count}

    @cached_property
    def seat_rows(self) -> list[MatchSeat]:
        """The seats in order, with their players: asked for once, when the match is held.

        Code that changes a seat of a loaded match changes these rows, too.
        """
        return seats_of([self.pk])[self.pk]


class MatchSeat(models.Model):
    """A player at a seat, and the key that the seat's reply addresses are signed with."""

    # Here and below `db_index=False`: another index begins with the column.
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", db_index=False)
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    letter_key = models.CharField(max_length=20, default=new_key, help_text="change it to revoke")
    resign_asked_at = models.DateTimeField(null=True, blank=True)
    submitted = models.CharField(max_length=400, blank=True, help_text="a move put forward")
    submitted_ply = models.PositiveIntegerField(null=True, blank=True)
    reserve = models.FloatField(null=True, blank=True, help_text="seconds left; None: no bound")
    # Found by `Match.seat_rows` only: whether there is anything more to ask for.
    has_vacations: bool
    is_watched: bool

    class Meta:
        ordering = ("seat",)
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="match_seat_once")]
        indexes = [models.Index(fields=["player", "match"], name="boards_of_a_player")]

    def __str__(self) -> str:
        return f"seat {self.seat} of board {self.match_id}"


_SEATS = """
SELECT {MatchSeat}, {Player},
    EXISTS (SELECT 1 FROM storage_vacation WHERE player_id = storage_matchseat.player_id),
    EXISTS (SELECT 1 FROM storage_subscription WHERE match_id = storage_matchseat.match_id)
FROM storage_matchseat
JOIN storage_player ON storage_player.id = storage_matchseat.player_id
WHERE storage_matchseat.match_id IN ({keys})
ORDER BY storage_matchseat.match_id, storage_matchseat.seat
"""


def seats_of(boards: Collection[int]) -> dict[int, list[MatchSeat]]:
    """Return the seats of boards in order, each with its player and what there is to ask for."""
    seats: dict[int, list[MatchSeat]] = defaultdict(list)
    for seat, player, has_vacations, is_watched in select(_SEATS, keys=boards):
        seat.player = player
        seat.has_vacations, seat.is_watched = bool(has_vacations), bool(is_watched)
        seats[seat.match_id].append(seat)
    return seats


class MatchEvent(models.Model):
    """One thing that happened at a board. Only ever added.

    The moves that stand are a fold of the events: see `services.records`. The ply of a
    taking back says how many moves stand after it.
    """

    class Kind(models.TextChoices):
        MOVE = "move"
        RESIGN = "resign"
        DRAW = "draw"
        UNDO = "undo"
        FORFEIT = "forfeit"
        DECIDE = "decide"  # by the law of its contest; scores and reason in its text
        CLOSE = "close"  # by its contest, without a result
        CLAIM = "claim"  # a proven claim; scores and reason in its text
        RESUME = "resume"  # an operator has undone a forfeit: the game goes on

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="events", db_index=False
    )
    number = models.PositiveIntegerField(help_text="counts the events of a match from 1")
    kind = models.CharField(max_length=10, choices=Kind)
    ply = models.PositiveIntegerField(help_text="moves played before it, plus 1 for a move")
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=400, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("number",)
        constraints = [
            # Two writers that decide at once cannot both be right.
            models.UniqueConstraint(fields=["match", "number"], name="event_once")
        ]
        indexes = [
            # Of the few events of this kind: operators are told of the last day's.
            models.Index(fields=["at"], name="forfeits", condition=models.Q(kind="forfeit"))
        ]

    def __str__(self) -> str:
        return f"event {self.number} of board {self.match_id}"


class Import(models.Model):
    """The facts of an imported record beside its moves: nothing of it is ours."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="record")
    digest = models.CharField(max_length=64, unique=True, help_text="of the record, unsigned")
    head = models.JSONField(help_text="the record in the JSON form, without its moves")
    untimed = models.JSONField(default=list, help_text="plies of which nobody knows when")
    # A signature that nobody has checked is kept, and given out to nobody.
    has_checked_signature = models.BooleanField(default=False)
    at = models.DateTimeField(help_text="when it was imported")

    def __str__(self) -> str:
        return f"record of board {self.match_id}"


class ChatLine(models.Model):
    """A chat line at a board."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="chat")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    ply = models.PositiveIntegerField(help_text="moves played when it was said")
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.player} at board {self.match_id}"


class OpeningMove(models.Model):
    """One of the first moves of a public game that is over, to search games by."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="opening")
    position = models.BigIntegerField(help_text="a digest of the position it was played in")
    text = models.CharField(max_length=400)
    score = models.FloatField(help_text="of the first seat, 0 to 1")
    rating = models.FloatField(null=True, blank=True, help_text="of its players, on average")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["position", "match"], name="opening_move_once")
        ]

    def __str__(self) -> str:
        return f"{self.text} at board {self.match_id}"


class Note(models.Model):
    """Words a player keeps with a board, for nobody else's eyes."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notes")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    ply = models.PositiveIntegerField(help_text="moves played when it was written")
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"note of {self.player} at board {self.match_id}"


class Plan(models.Model):
    """A player's tree of variations at a board; see `services.plans` for its form."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="plans")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="plans")
    tree = models.JSONField(default=dict)
    is_active = models.BooleanField(default=False, help_text="a line of it may be played")
    is_public = models.BooleanField(default=False, help_text="shown to all after the game")
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="plan_once")]

    def __str__(self) -> str:
        return f"plan of {self.player} at board {self.match_id}"


class Vacation(models.Model):
    """A player is away: all their clocks stand still in between."""

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
    """A time when the server was away, and no clock ran."""

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


class CountedFigures(models.Model):
    """The figures of the server as they were counted last, in one row; see `events.statistics`."""

    figures = models.JSONField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"figures of {self.at}"


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


class ReviewRequest(models.Model):
    """A player to notify when a review is done."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="requests")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="review_requests")
    asked_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["review", "player"], name="review_wish_once")
        ]

    def __str__(self) -> str:
        return f"{self.player} wants the {self.review}"
