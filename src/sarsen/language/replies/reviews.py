"""Replies about reviews of finished games."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.language.replies.boards import ShownBoard
from sarsen.language.reviews import ReviewedGame, TurningPoint

__all__ = [
    "ReviewAsked",
    "ReviewReply",
    "ReviewShown",
    "ReviewedGame",
    "ReviewsSet",
    "TurningPoint",
]


@dataclass(frozen=True)
class ReviewAsked:
    """A review is being made; the speaker is told when it is done.

    Attributes:
        done, of: Positions looked at so far, and all there are.
        is_new: The speaker had not asked for it before.
    """

    board: int
    done: int
    of: int
    is_new: bool


@dataclass(frozen=True)
class ReviewShown:
    """A review that is done."""

    board: int
    review: ReviewedGame

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw: the position before each turning point."""
        return tuple(ShownBoard(self.board, turn.ply - 1) for turn in self.review.turns)


@dataclass(frozen=True)
class ReviewsSet:
    """Whether every game of the speaker is reviewed when it ends."""

    are_on: bool


ReviewReply = ReviewAsked | ReviewShown | ReviewsSet
