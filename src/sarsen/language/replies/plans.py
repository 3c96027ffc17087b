"""Replies about plans: moves kept ready for what may come."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.language.replies.boards import Moved, ShownBoard


@dataclass(frozen=True)
class PlanKept:
    """A plan was made.

    Attributes:
        plan: What waits now, as its owner would write it; "" when all is played.
        played: What came of its first move, when it was the speaker's turn.
    """

    board: int
    plan: str
    played: Moved | None = None

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return self.played.shows if self.played else (ShownBoard(self.board),)


@dataclass(frozen=True)
class PlanShown:
    """What is planned at a board.

    Attributes:
        plan: As its owner would write it; "" for nothing.
        variations: How many moves his variations hold.
    """

    board: int
    plan: str
    variations: int


@dataclass(frozen=True)
class PlanForgotten:
    """Nothing is planned at a board any more; `plan` is what was."""

    board: int
    plan: str


@dataclass(frozen=True)
class PlanPublished:
    """Everybody may see the speaker's variations at a finished board, or nobody any more."""

    board: int
    is_public: bool


PlanReply = PlanKept | PlanShown | PlanForgotten | PlanPublished
